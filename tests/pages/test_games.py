"""Which games are in the page, and what it says about that."""

from urllib.parse import parse_qsl

import pytest

from arena.pages import games
from arena.pages.games import choose_games
from arena.pages.replay import show_games
from arena.pages.report import make_report
from arena.results.run import Run
from tests.pages.browser import check_page
from tests.pages.packed import rows, unpack
from tests.tournament.field import CHANCE, FIRST, LAST
from tests.tournament.small import LIAR, change, copied, logged, play


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Some forfeits, some blunders, and some games with neither."""
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE, "liar": LIAR}
    return play(tmp_path_factory.mktemp("chosen"), bots, variants=["snort:line-9"], openings=4)


def allow(monkeypatch, most, forfeits, blunders):
    """Let a page hold fewer games."""
    for name, value in {"GAMES": most, "FORFEITS": forfeits, "BLUNDERS": blunders}.items():
        monkeypatch.setattr(games, f"MOST_{name}", value)


def kinds(run):
    """The ids of all games, of the forfeits, and of the others that a blunder decided; in order."""
    every, thrown = logged(run), run.thrown_away()
    forfeits = [game.game for game in every if game.ending != "no-moves"]
    blunders = [game.game for game in every if game.game in thrown and game.game not in forfeits]
    return [game.game for game in every], forfeits, blunders


def test_all_games_are_there_if_they_are_not_too_many(run):
    """And the page says so."""
    every, _, _ = kinds(run)
    chosen = choose_games(run, run.thrown_away())
    assert sorted(game.game for game in chosen.games) == every
    assert chosen.said == f"All {len(every)} games are here."
    assert chosen.said in check_page(make_report(run)).plain


def test_of_too_many_the_telling_ones_come_first_and_the_rest_is_a_fair_sample(run, monkeypatch):
    """All forfeits, blunders up to a number, and then the least ids, which nobody chose."""
    every, forfeits, blunders = kinds(run)
    allow(monkeypatch, len(forfeits) + 6, 5_000, 2)
    chosen = [game.game for game in choose_games(run, run.thrown_away()).games]
    first = forfeits + blunders[:2]
    assert chosen == first + [game for game in every if game not in first][:4]
    assert choose_games(run, run.thrown_away()).said == (
        f"Of {len(every)} games, {len(chosen)} are here: all {len(forfeits)} forfeits, 2 of the {len(blunders)} "
        "games that a blunder decided, and a fair sample of the others. The command `arena games` lists all."
    )


def test_there_is_never_more_than_room_for(run, monkeypatch):
    """Not even of forfeits; each more game that is played changes the sample little."""
    _, forfeits, _ = kinds(run)
    allow(monkeypatch, 5, 3, 1)
    chosen = choose_games(run, run.thrown_away())
    assert len(chosen.games) == 5
    assert [game.game for game in chosen.games][:3] == forfeits[:3]
    assert f"3 of the {len(forfeits)} forfeits" in chosen.said


def test_games_that_the_page_refers_to_are_in_it(run, monkeypatch):
    """A link that leads nowhere would be worse than none."""
    allow(monkeypatch, 4, 1, 1)
    every, _, _ = kinds(run)
    assert every[-1] in {game.game for game in choose_games(run, {}, every[-1:]).games}
    page = check_page(make_report(run))
    links = [attrs["data-link"] for _, attrs in page.seen if "data-link" in attrs]
    linked = {dict(parse_qsl(link[1:], strict_parsing=True))["game"] for link in links}
    assert linked
    packed = page.text.partition('<template id="packed-games">')[2].partition("<")[0]
    assert linked <= set(unpack(packed)["games"]["game"])


def test_games_on_secret_variants_are_there_after_the_end(tmp_path):
    """Before it, neither they nor their board."""
    limits = '[field]\nsecret = ["col:line-7"]'
    run = play(tmp_path, variants=["snort:line-4"], openings=1, limits=limits)
    assert {row["variant"] for row in rows(unpack(show_games(run, (), {}).packed))} == {
        "snort:line-4",
        "col:line-7",
    }
    early = copied(run, tmp_path / "early")
    change(early, "DELETE FROM games WHERE game = (SELECT max(game) FROM games)")
    replay = show_games(Run(early.folder), (), {})
    data = unpack(replay.packed)
    assert [each["name"] for each in data["variants"]] == ["snort:line-4"]
    assert {row["variant"] for row in rows(data)} == {"snort:line-4"}
    assert len(replay.boards) == 1


def test_a_page_without_games_has_no_part_for_them(run, tmp_path):
    """Nor a link to it."""
    empty = copied(run, tmp_path / "empty")
    change(empty, "DELETE FROM games")
    page = check_page(make_report(Run(empty.folder)))
    assert "#games" not in page.text.replace("#games ", "").split("<body>")[1].split("<script>")[0]
    assert "template" not in page.tags
