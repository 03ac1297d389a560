"""Tries a dozen ways to disturb another process, one after the other.

kind: processes
proof: victim
control: yes
expect: plays
"""

import os
import resource
import signal
from contextlib import suppress

VICTIM = int("@VICTIM@")


def move(position):
    attempts = [
        lambda: os.setpriority(os.PRIO_PROCESS, VICTIM, 5),
        lambda: os.sched_setaffinity(VICTIM, {0}),
        lambda: os.sched_setscheduler(VICTIM, os.SCHED_BATCH, os.sched_param(0)),
        lambda: resource.prlimit(VICTIM, resource.RLIMIT_CPU, (1, 1)),
        lambda: os.kill(VICTIM, signal.SIGUSR1),
        lambda: os.killpg(VICTIM, signal.SIGHUP),
        lambda: signal.pidfd_send_signal(os.pidfd_open(VICTIM), signal.SIGINT),
        lambda: os.setpgid(VICTIM, 0),
        lambda: os.kill(VICTIM, signal.SIGKILL),
    ]
    for attempt in attempts:
        with suppress(Exception):
            attempt()
    return position.legal_moves[0]
