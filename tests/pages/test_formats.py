"""What formats draw: the same numbers as the tables, or as a plain recomputation from the games."""

from itertools import pairwise

import pytest

from arena.formats.knockout import Bracket, bracket, next_round
from arena.formats.meeting import Meeting, Settings
from arena.pages.bracket import ROW, draw_bracket
from arena.pages.path import chart_path
from arena.pages.report import make_report
from arena.pages.rounds import chart_ladder, chart_swiss
from arena.results.run import Run
from arena.standings.sprt import Bounds, log_likelihood_ratio
from tests.cli.command import inside
from tests.pages.browser import check_page
from tests.tournament.field import CHANCE, FIRST, GLOBALS, LAST, write
from tests.tournament.small import change, copied, play

FIVE = {"first": FIRST, "last": LAST, "chance": CHANCE, "globals": GLOBALS, "also": CHANCE}


@pytest.fixture(scope="module")
def swiss(tmp_path_factory):
    """A Swiss in which one bot sits out in every round."""
    return play(tmp_path_factory.mktemp("swiss"), FIVE, format="swiss", variants=["snort:line-6"], rounds=3)


@pytest.fixture(scope="module")
def versus(tmp_path_factory):
    """A test with bounds of its own, and what the command said."""
    folder = tmp_path_factory.mktemp("versus")
    config = write(folder, FIVE, variants=["snort:line-6"])
    asked = ("--config", config, "--games", "20", "--bounds", "-10", "250")
    how = ("--isolation", "trusted", "--executor", "serial", "--quiet")
    said = inside("versus", "bots/first.py", "bots/last.py", *asked, *how, cwd=folder).stdout
    return Run(folder / "results" / "versus-first-last"), said


def test_a_swiss_shows_who_met_whom_with_scores_and_points(swiss):
    """Nobody meets anybody twice, so the games of two bots are their meeting; the last points are the table's."""
    games, lines = swiss.games(), chart_swiss(swiss)
    assert {line.bot: line.points for line in lines} == swiss.points
    assert [line.points for line in lines] == sorted(swiss.points.values(), reverse=True)
    for line in lines:
        assert [met.kind for met in line.met].count("bye") <= 1
        for before, met in zip([0.0, *(met.points for met in line.met)], line.met, strict=False):
            assert met.points - before == {"won": 1, "drawn": 0.5, "lost": 0, "bye": 1}[met.kind]
            if met.opponent:
                own = games[games[["first", "second"]].isin([line.bot, met.opponent]).all(axis=1)]
                assert met.score == pytest.approx((own["winner"] == line.bot).mean())
    page = check_page(make_report(swiss))
    assert "sat out" in page.plain
    assert "Round by round" in page.plain


def test_the_intervals_of_a_ladder_end_at_those_of_the_standings(tmp_path):
    """The last step has all games; how wide the widest is, and how wide it was asked to be, is said."""
    run = play(tmp_path, FIVE, format="ladder", variants=["snort:line-6"], openings=6, interval_points=500)
    ladder, standings = chart_ladder(run), run.standings()
    assert ladder is not None
    assert [line.bot for line in ladder.lines] == standings["bot"].tolist()
    for line, row in zip(ladder.lines, standings.to_dict("records"), strict=True):
        assert line.said == f"{row['rating']:.0f} ± {(row['high'] - row['low']) / 2:.0f}"
    width = (standings["high"] - standings["low"]).max()
    assert f", {width:.0f} points from end to end" in ladder.said
    assert ladder.said.endswith("500 points were asked for.")
    assert "How certain it became" in check_page(make_report(run)).plain


def test_a_test_shows_its_path_its_bounds_and_the_verdict_of_the_command(versus):
    """The log keeps what was asked; ratios are those of the pairs counted from the games, up to the end."""
    run, said = versus
    path, bounds = chart_path(run), Bounds(-10, 250)
    assert path is not None
    assert path.verdict in said.splitlines()
    assert [bound.value for bound in path.bounds] == [f"{bounds.upper:+.2f}", f"{bounds.lower:+.2f}"]
    assert "not worse than last by 10 points" in path.bounds[0].said
    wins = (run.games()["winner"] == "first").groupby(run.games()["opening"]).sum().tolist()
    counts = [tuple(wins[:number].count(won) for won in range(3)) for number in range(1, len(wins) + 1)]
    ratios = [float(log_likelihood_ratio(counted, bounds)) for counted in counts]
    ended = 1 + next(number for number, ratio in enumerate(ratios) if ratio <= bounds.lower)
    assert path.said == f"log likelihood ratio {ratios[ended - 1]:+.2f} after {ended} pairs"
    assert len(path.line.split()) == 1 + ended
    assert len(path.later.split()) == 1 + len(wins) - ended
    page = check_page(make_report(run))
    assert f"{path.verdict.removesuffix('.')}." in page.plain
    assert "default bounds" not in page.plain


def test_a_log_that_does_not_say_what_was_asked_says_so(versus, tmp_path):
    """An older arena did not keep the bounds; nobody is told others than were asked for as if they were."""
    old = copied(versus[0], tmp_path / "old")
    change(old, "UPDATE facts SET value = json_remove(value, '$.settings') WHERE name = 'field'")
    path = chart_path(Run(old.folder))
    assert path is not None
    assert path.bounds[0].value == f"{Bounds().upper:+.2f}"
    assert "these are the default bounds" in path.words[-1]


def duels(size: int) -> Bracket:
    """A bracket in which better seeds win, those of the first level after a drawn meeting."""
    bots = tuple(f"b{number}" for number in range(1, size + 1))
    rounds: list[list[Meeting]] = []
    while pairings := next_round(bots, rounds, {}, Settings(sheets=1, drawn=bots)):
        score = (0.5, 0.625)[len(rounds)] if len(rounds) < 2 else 0.75
        rounds.append([Meeting(*pairing, score) for pairing in pairings])
    return bracket(bots, rounds, bots)


@pytest.mark.parametrize("size", [2, 3, 5, 6, 7, 8, 13, 16, 24, 25, 40])
def test_every_duel_of_a_bracket_has_its_box_and_no_two_overlap(size):
    """With the names, seeds and scores; a duel that nobody played has none. The winner stands at the right."""
    found = duels(size)
    drawn = draw_bracket(found)
    assert drawn is not None
    played = [duel for level in found.levels for duel in level if duel.one and duel.other]
    assert len(drawn.boxes) == len(played) + 1 == len(drawn.links) + 1
    assert drawn.boxes[-1].slots[0].bot == found.winner == "b1"
    for x in {box.x for box in drawn.boxes}:
        tops = sorted(box.y for box in drawn.boxes if box.x == x)
        assert all(below - above > 2 * ROW for above, below in pairwise(tops))
        assert tops[0] > 0
    assert max(box.y + box.height for box in drawn.boxes) <= drawn.height
    first = next(box for box in drawn.boxes if box.x == min(box.x for box in drawn.boxes))
    assert [slot.score for slot in first.slots] == ["½ 0.62", "½ 0.38"]
    assert drawn.notes


def test_a_bracket_of_nobody_is_not_drawn():
    """Neither is that of one bot."""
    assert draw_bracket(bracket([], [], [])) is None
    assert draw_bracket(bracket(["a"], [], ["a"])) is None


def test_a_bracket_that_goes_on_has_boxes_for_those_to_come():
    """Nobody is known in them yet."""
    drawn = draw_bracket(bracket(["a", "b", "c", "d"], [], ["a", "b", "c", "d"]))
    assert drawn is not None
    assert [[slot.name for slot in box.slots] for box in drawn.boxes][2:] == [["?", "?"], ["?"]]
