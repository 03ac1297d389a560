"""Opens again a file that another process holds open.

kind: memory of others
proof: leaked
control: yes, given ptrace
expect: plays
"""

from contextlib import suppress


def move(position):
    for descriptor in range(3, 10):
        with suppress(Exception), open(f"/proc/@VICTIM@/fd/{descriptor}") as file:
            print(file.read())
    return position.legal_moves[0]
