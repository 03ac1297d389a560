"""Reads another process's memory through /proc.

kind: memory of others
proof: leaked
control: yes, given ptrace
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/@VICTIM@/mem", "rb", buffering=0) as memory:
        memory.seek(int("@ADDRESS@"))
        print(memory.read(32))
    return position.legal_moves[0]
