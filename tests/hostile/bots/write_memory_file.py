"""Writes into another process's memory through /proc.

kind: memory of others
proof: victim
control: yes, given ptrace
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/@VICTIM@/mem", "r+b", buffering=0) as memory:
        memory.seek(int("@ADDRESS@"))
        memory.write(b"was here")
    return position.legal_moves[0]
