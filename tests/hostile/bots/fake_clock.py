"""Replaces every clock of the module `time` by one that stands still, then loops.

kind: time
proof: none
control: no: it only fools itself
expect: timeout
"""

import time

for name in dir(time):
    if "time" in name or "monotonic" in name or "perf_counter" in name:
        setattr(time, name, lambda *arguments: 0)


def move(position):
    while True:
        pass
