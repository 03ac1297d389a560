"""The cache: it saves work, and never changes a number."""

import sqlite3
from contextlib import closing

import pytest

from arena.log.cache import CACHE, remember
from arena.log.reading import LOG
from arena.reports.showing import leaderboard
from arena.results.run import Run
from tests.tournament.small import change, copied, play_games


def test_what_is_kept_is_kept_while_the_log_is_as_it_was(tmp_path):
    """Computed once, and anew after any write."""
    (tmp_path / LOG).write_bytes(b"one")
    calls = []

    def compute():
        calls.append(1)
        return [["a", len(calls)]]

    assert [remember(tmp_path, "x", compute) for _ in range(3)] == [[["a", 1]]] * 3
    assert remember(tmp_path, "y", compute) == [["a", 2]]
    (tmp_path / LOG).write_bytes(b"two!")
    assert remember(tmp_path, "x", compute) == [["a", 3]]
    (tmp_path / f"{LOG}-wal").write_bytes(b"")
    assert remember(tmp_path, "x", compute) == [["a", 3]]
    (tmp_path / f"{LOG}-wal").write_bytes(b"more")
    assert remember(tmp_path, "x", compute) == [["a", 4]]


def test_a_log_that_changes_meanwhile_is_not_kept(tmp_path):
    """What was computed from one state is never taken for another's."""
    (tmp_path / LOG).write_bytes(b"one")

    def compute():
        (tmp_path / LOG).write_bytes(b"written while it was read")
        return 1

    assert remember(tmp_path, "x", compute) == 1
    assert remember(tmp_path, "x", lambda: 2) == 2


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A small run, of which nothing is in a cache yet."""
    return play_games(tmp_path_factory.mktemp("played"))


def test_deleting_or_damaging_it_changes_no_number(played, tmp_path):
    """Standings come out the same with it, without it, and with nonsense in its place."""
    run = copied(played, tmp_path / "copy")
    shown = leaderboard(run)
    assert (run.folder / CACHE).exists()
    (run.folder / CACHE).write_bytes(b"nonsense" * 1000)
    assert leaderboard(Run(run.folder)) == shown
    (run.folder / CACHE).unlink()
    assert leaderboard(Run(run.folder)) == shown


def test_whoever_tampers_with_the_log_sees_it_in_the_table(played, tmp_path):
    """The log is the only truth, however it came to be what it is."""
    run = copied(played, tmp_path / "copy")
    before = Run(run.folder).standings()
    change(run, "DELETE FROM games WHERE winner = 'first'")
    after = Run(run.folder).standings()
    assert int(after["games"].sum()) < int(before["games"].sum())
    with closing(sqlite3.connect(run.folder / LOG)) as log:
        assert int(after["games"].sum()) == 2 * log.execute("SELECT COUNT(*) FROM games").fetchone()[0]
