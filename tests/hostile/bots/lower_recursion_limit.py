"""Lowers the limit on recursion so far that its runner can hardly call anything.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, timeout
"""

import sys


def move(position):
    cell = position.legal_moves[0]
    for limit in range(1, 50):
        try:
            sys.setrecursionlimit(limit)
        except RecursionError:
            continue
        break
    return cell
