"""Puts itself first among those that find modules, and never finds one.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, timeout
"""

import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        while True:
            pass


def move(position):
    sys.meta_path.insert(0, Finder())
    return position.legal_moves[0]
