"""Imports a module that does not exist, by a name that is a path.

kind: source files
proof: none
control: no: it only fails to load
expect: no-start
"""

__import__("../../etc/passwd")


def move(position):
    return position.legal_moves[0]
