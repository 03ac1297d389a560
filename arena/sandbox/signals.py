"""Whose fault it is when a process ends by a signal that nobody here sent: one table for all hosts.

Most signals a program brings on itself: it reads where nothing is, divides by zero, aborts, lets its own
timer run out. So they are its forfeit at once, or a bot that is losing could crash its way to a second game.

Four are what people, shells and the kernel send to programs that did nothing. After one of them the game is
played once more, in fresh processes. That is no second chance for a bot, because the filter of system calls
refuses it every way to send itself one of the four (`seccomp`).
"""

from __future__ import annotations

import signal

from arena.referee.endings import Ending, Failure

FROM_OUTSIDE = {1: "HUP", 3: "QUIT", 9: "KILL", 15: "TERM"}
"""The four, by number, which is the same on every machine; all other signals are the bot's own fault."""


def is_from_outside(number: int | None) -> bool:
    """Return whether a signal may have come from outside; None stands for no signal at all."""
    return number in FROM_OUTSIDE


def ended_by(number: int) -> Failure:
    """Return what becomes of a bot whose process a signal has ended, if it is the bot's loss."""
    return Failure(
        Ending.CRASH, f"its process was ended by signal {number} ({signal.strsignal(number) or 'unknown'})"
    )
