"""Makes another process nicer, so that it gets less of the core.

kind: processes
proof: victim
control: yes
expect: plays
"""

import os
from contextlib import suppress


def move(position):
    with suppress(Exception):
        os.setpriority(os.PRIO_PROCESS, int("@VICTIM@"), 10)
    return position.legal_moves[0]
