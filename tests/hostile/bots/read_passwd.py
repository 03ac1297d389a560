"""Reads the list of users.

kind: files
proof: leaked
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/etc/passwd") as file:
        print(file.read())
    return position.legal_moves[0]
