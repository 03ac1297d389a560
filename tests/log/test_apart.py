"""Caches apart: who looks on all the time writes nothing beside a log, and keeps nobody from writing there."""

import sqlite3
import time
from contextlib import closing

import pytest

from arena.log import cache
from arena.log.cache import CACHE, keep_apart
from arena.log.grades import borrow_grades
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
    assert borrow_grades(run.folder)
    assert borrow_grades(run.folder), "and once more, when there is nothing new"
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
        assert borrow_grades(run.folder), "what is not committed yet disturbs nobody"
        writer.execute("COMMIT")
        writer.execute("BEGIN EXCLUSIVE")
        begun = time.monotonic()
        assert not borrow_grades(run.folder)
        assert time.monotonic() - begun < 1
        writer.execute("COMMIT")
    assert borrow_grades(run.folder)


def test_no_reader_holds_up_a_writer(graded, tmp_path, apart):
    """While somebody reads a table with grades in it, the cache beside the log can be written at once."""
    run = copied(graded, tmp_path / "cup")
    borrow_grades(run.folder)
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
    assert borrow_grades(run.folder) == bool(harm)
    assert Run(run.folder, is_whole=False).standings()["graded"].sum() == 0
