"""Requests to stop: what is being written is written whole, and whoever insists is heard."""

import os
import signal
import threading
import time

import pytest

from arena.plan.outlook import Options, read_checked
from arena.results import grading
from arena.results.run import Run
from arena.runs import sit, write_out
from arena.tournament import stopping
from arena.tournament.stopping import Stop, stopping_later
from arena.tournament.watch import Watch
from tests.tournament.field import CHANCE, FIRST, SLOW, rows, write
from tests.tournament.small import just_play


def test_ctrl_c_waits_until_the_moment_is_over():
    """What stands in the block is done, and then the request is heard."""
    done = []

    def write():
        with stopping_later():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("written")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert done == ["written"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_is_heard_at_once():
    """Whoever insists does not wait."""
    done = []

    def write():
        with stopping_later():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            done.append("written")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert done == []


def test_without_a_request_nothing_is_raised():
    """And the handlers are as before."""
    before = signal.getsignal(signal.SIGTERM)
    with stopping_later():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


class Asking(Watch):
    """Asks from another thread that a run stops, after some games; keeps what was being played."""

    def __init__(self, games):
        self.left, self.stop, self.playing = games, Stop(), set()

    def note_games(self, rows):
        if 0 < self.left <= len(rows):
            thread = threading.Thread(target=self.stop.ask)
            thread.start()
            thread.join()
        self.left -= len(rows)

    def note_playing(self, games):
        self.playing |= {(game.first, game.second) for game in games}


def sitting(config, watch, place, **options):
    asked = Options(**{"executor": "local", "workers": 2, "results": place, "audit": False} | options)
    return sit(read_checked(config, asked), asked, watch, watch.stop)


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A tournament whose games take a tenth of a second."""
    bots = {"first": FIRST, "chance": CHANCE, "slow": SLOW.format(seconds=0.01)}
    return write(tmp_path_factory.mktemp("slow"), bots, variants=["blockade-5x5"], openings=4)


@pytest.mark.long
def test_another_thread_can_stop_a_sitting_and_the_next_one_goes_on(slow, tmp_path):
    """It returns, without Ctrl-C; what is finished is kept, and the digest is that of a run without stops."""
    watches = [Asking(3), Asking(3), Asking(0)]
    ends = [sitting(slow, watch, tmp_path) for watch in watches]
    assert (ends[0], ends[-1]) == (False, True)
    assert not any(watch.stop.is_users for watch in watches)
    assert watches[0].playing <= {
        (one, other) for one in ("first", "chance", "slow") for other in ("first", "chance", "slow")
    }
    assert watches[0].playing
    run = Run(tmp_path / "cup")
    assert (run.folder / "standings.csv").exists()
    assert run.ungraded == 0
    assert run.digest() == just_play(slow, results=tmp_path / "whole").digest()


def test_a_game_that_does_not_end_within_two_seconds_is_given_up(tmp_path, monkeypatch):
    """Whoever asked does not wait for a bot that thinks for a minute; its game is played again later."""
    monkeypatch.setattr(stopping, "GRACE_SECONDS", 0.2)
    sleepy = "import time\ndef move(position):\n    time.sleep(20)\n    return position.legal_moves[0]\n"
    config = write(
        tmp_path, {"first": FIRST, "chance": CHANCE, "sleepy": sleepy}, variants=["snort:line-3"], openings=1
    )
    watch = Asking(1)
    begun = time.monotonic()
    assert not sitting(config, watch, tmp_path / "results", isolation="trusted", workers=3)
    assert time.monotonic() - begun < 20


def test_a_request_before_the_first_game_begins_none(slow, tmp_path):
    """Also while the plan is made."""
    watch = Asking(0)
    watch.stop.ask()
    assert not sitting(slow, watch, tmp_path)
    assert rows(tmp_path / "cup") == []


def test_ctrl_c_in_a_sitting_is_the_users(slow, tmp_path):
    """The sitting ends, and so does everything."""
    with pytest.raises(KeyboardInterrupt):
        sitting(slow, Interrupting(), tmp_path)


class Interrupting(Asking):
    """Presses Ctrl-C after the first game, when somebody has just asked to stop."""

    def __init__(self):
        super().__init__(1)

    def note_games(self, rows):
        super().note_games(rows)
        if rows:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.long
def test_grading_gives_way(slow, tmp_path, monkeypatch):
    """What is graded is kept, the tables that there were stay, and `write_out` does the rest later."""
    just_play(slow, results=tmp_path)
    monkeypatch.setattr(grading, "TELL_SECONDS", 0.0)
    monkeypatch.setattr(grading, "BATCH", 1)
    options, stop = Options(workers=1), Stop()

    class Once(Watch):
        def note_grades(self, done, of):
            stop.ask()

    assert not write_out(tmp_path / "cup", options, Once(), stop)
    assert not (tmp_path / "cup" / "standings.csv").exists()
    left = Run(tmp_path / "cup", is_whole=False).ungraded
    assert left > 0
    assert write_out(tmp_path / "cup", options, Watch(), Stop())
    assert Run(tmp_path / "cup", is_whole=False).ungraded == 0
    assert (tmp_path / "cup" / "standings.csv").exists()
