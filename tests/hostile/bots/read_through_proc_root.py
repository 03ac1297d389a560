"""Reads a file by a detour over /proc/self/root.

kind: files
proof: leaked
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/self/root@FOLDER@/secret.txt") as file:
        print(file.read())
    return position.legal_moves[0]
