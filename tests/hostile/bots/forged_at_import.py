"""Writes replies while it is being imported, to be ready before it is asked.

kind: wire
proof: touched
control: yes
expect: no-start, garbage, crash, timeout, illegal
"""

import os
from contextlib import suppress

for descriptor in range(3, 256):
    with suppress(OSError):
        os.write(descriptor, b'{"type":"ready"}\n{"id":"0000","move":0}\n' + bytes(64))


def move(position):
    return position.legal_moves[0]
