"""Writes a digit every 50 ms, always about to finish.

kind: wire
proof: touched
control: yes
expect: garbage, timeout, crash
"""

import os
import time
from contextlib import suppress


def move(position):
    while True:
        for descriptor in range(3, 256):
            with suppress(OSError):
                os.write(descriptor, b"1")
        time.sleep(0.05)
