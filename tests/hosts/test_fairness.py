"""Clocks that a busy machine cannot make unfair."""

import contextlib
import os
import subprocess
import sys
import time

import pytest

from arena.referee import Ending, Limits
from tests.hosts.games import FIRST_LEGAL, game

LIMITS = Limits(move_seconds=0.05, game_seconds=10.0)
BURN = (
    "import time\ndef move(position):\n    end = time.process_time() + {}\n"
    "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
)
GAMES = int(os.environ.get("ARENA_FAIRNESS_GAMES", "25"))  # 200 in `make soak`


@contextlib.contextmanager
def busy(count: int = 4):
    """Four processes that use all they can get of two cores."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    cores = os.sched_getaffinity(0)
    for number, process in enumerate(started):
        os.sched_setaffinity(process.pid, {sorted(cores)[number % min(2, len(cores))]})
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.timeout(600)
def test_a_bot_within_its_limit_never_times_out_on_a_busy_machine(bot):
    """Burning 60 % of its CPU on every move, with four busy processes on two cores: no timeout."""
    host, opponent = bot(BURN.format(0.03)), bot(FIRST_LEGAL)
    with busy():
        endings = [game(host, opponent, limits=LIMITS).ending for _ in range(GAMES)]
    assert endings == [Ending.NO_MOVES] * GAMES


def test_a_bot_over_its_limit_is_caught_every_time(bot):
    """Half as much again as allowed is a timeout, on a busy machine as on an idle one."""
    host, opponent = bot(BURN.format(0.075)), bot(FIRST_LEGAL)
    with busy():
        endings = [game(host, opponent, limits=LIMITS).ending for _ in range(10)]
    endings += [game(host, opponent, limits=LIMITS).ending for _ in range(10)]
    assert endings == [Ending.TIMEOUT] * 20


@pytest.mark.parametrize(
    "loop",
    [
        "while True: pass",
        "sum(range(10**12))",
        "import re; re.match(r'(a+)+$', 'a' * 60 + 'b')",
        "10**10**8",
        "import time\n    while True: time.sleep(0)",
    ],
)
def test_an_endless_loop_is_gone_soon_after_its_limit(bot, loop):
    """Loops in Python, in C and in system calls use at most their limit and half a second more of CPU."""
    host = bot(f"def move(position):\n    {loop}\n")
    before = os.times()
    begun = time.monotonic()
    record = game(host, bot(FIRST_LEGAL), limits=LIMITS)
    assert record.ending is Ending.TIMEOUT
    assert record.first_cpu_seconds < LIMITS.move_seconds + 0.5
    assert time.monotonic() - begun < 30
    assert os.times().user - before.user < 2


def test_sleeping_is_the_bots_own_fault(bot):
    """Time neither run nor waited for a core counts: 2 * move_seconds + 1 s of it, and no more, are allowed."""
    nap = "import time\ndef move(position):\n    time.sleep({})\n    return position.legal_moves[0]\n"
    assert game(bot(nap.format(0.5)), bot(FIRST_LEGAL), limits=LIMITS).ending is Ending.NO_MOVES
    begun = time.monotonic()
    assert game(bot(nap.format(30)), bot(FIRST_LEGAL), limits=LIMITS).ending is Ending.TIMEOUT
    assert 1.0 < time.monotonic() - begun < 5


def test_drips_do_not_restart_the_clock(bot):
    """A bot that sends its reply byte by byte has no more time than others."""
    drip = (
        "import os, time\ndef move(position):\n    for _ in range(100):\n        os.write(4, b'x')\n"
        "        time.sleep(0.1)\n    return 0\n"
    )
    begun = time.monotonic()
    record = game(bot(drip), bot(FIRST_LEGAL), limits=LIMITS)
    assert record.ending in (Ending.TIMEOUT, Ending.GARBAGE)
    assert time.monotonic() - begun < 5
