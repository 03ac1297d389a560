"""Profiles its runner and raises at every call.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout
"""

import sys


def profile(frame, event, argument):
    raise SystemExit(0)


def move(position):
    cell = position.legal_moves[0]
    sys.setprofile(profile)
    return cell
