"""Programs that do odd things with their threads, names and descriptors gain nothing by it."""

import time

import pytest

from arena.hosts.line import Line
from arena.referee import Ending, Limits
from tests.hosts.games import FIRST_LEGAL, game
from tests.hosts.programs import host_of

pytestmark = [pytest.mark.usefixtures("one_core"), pytest.mark.alone]

LIMITS = Limits(move_seconds=0.3, game_seconds=10.0)
BURN = "for (double end = now() + 0.05; now() < end;) ;"
SPIN = "for (double end = now() + {}; now() < end;) ;"
DEAD_MAIN = """
import ctypes, json, os, sys, threading, time

def serve():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print('{"type":"ready"}', flush=True)
        if message["type"] == "move":
            ASKED
            print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)

threading.Thread(target=serve).start()
ctypes.CDLL(None).syscall(60, 0)  # ends this thread, and not the process
"""


@pytest.fixture
def program(template, tmp_path):
    """A function to the host of a program in C."""
    made = []

    def make(beside="", asked="", threads=0):
        made.append(host_of("c", template, tmp_path / f"bot{len(made)}", beside, asked, threads))
        return made[-1]

    yield make
    for host in made:
        host.close()


def test_a_process_may_call_itself_what_it_likes(program, bot):
    """The kernel shows that name among what we read of the process; it ended the worker, and the game was void."""
    named = program(asked='syscall(157, 15, "\\xff\\xfe\\n", 0, 0, 0); ' + BURN)
    record = game(named, bot(FIRST_LEGAL), "blockade-5x5", limits=LIMITS)
    assert record.ending is Ending.NO_MOVES


def test_a_pipe_that_is_closed_with_the_first_thread_dead_is_a_crash_at_once(command, bot):
    """It looked as if the process had been killed from outside, and the game was played once more."""
    host = command(DEAD_MAIN.replace("ASKED", "os.close(1); time.sleep(60)"))
    record = game(host, bot(FIRST_LEGAL), limits=LIMITS._replace(move_seconds=1.0))
    assert (record.ending, record.detail) == (Ending.CRASH, "ply 1: closed the pipe that it answers on")
    assert not host.by_signal


def test_memory_is_counted_with_the_first_thread_dead(command, bot):
    """The kernel shows no memory for it, and 900 MiB went unseen."""
    limits = LIMITS._replace(move_seconds=5.0, memory_mib=128)
    host = command(DEAD_MAIN.replace("ASKED", "kept = bytearray(300 << 20); time.sleep(0.2)"))
    assert game(host, bot(FIRST_LEGAL), limits=limits).ending is Ending.MEMORY
    plain = command(DEAD_MAIN.replace("ASKED", "kept = bytearray(30 << 20); time.sleep(0.2)"))
    assert game(plain, bot(FIRST_LEGAL), limits=limits).ending is Ending.NO_MOVES


CROWD = """
        pthread_t crowd[15];
        asked = 1;
        for (int n = 0; n < 15; n++) pthread_create(&crowd[n], NULL, beside, NULL);
        for (double end = now() + 0.3; now() < end;) ;
        for (int n = 0; n < 15; n++) pthread_join(crowd[n], NULL);
        nap(3600000000L);
"""


def test_threads_that_crowded_the_core_and_ended_buy_no_sleep(program, bot):
    """Their waiting paid for it: 31 s passed where 2.4 were charged."""
    host = program(beside=SPIN.format(0.3), asked=CROWD)
    assert game(host, bot(FIRST_LEGAL), limits=LIMITS._replace(move_seconds=0.8)).ending is Ending.TIMEOUT


CHURN = """
        pthread_t crowd[14];
        for (int n = 0; n < 14; n++) pthread_create(&crowd[n], NULL, beside, NULL);
        for (int n = 0; n < 14; n++) pthread_join(crowd[n], NULL);
        nap(1400000000L);
"""


@pytest.mark.long
def test_threads_that_end_while_they_are_looked_at_buy_no_sleep(program, bot):
    """One that had just ended was taken for a kernel that does not tell who waits."""
    host = program(
        beside="nap(10050000L + 25000L * (long)((size_t)pthread_self() / 4096 % 14));", asked=CHURN
    )
    endings = [game(host, bot(FIRST_LEGAL), limits=LIMITS).ending for _ in range(8)]
    assert endings == [Ending.TIMEOUT] * 8


def test_who_waits_for_a_bot_that_has_closed_its_output_sleeps(bot):
    """We were woken without end by its closing, and took the core for it."""
    asleep = "import os, time\nos.close(1); os.close(2)\ndef move(position):\n    time.sleep(30)\n"
    before = time.process_time()
    record = game(bot(asleep), bot(FIRST_LEGAL), limits=LIMITS._replace(move_seconds=1.0))
    assert record.ending is Ending.TIMEOUT, record
    assert time.process_time() - before < 0.5


def test_who_goes_on_although_it_was_stopped_forfeits(program, bot, monkeypatch):
    """However it evades the signal: its own CPU clock tells."""
    burner = "import time\ndef move(position):\n    end = time.process_time() + {}\n"
    burner += "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
    runaway = program(beside="for (;;) ;", threads=1)
    thinker = bot(burner.format(0.6))
    monkeypatch.setattr(Line, "_signal", lambda line, number: None)  # a signal that stops nobody
    record = game(thinker, runaway, "blockade-5x5", limits=LIMITS._replace(move_seconds=2.0))
    assert (record.winner, record.ending) == ("one", Ending.CRASH)
    assert record.detail == "ply 2: kept running after it was stopped, out of turn"
    quiet = program()
    begun = time.monotonic()
    assert game(thinker, quiet, limits=LIMITS._replace(move_seconds=2.0)).ending is Ending.NO_MOVES
    assert time.monotonic() - begun < 10
