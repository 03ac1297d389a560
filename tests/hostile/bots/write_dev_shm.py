"""Makes a file in /dev/shm, where two bots could meet.

kind: files
proof: touched
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/dev/shm/@MARK@", "w") as file:
        file.write("was here")
    return position.legal_moves[0]
