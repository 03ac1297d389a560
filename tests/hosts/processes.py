"""Looks at processes from outside."""

import time
from pathlib import Path


def alive(pid: int) -> bool:
    """Whether a process exists and is not just waiting to be reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone_within(seconds: float, *pids: int) -> bool:
    """Whether all of them have ended by then."""
    deadline = time.monotonic() + seconds
    while any(map(alive, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(alive, pids))
