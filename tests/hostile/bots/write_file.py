"""Makes a new file.

kind: files
proof: touched
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("@FOLDER@/new.txt", "w") as file:
        file.write("was here")
    return position.legal_moves[0]
