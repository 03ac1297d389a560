"""What the kernel tells about a process: its CPU clock, memory and threads, and whether memory ran out."""

from __future__ import annotations

import os


def cpu_clock(pid: int) -> int:
    """Return the number of a process's CPU clock (all its threads together), for `clock_gettime`.

    The kernel numbers such clocks by the inverted process id, followed by three bits; 2 is the scheduler's
    time. The clock can be read until the process is reaped.
    """
    return (~pid << 3) | 2


def status_of(pid: int) -> dict[str, str]:
    """Return /proc/PID/status of a process while any of its threads lives; empty if none does.

    A process whose first thread has ended looks dead and without memory, though its other threads go on.
    """
    found = _status(f"/proc/{pid}/status")
    if found and not _is_living(found):
        found = next(filter(_is_living, map(_status, _tasks(pid))), {})
    return found


def _tasks(pid: int) -> list[str]:
    try:
        return [f"/proc/{pid}/task/{task}/status" for task in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def _is_living(status: dict[str, str]) -> bool:
    return status.get("State", "Z")[0] not in "ZX"


def _status(file: str) -> dict[str, str]:
    """Return the lines of a status file; a process may have any bytes as its name."""
    try:
        with open(file, encoding="ascii", errors="replace") as status:
            parts = [line.partition(":") for line in status]
    except OSError:
        return {}
    return {key: value.strip() for key, _, value in parts}


def oom_kills() -> int:
    """Return how many processes this kernel has killed for memory; 0 where it does not say."""
    try:
        with open("/proc/vmstat", "rb", buffering=0) as vmstat:
            _, _, after = vmstat.read(1 << 16).partition(b"\noom_kill ")
        return int(after.split(maxsplit=1)[0])
    except (OSError, IndexError):
        return 0
