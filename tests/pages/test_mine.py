"""An author's page about the own bot: every kind of forfeit is on it, whether or not the bot left a word."""

import pytest

from arena.pages import evidence, games
from arena.pages.evidence import read_forfeits
from arena.pages.uploads import Mine, make_mine
from arena.results.run import Run
from tests.pages.browser import Page
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import change, copied, logged, play, play_games

VARIANTS = ["blockade-5x5", "snort:line-9"]
SECRET = "kayles:line-7"
SILENT = "def move(position):\n    return 999\n"
# What it leaves depends on its side alone, so there are two texts.
LOUD = "def move(position):\n    print('I am side', position.to_move)\n    return [][0]\n"
NOWHERE = "Nowhere in the games that count now"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two bots that always fail, one without a word, and two that never do."""
    bots = {"first": FIRST, "chance": CHANCE, "silent": SILENT, "loud": LOUD}
    return play_games(tmp_path_factory.mktemp("mine"), bots, variants=VARIANTS, openings=4)


def mine(run, bot):
    """The page of a bot for its author."""
    return Page(make_mine("cup", Mine(bot, "", [], read_forfeits(Run(run.folder, is_whole=False), bot))))


def links(page):
    """Where it leads in the page of the run."""
    return [attrs["href"] for tag, attrs in page.seen if tag == "a" and "#" in attrs.get("href", "")]


def lost(run, bot, variant):
    """The games that a bot lost by a forfeit on a variant."""
    return [
        game
        for game in logged(run)
        if (game.loser, game.variant) == (bot, variant) and game.ending != "no-moves"
    ]


def test_a_bot_that_says_nothing_still_learns_where_it_forfeited(run):
    """Every kind with its number, a sentence of the log, and a link to the game: the log has it, so it is there."""
    page, version = mine(run, "silent"), run.field.bots["silent"][:12]
    for variant in VARIANTS:
        count = len(lost(run, "silent", variant))
        assert f"illegal on {variant}: {count} games, version {version}" in page.plain
    assert page.plain.count("claimed cell 999") == len(VARIANTS)
    assert NOWHERE not in page.plain
    assert len(links(page)) == len(VARIANTS)
    for link in links(page):
        address, _, game = link.partition("#game=")
        assert address == "../cup"
        assert run.game(game).loser == "silent"


def test_only_a_bot_that_did_not_forfeit_is_told_nowhere(run):
    """However often others forfeited against it."""
    page = mine(run, "first")
    assert NOWHERE in page.plain
    assert links(page) == []


def test_what_bots_left_is_shown_once_and_to_their_authors_alone(run):
    """What it printed and its traceback; of the games that left the same, one."""
    page = mine(run, "loud")
    assert page.plain.count("I am side 0") == page.plain.count("I am side 1") == len(VARIANTS)
    assert page.plain.count("~~^^^ IndexError: list index out of range") == 2 * len(VARIANTS)
    assert len(links(page)) == 2 * len(VARIANTS)
    assert "I am side" not in mine(run, "silent").plain


def test_a_page_has_no_more_than_it_may(run, monkeypatch):
    """What there is no room for is left out, and the number of games is there all the same."""
    monkeypatch.setattr(evidence, "MOST_IN_ALL", 300)
    page = mine(run, "loud")
    assert page.plain.count("I am side") == 1
    for variant in VARIANTS:
        assert f"crash on {variant}: {len(lost(run, 'loud', variant))} games" in page.plain


def test_there_is_a_link_only_if_the_page_of_the_run_has_the_game(run, monkeypatch):
    """It has all games if they are not too many, and all forfeits if these are not."""
    every = sum(game.ending != "no-moves" for game in logged(run))
    monkeypatch.setattr(games, "MOST_GAMES", every)
    monkeypatch.setattr(games, "MOST_FORFEITS", every)
    assert len(links(mine(run, "silent"))) == len(VARIANTS)
    monkeypatch.setattr(games, "MOST_FORFEITS", every - 1)
    page = mine(run, "silent")
    assert links(page) == []
    assert page.plain.count("claimed cell 999") == len(VARIANTS)


def test_an_older_version_is_told_apart_and_comes_last(run, tmp_path):
    """In a format with rounds older versions are in the plan; they are no news to whoever has mended them."""
    older = copied(run, tmp_path / "cup")
    change(
        older,
        "UPDATE games SET first_version = '0123456789ab' WHERE first = 'silent' AND winner <> 'silent' "
        "AND variant = 'snort:line-9'",
    )
    kinds = read_forfeits(older, "silent")
    assert [kind.version == "0123456789ab" for kind in kinds] == [False, False, True]
    assert kinds[2].games == sum(game.first == "silent" for game in lost(run, "silent", "snort:line-9"))


def test_no_number_tells_of_secret_variants_before_the_end(tmp_path):
    """Not even that there was a forfeit; after the end all is there, with what was sealed."""
    bots = {"first": FIRST, "silent": SILENT, "lucky": FIRST + f"print('{SECRET}')\n"}
    bots["unlucky"] = (
        "def move(position):\n    return position.legal_moves[0] if position.board.size > 7 else 999\n"
    )
    run = play(
        tmp_path, bots, variants=["snort:line-9"], openings=1, limits=f'[field]\nsecret = ["{SECRET}"]\n'
    )
    assert SECRET in mine(run, "unlucky").plain
    change(run, "DELETE FROM games WHERE rowid IN (SELECT rowid FROM games ORDER BY variant DESC LIMIT 1)")
    count = len(lost(run, "silent", "snort:line-9"))
    page = mine(run, "silent")
    assert SECRET not in page.plain
    assert f"{count} games" in page.plain
    assert len(links(page)) == 1
    assert NOWHERE in mine(run, "unlucky").plain
