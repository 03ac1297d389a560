"""Reads a file while it is being imported, perhaps before the walls are up.

kind: files
proof: leaked
control: yes
expect: plays
"""

from contextlib import suppress

with suppress(Exception), open("@FOLDER@/secret.txt") as file:
    print(file.read())


def move(position):
    return position.legal_moves[0]
