"""`arena versus` as people use it: what it says, what it refuses, and that nothing about the machine matters."""

import re
import sqlite3
from contextlib import closing

import pytest
import typer

from arena.cli import versus as cli
from arena.results.run import Run
from arena.standings.sprt import State, Verdict
from tests.tournament.field import FIRST, LAST, SLOW, arena, kill, rows, started, wait_for_games

CONFIG = (
    '[tournament]\nvariants = ["snort:line-9"]\nisolation = "trusted"\n[[bots]]\npath = "bots/first.py"\n'
)
WIDE = ("--bounds", "0", "200")


@pytest.fixture
def here(tmp_path):
    """A folder with a few bots and a file that names one small variant."""
    (tmp_path / "bots").mkdir()
    slow = SLOW.format(seconds=0.005)
    for name, text in {"first": FIRST, "last": LAST, "slow": slow}.items():
        (tmp_path / "bots" / f"{name}.py").write_text(text)
    (tmp_path / "small.toml").write_text(CONFIG)
    return tmp_path


def ask(here, *arguments):
    """Ask on one small variant."""
    return arena("versus", *arguments, "--config", "small.toml", "--executor", "serial", cwd=here)


def test_the_answer_is_a_sentence_with_its_numbers(here):
    """What was played, how sure it is, and where the games lie; it can be asked again at once."""
    shown = ask(here, "perfect", "first", *WIDE)
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = shown.stdout.splitlines()
    assert lines[0] == "perfect against first on snort:line-9"
    assert re.fullmatch(r"\d+ games in \d+ pairs: \d+ won, \d+ split, 0 lost", lines[1])
    interval = r"\+\d+ points, 95 % interval [+-]\d+ to \+\d+"
    assert re.fullmatch(rf"score [01]\.\d{{3}}( in the first \d+ pairs)?: {interval}", lines[2])
    assert lines.pop(3) == "stopping early makes a difference look larger; points and interval allow for it"
    assert re.fullmatch(r"log likelihood ratio \+[23]\.\d\d; the test ends at -2\.94 or \+2\.94", lines[3])
    assert re.fullmatch(
        r"accuracy of perfect 1\.000 in \d+ moves, 95 % interval 0\.\d{3} to 1\.000", lines[4]
    )
    assert lines[5].startswith("accuracy of first 0.")
    assert lines[6:] == [
        "",
        "perfect is better than first.",
        "A bot that is no stronger is called better in at most about 5 % of such tests.",
        "",
        "results are in results/versus-perfect-first/",
        "open results/versus-perfect-first/report.html in a browser to look at them",
    ]
    assert ask(here, "perfect", "first", *WIDE).stdout == shown.stdout


def test_its_folder_answers_every_other_command(here):
    """Leaderboard, games, crosstable, verify and digest find a run there."""
    ask(here, "perfect", "first", *WIDE)
    name = "versus-perfect-first"
    for command in ("leaderboard", "games", "crosstable", "verify", "digest"):
        shown = arena(command, name, cwd=here)
        assert (shown.returncode, shown.stderr) == (0, "")
    assert len(shown.stdout) == 65


SAYS = [
    (("first", "frist"), "there is no bot 'frist'; did you mean 'first'?"),
    (("first", "bots/first.py"), "first and bots/first.py are the same bot; there is nothing to compare"),
    (("first", "last", "--bounds", "5", "1"), "--bounds 5 1: the first must be less than the second"),
    (("first", "last", "--bounds", "3", "3"), "--bounds 3 3: the first must be less than the second"),
    (
        ("first", "last", "--bounds", "nan", "3"),
        "--bounds nan 3: they must be between -2,000 and 2,000 points",
    ),
    (
        ("first", "last", "--bounds", "0", "inf"),
        "--bounds 0 inf: they must be between -2,000 and 2,000 points",
    ),
    (
        ("first", "last", "--config", "none.toml"),
        "none.toml: No such file or directory",
    ),
    (
        ("first", "last", "--games", "4", "--config", "three.toml"),
        "--games 4: a pair of games on each of 3 variants takes 6; allow that many, or name fewer variants in a file",
    ),
    (
        ("first", "last", "--config", "useless.toml"),
        "none of the variants can rank anybody: grid-lock; blockade-4x4",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), SAYS)
def test_what_cannot_be_asked_is_one_line(here, arguments, message):
    """Exit 1, no traceback, nothing written."""
    three = CONFIG.replace('"snort:line-9"', '"snort:line-9", "col:line-9", "kayles:line-9"')
    (here / "three.toml").write_text(three)
    (here / "useless.toml").write_text(CONFIG.replace('"snort:line-9"', '"grid-lock", "blockade-4x4"'))
    refused = arena("versus", *arguments, cwd=here)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"arena: {message}")
    assert refused.stderr.count("\n") == 1
    assert not (here / "results").exists()


@pytest.mark.parametrize("option", [("--alpha", "0.5"), ("--beta", "0"), ("--games", "1"), ("--alpha", "x")])
def test_options_out_of_range_are_wrong_usage(here, option):
    """Exit 2, and the option is named."""
    refused = arena("versus", "first", "last", *option, cwd=here)
    assert refused.returncode == 2
    assert f"'{option[0]}'" in refused.stderr


def test_variants_that_tell_nothing_are_named(here):
    """They are left out with a word, before anything is played."""
    (here / "small.toml").write_text(CONFIG.replace('"snort:line-9"', '"snort:line-9", "grid-lock"'))
    shown = ask(here, "first", "last", "--games", "2")
    assert shown.returncode == 0
    assert shown.stderr.startswith("grid-lock is degenerate and left out: every legal game lasts 4 plies")
    assert shown.stdout.startswith("first against last on snort:line-9\n2 games in 1 pair: ")
    assert "is not known after 2 games.\nIt goes on from here if it is allowed more games" in shown.stdout


@pytest.mark.long
def test_neither_workers_nor_a_kill_change_the_answer(here):
    """One worker, two, and a run that was killed outright and resumed: the same words and the same digest."""
    ask_slow = ("versus", "slow", "last", "--config", "small.toml", "--games", "48", "--bounds", "0", "5")
    answers = set()
    for number, workers in enumerate((1, 2)):
        shown = arena(*ask_slow, "--workers", workers, "--results", f"r{number}", cwd=here)
        assert shown.returncode == 0
        digest = arena("digest", f"r{number}/versus-slow-last", cwd=here).stdout
        answers.add((shown.stdout.replace(f"r{number}/", ""), digest))
    process = started(*ask_slow, "--workers", "2", "--results", "r2", cwd=here)
    try:
        wait_for_games(here / "r2" / "versus-slow-last", 20)
    finally:
        kill(process.pid)
        process.communicate()
    survived = len(rows(here / "r2" / "versus-slow-last"))
    assert 20 <= survived < 48
    resumed = arena(*ask_slow, "--workers", "2", "--results", "r2", cwd=here)
    digest = arena("digest", "r2/versus-slow-last", cwd=here).stdout
    answers.add((resumed.stdout.replace("r2/", ""), digest))
    assert len(answers) == 1
    assert len(rows(here / "r2" / "versus-slow-last")) == 48


def test_what_is_our_own_fault_is_exit_4(here, monkeypatch, capsys):
    """A game that stayed void leaves the answer open, and says so by the exit code."""
    ask(here, "first", "last", "--games", "4")
    folder = here / "results" / "versus-first-last"
    with closing(sqlite3.connect(folder / "games.sqlite")) as log, log:
        log.execute("DELETE FROM games")
        log.execute(
            "INSERT INTO voids SELECT game, variant, first, second, 'lost', 'now', 1 FROM plan LIMIT 1"
        )
    monkeypatch.chdir(here)
    state = State((0, 0, 0), 0.0, Verdict.UNKNOWN)
    monkeypatch.setattr("arena.runs.play_versus", lambda *_: (Run(folder), state))
    with pytest.raises(typer.Exit) as leaving:
        cli.versus("first", "last", "small.toml", quiet=True)
    assert leaving.value.exit_code == 4
    shown = capsys.readouterr().out
    assert "nan" not in shown
    assert "is not known after 0 games." in shown
