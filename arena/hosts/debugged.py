"""The host of `--debug`: an own bot in this process that has the terminal and all the time it wants.

What it prints goes to the terminal, it may read from it, no timer interrupts it, and nothing is charged. So
`breakpoint()` works in it. It is the trusted host without the watch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from arena.errors import UserError
from arena.game import Position
from arena.hosts.trusted import TrustedHost
from arena.referee.endings import Failure, Reply

T = TypeVar("T")


class DebuggedHost(TrustedHost):
    """A bot in this process, for its author."""

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        """Ask for a move, however long it takes."""
        return super().ask(position, game_seconds_left)._replace(cpu_seconds=0.0, wall_seconds=0.0)

    def _watch(self, seconds: float, call: Callable[..., T], *arguments: object) -> T:
        return call(*arguments)

    def _crash(self, error: BaseException) -> Failure:
        if type(error).__name__ == "BdbQuit":
            raise UserError("the debugger was left, so the game is not finished") from None
        return super()._crash(error)
