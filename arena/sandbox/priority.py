"""The priority of processes that make way for others, and of the sessions that they begin.

Some kernels weigh sessions against each other first, and processes only within each (autogroup). A session
begins as a usual one, however low the priority of its first process is. Templates and bots have sessions of
their own, so each would have the share of a whole tournament. A plain user may say so only ten times a second
to such a kernel; what it does not hear is said again by whoever can.
"""

from __future__ import annotations

import contextlib
import os


def lower(pid: int, nice: int) -> None:
    """Let a process, and the session that it has begun, make way for others; never less than they do."""
    with contextlib.suppress(OSError):  # it has ended
        nice = max(nice, os.getpriority(os.PRIO_PROCESS, pid))
        os.setpriority(os.PRIO_PROCESS, pid, nice)
        lower_session(pid, nice)


def lower_session(pid: int, nice: int) -> None:
    """Let the session of a process make way for others, where the kernel weighs sessions."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/autogroup", "w") as file:
        file.write(str(nice))


def pass_on(pid: int) -> None:
    """Give our own priority to a session that a process of ours has begun, if it is a low one."""
    nice = os.getpriority(os.PRIO_PROCESS, 0)
    if nice > 0:
        lower_session(pid, nice)
