"""Where games were played: every game is found with the machine that played it, and the walls there."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from arena.log.reading import Log
from arena.log.writing import Store
from tests.log.test_log import planned, row
from tests.tournament.field import FIRST, LAST
from tests.tournament.small import play_games

ONE, OTHER, UNKNOWN = ("one", "seccomp, landlock 7"), ("other", "seccomp"), (None, None)
PAGE = Path(__file__).parents[2] / "docs" / "reading-results.md"


def places(log):
    """Where each game was played, asked as the page for readers says it."""
    (asked,) = re.findall(r"```sql\n(.*?)```", PAGE.read_text(), re.S)
    question = re.sub(r"'[0-9a-f]{16}'", "?", asked)
    games = [game for (game,) in log.rows("SELECT game FROM games")]
    return {game: (log.rows(question, game) or [UNKNOWN])[0] for game in games}


@pytest.fixture
def store(tmp_path):
    """A log with eight games that are planned, and two machines."""
    with closing(Store(tmp_path / "run")) as made:
        made.write_plan("a plan", "", [planned(number) for number in range(8)])
        assert made.note_machine(1, "one", "seccomp, landlock 7") == 1
        assert made.note_machine(1, "other", "seccomp") == 2
        yield made


def test_games_that_come_together_are_told_apart_by_machine(store):
    """Whatever the order of arrival; and a stretch of one machine is one row, however often it is committed."""
    store.write_by_machine({2: [row(1), row(3)], 1: [row(0), row(2)]})
    store.write_by_machine({1: [row(4)], 2: [row(5)]})
    store.write_by_machine({2: [row(6)]})
    found = list(places(store).values())
    assert found.count(ONE) == 3
    assert [places(store)[f"{number:016x}"] for number in (1, 3, 5, 6)] == [OTHER] * 4
    assert store.number("SELECT COUNT(*) FROM places") <= 4


def test_games_that_were_set_aside_leave_no_wrong_place(store):
    """Their row numbers are used again, perhaps by another machine's games."""
    store.write_by_machine({1: [row(0)]})
    store.write_by_machine({2: [row(1, ending="timeout")]})
    assert store.set_aside("ending", "timeout", "--again timeout") == 1
    store.write_by_machine({1: [row(1), row(2)]})
    assert set(places(store).values()) == {ONE}


def test_nothing_is_said_of_games_from_elsewhere(store):
    """Such as those that `arena merge` adds, and all that were played before machines were noted."""
    store.write([row(0)])
    store.write_by_machine({1: [row(1)]})
    store.write([row(2)])
    assert list(places(store).values()) == [UNKNOWN, ONE, UNKNOWN]


def test_a_run_on_this_machine_is_one_row(tmp_path):
    """It has no name: who it was is nobody's business."""
    run = play_games(tmp_path, {"first": FIRST, "last": LAST}, isolation="sandboxed")
    with closing(Log(run.folder)) as log:
        assert log.number("SELECT COUNT(*) FROM places") == log.number("SELECT COUNT(*) FROM machines") == 1
        ((walls,),) = log.rows("SELECT walls FROM runs")
        assert set(places(log).values()) == {("", walls)}
        assert "seccomp" in walls
