"""Adds an audit hook that refuses everything from now on, and can never be removed.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout
"""

import sys


def refuse(event, arguments):
    raise SystemExit(0)


def move(position):
    cell = position.legal_moves[0]
    sys.addaudithook(refuse)
    return cell
