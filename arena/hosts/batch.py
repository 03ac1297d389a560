"""Many games in lockstep: one request carries all positions of a bot, so a move costs little.

For sandboxed bots a request is a message, for trusted ones a call with one timer. It stays exact. Every game
has its own copy of the bot, executed from scratch, and random numbers are seeded before every move, so a bot
cannot tell a batch from a single game, nor whom it meets in the others. If the whole time of a request is
below the limit of a single move, no move in it can have been too slow. In any other case, and if anything
else is unusual, the whole batch is dropped and its games are played one at a time. So everything in a record
was either seen or proven.

A bot that has spoilt a batch has seen its opponents' answers in games that are now played again. So all
processes end with the batch: what a bot remembered outside the games, in `sys` or in C, is gone. (Trusted
bots have none of their own.)

Where a batch has more than two bots, each may have only a share of the memory that two may have: all of them
are alive at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import NamedTuple, Protocol

from arena.errors import IllegalMove
from arena.game import Position
from arena.hosts.play import isolation_of
from arena.referee.endings import Ending, Failure
from arena.referee.game import Game, GameRecord, GameSpec
from arena.referee.judge import claim, end_of
from arena.referee.record import nothing_spent, record

MOST_GAMES = 256
"""Games in one batch, as many as a unit has: a message costs 40 µs, however much is in it."""

MOST_MIB = 64
"""The memory that a bot may have of its own in a batch of more than two."""

Asked = tuple[int, tuple[int, ...]]
"""The number of a game in which a bot is to move, and the cells that it does not know of yet."""


Answered = tuple[list[int], float, float, float]
"""The moves in all games, and the CPU, wall and idle seconds that they took together."""


class ManyHost(Protocol):
    """Our end of the line to a bot that may play many games at once."""

    @property
    def isolation(self) -> str:
        """How the bot is run: `trusted` or `sandboxed`."""

    @property
    def plays_many(self) -> bool:
        """Whether this bot may."""

    @property
    def by_signal(self) -> bool:
        """Whether the last failure was a signal that somebody outside may have sent."""

    @property
    def takes_clock(self) -> bool:
        """Whether the bot asks for its clock, and so cannot."""

    @property
    def own_mib(self) -> float:
        """About how much memory the bot has of its own, when last looked at."""

    def begin_many(self, games: Mapping[int, Game]) -> Failure | None:
        """Begin games by their numbers; a failure if they must be played one at a time."""

    def ask_many(
        self, asked: list[Asked], positions: Sequence[Position], seconds: float
    ) -> Answered | Failure:
        """Ask for a move in each of some games; a failure if anything was unusual, or took too long."""

    def forget_many(self) -> None:
        """Let the bot drop its games."""

    def close(self) -> None:
        """Let go of the bot."""


class Dropped(NamedTuple):
    """A batch that proves nothing, and why: its games are played one at a time, in fresh processes."""

    bot: str  # the bot that spoilt it; empty if it was none
    reason: str  # a sentence; empty if no bot was asked for a move yet, so that none has seen anything
    is_lasting: bool = False  # whether this bot would spoil the next one too


def _note_nothing(number: int) -> None:
    pass


def play_batch(
    specs: Sequence[GameSpec], hosts: Mapping[str, ManyHost], note: Callable[[int], None] = _note_nothing
) -> list[GameRecord] | Dropped:
    """Play games of some bots with the same limits in lockstep, unless that proves nothing.

    Before each request `note` hears its number, so that one without an end is noticed.
    """
    played: list[GameRecord] | Dropped | None = None
    try:
        played = _Batch(specs, hosts, note).play()
        return played
    finally:
        for host in hosts.values():
            if isinstance(played, list):
                host.forget_many()
            else:
                host.close()


class _Batch:
    def __init__(
        self, specs: Sequence[GameSpec], hosts: Mapping[str, ManyHost], note: Callable[[int], None]
    ) -> None:
        self._requests = count()
        self._note = note
        self._specs = specs
        self._hosts = hosts
        self._limits = specs[0].limits
        self._positions = [spec.variant.replay(spec.opening) for spec in specs]
        self._spent = [nothing_spent() for _ in specs]
        self._charged = dict.fromkeys(hosts, 0.0)
        self._isolation = isolation_of(hosts.values())
        self._names = [(spec.first, spec.second) for spec in specs]
        # The plies after which trials end; games that are played to the end have none.
        self._lasts = [len(s.opening) + s.moves_asked for s in specs] if specs[0].moves_asked else []
        # The games in which each bot is to move; a game that is already over is in neither list.
        self._waiting: dict[str, list[Asked]] = {name: [] for name in hosts}

    def play(self) -> list[GameRecord] | Dropped:
        for name, host in self._hosts.items():
            self._note(next(self._requests))
            failure = host.begin_many(self._games(name))
            if failure is not None:
                return self._drop_start(name, failure)
        for number, position in enumerate(self._positions):
            if not position.is_over:
                name = self._names[number][position.to_move]
                self._waiting[name].append((number, self._specs[number].opening))
        while any(self._waiting.values()):
            for name in self._hosts:
                dropped = self._turn(name)
                if dropped is not None:
                    return dropped
        return [self._record(number) for number in range(len(self._specs))]

    def _drop_start(self, name: str, failure: Failure) -> Dropped:
        """Return why a bot did not start; not even that unless somebody outside may have ended it.

        Nobody was asked yet, so nothing is played again.
        """
        host = self._hosts[name]
        if host.takes_clock:
            return Dropped(name, "", is_lasting=True)
        is_silent = failure.ending is Ending.NO_START and not host.by_signal
        return Dropped(name, "") if is_silent else self._drop(name, failure, "start")

    def _drop(self, name: str, failure: Failure, what: str) -> Dropped:
        games = f"a batch of {len(self._specs)} games"
        what = "game" if self._charged[name] > self._limits.game_seconds else what
        if failure.ending is Ending.TIMEOUT:
            return Dropped(name, f"{games} took more time than one {what} may", is_lasting=True)
        return Dropped(name, f"{failure.detail.strip()} in {games}")

    def _games(self, name: str) -> dict[int, Game]:
        """Return the games of a bot by their numbers."""
        own = [(number, names.index(name)) for number, names in enumerate(self._names) if name in names]
        return {number: self._specs[number].game_of(side) for number, side in own}

    def _turn(self, name: str) -> Dropped | None:
        """Ask one bot in all games where it is to move; `Dropped` if the batch no longer proves anything."""
        asked, self._waiting[name] = self._waiting[name], []
        if not asked:
            return None
        self._note(next(self._requests))
        host = self._hosts[name]
        answer = host.ask_many(asked, self._positions, self._limits.move_seconds)
        if isinstance(answer, Failure):
            return self._drop(name, answer, "move")
        moves, cpu, wall, idle = answer
        self._charged[name] += cpu + idle
        if self._charged[name] > self._limits.game_seconds:
            return self._drop(name, Failure(Ending.TIMEOUT, "took longer than a game may"), "move")
        if len(self._hosts) > 2 and host.own_mib > MOST_MIB:
            crowd = f"a batch of {len(self._specs)} games between {len(self._hosts)} bots"
            return Dropped(name, f"had more than {MOST_MIB} MiB of its own in {crowd}", is_lasting=True)
        illegal = self._claim(asked, moves, cpu / len(asked), wall / len(asked))
        return illegal and self._drop(name, illegal, "move")

    def _claim(self, asked: list[Asked], moves: list[int], cpu: float, wall: float) -> Failure | None:
        """Make the moves on the referee's own positions; a failure if one of them is illegal.

        If a game goes on, it waits for the other bot's turn.
        """
        positions, all_spent, lasts, specs = self._positions, self._spent, self._lasts, self._specs
        waiting, names = self._waiting, self._names
        for (number, _), move in zip(asked, moves, strict=True):
            try:
                after = positions[number].play(move)
            except IllegalMove:
                outcome = claim(positions[number], move)[1]
                assert outcome is not None
                return Failure(outcome.ending, outcome.detail)
            positions[number] = after
            history = after.history
            plies = len(history)
            side = plies & 1  # who is to move next
            spent = all_spent[number][1 - side]
            spent[0] += cpu
            spent[1] += wall
            if not after.is_over and (not lasts or plies < lasts[number]):
                # Who is asked for the first time knows nothing yet.
                is_first = plies == len(specs[number].opening) + 1
                waiting[names[number][side]].append((number, history if is_first else (move,)))
        return None

    def _record(self, number: int) -> GameRecord:
        position = self._positions[number]
        return record(self._specs[number], position, end_of(position), self._spent[number], self._isolation)
