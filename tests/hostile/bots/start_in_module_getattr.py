"""Has its `move` made by a function that is asked for missing names, which loops.

kind: source files
proof: none
control: no: it only hurts itself
expect: no-start
"""


def __getattr__(name):
    while True:
        pass
