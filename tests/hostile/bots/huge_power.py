"""Works out a power that has a hundred gigabytes.

kind: own memory
proof: none
control: no: it only hurts itself
expect: timeout, memory
"""


def move(position):
    base = 9
    return base**base**12
