"""Raises KeyboardInterrupt, as if the user had pressed Ctrl-C.

kind: exits
proof: none
control: no: it only ends itself
expect: crash
"""


def move(position):
    raise KeyboardInterrupt
