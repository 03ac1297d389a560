"""Clocks that a busy machine cannot make unfair."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.hosts import line, meter
from arena.hosts.line import Line
from arena.hosts.process import cpu_clock
from arena.referee import Ending, Limits
from tests.hosts.games import FIRST_LEGAL, game
from tests.hosts.programs import host_of

pytestmark = [pytest.mark.alone, pytest.mark.usefixtures("one_core")]

LIMITS = Limits(move_seconds=0.05, game_seconds=10.0)
BURN = (
    "import time\ndef move(position):\n    end = time.process_time() + {}\n"
    "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
)
GAMES = int(os.environ.get("ARENA_FAIRNESS_GAMES", "25"))  # 200 in `make soak`


CORES = sorted(os.sched_getaffinity(0))


@contextlib.contextmanager
def busy(count: int = 4, cores: Sequence[int] = ()):
    """Processes that use all they can get of some cores, by default of two; gives their ids."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    cores = cores or CORES[:2]
    for number, process in enumerate(started):
        os.sched_setaffinity(process.pid, {cores[number % len(cores)]})
    try:
        yield [process.pid for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.timeout(600)
def test_a_bot_within_its_limit_never_times_out_on_a_busy_machine(bot):
    """Burning 60 % of its CPU on every move, with four busy processes on two cores: no timeout."""
    host, opponent = bot(BURN.format(0.03)), bot(FIRST_LEGAL)
    with busy():
        records = [game(host, opponent, limits=LIMITS) for _ in range(GAMES)]
    assert {(record.ending, record.detail) for record in records} == {(Ending.NO_MOVES, "")}


def test_a_bot_over_its_limit_is_caught_every_time(bot):
    """Half as much again as allowed is a timeout, on a busy machine as on an idle one."""
    # So long that a virtual machine that stands still for a moment, which is nobody's, makes no difference.
    host, opponent, limits = bot(BURN.format(0.45)), bot(FIRST_LEGAL), LIMITS._replace(move_seconds=0.3)
    with busy():
        endings = [game(host, opponent, limits=limits).ending for _ in range(4)]
    endings += [game(host, opponent, limits=limits).ending for _ in range(6)]
    assert endings == [Ending.TIMEOUT] * 10


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


NAP = "import time\ndef move(position):\n    time.sleep({})\n    return position.legal_moves[0]\n"


def test_sleeping_is_charged_like_computing(bot):
    """Of time neither run nor waited for a core 50 ms a move are free, and the rest counts."""
    assert game(bot(NAP.format(0.03)), bot(FIRST_LEGAL), limits=LIMITS).ending is Ending.NO_MOVES
    assert game(bot(NAP.format(0.5)), bot(FIRST_LEGAL), limits=LIMITS._replace(move_seconds=1.0)).ending is (
        Ending.NO_MOVES
    )
    begun = time.monotonic()
    record = game(bot(NAP.format(30)), bot(FIRST_LEGAL), limits=LIMITS)
    assert record.ending is Ending.TIMEOUT
    assert "s asleep without an answer, and may use 0.05 s" in record.detail
    assert time.monotonic() - begun < 5


def test_naps_add_up_to_the_limit_of_a_game(bot):
    """Each is within the limit of a move, and no CPU was used."""
    limits = LIMITS._replace(move_seconds=0.5, game_seconds=0.3)
    record = game(bot(NAP.format(0.2)), bot(FIRST_LEGAL), "kayles:line-30", limits=limits)  # eight of them
    assert (record.ending, record.winner) == (Ending.TIMEOUT, "two")
    assert record.first_cpu_seconds < 0.1


def test_threads_that_crowd_a_core_buy_no_sleep(bot, template, tmp_path):
    """Sixteen of them wait for each other for a moment; sixteen moments of sleep are charged all the same."""
    spin, nap = "for (double end = now() + 0.2; now() < end;) ;", "nap(3000000000L);"
    host = host_of(
        "c",
        template,
        tmp_path / "bot",
        beside=f"for (;;) {{ if (asked) {{ {spin} {nap} }} else nap(100000); }}",
        asked=f"asked = 1; {spin} {nap} asked = 0;",
        threads=15,
    )
    record = game(host, bot(FIRST_LEGAL), limits=LIMITS._replace(move_seconds=0.5))
    host.close()
    assert record.ending is Ending.TIMEOUT


def test_sleeping_at_the_start_is_charged_too(bot):
    """A second of it is free."""
    sleepy = "import time\ntime.sleep({})\n" + FIRST_LEGAL
    limits = LIMITS._replace(start_seconds=0.5)
    assert game(bot(sleepy.format(0.8)), bot(FIRST_LEGAL), limits=limits).ending is Ending.NO_MOVES
    begun = time.monotonic()
    assert game(bot(sleepy.format(30)), bot(FIRST_LEGAL), limits=limits).ending is Ending.NO_START
    assert time.monotonic() - begun < 8


@pytest.mark.long
def test_where_nobody_knows_who_waits_for_a_core_much_sleep_is_free(bot, monkeypatch):
    """Then waiting looks like sleeping: 2 * move_seconds + 1 s of it are allowed."""
    monkeypatch.setattr(meter, "waiting_for_a_core", lambda pid: None)
    assert game(bot(NAP.format(0.8)), bot(FIRST_LEGAL), limits=LIMITS).ending is Ending.NO_MOVES
    assert game(bot(NAP.format(30)), bot(FIRST_LEGAL), limits=LIMITS).ending is Ending.TIMEOUT


REFEREE = """
from arena.hosts.sandboxed import SandboxedHost
from arena.bots.source import Source
from arena.sandbox.template import Template
from tests.hosts.test_fairness import LIMITS, NAP
from tests.hosts.games import FIRST_LEGAL, game

if __name__ == "__main__":
    template = Template()
    bots = [SandboxedHost(Source("bot", "bot.py", {"bot.py": text.encode()}), template)
            for text in (NAP.format(0.04), FIRST_LEGAL)]
    print("ready", flush=True)
    print({str(game(*bots, "blockade-5x5", limits=LIMITS).ending) for _ in range(4)}, flush=True)
    template.close()
"""


def test_time_in_which_the_referee_does_not_run_is_nobodys(bot):
    """Somebody types Ctrl-Z, twenty times, and nobody loses by it: the naps themselves are free."""
    root = Path(__file__).parents[2]
    referee = subprocess.Popen([sys.executable, "-c", REFEREE], cwd=root, stdout=subprocess.PIPE, text=True)
    assert referee.stdout is not None
    assert referee.stdout.readline() == "ready\n"
    for _ in range(20):
        time.sleep(0.05)
        referee.send_signal(signal.SIGSTOP)
        time.sleep(0.15)
        referee.send_signal(signal.SIGCONT)
    assert referee.communicate(timeout=60)[0] == "{'no-moves'}\n"


def test_who_is_stopped_between_two_looks_charges_nobody(bot, monkeypatch):
    """However short the moment is in which the referee looks at a bot, Ctrl-Z may come just then."""
    look = Line._check_memory

    def look_slowly(line, cpu):
        look(line, cpu)
        time.sleep(0.15)

    monkeypatch.setattr(Line, "_check_memory", look_slowly)
    assert game(bot(NAP.format(0.04)), bot(FIRST_LEGAL), limits=LIMITS).ending is Ending.NO_MOVES


def test_time_that_a_virtual_machine_is_not_given_is_nobodys(bot, monkeypatch):
    """A core that waits for a real one looks as if its bot slept; no test can make a machine do that."""
    begun, limits = time.monotonic_ns(), LIMITS._replace(move_seconds=0.2)
    monkeypatch.setattr(meter, "stolen_from", lambda cores: len(cores) * (time.monotonic_ns() - begun))
    assert game(bot(NAP.format(0.5)), bot(FIRST_LEGAL), limits=limits).ending is Ending.NO_MOVES
    monkeypatch.setattr(meter, "stolen_from", lambda cores: 0)
    assert game(bot(NAP.format(3)), bot(FIRST_LEGAL), limits=limits).ending is Ending.TIMEOUT


def test_a_pause_that_the_kernel_counts_as_cpu_is_nobodys(bot, monkeypatch):
    """A bot within its limit, on a machine that now and then stands still for 0.15 s and does not know it."""
    read, watch, paused = line._clock_gettime_ns, Line._watch, Counter()

    def stand_still(self, *limits):
        watch(self, *limits)
        time.sleep(0.15)
        paused[self._clock] += 150_000_000

    monkeypatch.setattr(Line, "_watch", stand_still)
    monkeypatch.setattr(line, "_clock_gettime_ns", lambda clock: read(clock) + paused[clock])
    record = game(bot(BURN.format(0.03)), bot(FIRST_LEGAL), limits=LIMITS)
    assert (record.ending, record.detail) == (Ending.NO_MOVES, "")
    assert paused


@given(st.integers(0, 10**10), st.integers(0, 1000))
def test_at_most_what_it_used_is_forgiven(cpu, milliseconds):
    """What a bot could have used until we were to wake up is charged, and a slice more."""
    forgiven = meter.phantom(cpu, milliseconds)
    assert 0 <= forgiven <= cpu
    assert cpu - forgiven >= min(cpu, milliseconds * 1_000_000)


def test_the_kernel_tells_what_was_stolen():
    """A number that never goes down, and none for cores that there are not."""
    before = meter.stolen_from(meter.cores_of(os.getpid()))
    assert 0 <= before <= meter.stolen_from(meter.cores_of(os.getpid()))
    assert meter.stolen_from({b"cpu99999"}) == 0


def state(host):
    """What the kernel says a bot's process is doing."""
    return Path(f"/proc/{host.pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_only_the_bot_that_is_asked_runs(bot):
    """While one thinks, the other is stopped, whatever it has set going; when it is asked, it goes on."""
    wakeful = (
        "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)\n" + FIRST_LEGAL
    )
    thinker, thief = bot(BURN.format(0.3)), bot(wakeful)
    seen = []
    limits = LIMITS._replace(move_seconds=1.0)
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(game, thinker, thief, "blockade-5x5", limits)
        while not playing.done():
            if thief.pid is not None:
                with contextlib.suppress(OSError):
                    seen.append(state(thief))
            time.sleep(0.02)
    assert playing.result().ending is Ending.NO_MOVES
    assert seen.count("T") > len(seen) / 2


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


BURN_AND_NAP = (
    "import time\ndef move(position):\n    end = time.process_time() + {}\n"
    "    while time.process_time() < end: pass\n    time.sleep({})\n    return position.legal_moves[0]\n"
)


def test_what_was_stolen_while_a_bot_ran_buys_no_sleep(bot, monkeypatch):
    """A kernel may count what is stolen as CPU of whoever had the core; it is subtracted from sleep once."""
    host, limits = bot(BURN_AND_NAP.format(0.9, 0.85)), LIMITS._replace(move_seconds=1.0)
    monkeypatch.setattr(meter, "stolen_from", lambda cores: _cpu_of(host))
    assert game(host, bot(FIRST_LEGAL), limits=limits).ending is Ending.TIMEOUT


def _cpu_of(host):
    """What a bot has used, as if all of it had been stolen."""
    try:
        return time.clock_gettime_ns(cpu_clock(host.pid))
    except (OSError, TypeError):  # not begun, or ended
        return 0
