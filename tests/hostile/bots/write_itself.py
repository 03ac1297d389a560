"""Adds a line to its own source, to be another bot in the next game.

kind: files
proof: touched
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open(__file__, "a") as file:
        file.write("# changed\n")
    return position.legal_moves[0]
