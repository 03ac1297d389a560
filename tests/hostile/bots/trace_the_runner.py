"""Traces its runner and raises at every line of it.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout
"""

import sys


def trace(frame, event, argument):
    raise KeyboardInterrupt


def move(position):
    frame = sys._getframe()
    while frame is not None:
        frame.f_trace = trace
        frame = frame.f_back
    cell = position.legal_moves[0]
    sys.settrace(trace)
    return cell
