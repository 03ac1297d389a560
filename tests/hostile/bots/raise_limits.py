"""Lifts the limits that were set for it.

kind: processes
proof: granted
control: yes, given root_over_limits
expect: plays
"""

import resource
from contextlib import suppress

FOR_EVER = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


def move(position):
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_FSIZE, resource.RLIMIT_CORE):
        with suppress(Exception):
            before = resource.getrlimit(limit)
            resource.setrlimit(limit, FOR_EVER)
            if before != FOR_EVER:
                print("granted @MARK@: a higher limit", limit)
    return position.legal_moves[0]
