"""Whether there is room left on the disk for what a contest writes, said before it is full."""

from __future__ import annotations

import shutil
from pathlib import Path

LEAST_BYTES = 1 << 30
"""Two weeks of a class of thirty took less."""


def say_room(folder: Path) -> str:
    """Return a sentence if there is little room left where a folder is; nothing if there is enough."""
    free = shutil.disk_usage(folder).free
    if free >= LEAST_BYTES:
        return ""
    return (
        f"Only {free >> 20:,} MiB are left on the disk. When it is full, nothing is played and nothing taken."
    )
