"""Writes half a reply and falls silent.

kind: wire
proof: touched
control: yes
expect: timeout, garbage, crash
"""

import os
import time
from contextlib import suppress


def move(position):
    for descriptor in range(3, 256):
        with suppress(OSError):
            os.write(descriptor, b'{"id":')
    time.sleep(600)
