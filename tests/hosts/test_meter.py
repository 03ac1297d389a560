"""The idle time of a bot: what it slept since it was asked, whatever it had to wait for before."""

import os
import signal
import subprocess
import sys
import time

import pytest

from arena.hosts.meter import Meter, is_told_here, waiting_for_a_core
from arena.hosts.process import cpu_clock


@pytest.fixture
def spinning():
    """A process that spins on the core on which this one runs."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    process = subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
    yield process.pid
    process.kill()
    process.wait()
    os.sched_setaffinity(0, before)


@pytest.mark.skipif(not is_told_here(), reason="this kernel does not tell who waits for a core")
def test_waiting_before_a_request_buys_no_sleep_in_it(spinning):
    """Who was starved in an earlier move, and sleeps in this one, has slept."""
    deadline = time.monotonic() + 10
    while (waiting_for_a_core(spinning) or 0) < 200_000_000 and time.monotonic() < deadline:
        pass  # on its core
    os.kill(spinning, signal.SIGSTOP)
    time.sleep(0.02)
    assert (waiting_for_a_core(spinning) or 0) >= 200_000_000
    cpu = time.clock_gettime_ns(cpu_clock(spinning))
    meter = Meter(spinning, cpu, may_have_threads=False)
    time.sleep(0.1)
    asleep = meter.idle_seconds(time.clock_gettime_ns(cpu_clock(spinning)), 1.0, free=0.0)
    assert asleep >= 0.09
