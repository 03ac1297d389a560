"""Uploads are checked in order, by real processes, and a server that ends loses none of them."""

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from arena.bots.source import Source
from arena.contest.book import ENTERED, FAILED, WAITING, Book
from arena.contest.checks import Checks
from arena.contest.playing import Contest
from arena.plan.outlook import Options
from arena.referee.game import DEFAULT_LIMITS
from tests.web.contests import make_contest

GOOD = "def move(position): return position.legal_moves[0]\n"
BAD = "print('<b>hello')\ndef move(position): return position.legal_moves[0] / 0\n"
SLOW = "while True: pass\n"
LIMITS = DEFAULT_LIMITS._replace(move_seconds=0.5, start_seconds=1.0)


def send(book, name, text):
    return book.receive("cup", name, Source(name, "bot.py", {"bot.py": text.encode()}), time.time())


@pytest.fixture
def book(tmp_path):
    opened = Book(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def checks(book):
    made = Checks(book, "cup", lambda: LIMITS)
    yield made
    made.stop()


def wait_for(checks, upload, until):
    """Follow an upload until something is so; return all that was seen of it."""
    seen, deadline = [], time.monotonic() + 60
    while time.monotonic() < deadline:
        changes = checks.changes
        seen.append(checks.progress(upload.id))
        if until(seen[-1]):
            return seen
        checks.wait(changes, 1)
    raise AssertionError(seen)


def is_done(progress):
    return progress.state != WAITING


def test_each_is_checked_in_turn_and_its_steps_are_there_as_they_happen(book):
    """For every follower; in the words of the command line; verdicts are in the book."""
    checks = Checks(book, "cup", lambda: LIMITS)
    good, bad = send(book, "good", GOOD), send(book, "bad", BAD)
    assert checks.progress(bad.id).ahead == 1
    followed = []
    follower = threading.Thread(target=lambda: followed.extend(wait_for(checks, good, is_done)))
    follower.start()
    checks.start()
    seen = wait_for(checks, good, is_done)
    follower.join()
    last = wait_for(checks, bad, is_done)[-1]
    assert (seen[-1].state, len(seen[-1].steps)) == (ENTERED, 7)
    assert followed[-1] == seen[-1]
    assert {len(each.steps) for each in seen} & {1, 2, 3, 4, 5, 6}, "not only in the end"
    assert last.state == FAILED
    assert "unsupported operand" not in last.steps[-1].detail
    assert "ZeroDivisionError" in last.steps[-1].evidence
    assert "bot.py" in last.steps[-1].evidence
    assert "<b>hello" in last.steps[-1].printed
    assert [(each.name, each.state) for each in book.uploads("cup")] == [("good", ENTERED), ("bad", FAILED)]
    assert [source.name for source in book.entered("cup")] == ["good"]
    checks.stop()


def test_it_is_checked_by_the_tournaments_limits(book, checks):
    """A bot that does not load in time fails by them, and says so."""
    slow = send(book, "slow", SLOW)
    checks.start()
    assert "and may use 1 s" in wait_for(checks, slow, is_done)[-1].steps[-1].detail


@pytest.mark.long
def test_it_is_checked_by_the_limits_that_the_file_has_now(tmp_path):
    """Not by those that it had when the server was started; and a file with a mistake changes nothing."""
    config = make_contest(tmp_path)
    contest = Contest(config, Options())
    try:
        contest.checks.start()
        config.write_text(f"{config.read_text()}[limits]\nstart_seconds = 1.0\n")
        slow = send(contest.book, "slow", SLOW)
        contest.checks.wake()
        assert "and may use 1 s" in wait_for(contest.checks, slow, is_done)[-1].steps[-1].detail
        config.write_text("no TOML")
        assert contest._read_limits() == DEFAULT_LIMITS
    finally:
        contest.checks.stop()
        contest.book.close()


def processes(parent):
    """The processes below one, by what they run."""
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            status = (each / "stat").read_text().rpartition(")")[2].split()
            found[int(each.name)] = (int(status[1]), (each / "cmdline").read_bytes(), int(status[16]))
        except OSError:
            continue
    below, wanted = {}, {parent}
    while more := {pid for pid, (above, *_) in found.items() if above in wanted and pid not in below}:
        below |= {pid: found[pid] for pid in more}
        wanted = more
    return below


def is_checking(progress):
    return len(progress.steps) > 0


def test_the_process_is_niced_alone_and_has_nothing_of_ours(book, checks, monkeypatch):
    """Neither what we know nor what our environment has; and it is not of our session."""
    monkeypatch.setenv("SECRET", "a token")
    slow = send(book, "slow", SLOW)
    checks.start()
    wait_for(checks, slow, is_checking)
    pid = checks._process.pid
    assert b"SECRET" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert os.getsid(pid) == pid
    assert all(nice >= 5 for _, _, nice in processes(pid).values())
    assert os.getpriority(os.PRIO_PROCESS, pid) == 5
    session = Path(f"/proc/{pid}/autogroup")
    assert not session.exists() or os.geteuid() or session.read_text().endswith("nice 5\n")


def test_to_stop_ends_the_check_and_loses_no_upload(book, checks):
    """Neither it nor its template and bots are left; the upload waits for the next server."""
    slow = send(book, "slow", SLOW)
    checks.start()
    wait_for(checks, slow, is_checking)
    left = {checks._process.pid, *processes(checks._process.pid)}
    assert len(left) >= 2
    begun = time.monotonic()
    checks.stop()
    assert time.monotonic() - begun < 10
    wait_until_gone(left)
    assert book.find_upload(slow.id).state == WAITING
    again = Checks(book, "cup", lambda: LIMITS)
    again.start()
    assert wait_for(again, slow, is_done)[-1].state == FAILED
    again.stop()


def wait_until_gone(pids):
    deadline = time.monotonic() + 30
    while any(_is_there(pid) for pid in pids):
        assert time.monotonic() < deadline, pids
        time.sleep(0.02)


def _is_there(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


SERVER = """
import sys, time
from pathlib import Path
from arena.contest.book import Book
from arena.contest.checks import Checks
from arena.referee.game import DEFAULT_LIMITS
book = Book(Path(sys.argv[1]))
checks = Checks(book, "cup", lambda: DEFAULT_LIMITS)
checks.start()
while not (checks._process and checks.progress(int(sys.argv[2])).steps):
    time.sleep(0.01)
print(checks._process.pid, flush=True)
time.sleep(60)
"""


def test_kill_9_of_the_server_ends_the_check(book, tmp_path):
    """The kernel does it; the upload is checked by the next server."""
    slow = send(book, "slow", SLOW)
    command = [sys.executable, "-c", SERVER, str(tmp_path), str(slow.id)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        left = {(pid := int(server.stdout.readline())), *processes(pid)}
        os.kill(server.pid, signal.SIGKILL)
    wait_until_gone(left)
    assert book.next_waiting("cup") == slow


def test_a_check_that_is_lost_is_tried_once_more_and_then_said(book, checks, monkeypatch):
    """It is not the bot's fault, and says so; and the next upload gets its turn."""
    monkeypatch.setattr("arena.contest.checks._longest", lambda _: 0.0)
    lost, next_one = send(book, "lost", GOOD), send(book, "next", GOOD)
    checks.start()
    last = wait_for(checks, lost, is_done)[-1]
    assert [step.detail for step in last.steps] == [
        "the process that checked it ended with exit code -9; this is arena's fault, tell the organiser"
    ]
    monkeypatch.undo()
    assert wait_for(checks, next_one, is_done)


def test_without_a_sandbox_nothing_is_checked_and_it_says_why(book, checks, monkeypatch):
    """What waits goes on waiting: it is not its fault."""
    waits = send(book, "anna", GOOD)
    monkeypatch.setattr("arena.contest.checks.MODULE", "tests.contest.no_sandbox")
    checks.start()
    assert "bots cannot be sandboxed here" in checks.why_not
    assert checks.progress(waits.id) == (WAITING, (), 0)
    assert "cannot be sandboxed" in checks.trouble


def test_a_sandbox_that_is_there_again_is_found(book, checks, monkeypatch):
    """Though nothing waits in the book: nobody could hand in anything before that."""
    monkeypatch.setattr("arena.contest.checks.PROBE_SECONDS", 0.1)
    monkeypatch.setattr("arena.contest.checks.MODULE", "tests.contest.no_sandbox")
    checks.start()
    assert checks.why_not
    monkeypatch.setattr("arena.contest.checks.MODULE", "arena.contest.one_check")
    deadline = time.monotonic() + 60
    while checks.why_not or checks.trouble:
        assert time.monotonic() < deadline, checks.why_not
        time.sleep(0.05)


def test_without_a_sandbox_few_processes_are_started(book, checks, monkeypatch):
    """However often somebody says that there is something to do."""
    popen, started = subprocess.Popen, []

    def start(*args, **options):
        started.append(args)
        return popen(*args, **options)

    monkeypatch.setattr("arena.contest.checks.MODULE", "tests.contest.no_sandbox")
    monkeypatch.setattr("arena.contest.checks.subprocess.Popen", start)
    send(book, "anna", GOOD)
    checks.start()
    for _ in range(10):
        checks.wake()
        time.sleep(0.2)
    assert len(started) == 1


def test_a_server_starts_though_no_process_can(book, checks, monkeypatch):
    """There may be no memory just then; bots are taken, and wait."""

    def refuse(*_, **__):
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr("arena.contest.checks.subprocess.Popen", refuse)
    checks.start()
    assert (checks.why_not, checks.trouble) == ("", "no check can be started: Cannot allocate memory")


def test_a_process_that_cannot_be_started_ends_no_check_for_ever(book, checks, monkeypatch):
    """Such as on a machine that has no memory left for a moment: it is said, and tried again."""
    popen, failures = subprocess.Popen, [OSError(errno.EAGAIN, "Resource temporarily unavailable")]

    def start(*args, **options):
        if failures:
            raise failures.pop()
        return popen(*args, **options)

    monkeypatch.setattr("arena.contest.checks.RETRY_SECONDS", 0.1)
    checks.start()
    monkeypatch.setattr("arena.contest.checks.subprocess.Popen", start)
    upload = send(book, "anna", GOOD)
    checks.wake()
    assert wait_for(checks, upload, is_done)[-1].state == ENTERED
    assert failures == []
