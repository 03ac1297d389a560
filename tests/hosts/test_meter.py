"""The idle time of a bot: what it slept since it was asked, whatever it had to wait for before."""

import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.hosts import meter as meter_module
from arena.hosts.meter import Meter, is_told_here, waiting_for_a_core
from arena.hosts.process import cpu_clock

MS = 1_000_000
PLANNED_MS = 10


STARTED_NS = 100_000_000
"""CPU after which Python has surely started, and spins."""


@pytest.fixture
def spinning():
    """A process that spins on the core on which this one runs."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    process = subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"])
    while time.clock_gettime_ns(cpu_clock(process.pid)) < STARTED_NS:
        time.sleep(0.01)  # until then it may wait for the disk
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


class Kernel:
    """A kernel that tells what a script says; in the place of all that a meter asks for."""

    def __init__(self) -> None:
        self.now = self.cpu = self.waited = self.own = self.stolen = self.slices = 0

    def install(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(time, "monotonic_ns", lambda: self.now)
        patch.setattr(meter_module, "waiting_for_a_core", lambda pid: self.waited)
        patch.setattr(meter_module, "_own_waiting", lambda: self.own)
        patch.setattr(meter_module, "cores_of", lambda pid: set())
        patch.setattr(meter_module, "slices_of", lambda pid: self.slices)
        patch.setattr(meter_module, "stolen_from", lambda cores: self.stolen)


SHORT = st.integers(0, 40 * MS)
STRETCHES = st.lists(st.tuples(SHORT, SHORT, SHORT, st.floats(0, 1), st.floats(0, 1)), max_size=20)
"""What a bot ran, waited and slept, and the parts of that time in which we waited, and in which no core ran."""


def pass_time(kernel, meter, stretches):
    """Let time pass as it is written; return what was slept, and the least of it that must be charged."""
    slept = charged = 0
    for ran, waited, asleep, delayed, stolen in stretches:
        passed = ran + waited + asleep
        kernel.now += passed
        kernel.cpu += ran
        kernel.waited += waited
        kernel.own += int(passed * delayed)
        kernel.stolen += int(passed * stolen)
        meter.tick(PLANNED_MS, kernel.cpu)
        beyond = max(0, passed - PLANNED_MS * MS - int(passed * delayed))
        slept += asleep
        charged += max(0, asleep - max(int(passed * delayed) + beyond, int(passed * stolen)))
    return slept, charged


@given(STRETCHES)
def test_no_more_than_sleep_is_charged_and_nothing_pays_for_it_but_absence(stretches):
    """What a bot ran and waited for is subtracted once, whoever else waited for the same core meanwhile."""
    kernel = Kernel()
    with pytest.MonkeyPatch.context() as patch:
        kernel.install(patch)
        meter = Meter(1, 0, may_have_threads=False)
        slept, charged = pass_time(kernel, meter, stretches)
        idle = meter.idle_seconds(1.0, free=0.0) * 1e9
    assert charged - 1 <= idle <= slept + 1


def test_a_wait_that_is_told_late_pays_for_no_sleep(monkeypatch):
    """We took it for our own absence; now it is a wait, and not both."""
    kernel = Kernel()
    kernel.install(monkeypatch)
    meter = Meter(1, 0, may_have_threads=False)
    for _ in range(10):  # it waits, as we do, and the kernel does not tell yet
        kernel.now, kernel.own = kernel.now + 20 * MS, kernel.own + 15 * MS
        meter.tick(PLANNED_MS, kernel.cpu)
    kernel.waited = 200 * MS
    meter.tick(PLANNED_MS, kernel.cpu)
    assert meter.idle_seconds(1.0, free=0.0) == 0
    kernel.now += 100 * MS
    meter.tick(100, kernel.cpu)
    assert meter.idle_seconds(1.0, free=0.0) == 0.1


def test_a_pause_is_told_from_a_core_that_many_want(monkeypatch):
    """We are as late in both; in a pause the bot ran in one piece, among others in slices, and used them all."""
    kernel = Kernel()
    kernel.install(monkeypatch)
    meter = Meter(1, 0, may_have_threads=False)
    for slices, least, most in ((1, 80, 90), (25, 0, 0)):
        kernel.now, kernel.own = kernel.now + 200 * MS, kernel.own + 190 * MS
        kernel.cpu, kernel.slices = kernel.cpu + 100 * MS, kernel.slices + slices
        assert least * MS <= meter.tick(PLANNED_MS, kernel.cpu) <= most * MS
