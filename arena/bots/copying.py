"""Copies a bot to its place, so that nobody ever sees half of it."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from arena.bots.source import Source


def copy_bot(source: Source, target: Path, is_folder: bool) -> None:
    """Write a bot beside its place and move it there; OSError if that is not possible.

    The temporary place is new and ours alone: what others have left in `bots/` is neither used nor followed.
    The bot that is replaced is moved, and removed only when the new one is in place.
    """
    target.parent.mkdir(exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    new, old = beside / "new", beside / "old"
    try:
        if is_folder:
            new.mkdir()
            source.write(new)
        else:
            new.write_bytes(source.files[source.main])
        if os.path.lexists(target):
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if os.path.lexists(old):
                old.rename(target)
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
