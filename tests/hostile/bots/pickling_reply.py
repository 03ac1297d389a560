"""Answers with an object that acts when it is unpickled.

kind: wire
proof: touched
control: no: it needs a host that pickles replies
expect: garbage
"""

import os


class Bomb:
    def __reduce__(self):
        return os.mkdir, ("@FOLDER@/@MARK@",)


def move(position):
    return Bomb()
