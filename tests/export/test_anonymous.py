"""A page without names: nothing in it tells whose bot is whose, and the key is for its owner alone."""

import csv
import os
import re
import stat
import tempfile
from typing import Any

import pytest

import arena
from arena.export.anonymous import open_anonymous
from arena.pages.report import make_report
from arena.results.run import Run
from tests.cli.command import inside
from tests.export.test_tables import LYING, QUOTING
from tests.pages.browser import check_page
from tests.tournament.field import CHANCE, FIRST, LAST, write
from tests.tournament.small import change, copied, everything

BOTS = {"aardvark": FIRST, "zebra": QUOTING, "wildebeest": LAST, "salamander": LYING, "quokka": CHANCE}
REST = '# a remark of the teacher\n[grading]\nbosses = ["wildebeest"]\n'
SEED = 123456789123


def play(folder, bots=BOTS, **changes):
    """Play a tournament with prints, forfeits and grades, or what is missing of it."""
    settings: dict[str, Any] = {
        "variants": ["snort:line-6"],
        "openings": 2,
        "seed": SEED,
        "limits": REST,
    } | changes
    return arena.run(write(folder, bots, **settings), executor="serial", isolation="trusted", audit=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A round robin."""
    return play(tmp_path_factory.mktemp("named"))


def secrets_of(run):
    """All that must not be in an anonymous page: names, versions, ids, details, the tournament file."""
    with run.log() as log:
        games, config = list(log.games()), log.config()
    told = {part for game in games for part in (game.game, game.first_version, game.second_version)}
    told |= {detail for game in games if (detail := game.detail)} | {
        *run.field.bots,
        *run.field.bots.values(),
    }
    return told | {line for line in config.splitlines() if len(line) > 3} | {str(SEED), run.digest()}


OTHERS = ("knock-out", "round-robin", "ladder", "gauntlet")


@pytest.mark.parametrize(
    "format", ["swiss", *(pytest.param(format, marks=pytest.mark.long) for format in OTHERS)]
)
def test_no_byte_of_a_name_a_version_a_detail_or_the_file_is_in_the_page(tmp_path, format):
    """Whatever the format, also where games of an edited bot and of one that has left are counted."""
    more = {"gauntlet": ["wildebeest"]} if format == "gauntlet" else {}
    run = play(tmp_path, format=format, **more)
    if format == "swiss":
        (tmp_path / "bots" / "quokka.py").unlink()
        run = play(tmp_path, {**BOTS, "wildebeest": LAST + "# edited\n"}, format=format)
    with open_anonymous(run) as (copy, key):
        page = check_page(make_report(copy))
        assert {secret for secret in secrets_of(run) if secret in page.text} == set()
        assert [copy.points.get(number) for number in key] == [run.points.get(name) for name in key.values()]
        if run.bracket is not None and copy.bracket is not None:
            assert [key.get(str(name)) for name in copy.bracket.seeds] == list(run.bracket.seeds)
    assert "Bracket" not in page.plain
    assert ("Ranks are those of the bracket" in page.plain) == (format == "knock-out")
    assert "It threw " in page.plain
    assert "arena rerun" not in page.plain
    assert "play it again" not in page.plain  # nor a column for it
    assert page.plain.count("version ") == 0


def test_the_numbers_are_those_of_the_named_run(run):
    """The same table under other names, in the same order, and the same notes."""
    left_out = ["bot", "version"]
    with open_anonymous(run) as (copy, key):
        named, nameless = run.standings(), copy.standings()
        assert nameless.drop(columns=left_out).round(6).equals(named.drop(columns=left_out).round(6))
        assert nameless["bot"].tolist() == [f"bot-{number}" for number in range(1, 6)]
        ranks = dict(zip(named["bot"], named["rank"], strict=True))
        assert [ranks[name] for name in key.values()] == named["rank"].tolist()
        assert set(nameless["version"]) == {""}
        assert (copy.is_over, copy.distinct, copy.missing) == (run.is_over, run.distinct, run.missing)


def test_the_copy_has_no_name_at_all(tmp_path):
    """Names of one letter, and such as the numbers have: no text of any table has them but as numbers."""
    run = play(tmp_path, {"a": LAST, "e": QUOTING, "bot-1": LYING, "q": FIRST}, limits="")
    with open_anonymous(run) as (copy, key):
        texts = [cell for rows in everything(copy).values() for row in rows for cell in row if cell]
        words = {word for text in texts for word in re.split(r"[^\w@-]+", str(text))}
        folder = copy.folder
    assert words & {"a", "e", "q"} == set()
    assert sorted(key) == ["bot-1", "bot-2", "bot-3", "bot-4"]
    assert key["bot-1"] != "bot-1"
    assert not folder.exists()


def test_nothing_is_in_the_order_of_the_names(tmp_path):
    """Bots that are equal, in the plan too, are in the order of their hashes: a class list tells nothing."""
    bots = {name: FIRST + f"# {name}\n" for name in "abcdef"}
    run = play(tmp_path, bots, limits="", openings=1)
    assert run.standings()["bot"].tolist() == sorted(bots)
    with open_anonymous(run) as (copy, key), copy.log() as log:
        assert list(key.values()) != sorted(bots)
        planned = [(game.variant, game.first, game.second) for game in log.planned_games()]
    assert planned == sorted(planned)


@pytest.mark.long
def test_a_run_of_two_bots_does_not_have_their_names_for_its_own(tmp_path):
    """`arena versus` names its folder after both."""
    config = write(tmp_path, BOTS, variants=["snort:line-6"])
    words = ("--config", config, "--games", "4", "--isolation", "trusted", "--executor", "serial", "--quiet")
    done = inside("versus", "bots/aardvark.py", "bots/wildebeest.py", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with open_anonymous(Run(tmp_path / "results" / "versus-aardvark-wildebeest")) as (copy, _):
        text = make_report(copy)
    assert "aardvark" not in text
    assert "wildebeest" not in text


def test_a_secret_variant_stays_secret_before_the_end(run, tmp_path):
    """Without names as with them."""
    run = play(tmp_path, variants=["snort:line-4"], openings=1, limits='[field]\nsecret = ["col:line-7"]')
    early = copied(run, tmp_path / "early")
    change(early, "DELETE FROM games WHERE game = (SELECT max(game) FROM games)")
    with open_anonymous(Run(early.folder)) as (copy, _):
        text = make_report(copy)
    assert "col:line-7" not in text
    assert "1 secret variant is shown when all games are played" in text


def test_the_key_is_beside_the_page_and_for_its_owner_alone(run, tmp_path, monkeypatch):
    """It says who is who; the page with names stays as it is, and no copy is left behind."""
    folder = copied(run, tmp_path / "results" / "cup").folder
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(copies))
    done = inside("report", "cup", "--anonymous", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "wrote results/cup/report-anonymous.html: open it in a browser",
        "wrote results/cup/report-anonymous-key.csv: who is who, for you alone",
    ]
    assert not (folder / "report.html").exists()
    key = folder / "report-anonymous-key.csv"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    rows = list(csv.DictReader(key.read_text().splitlines()))
    assert {row["name"] for row in rows} == set(BOTS)
    assert [row["bot"] for row in rows] == [f"bot-{number}" for number in range(1, 6)]
    assert os.listdir(copies) == []


def test_evidence_quotes_bots_and_is_refused_without_names(run, tmp_path):
    """Both together make no sense."""
    copied(run, tmp_path / "results" / "cup")
    done = inside("report", "cup", "--anonymous", "--evidence", cwd=tmp_path)
    assert done.returncode == 1
    assert "what bots print may tell whose they are" in done.stderr
