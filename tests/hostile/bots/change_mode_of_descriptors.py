"""Takes away everybody's rights to the files its descriptors are open on (never to a device).

kind: descriptors
proof: touched
control: yes
expect: plays
"""

import os
import stat
from contextlib import suppress


def move(position):
    for descriptor in range(512):
        with suppress(OSError):
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                os.fchmod(descriptor, 0)
    return position.legal_moves[0]
