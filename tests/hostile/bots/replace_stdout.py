"""Replaces its standard output by an object that never takes a line.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, timeout, crash
"""

import sys


class Stuck:
    def __getattr__(self, name):
        return self

    def __call__(self, *arguments):
        while True:
            pass


def move(position):
    sys.stdout = sys.stderr = Stuck()
    return position.legal_moves[0]
