"""The trusted host: the bot runs inside this process. Fastest, and for your own bots only.

Limits are measured here too. A bot that loops in Python or sleeps is interrupted by a timer. A bot that loops
in C, or ends the process, takes the process with it. So trusted games that must not be lost are played in a
worker process.
"""

from __future__ import annotations

import io
import random  # noqa: F401 - loaded, so that it is seeded when a bot imports it
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from arena.game import Position
from arena.hosts.batch import Answered, Asked
from arena.hosts.output import MOST_PRINTED
from arena.inside.program import BotFault, Clock, Player, Program, answer, player, player_of
from arena.inside.program import number as as_number
from arena.inside.seeding import seed_random, watch_numpy
from arena.inside.without_solver import without_solver
from arena.referee.endings import Ending, Failure, Outcome, Reply
from arena.referee.game import Game, patience

T = TypeVar("T")

_CAN_INTERRUPT = hasattr(signal, "setitimer")  # not on Windows; and only the main thread anywhere


class Overtime(BaseException):
    """Raised by the timer inside a bot's code. Not an Exception, so that bots do not catch it by accident."""


class TrustedHost:
    """A bot in this process: a `Program`, or a callable or `Bot` object of the caller's own."""

    isolation = "trusted"
    by_signal = False
    own_mib = 0.0  # all of it is ours

    def __init__(self, bot: Program | Callable[..., Any] | object) -> None:
        self._bot = bot
        self._game: Game | None = None
        self._player: Player | None = None
        self._players: list[Player] = []  # in all games that are played
        self._many: dict[int, tuple[Callable[..., Any], int]] = {}  # the functions to call, and their seeds
        self._printed = io.StringIO()

    @property
    def printed(self) -> str:
        """What the bot has printed in this game, up to 64 KiB."""
        return self._printed.getvalue()[:MOST_PRINTED]

    @property
    def takes_clock(self) -> bool:
        """Whether the bot asks for its clock, and so cannot be repeated."""
        return self._player is not None and self._player.takes_clock

    def begin(self, game: Game) -> Failure | None:
        """Begin a game with a fresh bot."""
        self.close()
        _alarm.take()
        watch_numpy()
        self._game = game
        self._printed = io.StringIO()
        seed_random(game.seed, 0)
        try:
            new = self._new_player if game.limits.solver else without_solver(self._new_player)
            self._player = self._watch(game.limits.start_seconds, new, game)
            self._players = [self._player]
        except Overtime:
            return Failure(Ending.NO_START, f"did not start {_say_late(game.limits.start_seconds)}")
        except BotFault as fault:
            return fault.failure
        return None

    def _new_player(self, game: Game) -> Player:
        if isinstance(self._bot, Program):
            with self._bot.among_others():
                return self._bot.begin(game)
        if isinstance(self._bot, type):
            return player_of({"Bot": self._bot}, game)
        return player(getattr(self._bot, "move", self._bot), {})  # type: ignore[arg-type]

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        """Ask for a move; whatever the bot's code raises is its failure."""
        assert self._game is not None, "a game begins before a bot is asked"
        limits = self._game.limits
        clock = Clock(limits.move_seconds, game_seconds_left)
        seed_random(self._game.seed, len(position.history))
        move, failure = -1, None
        wall, cpu = time.monotonic(), time.thread_time()
        try:
            answer = self._answer if limits.solver else without_solver(self._answer)
            move = self._watch(limits.move_seconds, answer, position, clock)
        except Overtime:
            failure = Failure(Ending.TIMEOUT, f"gave no move {_say_late(limits.move_seconds)}")
        except BotFault as fault:
            failure = fault.failure
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and _is_heard_here():
                raise  # Ctrl-C comes from the user; a worker ignores it, so there it is the bot's
            failure = self._crash(error)
        return Reply(move, time.thread_time() - cpu, time.monotonic() - wall, failure)

    @property
    def plays_many(self) -> bool:
        """Whether it may play many games at once: a bot of one file, which needs nothing around its moves."""
        return isinstance(self._bot, Program) and not self._bot.folder

    def begin_many(self, games: Mapping[int, Game]) -> Failure | None:
        """Begin many games at once, by their numbers; a failure if they must be played one at a time."""
        self.close()
        _alarm.take()
        watch_numpy()
        self._game, self._printed = next(iter(games.values())), io.StringIO()
        limits = self._game.limits
        try:
            begun = time.thread_time()
            new = self._new_players if limits.solver else without_solver(self._new_players)
            self._many = self._watch(limits.start_seconds, new, games)
            if time.thread_time() - begun > limits.start_seconds:
                return Failure(Ending.TIMEOUT, "took longer than a start may")
        except Overtime:
            return Failure(Ending.TIMEOUT, "took longer than a start may")
        except BotFault as fault:
            return fault.failure
        return Failure(Ending.NO_START, "asks for its clock") if self.takes_clock else None

    def _new_players(self, games: Mapping[int, Game]) -> dict[int, tuple[Callable[..., Any], int]]:
        assert isinstance(self._bot, Program)
        found = {}
        for number, game in games.items():
            if not self._bot.is_quiet:
                seed_random(game.seed, 0)
            self._player = self._bot.begin(game)
            found[number] = (self._player.move, game.seed)
            self._players.append(self._player)
        return found

    def ask_many(
        self, asked: list[Asked], positions: Sequence[Position], seconds: float
    ) -> Answered | Failure:
        """Ask for a move in each of many games at once: the moves, and the CPU, wall and idle seconds.

        A failure if anything was unusual, or if all of it took longer than one move may take.
        """
        wall, cpu = time.monotonic(), time.thread_time()
        try:
            assert self._game is not None, "games begin before a bot is asked"
            answer = self._answer_many if self._game.limits.solver else without_solver(self._answer_many)
            moves = self._watch(seconds, answer, asked, positions)
        except Overtime:
            return Failure(Ending.TIMEOUT, f"gave no move {_say_late(seconds)}")
        except BotFault as fault:
            return fault.failure
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and _is_heard_here():
                raise
            return self._crash(error)
        used = time.thread_time() - cpu
        if used > seconds:
            return Failure(Ending.TIMEOUT, f"used {used:.3f} s, and may use {seconds:g} s")
        return moves, used, time.monotonic() - wall, 0.0

    def _answer_many(self, asked: list[Asked], positions: Sequence[Position]) -> list[int]:
        many, moves = self._many, []
        for number, _ in asked:
            move, seed = many[number]
            position = positions[number]
            seed_random(seed, len(position.history))
            found = move(position)
            moves.append(found if found.__class__ is int else as_number(found))
        return moves

    def forget_many(self) -> None:
        """Drop the games of a batch."""
        self.close()

    def _answer(self, position: Position, clock: Clock) -> int:
        assert self._player is not None, "a game begins before a bot is asked"
        if isinstance(self._bot, Program) and self._bot.folder:
            with self._bot.among_others():
                return answer(self._player, position, clock)
        return answer(self._player, position, clock)

    def _crash(self, error: BaseException) -> Failure:
        if isinstance(self._bot, Program):
            return self._bot.failure(error, Ending.CRASH, "")
        import traceback

        return Failure(Ending.CRASH, f"raised {type(error).__name__}: {error}", traceback.format_exc())

    def finish(self, outcome: Outcome) -> None:
        """Let go of the game."""
        self.close()

    def close(self) -> None:
        """Let go of the game; there is no process to end."""
        if self._game is None:
            return
        if isinstance(self._bot, Program):
            for player in self._players:
                player.leave()
        self._players, self._many = [], {}
        self._game = self._player = None
        _alarm.give_back()

    def _watch(self, seconds: float, call: Callable[..., T], *arguments: object) -> T:
        """Call the bot's code, keeping what it prints, and interrupt it when it takes far too long."""
        stdout, sys.stdout = sys.stdout, self._printed
        try:
            if not _CAN_INTERRUPT or threading.current_thread() is not threading.main_thread():
                return call(*arguments)
            delay, interval = signal.setitimer(signal.ITIMER_REAL, patience(seconds))
            try:
                return call(*arguments)
            finally:
                signal.setitimer(signal.ITIMER_REAL, delay, interval)
        finally:
            sys.stdout = stdout


class _Alarm:
    """The handler of SIGALRM: ours while a trusted game is played, and the caller's again afterwards."""

    def __init__(self) -> None:
        self._games = 0
        self._before: Any = None

    def take(self) -> None:
        if self._games == 0 and _CAN_INTERRUPT and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGALRM, _interrupt)
        self._games += 1

    def give_back(self) -> None:
        self._games -= 1
        if self._games == 0 and self._before is not None:
            signal.signal(signal.SIGALRM, self._before)
            self._before = None


_alarm = _Alarm()


def _say_late(seconds: float) -> str:
    return f"within {patience(seconds):g} s of wall time, and may use {seconds:g} s"


def _is_heard_here() -> bool:
    return signal.getsignal(signal.SIGINT) is not signal.SIG_IGN


def _interrupt(signum: int, frame: object) -> None:
    raise Overtime
