"""Whose fault it is when a process ends by a signal that nobody here sent: one table for all hosts.

A program causes most signals itself: it reads invalid memory, divides by zero, aborts, lets its own timer run
out. So they are its forfeit at once. Otherwise a losing bot could crash and get a second game.

Four signals are what people, shells and the kernel send to programs that did nothing wrong. After one of them
the game is played once more, in fresh processes. That is not a second chance for a bot, because the system
call filter refuses every way to send itself one of the four (`seccomp`).
"""

from __future__ import annotations

import signal

from arena.referee.endings import Ending, Failure

FROM_OUTSIDE = {1: "HUP", 3: "QUIT", 9: "KILL", 15: "TERM"}
"""The four, by number, which is the same on every machine. All other signals are the bot's own fault."""


def is_from_outside(number: int | None) -> bool:
    """Return whether a signal may have come from outside; None stands for no signal at all."""
    return number in FROM_OUTSIDE


def ended_by(number: int) -> Failure:
    """Return the failure of a bot whose process a signal has ended."""
    return Failure(
        Ending.CRASH, f"its process was ended by signal {number} ({signal.strsignal(number) or 'unknown'})"
    )
