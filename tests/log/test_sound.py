"""Rows that can be counted: what SQLite is asked and what Python says of a row are one and the same."""

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import StoreError
from arena.log import sound
from arena.log.reading import Log
from arena.log.sound import UNSOUND, fault_of
from arena.log.writing import Store
from arena.referee.row import GAME_COLUMNS, GameRow
from tests.log.test_log import row

ODD: list[object] = [
    None,
    "",
    "x",
    "1",
    "alice",
    "bob",
    "no-moves",
    "sandboxed",
    "5 10 3",
    "5  3",
    " 5",
    "5 ",
    "12345",
    "1234",
    "0" * 16,
    "a" * 12,
    "é",
    "a\nb",
]
ODD += [0, 1, 3, 4, -1, 4096, 4097, 2**53, 2**62, 0.5, -0.5, 1e308, float("inf"), b"", b"5 10"]
# SQLite compares names with those of the plan, and leaves it to the rules whether moves are any.
HARMLESS = {"variant", "first", "second", "first_version", "second_version", "moves"}


def is_unsound(values) -> bool:
    """What SQLite says of a row, and a plan that has it so, in tables without types: nothing is converted."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE games ({', '.join(GAME_COLUMNS)})")
        database.execute(f"INSERT INTO games VALUES ({', '.join('?' * len(values))})", values)
        database.execute("CREATE TABLE plan AS SELECT * FROM games")
        found = database.execute(f"SELECT SUM(1) FROM plan JOIN games AS g WHERE {UNSOUND}").fetchone()[0]
        return bool(found)


def test_what_arena_writes_is_sound():
    """A row as the log keeps it has no fault, by either of the two."""
    assert fault_of(GameRow(*row(1))) is None
    assert not is_unsound(row(1))


@pytest.mark.parametrize("column", [name for name in GAME_COLUMNS if name not in HARMLESS])
def test_both_agree_on_every_column(column):
    """Whatever stands in one column, SQLite finds the row if and only if Python finds a fault in it."""
    for value in ODD:
        values = list(row(1))
        values[GAME_COLUMNS.index(column)] = value
        assert is_unsound(values) == (fault_of(GameRow(*values)) is not None), (column, value)


@settings(deadline=None, max_examples=300)
@given(st.lists(st.tuples(st.sampled_from(GAME_COLUMNS), st.sampled_from(ODD)), min_size=1, max_size=4))
def test_both_agree_on_rows_with_several_oddities(changes):
    """What Python finds sound SQLite lets pass, however many columns are odd."""
    values = list(row(1))
    for column, value in changes:
        values[GAME_COLUMNS.index(column)] = value
    if fault_of(GameRow(*values)) is None:
        assert not is_unsound(values)
    elif not {column for column, _ in changes} & HARMLESS:
        assert is_unsound(values)


def test_the_fault_is_named():
    """A user is told which column cannot be what, in one printable line."""
    fault = fault_of(GameRow(*row(1, winner="\x1b[31mmallory")))
    assert fault is not None
    assert "winner" in fault
    assert fault.isprintable()


def test_who_writes_a_log_need_not_check_all_of_it_again_and_again(tmp_path, monkeypatch):
    """A server that plays reads it after every commit; what anybody else has written is checked all the same."""
    checked = []
    monkeypatch.setattr(sound, "is_sound", lambda log: checked.append(1) or "is damaged")
    folder = tmp_path / "cup"

    def read():
        with closing(Log(folder)) as log:
            log.require_sound()

    with closing(Store(folder)) as store:
        for number in range(3):
            store.write_fact("a fact", str(number))
            read()
        store.settle()
        read()
    read()
    assert checked == []
    with closing(sqlite3.connect(folder / "games.sqlite")) as other, other:
        other.execute("INSERT INTO facts VALUES ('another', 'fact')")
    with pytest.raises(StoreError, match="is damaged"):
        read()
    with pytest.raises(StoreError, match="is damaged"):
        Store(folder)


def test_nobody_vouches_for_what_others_have_written_meanwhile(tmp_path, monkeypatch):
    """Though a log is locked, another program may write to it; from then on it is checked, as by anybody."""
    folder = tmp_path / "cup"
    with closing(Store(folder)) as store:
        store.write_fact("a fact", "1")
        with closing(sqlite3.connect(folder / "games.sqlite")) as other, other:
            other.execute("INSERT INTO facts VALUES ('another', 'fact')")
        store.write_fact("a fact", "2")
        monkeypatch.setattr(sound, "is_sound", lambda log: "is damaged")
        with closing(Log(folder)) as log, pytest.raises(StoreError, match="is damaged"):
            log.require_sound()
