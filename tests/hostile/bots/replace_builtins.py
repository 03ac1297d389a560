"""Replaces the built-in functions by ones that lie.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout
"""

import builtins


def move(position):
    cell = position.legal_moves[0]
    for name in ("int", "isinstance", "len", "repr", "str", "open", "print", "type", "bytes", "getattr"):
        setattr(builtins, name, lambda *arguments, **named: True)
    return cell
