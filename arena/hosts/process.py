"""What the kernel says of a process: its CPU clock, its memory and threads, and whether memory ran out."""

from __future__ import annotations


def cpu_clock(pid: int) -> int:
    """Return the number of the clock of a process's CPU, all its threads together, for `clock_gettime`.

    As the kernel numbers such clocks: the process id inverted, then three bits, of which 2 is the scheduler's
    time. It can be read until the process is reaped.
    """
    return (~pid << 3) | 2


def status_of(pid: int) -> dict[str, str]:
    """Return what the kernel says of a process; nothing if it is gone."""
    try:
        with open(f"/proc/{pid}/status") as status:
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
