"""Folders in the temporary directory that bear the number of the process they belong to.

A process that is killed cannot remove its own. So whoever makes one removes what the dead have left, if it is
this user's. A number that another process has got since then keeps the folder until that one has ended too.
Containers may share the directory, and in each of them numbers mean other processes: a name says where too.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from shutil import rmtree


def name_after_us(kind: str) -> str:
    """Return what the name of a folder of this process begins with; `kind` says what is in it."""
    return f"arena-{os.getpid()}-{kind}-{_namespace()}-"


def remove_what_the_dead_left() -> None:
    """Remove the folders of processes that were killed and could not do it themselves."""
    for folder in Path(tempfile.gettempdir()).glob(f"arena-*-*-{_namespace()}-*"):
        pid = folder.name.split("-")[1]
        if pid.isdecimal() and not _is_alive(int(pid)):
            _remove_own(folder)


def remove_what_is_left_of(pid: int) -> None:
    """Remove the folders of one process, which has ended."""
    for folder in Path(tempfile.gettempdir()).glob(f"arena-{pid}-*-{_namespace()}-*"):
        _remove_own(folder)


def _namespace() -> str:
    """Return the number of the namespace in which process ids mean what they mean to us."""
    try:
        return os.readlink("/proc/self/ns/pid").strip("pid:[]")
    except OSError:  # a system that has none
        return "0"


def _remove_own(folder: Path) -> None:
    """Remove a folder if it is ours: anybody may put such names into the temporary directory."""
    with contextlib.suppress(OSError):  # somebody was faster
        found = folder.lstat()
        if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid():
            rmtree(folder, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    """Return whether there is such a process; True if we may not ask."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True
