"""Tables and lines within a width."""

import pandas as pd
import pytest

from arena.reports.columns import explain_shown
from arena.reports.crosstable import show_crosstable
from arena.reports.screen import Table, fits, lay_out, shorten, wrap_line

NAME = "a_name_that_has_as_many_letters_as_a_name_may_have_namely_64__v2"
DETAIL = "ply 3: raised ValueError: there is no such cell on this board, as far as I can see"
TABLE = Table(
    ["bot", "games", "opponent", "detail"],
    [[NAME, "12", "ada", DETAIL], ["ada", "7", NAME, ""]],
    ["left", "right", "left", "left"],
    names=("bot", "opponent"),
    below="detail",
    spare=("games",),
    whole="games.csv has everything",
)


@pytest.mark.parametrize("width", range(5, 70))
def test_a_long_name_loses_its_middle(width):
    """It is as long as allowed, and keeps its beginning and its end, where names mostly differ."""
    short = shorten(NAME, width)
    assert len(short) == min(width, len(NAME))
    before, _, after = short.partition("...")
    assert NAME.startswith(before)
    assert NAME.endswith(after)


@pytest.mark.parametrize("width", range(30, 260))
def test_a_table_fits_every_width(width):
    """Narrower and narrower: a text beside the row or below it, shorter names, fewer columns."""
    text = lay_out(TABLE, width)
    assert fits(text, width)
    assert ("not on this screen: games" in " ".join(text.split())) == ("games" not in text.split("\n")[0])
    assert " ".join(text.split()).count("such cell on this board") == (
        1 if "    ply 3" in text else text.count(DETAIL)
    )


def test_a_column_that_says_the_same_in_every_row_goes_first():
    """A line says what it says, so nothing is lost; one row alone is no repetition."""
    rows = [["a", "grid-lock", "7", "9"], ["b", "grid-lock", "8", "3"]]
    table = Table(["game", "variant", "plies", "thrown_away"], rows, spare=("plies", "thrown_away"))
    text = lay_out(table, 26)
    assert text.split("\n")[0].split() == ["game", "plies", "thrown_away"]
    assert "not on this screen: variant (always grid-lock)" in " ".join(text.split())
    alone = lay_out(table._replace(rows=rows[:1]), 28)
    assert alone.split("\n")[0].split() == ["game", "variant", "thrown_away"]


def test_without_a_width_nothing_is_changed():
    """A pipe gets every word and every column, a row on a line."""
    text = lay_out(TABLE)
    assert [line.split("  ")[0] for line in text.split("\n")][2:] == [NAME, "ada"]
    assert DETAIL in text
    assert lay_out(TABLE, 250) == text


def test_a_text_below_its_row_is_indented():
    """It is not above or under any heading, and rows without one take one line."""
    lines = lay_out(TABLE, 90).split("\n")
    assert lines[0].split() == ["bot", "games", "opponent"]
    assert lines[3] == f"    {DETAIL}"
    assert len(lines) == 5


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("one two three four five six", "one two three four\nfive six"),
        ("- one two three four five", "- one two three four\n  five"),
        ("1. one two three four five", "1. one two three\n   four five"),
        ("key   one two three four", "key   one two three\n      four"),
        ("    one two three four", "    one two three\n    four"),
        ("one two three four 95 %: it", "one two three four\n95 %: it"),
        ("an interval of 95 %, no more", "an interval of 95 %,\nno more"),
        ("x" * 30, "x" * 30),
        ("a-b-c-d-e-f-g-h-i j-k-l-m", "a-b-c-d-e-f-g-h-i\nj-k-l-m"),
    ],
)
def test_a_line_is_broken_at_words(line, shown):
    """What follows is indented as its column or its item; a word that is too long stays whole, as do hyphens."""
    assert wrap_line(line, 20) == shown
    assert wrap_line(line, None) == line


def test_a_legend_explains_what_is_shown():
    """A part of a line goes with its column; what explains no column stays."""
    lines = ["rating: a scale; 95 %: an interval", "held: of those; taken: of these", "20 games"]
    kept = explain_shown(lines, ["rating", "held", "taken"], "bot  rating  held")
    assert kept == ["rating: a scale; 95 %: an interval", "held: of those", "20 games"]


def crosstable(bots):
    """A crosstable in which everybody won 0 of 10 games against everybody else."""
    names = [f"bot_{number}" for number in range(bots)]
    cells = [["" if one == other else "0/10 (0+0)" for other in names] for one in names]
    table = pd.DataFrame(cells, columns=names)
    table.insert(0, "bot", names)
    return table


@pytest.mark.parametrize("bots", [2, 5, 12, 40, 200])
@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_a_crosstable_has_every_meeting_once_at_every_width(bots, width):
    """Whole, with numbers, without sides, in per cent or in blocks: nobody is lost."""
    text = show_crosstable(crosstable(bots), "table", width)
    assert fits(text, width)
    told = text.rpartition("\n\n")[0].split()
    assert sum(word in ("0/10", "0") for word in told) == bots * (bots - 1)


def test_a_crosstable_in_a_pipe_is_whole():
    """However many bots there are."""
    text = show_crosstable(crosstable(40), "table")
    assert text.count("0/10 (0+0)") == 40 * 39
    assert text.split("\n")[0].split() == ["bot", *crosstable(40)["bot"]]
