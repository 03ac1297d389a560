"""Loops in C, in a regular expression that backtracks for ever.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""

import re


def move(position):
    return re.match(r"(a|a)+$", "a" * 80 + "b")
