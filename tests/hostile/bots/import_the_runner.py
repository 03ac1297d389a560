"""Imports the main module of its process a second time.

kind: source files
proof: none
control: no: it only hurts itself
expect: plays, no-start, crash
"""

from contextlib import suppress
from importlib import import_module, reload

with suppress(Exception):
    reload(import_module("__main__"))


def move(position):
    return position.legal_moves[0]
