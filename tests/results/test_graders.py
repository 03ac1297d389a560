"""Grading in processes: the same grades as in one, whatever is lost on the way; and tables before grades."""

import os
import signal

import pandas as pd
import pytest

import arena
import arena.runs
from arena.errors import StoreError
from arena.reports.showing import leaderboard, write_tables
from arena.results import graders
from arena.results.grading import count_graded, grade, read_evidence
from arena.results.run import Run
from arena.terminal.grading import WAY_OUT
from arena.terminal.sign import CLEAR_LINE, Sign
from tests.cli.command import inside
from tests.tournament.field import CHANCE, FIRST, LAST, write
from tests.tournament.small import change, copied, play

BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE}
VARIANTS = ["blockade-5x5", "grid-block", "snort:hex-3x3"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of some games, none of them graded."""
    folder = tmp_path_factory.mktemp("ungraded")
    config = write(folder, BOTS, variants=VARIANTS, openings=4, isolation="trusted")
    return arena.run(config, executor="serial", grades=False)


@pytest.fixture
def at_once(monkeypatch):
    """Start processes without waiting whether grading takes long, each for a few games."""
    monkeypatch.setattr(graders, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr("arena.results.grading.BATCH", 5)


def test_grades_are_the_same_in_any_number_of_processes(run, tmp_path, at_once):
    """Every row, whoever found it."""
    alone, together = copied(run, tmp_path / "alone"), copied(run, tmp_path / "together")
    told = []
    grade(alone.folder, lambda done, of: None, workers=1)
    grade(together.folder, lambda done, of: told.append((done, of)), workers=3)
    assert sorted(read_evidence(together.folder)) == sorted(read_evidence(alone.folder))
    assert count_graded(together.folder) == 72
    assert all(done <= of == 72 for done, of in told)


@pytest.mark.long
def test_a_process_that_is_killed_costs_no_game(run, tmp_path, at_once, monkeypatch):
    """Its batch is graded by somebody else."""
    killed = []
    honest = graders._Process.give

    def give(self, batch):
        honest(self, batch)
        if len(killed) < 3:
            os.kill(self._process.pid, signal.SIGKILL)
            killed.append(self._process.pid)

    monkeypatch.setattr(graders._Process, "give", give)
    lossy = copied(run, tmp_path / "lossy")
    grade(lossy.folder, lambda done, of: None, workers=2)
    assert len(killed) == 3
    assert count_graded(lossy.folder) == 72


def test_a_game_that_the_rules_do_not_allow_is_one_sentence_from_any_process(run, tmp_path, at_once):
    """It names the game and what looks closer."""
    bad = copied(run, tmp_path / "bad")
    game = bad.games(variant="blockade-5x5").iloc[-1]["game"]
    change(bad, "UPDATE games SET moves = '0 0 0' WHERE game = ?", game)
    with pytest.raises(StoreError, match=f"game {game} has moves that the rules do not allow"):
        grade(bad.folder, lambda done, of: None, workers=2)


def test_tables_come_before_grades_and_say_so(run):
    """Ratings are there, accuracy is not, and the files are written."""
    table = pd.read_csv(run.folder / "standings.csv")
    assert table["rating"].notna().all()
    assert table[["accuracy", "held", "graded"]].isna().all(axis=None)
    assert "72 games are not graded yet" in (run.folder / "standings.md").read_text()
    assert "72 games are not graded yet" in leaderboard(run)


def test_ctrl_c_while_grading_leaves_tables_with_what_is_graded(tmp_path, monkeypatch):
    """What was graded is kept; the next command goes on from there."""

    def stop(folder, tell, workers, elsewhere):
        def tell_and_stop(done, of):
            raise KeyboardInterrupt

        monkeypatch.setattr("arena.results.grading.TELL_SECONDS", -1.0)
        grade(folder, tell_and_stop, workers)

    monkeypatch.setattr(arena.runs, "grade", stop)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path, BOTS, variants=["grid-block", "blockade-5x5"])
    folder = tmp_path / "results" / "cup"
    graded = count_graded(folder)
    assert 0 < graded < 36
    assert f"{36 - graded} games are not graded yet" in (folder / "standings.md").read_text()
    assert Run(folder).standings()["graded"].sum() > 0
    assert count_graded(folder) == 36


def test_ctrl_c_while_processes_grade_locks_nothing(run, tmp_path, at_once, monkeypatch):
    """The query for what is left to grade has not come to its end then, and must be closed all the same."""

    def stop(pipes, seconds):
        raise KeyboardInterrupt

    stopped = copied(run, tmp_path / "stopped").folder
    monkeypatch.setattr(graders, "wait", stop)
    try:
        grade(stopped, lambda done, of: None, 2)
    except KeyboardInterrupt:
        write_tables(Run(stopped, is_whole=False))  # while the traceback still has all frames
    assert "games are not graded yet" in (stopped / "standings.md").read_text()


class Terminal:
    """Something like a terminal that remembers what was written."""

    def __init__(self, is_terminal):
        self.written = ""
        self._is_terminal = is_terminal

    def isatty(self):
        return self._is_terminal

    def write(self, text):
        self.written += text

    def flush(self):
        pass


def test_who_beat_whom_needs_no_grades(run, tmp_path):
    """A crosstable does not wait for them, and nor does a run that is opened without."""
    folder = copied(run, tmp_path / "fresh").folder
    assert inside("crosstable", folder, cwd=tmp_path).returncode == 0
    assert arena.open(folder, grades=False).standings()["graded"].sum() == 0
    assert count_graded(folder) == 0


def test_a_caller_hears_of_grading_before_a_batch_is_done(run, tmp_path, at_once, monkeypatch):
    """A game on a large board may take seconds: the sign does not wait for it."""
    monkeypatch.setattr(graders, "SIGN_SECONDS", 0.0)
    told = []
    monkeypatch.setattr("arena.results.grading.TELL_SECONDS", -1.0)
    grade(copied(run, tmp_path / "slow").folder, lambda done, of: told.append(done), workers=2)
    assert told[0] == 0


def test_grading_has_a_sign_of_its_own(monkeypatch):
    """A line that is written again on a terminal and taken away; in a pipe a line now and then; none if quick."""
    for is_terminal, expected in (
        (True, f"{CLEAR_LINE}grading 3 of 9 games"),
        (False, "grading 3 of 9 games"),
    ):
        stream = Terminal(is_terminal)
        monkeypatch.setattr("sys.stderr", stream)
        sign = Sign(WAY_OUT)
        sign.show("grading 1 of 9 games")
        assert stream.written == ""
        sign._shown_at -= 11
        sign.show("grading 3 of 9 games")
        sign.clear()
        assert stream.written.startswith(expected)
        assert stream.written.endswith(CLEAR_LINE if is_terminal else "\n")


def test_a_sign_is_never_longer_than_its_line(monkeypatch):
    """A terminal would break it, and only its last part could be taken away again."""
    stream = Terminal(True)
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("COLUMNS", "40")
    sign = Sign(WAY_OUT)
    sign._shown_at -= 11
    sign.show("grading 12,055 of 13,120 games")
    assert len(stream.written.removeprefix(CLEAR_LINE)) == 39
    monkeypatch.setenv("COLUMNS", "80")
    sign.show("grading 1,112,055 of 1,113,120 games")
    assert stream.written.endswith(WAY_OUT)
