"""Prints the environment it was given, in which careless hosts leave keys.

kind: files
proof: leaked
control: yes
expect: plays
"""

import os


def move(position):
    print(dict(os.environ))
    return position.legal_moves[0]
