"""The page of a run: whole, harmless, and with the numbers of the tables."""

import os
import re

import pytest

import arena
from arena.errors import UserError
from arena.pages.bots import LARGEST, _Boards, count_forfeits, read_pages, show_bots
from arena.pages.evidence import MOST_OF_A_FILE, read_printed
from arena.pages.report import make_report, write_report
from arena.pages.standings import view_parts
from arena.results.blunders import Blunder
from arena.results.run import Run
from tests.cli.command import inside
from tests.pages.browser import check_page
from tests.tournament.field import CHANCE, FIRST, LAST, write
from tests.tournament.small import LIAR, change, copied, play

FOUR = {"first": FIRST, "last": LAST, "chance": CHANCE, "liar": LIAR}
NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'\u202e\x1b[2J{{ 7 * 7 }}"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run in which a bot forfeits."""
    return play(tmp_path_factory.mktemp("paged"), variants=["snort:line-9"])


@pytest.fixture(scope="module")
def page(run):
    """Its page."""
    return check_page(make_report(run))


def test_the_page_is_whole_and_has_the_numbers_of_the_tables(run, page):
    """Well-formed, nothing loaded from elsewhere, and every bot with its rating and its part."""
    for row in run.standings().to_dict("records"):
        assert row["bot"] in page.plain
        assert f"{row['rating']:.0f}" in page.plain
        assert f"{row['low']:.0f}\N{EN DASH}{row['high']:.0f}" in page.plain
        assert f"version {row['version']}" in page.plain
    assert run.digest() in page.plain
    assert "It threw " in page.plain
    assert "Bradley-Terry" in page.plain
    assert "nan" not in re.findall(r"\w+", page.plain.lower())
    assert "None" not in page.plain


def test_what_scores_leave_out_is_said_where_they_are_shown(page, tmp_path):
    """Forfeits and meetings count games that scores do not. Bots with the same code are equals in the headline."""
    variants = ["blockade-5x5", "blockade-4x4"]
    both = play(tmp_path, {"ann": FIRST, "bob": FIRST}, variants=variants, openings=2)
    said = check_page(make_report(both)).plain
    assert "ann and bob cannot be told apart." in said
    assert said.count("rank nobody") == 2
    assert "blockade-4x4 ranks nobody: scores, ratings and the ledger leave it out" in said
    assert "rank nobody" not in page.plain


def test_a_forfeit_has_its_sentence_its_ply_and_its_command(run, page):
    """What the log says of it; what the bot printed and where its code failed are not there."""
    lost = run.games(forfeits=True).iloc[0]
    assert lost["detail"] in page.plain
    assert f"arena rerun cup {lost['game']}" in page.plain
    assert "now for a lie" not in page.text
    assert "legal_moves[-1]" not in page.text


@pytest.mark.parametrize("by", ["variant", "side"])
def test_the_standings_of_each_part_have_the_numbers_of_the_tables(tmp_path, by):
    """On each variant and on each side, drawn like those in all games; a side has no ratings."""
    run = play(tmp_path, variants=["snort:line-6", "col:line-5"], openings=2)
    views, frame = view_parts(run, by), run.standings(by)
    assert [view.name for view in views] == frame[by].unique().tolist()
    for view in views:
        rows = frame[frame[by] == view.name].to_dict("records")
        assert [row.bot for row in view.rows] == [row["bot"] for row in rows]
        for row, numbers in zip(view.rows, rows, strict=True):
            assert row.numbers["score"] == numbers["score"]
            assert row.score is None or row.score.at == round(100 * numbers["score"], 2)
        assert view.has_ratings == (by == "variant")
    page = check_page(make_report(run))
    groups = [attrs["data-group"] for _, attrs in page.seen if "data-group" in attrs]
    assert groups == ["By variant"] * 2 + ["By side"] * 2


def test_forfeits_are_counted_by_bot_and_kind(run, page):
    """As often as the games say."""
    lost = run.games(forfeits=True)
    kinds = count_forfeits(run, run.standings()["bot"].tolist())
    assert kinds == (["illegal"], [("liar", [len(lost)], len(lost))], len(lost))
    assert "Forfeits by kind" in [attrs.get("aria-label") for _, attrs in page.seen]


def test_the_worst_blunders_are_drawn_with_their_words_and_a_link_to_the_game(run, page):
    """The board before the move, the move that was made, and those that would have won."""
    shown = show_bots(run, read_pages(run, run.standings()["bot"].tolist()))
    drawn = [blunder for part in shown for blunder in part.blunders]
    assert drawn
    for blunder in drawn:
        assert blunder.board is not None
        assert blunder.board in page.text
        assert all(words in page.plain for words in blunder.words)
        link = {"data-link": f"#game={blunder.game}&ply={blunder.ply}"}  # of which the script makes a link
        assert ("p", link) in page.seen
        moves = run.game(blunder.game).cells
        assert len(moves) >= blunder.ply
        assert (
            f"it played {arena.variant('snort:line-9').start().name(moves[blunder.ply - 1])}"
            in blunder.words[1]
        )


def test_a_large_board_is_not_drawn(run, monkeypatch):
    """The page has the words; a picture of more than 200 cells would be larger than all others together."""
    assert LARGEST == 200
    blunder = Blunder(run.games()["game"][0], "snort:line-9", "last", "first", "X", 4, "7", ["8"], 3, 1, "")
    with run.log() as log:
        assert _Boards(run, log).show(blunder).board is not None
        monkeypatch.setattr("arena.pages.bots.LARGEST", 8)
        assert _Boards(run, log).show(blunder).board is None


def test_strangers_text_is_text_and_nothing_else(run, page, tmp_path):
    """A detail and a tournament file with tags, marks that turn the direction of writing, and templates."""
    odd = copied(run, tmp_path / "odd")
    change(odd, "UPDATE games SET detail = ? WHERE ending <> 'no-moves'", NASTY)
    change(odd, "UPDATE runs SET config = ?, ended_at = ?", NASTY, NASTY)
    tags, page = page.tags, check_page(make_report(Run(odd.folder)))
    assert page.tags == tags
    assert page.plain.count("<img src=x onerror=alert(1)>") >= 2
    assert "\\u202e\\x1b[2J{{ 7 * 7 }}" in page.plain
    assert {sign for sign in page.text if not sign.isprintable()} == {"\n"}


def test_a_name_of_64_letters_is_shown_whole(tmp_path):
    """Two of them, which differ in the last letter, are two bots."""
    bots = {"a" * 63 + "b": FIRST, "a" * 63 + "c": LAST}
    page = check_page(make_report(play(tmp_path, bots, variants=["snort:line-4"], openings=1)))
    assert all(bot in page.plain for bot in bots)


@pytest.mark.parametrize("format", ["knock-out", "swiss", pytest.param("ladder", marks=pytest.mark.long)])
def test_every_format_has_its_page(tmp_path, format):
    """The bracket of a knock-out, the points of a Swiss."""
    run = play(tmp_path, FOUR, format=format, variants=["snort:line-6"], openings=2)
    page = check_page(make_report(run))
    assert ("has won the knock-out" in page.plain) == (format == "knock-out")
    assert ("Bracket" in page.plain) == (format == "knock-out")
    assert ("points" in page.plain.split("over next")[0].split()) == (format == "swiss")


def test_a_sequential_test_says_that_it_was_one(tmp_path):
    """Its difference looks larger than it is, and its verdict is another command's."""
    config = write(tmp_path, FOUR, variants=["snort:line-6"])
    settings = (
        "--config",
        config,
        "--games",
        "4",
        "--isolation",
        "trusted",
        "--executor",
        "serial",
        "--quiet",
    )
    assert inside("versus", "bots/first.py", "bots/last.py", *settings, cwd=tmp_path).returncode == 0
    page = check_page(make_report(Run(tmp_path / "results" / "versus-first-last")))
    assert "This was a sequential test: stopping early" in page.plain


def test_a_run_without_games_and_one_that_goes_on_have_pages(run, tmp_path):
    """Empty parts are left out; what is still to be played is said."""
    empty = copied(run, tmp_path / "empty")
    change(empty, "DELETE FROM games")
    page = check_page(make_report(Run(empty.folder)))
    assert "No game that counts has been played yet." in page.plain
    assert "18 still to be played" in page.plain
    assert "Played not yet" in page.plain
    assert "Digest" not in page.plain
    assert "Who beat whom" not in page.plain
    drawn = inside("report", empty.folder, "--svg", "charts", cwd=tmp_path).stdout
    assert drawn == "nothing to draw: no game has been played yet\n"
    half = copied(run, tmp_path / "half")
    change(half, "DELETE FROM games WHERE ending <> 'no-moves'")
    page = check_page(make_report(Run(half.folder)))
    assert "So far, " in page.plain
    assert "The tournament file" not in page.plain


def test_a_secret_variant_is_not_in_the_page_before_the_end(tmp_path):
    """Neither its name nor its games; afterwards both."""
    limits = '[field]\nsecret = ["col:line-7"]'
    run = play(tmp_path, variants=["snort:line-4"], openings=1, limits=limits)
    assert "col:line-7" in make_report(run)
    early = copied(run, tmp_path / "early")
    change(early, "DELETE FROM games WHERE game = (SELECT max(game) FROM games)")
    page = check_page(make_report(Run(early.folder)))
    assert "col:line-7" not in page.text
    assert "1 secret variant is shown when all games are played" in page.plain
    assert "arena export" not in page.plain  # it would refuse


def test_the_command_writes_the_file_and_says_where(run, tmp_path):
    """Into the run folder, or where the user says; a place that cannot be written is the user's to mend."""
    folder = copied(run, tmp_path / "results" / "cup").folder
    done = inside("report", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "wrote results/cup/report.html: open it in a browser\n")
    assert done.stderr == "results/cup, the newest\n"
    assert (folder / "report.html").read_text() == make_report(Run(folder))
    assert inside("report", "cup", "--output", "page.html", cwd=tmp_path).returncode == 0
    assert (tmp_path / "page.html").exists()
    done = inside("report", "cup", "--output", "nowhere/page.html", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, "arena: nowhere/page.html: No such file or directory\n")


def test_only_a_plain_file_is_replaced_by_output(run, tmp_path):
    """A pipe or a device such as /dev/null, a link or a folder stays what it is: root could replace them all."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    before = {name: (tmp_path / name).lstat() for name in ("pipe", "folder", "link")}
    for name, state in before.items():
        with pytest.raises(UserError, match="is not a plain file, and is not replaced"):
            write_report(run, tmp_path / name)
        assert (tmp_path / name).lstat().st_ino == state.st_ino
    assert not (tmp_path / "elsewhere").exists()


def test_a_link_in_a_received_folder_is_replaced_and_not_followed(run, tmp_path):
    """Somebody else's folder cannot make us write elsewhere; and no path of this machine is in the page."""
    folder = copied(run, tmp_path / "sent").folder
    (tmp_path / "mine").write_text("mine")
    (folder / "report.html").symlink_to(tmp_path / "mine")
    text = write_report(Run(folder)).read_text()
    assert (tmp_path / "mine").read_text() == "mine"
    assert str(tmp_path) not in text


def test_evidence_is_in_the_page_only_if_it_is_asked_for(run, tmp_path):
    """What a bot printed, for the forfeits that have it; a link in a received folder is not followed."""
    folder = copied(run, tmp_path / "results" / "cup").folder
    assert inside("report", "cup", "--evidence", cwd=tmp_path).returncode == 0
    page = check_page((folder / "report.html").read_text())
    assert "now for a lie" in page.plain
    lost = run.games(forfeits=True)["game"].tolist()
    assert read_printed(Run(folder)).keys() == set(lost)
    (tmp_path / "mine").write_text("my diary")
    printed = folder / "faults" / lost[0] / "printed.txt"
    printed.unlink()
    printed.symlink_to(tmp_path / "mine")
    (folder / "faults" / lost[1] / "printed.txt").write_text("far too much\n" * 9999)
    found = read_printed(Run(folder))
    assert "my diary" not in str(found)
    assert len(found[lost[1]]) < 2 * MOST_OF_A_FILE
    assert inside("report", "cup", cwd=tmp_path).returncode == 0
    assert "now for a lie" not in (folder / "report.html").read_text()
