"""Reads the environment its process was started with, which `os.environ.clear` does not clear.

kind: files
proof: leaked
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/self/environ", errors="replace") as file:
        print(file.read())
    return position.legal_moves[0]
