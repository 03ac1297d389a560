"""Signals: four may come from outside, and no bot can send itself one; all others are its own fault."""

import os
import signal
import threading
import time

import pytest

from arena.hosts.play import play_surely
from arena.referee import Ending, GameSpec
from arena.sandbox.signals import FROM_OUTSIDE
from tests.hosts.games import FIRST_LEGAL, QUICK, game
from tests.hosts.test_surely import SPEC

SLEEPS = "import time\ndef move(position):\n    time.sleep(1)\n    return position.legal_moves[0]\n"
OWN_FAULTS = {
    "SEGV": "import ctypes\ndef move(position):\n    ctypes.string_at(0)\n",
    "ABRT": "import os\ndef move(position):\n    os.abort()\n",
    "FPE": "import ctypes, mmap\ndef move(position):\n    code = mmap.mmap(-1, 4096, prot=7)\n"
    "    code.write(bytes.fromhex('31c931c0f7f9c3'))\n"  # xor ecx, ecx; xor eax, eax; idiv ecx
    "    ctypes.CFUNCTYPE(None)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()\n",
}
TO_ITSELF = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def move(position):
    for number in (1, 3, 9, 15):
        for call in ((62, os.getpid(), number), (200, os.getpid(), number), (234, os.getpid(), os.getpid(), number)):
            print(libc.syscall(*call), ctypes.get_errno())
    return position.legal_moves[0]
"""


def test_the_four_are_those_of_the_contract():
    """HUP, QUIT, KILL and TERM, by the numbers of this machine."""
    numbers = (signal.SIGHUP, signal.SIGQUIT, signal.SIGKILL, signal.SIGTERM)
    assert set(FROM_OUTSIDE) == set(map(int, numbers))
    assert all(signal.Signals(number).name == f"SIG{name}" for number, name in FROM_OUTSIDE.items())


@pytest.mark.parametrize("number", range(1, 32))
def test_every_signal_but_four_is_a_forfeit_at_once(bot, template, monkeypatch, number):
    """Whatever ended the process, the host says of four signals only that somebody outside may have sent them."""
    reap = template.reap

    def says_signal(pid):
        reap(pid)
        return None, number

    monkeypatch.setattr(template, "reap", says_signal)
    host = bot("import os\ndef move(position):\n    os._exit(0)\n")
    record = game(host, bot(FIRST_LEGAL))
    assert (record.ending, host.by_signal) == (Ending.CRASH, number in FROM_OUTSIDE)
    assert f"ended by signal {number} (" in record.detail


@pytest.mark.parametrize("name", OWN_FAULTS)
def test_what_a_bot_brings_on_itself_is_not_played_once_more(bot, name, monkeypatch):
    """A losing bot cannot crash its way to a second game: it is started once."""
    if name == "FPE" and os.uname().machine != "x86_64":
        pytest.skip("these bytes are a division by zero on x86_64")
    host, starts = bot(OWN_FAULTS[name]), []
    start = host._start
    monkeypatch.setattr(host, "_start", lambda *given, **more: starts.append(1) or start(*given, **more))
    record = play_surely(SPEC, host, bot(FIRST_LEGAL))
    assert (record.ending, record.winner, len(starts)) == (Ending.CRASH, "two", 1)


@pytest.mark.parametrize("times", [1, 2])
def test_a_bot_killed_from_outside_plays_once_more_and_no_more(bot, times):
    """One kill costs nothing; the second, while it is asked again, is its loss."""
    host, opponent = bot(SLEEPS), bot(FIRST_LEGAL)
    spec: GameSpec = SPEC._replace(limits=QUICK._replace(move_seconds=2.0))

    def kill():
        pids = set()
        while len(pids) < times:
            time.sleep(0.3)
            if host.pid is not None and host.pid not in pids:
                pids.add(host.pid)
                os.kill(host.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    record = play_surely(spec, host, opponent)
    killer.join()
    assert record.ending is (Ending.NO_MOVES if times == 1 else Ending.CRASH)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of the calls are those of x86_64")
def test_no_bot_can_send_itself_one_of_the_four(bot):
    """By none of the three calls: each is refused, and the bot plays on."""
    host = bot(TO_ITSELF)
    record = game(host, bot(FIRST_LEGAL))
    assert (record.ending, record.detail) == (Ending.NO_MOVES, "")
    assert set(host.printed.splitlines()) == {"-1 1"}  # EPERM
