"""A Python bot where it runs: its compiled body, and one game of it.

This is the bot's end of the line. It runs inside the bot's own process (or, trusted, inside ours), imports
only the kernel, and turns whatever the bot's code does into one of three answers: a move, garbage, a crash.
Nothing here protects anybody: a bot that breaks these objects breaks only its own game, because the referee
keeps its own position and checks every move again.

Every game starts from the state just after import: the body is executed again for each game, and modules from
the bot's own folder are imported again. Refused: a fork for each game. It does the same, but costs ten times
as much as a whole game on these boards.
"""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import index
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from arena.game import Position
from arena.inside.quiet import is_quiet
from arena.referee.endings import Ending, Failure
from arena.referee.game import Game

_MODULE = "__arena_bot__"

MOST_SHOWN = 80
"""The most characters of a reply that is not a move, kept for the record."""


LONGEST_MESSAGE = 100_000
"""The most characters of an error's message that are shown as Python shows them."""


class Clock(NamedTuple):
    """What a bot that asks for its clock is told with every move."""

    move_seconds: float
    game_seconds_left: float


class Player(NamedTuple):
    """A bot in one game: the function to call, whether it wants its clock, and its module's names."""

    move: Callable[..., Any]
    takes_clock: bool
    namespace: dict[str, Any]

    def leave(self) -> None:
        """Free the bot's memory at once: its functions and globals refer to each other."""
        self.namespace.clear()


class BotFault(Exception):  # noqa: N818 - it is the bot's
    """The bot did not do what it should; carries the resulting `Failure`."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


class Program:
    """The compiled body of a bot's `path`; `folder` is the bot's folder, if it has one with helper modules.

    `others` are modules that are known not to be the bot's own.
    """

    def __init__(self, path: str, folder: str = "", others: set[str] | None = None) -> None:
        self.path = os.path.abspath(path)
        self.folder = folder and os.path.abspath(folder)
        self.code = self._compile()
        self.is_quiet = is_quiet(self.code)
        self._others = set() if others is None else others

    def begin(self, game: Game) -> Player:
        """Return the bot for a new game; BotFault (`no-start`) if its body fails or has no `move`."""
        if self.folder:
            self._forget_own_modules()
        module = ModuleType(_MODULE)
        module.__file__ = self.path
        sys.modules[_MODULE] = module  # where dataclasses and pickle look for it
        try:
            exec(self.code, module.__dict__)
            return player_of(module.__dict__, game)
        except BotFault:
            raise
        except BaseException as error:
            raise BotFault(self.failure(error, Ending.NO_START, "while it was loaded")) from None

    def _compile(self) -> CodeType:
        try:
            with open(self.path, "rb") as file:
                source = file.read()
            return compile(source, self.path, "exec", dont_inherit=True)
        except BaseException as error:
            raise BotFault(self.failure(error, Ending.NO_START, "while it was loaded")) from None

    def _forget_own_modules(self) -> None:
        """Drop what was imported from the bot's own folder, so that it is imported again."""
        sys.modules.pop(_MODULE, None)
        if len(sys.modules) == len(self._others):
            return  # nothing was imported since the last time
        for name in sys.modules.keys() - self._others:
            if self._is_own(getattr(sys.modules[name], "__file__", None)):
                del sys.modules[name]
            else:
                self._others.add(name)

    @contextmanager
    def among_others(self) -> Iterator[None]:
        """Let the bot import its helpers in a process where other bots may have helpers of the same names."""
        if not self.folder:
            yield
            return
        sys.path.insert(0, self.folder)
        try:
            yield
        finally:
            sys.path.remove(self.folder)
            self._forget_own_modules()

    def _is_own(self, file: object) -> bool:
        if not isinstance(file, str):
            return False
        return file == self.path or (bool(self.folder) and file.startswith(self.folder + os.sep))

    def failure(self, error: BaseException, ending: Ending, when: str) -> Failure:
        """Return the failure for an exception of the bot, with its traceback cut to the bot's own frames."""
        if isinstance(error, MemoryError):
            ending = Ending.MEMORY if ending is Ending.CRASH else ending
        return Failure(ending, f"{_summary(error)} {when}".rstrip(), self._traceback(error))

    def _traceback(self, error: BaseException) -> str:
        import traceback

        linecache.checkcache(self.path)
        try:
            told = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
            told.stack[:] = [frame for frame in told.stack if self._is_own(frame.filename)]
            message = str(error)
            if len(message) > LONGEST_MESSAGE:  # every copy of a hundred megabytes would cost the bot's time
                lines = [*told.stack.format(), f"{type(error).__name__}: {message[:MOST_SHOWN]}...\n"]
            else:
                lines = list(told.format(chain=False))
            return "".join(lines).replace(os.path.dirname(self.path) + os.sep, "")
        except Exception as unprintable:  # an exception of the bot's that cannot be printed
            return f"{type(error).__name__} (its traceback cannot be shown: {type(unprintable).__name__})\n"


def player_of(namespace: dict[str, Any], game: Game) -> Player:
    """Return the bot that a module defines: `class Bot`, or else the function `move`."""
    made = namespace.get("Bot")
    if isinstance(made, type):
        bot = made(game) if _takes_game(getattr(made, "__init__", None)) else made()
        move = getattr(bot, "move", None)
    else:
        move = namespace.get("move")
    if not callable(move):
        raise BotFault(
            Failure(Ending.NO_START, "it has no function `move` and no class `Bot` with a method `move`")
        )
    return player(move, namespace)


def player(move: Callable[..., Any], namespace: dict[str, Any]) -> Player:
    """Return a function as a bot; BotFault if it cannot be called with a position."""
    parameters = _parameters(move)
    if parameters is not None and (not parameters[0] or parameters[1] > 1 + ("clock" in parameters[0][1:2])):
        raise BotFault(
            Failure(Ending.NO_START, "`move` must take a position, and may take a second parameter `clock`")
        )
    return Player(move, parameters is not None and "clock" in parameters[0][1:], namespace)


def answer(player: Player, position: Position, clock: Clock) -> int:
    """Return the bot's move as a plain number; BotFault if it answers with anything else."""
    found = player.move(position, clock=clock) if player.takes_clock else player.move(position)
    return found if found.__class__ is int else number(found)


def number(found: object) -> int:
    """Return a reply as a plain number; BotFault if it is not a number."""
    if isinstance(found, bool):
        raise garbage(found)
    try:
        return int(index(found))  # type: ignore[arg-type]
    except TypeError:
        raise garbage(found) from None


def garbage(found: object) -> BotFault:
    """Return the fault of answering with something that is not a number."""
    try:
        shown = repr(found)[:MOST_SHOWN]
    except Exception as error:
        shown = f"<{type(found).__name__} that cannot be shown: {type(error).__name__}>"
    wanted = "a whole number" if isinstance(found, float) else "a number"
    return BotFault(Failure(Ending.GARBAGE, f"answered {shown}, which is not {wanted}"))


def _summary(error: BaseException) -> str:
    """Return what went wrong in a few words: the type of the error and the first line of its message."""
    if isinstance(error, SystemExit):
        return "called sys.exit"
    try:
        message = str(error)[:120].partition("\n")[0]
    except Exception:
        message = ""
    name = type(error).__name__
    return f"raised {name}: {message}" if message else f"raised {name}"


def _takes_game(constructor: object) -> bool:
    """Whether a constructor, own or inherited, has a place for the game beside `self`."""
    code = getattr(constructor, "__code__", None)
    return code is not None and (code.co_argcount >= 2 or bool(code.co_flags & 0x04))  # or *args


def _parameters(move: Callable[..., Any]) -> tuple[tuple[str, ...], int] | None:
    """Return the names of the positional parameters and how many are required; None if they are unknown."""
    function = getattr(move, "__func__", move)
    code = getattr(function, "__code__", None)
    if code is None:
        return None
    bound = 0 if function is move else 1
    names = code.co_varnames[bound : code.co_argcount + code.co_kwonlyargcount]
    takes_any = bool(code.co_flags & 0x04)  # *args
    required = code.co_argcount - bound - len(function.__defaults__ or ())
    return (names or (("position",) if takes_any else ())), required
