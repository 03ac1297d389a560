"""Reads another process's command line, which every user may.

kind: memory of others
proof: leaked
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/@VICTIM@/cmdline") as file:
        print(file.read())
    return position.legal_moves[0]
