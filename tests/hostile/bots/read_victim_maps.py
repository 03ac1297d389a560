"""Reads where another process's memory lies.

kind: memory of others
proof: granted
control: yes, given ptrace
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/@VICTIM@/maps") as file:
        if "[stack]" in file.read():
            print("granted @MARK@: the map of its memory")
    return position.legal_moves[0]
