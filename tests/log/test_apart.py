"""Caches apart: who looks on all the time writes nothing beside a log, and keeps nobody from writing there."""

import sqlite3
import time
from contextlib import closing

import pytest

from arena.log import cache
from arena.log.cache import CACHE, keep_apart, recall
from arena.log.grades import borrow_neighbour
from arena.results.run import Run
from tests.tournament.small import copied, play


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A small run whose games are graded."""
    return play(tmp_path_factory.mktemp("graded"), variants=["snort:line-9"], openings=2)


@pytest.fixture
def apart(tmp_path, monkeypatch):
    """A folder for the caches of this process, until the end of the test."""
    monkeypatch.setattr(cache, "_apart", [])
    place = tmp_path / "apart"
    place.mkdir()
    keep_apart(place)
    return place


def contents(folder):
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.is_file() and file.suffix != ".sqlite-shm"
    }


def test_grades_are_borrowed_and_nothing_is_written_beside_the_log(graded, tmp_path, apart):
    """The same table as with the cache of the run, and the folder is as it was, byte for byte."""
    run = copied(graded, tmp_path / "cup")
    before = contents(run.folder)
    assert Run(run.folder, is_whole=False).standings()["graded"].sum() == 0
    assert borrow_neighbour(run.folder)
    assert borrow_neighbour(run.folder), "and once more, when there is nothing new"
    assert Run(run.folder, is_whole=False).standings().equals(graded.standings())
    assert contents(run.folder) == before
    assert list(apart.glob(f"*/{CACHE}")) != []


def test_who_writes_is_not_waited_for(graded, tmp_path, apart):
    """While another process commits, there is nothing to be had; before and after that there is."""
    run = copied(graded, tmp_path / "cup")
    with closing(sqlite3.connect(run.folder / CACHE, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = MEMORY")  # as arena writes it
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM kept")
        assert borrow_neighbour(run.folder), "what is not committed yet disturbs nobody"
        writer.execute("COMMIT")
        writer.execute("BEGIN EXCLUSIVE")
        begun = time.monotonic()
        assert not borrow_neighbour(run.folder)
        assert time.monotonic() - begun < 4, "SQLite would wait for five seconds"
        writer.execute("COMMIT")
    assert borrow_neighbour(run.folder)


def test_no_reader_holds_up_a_writer(graded, tmp_path, apart):
    """While somebody reads a table with grades in it, the cache beside the log can be written at once."""
    run = copied(graded, tmp_path / "cup")
    borrow_neighbour(run.folder)
    games = Run(run.folder, is_whole=False).graded_games()
    next(games)
    with closing(sqlite3.connect(run.folder / CACHE, isolation_level=None, timeout=0)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        writer.execute("COMMIT")


@pytest.mark.parametrize(
    "harm", ["UPDATE grades SET first_thrown = 9", "UPDATE grades SET signature = NULL", ""]
)
def test_grades_that_are_not_ours_are_not_borrowed(graded, tmp_path, apart, harm):
    """A row without our signature is left, and a damaged file is no file."""
    run = copied(graded, tmp_path / "cup")
    if harm:
        with closing(sqlite3.connect(run.folder / CACHE)) as database, database:
            database.execute(harm)
    else:
        (run.folder / CACHE).write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert borrow_neighbour(run.folder) == bool(harm)
    assert Run(run.folder, is_whole=False).standings()["graded"].sum() == 0


@pytest.fixture
def known(graded, tmp_path):
    """A run whose tables were computed where it lies."""
    run = copied(graded, tmp_path / "cup")
    assert len(run.standings())
    return run


def test_what_was_computed_beside_the_log_is_not_computed_again(known, request, monkeypatch):
    """Neither whether the log is sound, which takes seconds of a million games, nor what its grades say."""
    request.getfixturevalue("apart")
    assert borrow_neighbour(known.folder)
    monkeypatch.setattr("arena.log.sound.is_sound", pytest.fail)
    monkeypatch.setattr("arena.results.graded.read_tables", pytest.fail)
    monkeypatch.setattr("arena.results.graded.count_graded", pytest.fail)
    run = Run(known.folder, is_whole=False)
    assert run.standings().equals(known.standings())
    assert run.ungraded == 0


HARM = ["UPDATE kept SET value = '[[], []]'", "UPDATE kept SET state = 'another'", "DELETE FROM kept"]


@pytest.mark.parametrize("harm", HARM)
def test_values_that_are_not_ours_are_not_borrowed(known, request, harm):
    """A value without our signature, or of another state of the log, is left."""
    with closing(sqlite3.connect(known.folder / CACHE)) as database, database:
        database.execute(harm)
    request.getfixturevalue("apart")
    assert borrow_neighbour(known.folder)
    assert recall(known.folder, "evidence and throws") is None


def test_values_of_a_log_that_has_changed_since_are_not_borrowed(known, request):
    """They tell of what was before."""
    request.getfixturevalue("apart")
    (known.folder / "games.sqlite").touch()
    assert borrow_neighbour(known.folder)
    assert recall(known.folder, "evidence and throws") is None
