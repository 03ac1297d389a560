"""Dies by a timer while the other bot is to move, so that the game might not count.

kind: exits
proof: none
control: no: it only ends itself
expect: crash, plays
"""

import signal
from contextlib import suppress


def move(position):
    with suppress(Exception):
        if not position.history[1:]:  # the clock is wound up once
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, 0.00005)
    return position.legal_moves[0]
