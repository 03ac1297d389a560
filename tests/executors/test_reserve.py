"""Bots that wait between units: nothing of them runs, they need no more memory than one, and they end in time."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from arena.executors import reserve
from arena.executors.reserve import Reserve
from arena.hosts.sandboxed import SandboxedHost
from arena.referee import Limits
from arena.sandbox.template import Template
from tests.executors.test_executors import source
from tests.hosts.games import FIRST_LEGAL, game

ROOMY = Limits(move_seconds=2.0)
RUNNING = "import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)\n"


@pytest.fixture(scope="module")
def template():
    """A template process for all of these bots."""
    with closing(Template()) as made:
        yield made


@pytest.fixture
def waiting():
    """A reserve that is empty at the end."""
    made = Reserve()
    yield made
    made.close()


def played(template, name="bot", text=FIRST_LEGAL, limits=ROOMY):
    """A bot that has played a game, with the source that it was made from."""
    made = SandboxedHost(source(name, text), template)
    game(made, SandboxedHost(source("other", FIRST_LEGAL), template), limits=limits)
    return made


def test_a_bot_that_waits_is_taken_with_its_process(template, waiting):
    """The next game is played by the same process, and comes out as in a new one."""
    host = played(template)
    pid = host.pid
    waiting.give(host)
    taken = waiting.take(host.source, template)
    assert taken is host
    assert waiting.take(host.source, template) is None
    record = game(taken, SandboxedHost(source("other", FIRST_LEGAL), template), limits=ROOMY)
    assert (taken.pid, record.ending) == (pid, "no-moves")
    taken.close()


def test_who_waits_uses_no_cpu(template, waiting):
    """A bot with timers of its own is stopped with them."""
    host = played(template, text=RUNNING + FIRST_LEGAL)
    waiting.give(host)
    time.sleep(0.05)
    before = _cpu(host)
    time.sleep(0.3)
    assert _cpu(host) == before


def _cpu(host):
    return time.clock_gettime_ns(((~host.pid) << 3) | 2)


def test_those_who_wait_have_together_no_more_than_one_may_have(template, waiting):
    """The one that has waited longest goes first."""
    large = "kept = bytearray(40 << 20)\nkept[::4096] = bytes(len(kept) // 4096)\n" + FIRST_LEGAL
    hosts = [played(template, f"bot{n}", f"{large}# {n}\n", Limits(memory_mib=100)) for n in range(4)]
    for host in hosts:
        waiting.give(host)
    assert [host.pid is not None for host in hosts] == [False, False, True, True]


def test_only_so_many_wait(template, waiting, monkeypatch):
    """Whoever is beyond that has ended, and left no file."""
    monkeypatch.setattr(reserve, "MOST_WAITING", 2)
    hosts = [played(template, f"bot{n}", f"{FIRST_LEGAL}# {n}\n") for n in range(3)]
    pids = [host.pid for host in hosts]
    for host in hosts:
        waiting.give(host)
    assert [Path(f"/proc/{pid}").exists() for pid in pids] == [False, True, True]
    waiting.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)
    assert all(host.pid is None for host in hosts)


def test_who_has_met_itself_waits_once(template, waiting):
    """Two processes of one bot are needed only when it meets itself again."""
    one, other = played(template), played(template)
    waiting.give(one)
    waiting.give(other)
    assert (one.pid is None, other.pid is None) == (False, True)
