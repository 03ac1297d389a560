"""The bots' own pages: what they say, what they never say, and what they may cost."""

import asyncio
import re

import pytest

from arena.log import cache
from arena.pages.bot import MOST_LISTED, make_bot_page
from arena.pages.progress import MOST_DRAWN, chart_progress
from arena.pages.report import write_report
from arena.results.bot import BotPages
from arena.results.run import Run
from arena.results.versions import read_versions
from arena.web import bots
from arena.web.site import Site
from tests.browser.samples import play_sample, spoil
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import LIAR, change, play, play_games
from tests.web.server import Server, check_served

MARK = "# nobody is to see this line"
SECRET = "kayles:line-7"
BOTS = {"first": f"{FIRST}{MARK}\n", "chance": CHANCE, "liar": LIAR}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A run with an edited bot that is over, and another one with a secret variant that is not."""
    folder = tmp_path_factory.mktemp("bots")
    play_games(folder, BOTS | {"first": FIRST}, variants=["snort:line-9"], openings=4)
    cup = play(folder, BOTS, variants=["snort:line-9"], openings=4)
    secret = {"name": "going", "limits": f'[field]\nsecret = ["{SECRET}"]\n'}
    settings = {"variants": ["snort:line-9"], "openings": 2}
    play_games(folder, BOTS | {"first": FIRST}, **settings, **secret)
    going = play(folder, BOTS, **settings, **secret)
    write_report(cup)
    change(
        going, "DELETE FROM games WHERE rowid = (SELECT MAX(rowid) FROM games WHERE variant LIKE 'snort%')"
    )
    return cup, Run(going.folder)


@pytest.fixture(scope="module")
def server(runs):
    """A server of that folder."""
    with Server(runs[0].folder.parent.parent) as started:
        yield started


def test_a_bot_has_a_page_of_its_own(server, runs):
    """Where it stands, its versions, record, blunders, forfeits and games, which lead into the run's replay."""
    page = check_served(server.ask("/runs/cup/bots/first").text)
    cup, _ = runs
    row = cup.standings().set_index("bot").loc["first"]
    assert (
        f"rank {row['rank']} of 3, rating {row['rating']:.0f} ({row['low']:.0f} to {row['high']:.0f})"
        in page.plain
    )
    assert re.findall(r"<h2>(.*?)</h2>", page.text)[:2] == ["Over its versions", "Its record"]
    old, new = read_versions(cup)["first"]
    for version in (old, new):
        assert version.version in page.plain
        assert f"{version.rating:.0f}" in page.plain
    games = cup.games("first")
    links = re.findall(r'href="\.\./\.\./cup#game=(\w+)', page.text)
    assert set(links) == set(games["game"])
    listed = page.text[page.text.index('id="played"') :]
    lost = (games["winner"] != "first").sum()
    assert (listed.count("<b>lost</b>"), listed.count("<td>won</td>")) == (lost, len(games) - lost)
    assert listed.rindex("<b>lost</b>") < listed.index("<td>won</td>"), "those that it lost come first"
    assert "It forfeited" in check_served(server.ask("/runs/cup/bots/liar").text).plain


def test_the_standings_of_a_server_lead_to_the_bots_pages(server, runs):
    """The report as a file keeps its own anchors, since it has nothing else."""
    page = server.ask("/runs/cup").text
    assert re.search(r'<th scope="row" class="who"><a href="cup/bots/first">first</a>', page)
    assert 'href="#bot-' in page, "charts lead to the bot's part in the page"
    report = (runs[0].folder / "report.html").read_text()
    assert "/bots/" not in report
    assert re.search(r'<th scope="row" class="who"><a href="#bot-\d">first</a>', report)


@pytest.mark.parametrize(
    "path",
    [
        "cup/bots/nobody",
        "cup/bots/..",
        "cup/bots/%2e%2e",
        "cup/bots/..%2f..%2fcup",
        "cup/bots/first%00",
        "cup/bots/First",
        "cup/bots/first.py",
        "cup/bots/first%0d%0ax-evil:%201",
        "cup/bots/first/",
        "cup/bots/",
        "cup/bots",
        "nothing/bots/first",
    ],
)
def test_nothing_but_a_name_of_the_field_is_a_bot(server, path):
    """It is compared with names and never is a path."""
    got = server.ask(f"/runs/{path}")
    assert got.status == 404
    assert "There is nothing at this address." in got.text
    assert "x-evil" not in got.headers


def test_what_is_secret_is_not_on_a_bots_page(server, runs):
    """Not a secret variant, not a source, nothing that a bot printed, no place on this machine, no verdict."""
    _, going = runs
    assert going.hidden == {SECRET}
    for run in ("cup", "going"):
        for bot in BOTS:
            got = server.ask(f"/runs/{run}/bots/{bot}")
            assert got.status == 200
            for word in (MARK, "now for a lie", str(going.folder.parent)):
                assert word not in got.text
            assert not re.search("passed|arena (rerun|replay|games)", check_served(got.text).plain)
            assert ("kayles" in got.text) <= (run == "cup")
    text = check_served(server.ask("/runs/going/bots/first").text).plain
    assert f"{len(going.games('first'))}" in text


def test_hostile_names_are_text_on_a_bots_page(tmp_path, monkeypatch):
    """The door, which refuses such logs, is held open for this."""
    odd = spoil(play_sample(tmp_path / "sample"), tmp_path / "cup", monkeypatch)
    pages = BotPages(odd)
    for bot in list(odd.field.bots)[:3]:
        html = make_bot_page(odd, pages.read(bot), "../../cup", "now")
        check_served(html)
        assert "<img" not in html
        assert "<svg onload" not in html
        assert "\u202e" not in html


def test_what_was_read_of_a_run_serves_all_its_bots_for_a_while(runs, monkeypatch, tmp_path):
    """Not for another run, nor if other bots play; a page that is kept is sent as it is."""
    monkeypatch.setattr(
        cache, "_apart", [tmp_path]
    )  # as a server has its own, or each page would change the folder
    asyncio.run(ask_often(runs[0].folder, monkeypatch))


async def ask_often(folder, monkeypatch):
    site = Site(folder.parent)
    pages, feed = bots.Bots(site), site.find(folder.name)
    assert feed is not None
    page, same = await asyncio.gather(pages.page(feed, "first"), pages.page(feed, "first"))
    assert page is same
    assert await pages.page(feed, "nobody") is None
    assert await pages.page(feed, "first") is page
    read = pages._read
    assert read is not None
    assert read.serves(feed, "changed"), "games are played, but the bots are the same"
    assert not read._replace(at=0.0 - bots.READ_SECONDS).serves(feed, "changed")
    assert not read._replace(run=Run(folder.parent / "going")).serves(feed, "changed"), "others play"
    assert not read._replace(folder=folder.parent / "going").serves(feed, "changed")


def test_many_versions_and_games_are_cut_and_counted(runs, monkeypatch):
    """The newest versions, and the games that it lost."""
    cup, _ = runs
    old, new = read_versions(cup)["first"]
    progress = chart_progress([old._replace(version=str(number)) for number in range(40)] + [new])
    assert progress is not None
    assert (len(progress.points), progress.older) == (MOST_DRAWN, 41 - MOST_DRAWN)
    assert [row.number for row in progress.rows[:2]] == [41, 40]
    assert [point.name for point in progress.points][-1] == "41"
    assert all(0 <= point.high <= point.rating <= point.low <= 100 for point in progress.points)
    unknown = old._replace(rating=None, low=None, high=None, score=None, score_low=None, score_high=None)
    none = chart_progress([unknown, unknown])
    assert none is not None
    assert (none.points, none.ticks) == ([], [])
    monkeypatch.setattr("arena.pages.bot.MOST_LISTED", 3)
    assert MOST_LISTED > 3
    html = make_bot_page(cup, BotPages(cup).read("first"), "../../cup", "now")
    assert "The first 3 of 16 are here." in check_served(html).plain
