"""The organiser's page as somebody reads it who looks once in two weeks."""

import shutil
from collections import namedtuple

import pytest

from arena.contest.room import LEAST_BYTES, say_room
from arena.pages.organise import MOST_ROWS, Count, Entrant, Organised, fold, make_organise, make_row
from tests.pages.browser import Page


def organised(trouble=""):
    """A contest after two weeks: thirty bots, three hundred uploads, forty deeds."""
    return Organised(
        "secret",
        "",
        "All games are played.",
        trouble,
        False,
        False,
        0,
        ["greedy"],
        [Entrant(f"bot{number}", "0" * 12, "2026-01-01 00:00 UTC", number == 7) for number in range(30)],
        Count(300, 12, 41, ["bot7", "zoe"]),
        fold([make_row(number * 4000, f"bot{number % 30}", "entered") for number in range(300)], 250),
        fold([make_row(number * 30_000, "teacher", "pause") for number in range(40)], 250),
        ["a worker was lost"],
    )


def test_the_first_look_says_how_it_goes_and_whether_anything_is_wrong():
    """Numbers and what arena noticed come before all lists, and so does what is wrong, or that nothing is."""
    page = Page(make_organise("class", "class", organised(), str))
    above = page.plain[: page.plain.index("Play a game again")]
    for words in (
        "Nothing is wrong that arena knows of.",
        "29 bots that were handed in play, and 1 of the tournament file.",
        "Handed in: 300 in all, 12 in the last 24 hours; 41 failed their check.",
        "Have a token, and no bot that plays: bot7, zoe.",
        "a worker was lost",
    ):
        assert words in above
    wrong = Page(make_organise("class", "class", organised("The disk is full."), str))
    assert "The disk is full." in wrong.plain
    assert "Nothing is wrong" not in wrong.plain


def test_long_lists_are_folded_and_end_somewhere():
    """A few lines are seen at once, the newest first; the others can be opened, and what is not told is counted."""
    page = make_organise("class", "class", organised(), str)
    open_rows, *folded = page.split("<details>")
    assert open_rows.count("<td>teacher</td>") == MOST_ROWS
    assert [part.split("</summary>")[0].partition(">")[2] for part in folded] == [
        "30 before that",
        "240 before that",
    ]
    assert page.count("<td>entered</td>") == 250
    assert "50 older ones are in the book." in page


@pytest.mark.parametrize(("free", "is_little"), [(LEAST_BYTES, False), (LEAST_BYTES - 1, True)])
def test_little_room_on_the_disk_is_said_before_it_is_full(tmp_path, monkeypatch, free, is_little):
    """The organiser can do something about it then."""
    monkeypatch.setattr(shutil, "disk_usage", lambda place: namedtuple("Usage", "free")(free))
    assert bool(say_room(tmp_path)) == is_little
