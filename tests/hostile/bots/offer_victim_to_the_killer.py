"""Makes another process the first to be killed when memory is short.

kind: processes
proof: victim
control: yes
expect: plays
"""

from contextlib import suppress


def move(position):
    with suppress(Exception), open("/proc/@VICTIM@/oom_score_adj", "w") as file:
        file.write("1000")
    return position.legal_moves[0]
