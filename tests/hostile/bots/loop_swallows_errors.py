"""Loops and swallows every exception that could end the loop.

kind: time
proof: none
control: no: it only hurts itself
expect: timeout
"""


def move(position):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
