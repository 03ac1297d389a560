"""The idle time of a bot: what it slept since it was asked, whatever it had to wait for before."""

import os
import signal
import subprocess
import sys
import time

import pytest

from arena.hosts import meter as meter_module
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


def test_who_is_ready_to_run_may_have_waited_until_now(spinning):
    """The kernel tells a wait only when it is over; up to a second of it is believed, and nothing of a sleeper."""
    meter = Meter(spinning, time.clock_gettime_ns(cpu_clock(spinning)), may_have_threads=False)
    assert meter.may_be_waiting(0.3)
    assert not meter.may_be_waiting(3.0)
    os.kill(spinning, signal.SIGSTOP)
    end = time.monotonic() + 5  # on a busy machine it takes a while to stop
    while meter.may_be_waiting(0.3) and time.monotonic() < end:
        time.sleep(0.01)
    assert not meter.may_be_waiting(0.3)


@pytest.mark.skipif(not is_told_here(), reason="this kernel does not tell who waits for a core")
def test_waiting_before_a_request_buys_no_sleep_in_it(spinning, monkeypatch):
    """Who was starved in an earlier move, and sleeps in this one, has slept."""
    monkeypatch.setattr(meter_module, "_own_waiting", lambda: 0)  # other tests may keep us waiting meanwhile
    monkeypatch.setattr(meter_module, "stolen_from", lambda cores: 0)
    deadline = time.monotonic() + 10
    while (waiting_for_a_core(spinning) or 0) < 200_000_000 and time.monotonic() < deadline:
        pass  # on its core
    os.kill(spinning, signal.SIGSTOP)
    time.sleep(0.02)
    assert (waiting_for_a_core(spinning) or 0) >= 200_000_000
    cpu = time.clock_gettime_ns(cpu_clock(spinning))
    meter = Meter(spinning, cpu, may_have_threads=False)
    time.sleep(0.1)
    meter.tick(10_000, time.clock_gettime_ns(cpu_clock(spinning)))
    assert meter.idle_seconds(1.0, free=0.0) >= 0.09
