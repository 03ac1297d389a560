"""Fills the disk (stops at 64 MiB).

kind: files
proof: touched
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("@FOLDER@/large", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    return position.legal_moves[0]
