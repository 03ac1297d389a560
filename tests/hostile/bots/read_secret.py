"""Reads a file.

kind: files
proof: leaked
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("@FOLDER@/secret.txt") as file:
        print(file.read())
    return position.legal_moves[0]
