"""Plays units, one after the other: opens the bots' hosts, and plays games in lockstep where that is exact.

The number of games that share a message is adapted: as many as take a fraction of a second, so that little is
lost with a worker. It is remembered for the next unit of a bot; where more than two bots are put together,
all are known to answer at once. After a batch that proved nothing, the games of the bot that spoilt it are
played one at a time for the rest of the unit. A bot that is too slow for batches, or that asks for its clock,
is remembered too, and so is one that spoilt a batch of several others.

It notes in a `Status` what it is about to do.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from itertools import takewhile
from math import inf
from pathlib import Path
from shutil import rmtree

from arena.bots.source import Source
from arena.errors import Void
from arena.executors.reserve import Reserve
from arena.executors.status import Doing, Status
from arena.executors.unit import Manner, Played, Spoilt, Unit, replay
from arena.game import Position
from arena.hosts.batch import MOST_GAMES, Dropped, ManyHost, play_batch
from arena.hosts.opening import open_host, require_sandbox
from arena.hosts.play import Host, play_surely
from arena.hosts.sandboxed import SandboxedHost
from arena.hosts.scripted import ScriptedHost
from arena.hosts.trusted import TrustedHost
from arena.hosts.wrapped import WrappedHost
from arena.inside.program import BotFault
from arena.leftovers import name_after_us, remove_what_the_dead_left
from arena.referee.endings import Failure, Outcome, Reply
from arena.referee.game import Game, GameRecord, GameSpec
from arena.sandbox.template import Template

FIRST_SHARE = 8
SHARE_SECONDS = 0.25
BATCH_SECONDS = 0.05


class Worker:
    """Plays units with one template."""

    def __init__(self, status: Status | None = None) -> None:
        self._status = status or Status()
        self._template = Template()
        self._other = Template()  # for audits; started when there is one
        self._reserve = Reserve()
        self._folders: dict[str, Path] = {}  # by version: where trusted bots are
        self._shares: dict[str, int] = {}  # by version: how many of its games may share a message
        self._alone: set[str] = set()  # versions of bots whose games cannot share a message
        self._spoilers: set[str] = set()  # versions of bots that spoilt a batch of more than two

    def prepare(self) -> str:
        """Start what sandboxed bots need; return the walls around them. NoSandbox if they are not enough."""
        require_sandbox(self._template)
        self._other.launch()  # it will be needed soon
        return str(self._template.walls)

    def play(
        self, unit: Unit, first: int = 0, is_careful: bool = False, seconds: float = inf
    ) -> Iterator[Played]:
        """Yield the games of a unit from a number on; with care, each is played by itself.

        No game is begun after some seconds, or once `stop` was called: the rest of the unit is not played.
        """
        deadline = time.monotonic() + seconds
        is_shared = unit.manner in (Manner.SHARED, Manner.REPEAT)
        is_together = is_shared and not is_careful
        keeps = is_together and not unit.is_secret
        hosts = self._hosts(unit, keeps)
        together = self._together(unit, hosts) if is_together else {}
        is_ended = False
        try:
            for played in self._play_games(unit, first, hosts, together, deadline):
                yield played
                for host in hosts.values() if not is_shared else ():
                    host.close()
            is_ended = True
        finally:
            self._let_go(hosts, keeps and is_ended)

    def _play_games(
        self,
        unit: Unit,
        first: int,
        hosts: dict[str, Host],
        together: dict[str, ManyHost],
        deadline: float,
    ) -> Iterator[Played]:
        """Yield games in lockstep between bots with which that proves something, and others one by one."""
        versions = _versions(unit).values()
        first_share = FIRST_SHARE if len(unit.bots) == 2 else MOST_GAMES
        size = min(self._shares.get(version, first_share) for version in versions) if together else 1
        while first < len(unit.specs) and not self.is_stopping:
            begun = time.monotonic()
            if begun > deadline:
                break
            games = _share(unit.specs[first : first + size], together)
            self._note(first, len(games) or 1)
            if not games:
                yield self._play_one(first, unit.specs[first], hosts)
                first += 1
                continue
            played = self._lockstep(unit, games, together)
            if isinstance(played, Dropped):
                _leave_out(together, played.bot)  # a batch that failed once would fail again
                if played.reason and unit.isolation != "trusted":  # who is trusted gains nothing by it
                    # Thinking long is not a failure: it was our idea that games share a message.
                    bot = "" if played.is_lasting else played.bot
                    yield from (replay(spec, bot, played.reason) for spec in games)
                continue
            yield from played
            first += len(played)
            fitting = int(SHARE_SECONDS * len(games) / (time.monotonic() - begun))
            size = max(2, min(MOST_GAMES, 4 * size, fitting))
            self._shares.update(dict.fromkeys(versions, size))
        self._note(first, 0)

    def _hosts(self, unit: Unit, may_be_used: bool) -> dict[str, Host]:
        """Return the hosts of a unit's bots by name; some may have played before."""
        template = self._template
        if unit.manner in (Manner.AUDIT, Manner.REPEAT):
            template = self._other
            # The same walls were proven already.
            template.is_proven |= self._template.is_proven and template.walls == self._template.walls
        found: dict[str, Host] = {}
        asked = unit.bots if unit.script is None else unit.bots[:1]
        playing = _versions(unit)  # of a unit that was cut perhaps not all
        for bot in (bot for bot in asked if bot.name in playing):
            waiting = self._reserve.take(bot, template) if may_be_used else None
            found[bot.name] = waiting or self.host(bot, unit.isolation, template)
        if unit.script is not None:
            found[unit.bots[1].name] = ScriptedHost(unit.script)
        return found

    def _let_go(self, hosts: dict[str, Host], may_wait: bool) -> None:
        """Keep the bots of a unit for the next one that they are in, or end them."""
        for host in hosts.values():
            if may_wait and isinstance(host, SandboxedHost):
                self._reserve.give(host)
            else:
                host.close()

    def _note(self, first: int, count: int) -> None:
        """Note which games are in play, before any bot hears of them."""
        status = self._status
        status.doing, status.game, status.in_play = Doing.NOTHING, first, count

    def _note_request(self, number: int) -> None:
        """Note that a bot is asked in many games; `number` distinguishes the requests of a batch."""
        self._status.plies, self._status.doing = number, Doing.TOGETHER

    def _together(self, unit: Unit, hosts: dict[str, Host]) -> dict[str, ManyHost]:
        """Return the hosts of bots whose games may share messages."""
        versions, left_out = _versions(unit), self._alone
        if len(unit.bots) > 2:
            left_out = left_out | self._spoilers
        return {
            name: host
            for name, host in hosts.items()
            if isinstance(host, SandboxedHost | TrustedHost) and host.plays_many
            if versions[name] not in left_out
        }

    def _lockstep(
        self, unit: Unit, games: tuple[GameSpec, ...], hosts: dict[str, ManyHost]
    ) -> list[GameRecord] | Dropped:
        """Play games in lockstep; `Dropped` if that proves nothing and they must be played one at a time."""
        names = {name for spec in games for name in (spec.first, spec.second)}
        try:
            playing = {name: host for name, host in hosts.items() if name in names}
            played = play_batch(games, playing, self._note_request)
        except Void as void:
            return Dropped("", f"{void}, and with it a batch of {len(games)} games")
        finally:
            self._status.doing = Doing.NOTHING
        if isinstance(played, Dropped) and played.bot:
            version = _versions(unit)[played.bot]
            self._alone.update({version} if played.is_lasting else ())
            self._spoilers.update({version} if len(playing) > 2 else ())
        return played

    @property
    def is_stopping(self) -> bool:
        """Whether no more games are to be begun."""
        return bool(self._status.is_stopping)

    def stop(self) -> None:
        """Begin no more games."""
        self._status.is_stopping = 1

    def _play_one(self, number: int, spec: GameSpec, hosts: dict[str, Host]) -> Played:
        sides = enumerate((spec.first, spec.second))
        noted = [_Noted(hosts[name], self._status, number, side) for side, name in sides]
        try:
            return play_surely(spec, noted[0], noted[1])
        except Void as void:
            return Spoilt(spec, str(void))

    def host(self, source: Source, isolation: str, template: Template | None = None) -> Host:
        """Return a host for a bot; also for one that does not even compile, and so never starts."""
        path = self._folder(source) if isolation == "trusted" and not source.command else None
        try:
            return open_host(source, path, isolation, template or self._template)
        except BotFault as fault:
            return _Broken(fault.failure, isolation)

    def _folder(self, source: Source) -> Path:
        """Return the folder of a trusted bot: a copy, so that nobody edits it while it plays."""
        if source.version not in self._folders:
            if not self._folders:
                remove_what_the_dead_left()
            folder = Path(tempfile.mkdtemp(prefix=name_after_us("trusted")))
            source.write(folder)
            if source.main != "bot.py":
                (folder / source.main).rename(folder / "bot.py")
            self._folders[source.version] = folder
        return self._folders[source.version]

    def close(self) -> None:
        """End the template and all bots, and remove what was written."""
        self._reserve.close()
        self._template.close()
        self._other.close()
        for folder in self._folders.values():
            rmtree(folder, ignore_errors=True)
        self._folders.clear()


def _versions(unit: Unit) -> dict[str, str]:
    """Return the versions of the bots by name."""
    firsts = {spec.first: spec.first_version for spec in unit.specs}
    return firsts | {spec.second: spec.second_version for spec in unit.specs}


def _share(games: tuple[GameSpec, ...], together: dict[str, ManyHost]) -> tuple[GameSpec, ...]:
    """Return the first of some games that may share messages, as many as follow each other."""
    if len(games) == 1:
        return ()
    return tuple(takewhile(lambda game: game.first in together and game.second in together, games))


def _leave_out(together: dict[str, ManyHost], bot: str) -> None:
    """Let the games of a bot share no more messages; of none of them if nobody knows whose fault it was."""
    if bot:
        del together[bot]
    else:
        together.clear()


class _Noted(WrappedHost):
    """A host that notes what its bot is asked."""

    def __init__(self, host: Host, status: Status, number: int, side: int) -> None:
        super().__init__(host)
        self._status = status
        self._number = number
        self._side = side

    def begin(self, game: Game) -> Failure | None:
        status = self._status
        status.game, status.side, status.plies = self._number, self._side, 0
        status.doing = Doing.BEGINNING
        failure = self._host.begin(game)
        status.doing = Doing.NOTHING
        return failure

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        status, history = self._status, position.history
        moves = status.moves
        for ply in range(status.plies, len(history)):
            moves[ply] = history[ply]
        status.game, status.side, status.plies = self._number, self._side, len(history)
        status.doing = Doing.ASKING
        reply = self._host.ask(position, game_seconds_left)
        status.doing = Doing.NOTHING  # what goes wrong from here on is our own fault
        return reply


class _Broken:
    """The host of a bot whose file does not even compile: it never starts."""

    by_signal = False
    takes_clock = False
    printed = ""

    def __init__(self, failure: Failure, isolation: str) -> None:
        self._failure = failure
        self.isolation = isolation

    def begin(self, game: Game) -> Failure | None:
        return self._failure

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        return Reply(-1, failure=self._failure)

    def finish(self, outcome: Outcome) -> None:
        pass

    def close(self) -> None:
        pass


def batches(games: Iterator[Played], seconds: float = BATCH_SECONDS) -> Iterator[list[Played]]:
    """Yield games in lists; each list has what was finished within some time."""
    kept: list[Played] = []
    since = time.monotonic()
    for played in games:
        kept.append(played)
        if time.monotonic() - since >= seconds:
            yield kept
            kept, since = [], time.monotonic()
    if kept:
        yield kept
