"""The ranks of an earlier state of a run: those that its standings had then."""

import pytest

from arena.errors import StoreError
from arena.pages.standings import view_all
from arena.results.earlier import read_earlier
from arena.results.run import Run
from tests.tournament.field import CHANCE, FIRST, GLOBALS, LAST
from tests.tournament.small import change, play_games

BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE}


def ranks(run):
    """The ranks of the standings as they are now."""
    standings = run.standings()
    return dict(zip(standings["bot"], standings["rank"], strict=True))


def test_a_sitting_is_compared_with_what_was_there_before(tmp_path):
    """A bot that has come is new; a sitting that adds nothing changes nothing."""
    settings = {"variants": ["snort:line-7"], "openings": 4}
    before = play_games(tmp_path, BOTS, **settings)
    assert read_earlier(before) is None
    then = ranks(before)
    run = play_games(tmp_path, BOTS | {"globals": GLOBALS}, **settings)
    earlier = read_earlier(run)
    assert earlier is not None
    assert earlier.ranks == then
    assert "when 24 of the games had been played" in earlier.state
    signs = {row.bot: row.arrow.sign for row in view_all(run, earlier).rows if row.arrow}
    moved = {bot: then[bot] - rank for bot, rank in ranks(run).items() if bot in then}
    assert signs == {"globals": "new"} | {
        bot: f"▲{up}" if up > 0 else f"▼{-up}" if up else "\N{EN DASH}" for bot, up in moved.items()
    }
    again = play_games(tmp_path, BOTS | {"globals": GLOBALS}, **settings)
    assert read_earlier(again) == earlier


def test_a_round_is_compared_with_the_rounds_before(tmp_path):
    """The standings after two rounds are the earlier state of three, though all was played in one sitting."""
    settings = {"variants": ["snort:line-7"], "openings": 4, "format": "swiss"}
    bots = BOTS | {"globals": GLOBALS}
    two = play_games(tmp_path / "two", bots, rounds=2, **settings)
    three = play_games(tmp_path / "three", bots, rounds=3, **settings)
    earlier = read_earlier(three)
    assert earlier is not None
    assert (earlier.state, earlier.ranks) == ("the standings after round 2", ranks(two))


def test_a_knock_out_has_no_earlier_ranks(tmp_path):
    """Places in a bracket do not go up and down."""
    assert read_earlier(play_games(tmp_path, BOTS, format="knock-out", variants=["snort:line-6"])) is None


def test_sittings_that_arena_did_not_write_are_refused(tmp_path):
    """A folder may be a stranger's."""
    run = play_games(tmp_path, BOTS, variants=["snort:line-4"], openings=1)
    change(run, "UPDATE facts SET value = '1; 2' WHERE name = 'sittings'")
    with pytest.raises(StoreError, match="its sittings are not as arena writes them"):
        read_earlier(Run(run.folder))
