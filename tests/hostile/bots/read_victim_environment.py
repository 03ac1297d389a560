"""Reads another process's environment.

kind: memory of others
proof: leaked
control: yes, given ptrace
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/@VICTIM@/environ") as file:
        print(file.read())
    return position.legal_moves[0]
