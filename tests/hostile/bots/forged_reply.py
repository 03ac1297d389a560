"""Writes replies in every shape it can think of, before the real one, to every descriptor.

kind: wire
proof: touched
control: yes
expect: garbage, crash, timeout, illegal
"""

import os
import struct
from contextlib import suppress

FORGED = [b'{"id":"0000","move":0}\n', b"0\n", struct.pack("<q", 0), struct.pack("<I", 0), b"no-moves\n"]


def move(position):
    for descriptor in range(3, 256):
        for reply in FORGED:
            with suppress(OSError):
                os.write(descriptor, reply)
    return position.legal_moves[0]
