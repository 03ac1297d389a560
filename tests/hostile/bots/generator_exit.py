"""Raises GeneratorExit, which is no Exception.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""


def move(position):
    raise GeneratorExit
