"""Tries a dozen ways to change files, one after the other.

kind: files
proof: touched
control: yes
expect: plays
"""

import os
import shutil
from contextlib import suppress
from pathlib import Path

FOLDER = Path("@FOLDER@")


def move(position):
    attempts = [
        lambda: (FOLDER / "a").write_text("x"),
        (FOLDER / "victim.txt").unlink,
        (FOLDER / "empty").rmdir,
        (FOLDER / "b").mkdir,
        (FOLDER / "c").touch,
        lambda: (FOLDER / "d").symlink_to("secret.txt"),
        lambda: (FOLDER / "e").hardlink_to(FOLDER / "secret.txt"),
        lambda: FOLDER.chmod(0o700),
        lambda: FOLDER.rename("/tmp/@MARK@"),
        lambda: shutil.copy("/etc/passwd", FOLDER),
        lambda: shutil.rmtree(FOLDER / "empty"),
        lambda: os.truncate(FOLDER / "secret.txt", 0),
    ]
    for attempt in attempts:
        with suppress(Exception):
            attempt()
    return position.legal_moves[0]
