"""`arena run` and what comes after it, as a user meets them: the installed command in a fresh folder."""

import csv
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.config.reading import read_tournament
from arena.solver.health import why_degenerate
from tests.cli.command import ARENA, inside, plain
from tests.hosts.processes import gone_within
from tests.standings.test_tables import CONTRACT_COLUMNS
from tests.tournament import field
from tests.tournament.field import FAILING, FIRST, GOOD, LAST

STANDINGS = ",".join(CONTRACT_COLUMNS)
SMALL: dict[str, Any] = {"variants": ["grid-lock", "blockade-line"], "openings": 2}
# Takes its time, so that something can happen during a run, and no core; so short a sleep is nobody's fault.
SLEEPY = "import time\ndef move(position):\n    time.sleep(0.04)\n    return position.legal_moves[0]\n"


def run(folder, *options):
    """Run the tournament of a folder, quickly: in one process, trusted."""
    return field.arena(
        "run", "configs/cup.toml", "--isolation", "trusted", "--executor", "serial", *options, cwd=folder
    )


def play(folder):
    """Play the tournament of a folder in this process, where only its log is looked at."""
    arena.run(
        folder / "configs" / "cup.toml", isolation="trusted", executor="serial", audit=False, grades=False
    )


def count(folder):
    return len(field.rows(folder / "results" / "cup"))


def test_a_newcomer_gets_from_an_empty_folder_to_a_table(tmp_path):
    """init, run, and a second run that plays nothing; then every way of looking at it."""
    made = field.arena("init", cwd=tmp_path)
    assert made.returncode == 0
    assert {"bots", "configs", "results"} <= set(os.listdir(tmp_path))
    first = field.arena("run", "configs/quick.toml", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    assert re.search(r"36 games, \d+ distinct, between 3 bots on 2 variants", first.stdout)
    assert "\x1b" not in first.stdout + first.stderr
    folder = tmp_path / "results" / "quick"
    before = field.rows(folder, "SELECT * FROM games")
    second = field.arena("run", "configs/quick.toml", cwd=tmp_path)
    assert (second.returncode, second.stdout) == (0, first.stdout)
    assert field.rows(folder, "SELECT * FROM games") == before
    below = "\nresults are in results/quick/\nopen results/quick/report.html in a browser to look at them\n"
    assert field.arena("leaderboard", cwd=tmp_path).stdout + below == first.stdout
    assert (folder / "report.html").stat().st_size > 10_000


def test_init_changes_nothing_that_is_there(tmp_path):
    """A file of the user's own stays as it is."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "greedy.py").write_text("mine")
    assert field.arena("init", cwd=tmp_path).returncode == 0
    assert (tmp_path / "bots" / "greedy.py").read_text() == "mine"
    assert (tmp_path / "bots" / "mirror.py").exists()
    assert field.arena("init", "sub", cwd=tmp_path).returncode == 0
    assert (tmp_path / "sub" / "configs" / "round_robin.toml").exists()


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished tournament of four bots."""
    folder = tmp_path_factory.mktemp("played")
    field.write(folder, GOOD, **SMALL)
    done = run(folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_files_beside_the_log_say_what_it_says(played):
    """CSV and Markdown are written after each run, with the columns that scripts rely on."""
    folder = played / "results" / "cup"
    assert {file.name for file in folder.iterdir() if not file.name.startswith("games.sqlite")} == {
        "games.csv", "standings.csv", "standings-grid-lock.csv", "standings-blockade-line.csv", "standings.md",
        "crosstable.csv", "forfeits.csv", "blunders.csv", "ratings.csv", "ledger.csv", "lock.sqlite", "cache.sqlite",
        "report.html",
    }  # fmt: skip
    assert (folder / "standings.csv").read_text().partition("\n")[0] == STANDINGS
    with open(folder / "games.csv", newline="") as file:
        games = list(csv.DictReader(file))
    assert len(games) == 6 * 2 * 2 * 2
    names = [name for name, *_ in field.rows(folder, "SELECT name FROM pragma_table_info('games')")]
    assert list(games[0]) == [*names, "thrown_away"]
    standings = list(csv.DictReader((folder / "standings.csv").read_text().splitlines()))
    for row in standings:
        own = [game for game in games if row["bot"] in (game["first"], game["second"])]
        rated = [game for game in own if game["variant"] != "grid-lock"]
        assert (int(row["games"]), int(row["unrated"])) == (len(rated), len(own) - len(rated))
        assert int(row["wins"]) == sum(game["winner"] == row["bot"] for game in rated)


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "json", "html", "latex"])
@pytest.mark.parametrize("command", ["leaderboard", "leaderboard --ledger", "crosstable", "games"])
def test_every_table_comes_in_every_format(played, command, format):
    """Without colour codes, and CSV and JSON can be read back."""
    shown = inside(*command.split(), "cup", "--format", format, cwd=played)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "\x1b" not in shown.stdout
    assert "globals" in shown.stdout
    if format == "json":
        assert isinstance(json.loads(shown.stdout), list)
    if format == "csv" and command == "leaderboard":
        assert shown.stdout.partition("\n")[0] == STANDINGS


def test_standings_by_variant_and_by_side(played):
    """A table for each, or for one variant alone."""
    by_variant = field.arena("leaderboard", "--by", "variant", "--format", "csv", cwd=played).stdout
    assert by_variant.count("\n") == 1 + 4 * 2
    by_side = field.arena("leaderboard", "--by", "side", "--format", "csv", cwd=played).stdout
    assert {line.partition(",")[0] for line in by_side.splitlines()[1:]} == {"first", "second"}
    one = field.arena("leaderboard", "--variant", "grid-lock", "--format", "json", cwd=played).stdout
    assert {row["games"] for row in json.loads(one)} == {12}
    wrong = field.arena("leaderboard", "--variant", "grid-lok", cwd=played)
    assert wrong.returncode == 1
    assert "did you mean 'grid-lock'?" in wrong.stderr


def test_games_can_be_filtered(played):
    """By bot, by variant, by forfeit."""
    games = json.loads(
        field.arena("games", "--bot", "last", "--variant", "grid-lock", "--format", "json", cwd=played).stdout
    )
    assert len(games) == 12
    assert all("last" in (game["first"], game["second"]) for game in games)
    assert json.loads(field.arena("games", "--forfeits", "--format", "json", cwd=played).stdout) == []


def test_a_digest_is_64_digits_and_nothing_else(played):
    """So that it can be compared by a script; it is what the contract says it is."""
    import hashlib

    shown = field.arena("digest", "cup", cwd=played)
    assert re.fullmatch(r"[0-9a-f]{64}\n", shown.stdout)
    assert shown.stderr == ""
    lines = field.rows(
        played / "results" / "cup",
        "SELECT game || ' ' || first || ' ' || second || ' ' || winner || ' ' || ending || ' ' || moves "
        "FROM games ORDER BY game",
    )
    assert (
        hashlib.sha256("".join(f"{line}\n" for (line,) in lines).encode()).hexdigest() == shown.stdout.strip()
    )


def test_replay_shows_a_game_and_rerun_plays_it_again(played):
    """The beginning of an id is enough; the board looks as in its rule book."""
    ((game, moves),) = field.rows(
        played / "results" / "cup",
        "SELECT game, moves FROM games WHERE variant = 'blockade-line' AND opening = 0 LIMIT 1",
    )
    shown = field.arena("replay", "cup", game[:9], cwd=played)
    assert shown.stdout.startswith(f"game {game} on blockade-line, opening 0\n")
    assert shown.stdout.count("\n\n") >= len(moves.split())
    assert "has no move left" in shown.stdout
    stepped = subprocess.run(
        [ARENA, "replay", "cup", game, "--step"],
        cwd=played,
        input="\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert stepped.stdout.count(". ") == 1
    again = field.arena("rerun", "cup", game, cwd=played)
    assert again.stdout.endswith("The same as in the log.\n")


def test_a_missing_run_or_game_is_one_helpful_line(played, tmp_path):
    """Exit 1, and the nearest right word."""
    for folder, arguments, words in (
        (played, ("leaderboard", "cpu"), "did you mean 'cup'?"),
        (played, ("replay", "cup", "zzz"), "there is no game 'zzz'"),
        (played, ("games", "--bot", "lst"), "did you mean 'last'?"),
        (tmp_path, ("leaderboard",), "there is no run in results/ yet"),
        (tmp_path, ("digest", "/etc"), "it is not a run folder"),
        (tmp_path, ("run", "nothing.toml"), "No such file"),
    ):
        shown = field.arena(*arguments, cwd=folder)
        assert (shown.returncode, shown.stdout) == (1, "")
        assert shown.stderr.count("\n") == 1
        assert words in shown.stderr


def test_all_mistakes_of_a_config_are_shown_at_once(tmp_path):
    """With file, line and key; nothing is played and no folder is made."""
    config = field.write(tmp_path, {"a": FIRST, "b": LAST})
    config.write_text(
        '[tournament]\nformt = "x"\nvariants = ["grid-lok"]\nopenings = 0\n[[bots]]\npath = "bots/c.py"\n'
    )
    shown = field.arena("run", "configs/cup.toml", cwd=tmp_path)
    assert shown.returncode == 1
    assert [line.partition(": ")[0] for line in shown.stderr.splitlines()] == [
        f"configs/cup.toml:{line}" for line in (2, 3, 4, 6)
    ]
    assert not (tmp_path / "results").exists()


def test_dry_run_says_how_many_and_writes_nothing(tmp_path):
    """Games, distinct games and openings, and how many are in the log already."""
    field.write(tmp_path, GOOD, repeats=3, **SMALL)
    shown = field.arena("run", "configs/cup.toml", "--dry-run", "--isolation", "trusted", cwd=tmp_path)
    assert "cup: 144 games, 48 of them distinct" in shown.stdout
    assert "4 distinct openings on 2 variants" in shown.stdout
    assert "0 already played, 144 to play" in shown.stdout
    assert not (tmp_path / "results").exists()
    play(tmp_path)
    field.write(tmp_path, {"new": FIRST}, repeats=3, **SMALL)
    shown = field.arena("run", "configs/cup.toml", "--dry-run", "--isolation", "trusted", cwd=tmp_path)
    assert "144 already played, 96 to play" in shown.stdout
    sandboxed = field.arena("run", "configs/cup.toml", "--dry-run", cwd=tmp_path)
    assert "0 already played, 240 to play" in sandboxed.stdout


def test_asking_for_more_openings_than_there_are_is_said(tmp_path):
    """All of them are used, and it is no error."""
    field.write(tmp_path, {"a": FIRST, "b": LAST}, variants=["col:line-1", "grid-lock"], openings=500)
    shown = run(tmp_path)
    assert shown.returncode == 0
    assert "col:line-1: only 1 of 500 openings exist, and all are used" in shown.stderr
    assert count(tmp_path) == 2 * (1 + 18)


def test_only_what_is_new_is_played(tmp_path):
    """A bot more, a bot edited, a bot less, more openings: each costs just its own games."""
    field.write(tmp_path, {"a": FIRST, "b": LAST, "c": field.CHANCE}, **SMALL)
    play(tmp_path)
    assert count(tmp_path) == 3 * 8
    field.write(tmp_path, {"d": FIRST}, **SMALL)
    play(tmp_path)
    assert count(tmp_path) == 6 * 8
    newest = field.rows(tmp_path / "results" / "cup", "SELECT first, second FROM games ORDER BY rowid")[24:]
    assert all("d" in pair for pair in newest)
    field.write(tmp_path, {"b": LAST + "# edited\n"}, **SMALL)
    play(tmp_path)
    assert count(tmp_path) == 9 * 8
    assert all(
        "b" in pair
        for pair in field.rows(
            tmp_path / "results" / "cup", "SELECT first, second FROM games ORDER BY rowid"
        )[48:]
    )
    (tmp_path / "bots" / "a.py").unlink()
    shown = run(tmp_path)
    assert count(tmp_path) == 9 * 8
    assert re.search(r"^24 games, \d+ distinct, between 3 bots", shown.stdout, re.M)
    assert not re.search(r"^ +\d+  a ", shown.stdout, re.M)
    field.write(tmp_path, {}, variants=SMALL["variants"], openings=3)
    play(tmp_path)
    assert count(tmp_path) == 9 * 8 + 3 * 4


def test_forfeits_are_counted_by_kind_and_cost_nobody_else(tmp_path):
    """Every kind of failing bot loses its games and says why; the others' games are untouched; exit 0."""
    limits = "[limits]\nmove_seconds = 0.2\nmemory_mib = 128\n"
    good = {"a": FIRST, "b": LAST}
    field.write(tmp_path, good, limits=limits, variants=["grid-lock"], openings=1)
    assert field.arena("run", "configs/cup.toml", cwd=tmp_path).returncode == 0
    before = field.rows(tmp_path / "results" / "cup", "SELECT game, winner, moves FROM games")
    field.write(tmp_path, FAILING, limits=limits, variants=["grid-lock"], openings=1)
    shown = field.arena("run", "configs/cup.toml", cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    folder = tmp_path / "results" / "cup"
    assert set(before) <= set(field.rows(folder, "SELECT game, winner, moves FROM games"))
    for bot in FAILING:
        lost = field.rows(
            folder,
            f"SELECT ending, detail FROM games WHERE winner IN ('a', 'b') AND '{bot}' IN (first, second)",
        )
        assert {ending for ending, _ in lost} == {bot}
        assert all(detail for _, detail in lost)
        assert re.search(rf"^{bot} forfeited \d+ games?: ", shown.stdout, re.M)
    assert field.arena("verify", "cup", cwd=tmp_path).returncode == 0
    assert "no-start: no-start on grid-lock: raised RuntimeError: not today" in shown.stderr
    assert field.arena("run", "configs/cup.toml", "--strict", cwd=tmp_path).returncode == 3
    _evidence_is_there(tmp_path, folder)
    _own_forfeits_are_listed(tmp_path)


def _own_forfeits_are_listed(tmp_path):
    """`games --bot X --forfeits` are those that X has forfeited, not those that were given to it."""
    for bot in ("a", "crash"):
        words = ("games", "cup", "--bot", bot, "--forfeits", "--format", "json")
        found = json.loads(field.arena(*words, cwd=tmp_path).stdout)
        assert [game for game in found if game["winner"] == bot] == []
        assert bool(found) == (bot == "crash")


def _evidence_is_there(tmp_path, folder):
    """The first forfeits have their evidence, with a command that repeats them."""
    ((game,),) = field.rows(folder, "SELECT game FROM games WHERE ending = 'crash' AND winner = 'a' LIMIT 1")
    fault = folder / "faults" / game
    assert (fault / "printed.txt").read_text() == "about to fail\n"
    assert "IndexError" in (fault / "traceback.txt").read_text()
    command = re.findall(r"arena (rerun .*)\n", (fault / "what-happened.txt").read_text())[0]
    again = field.arena(*command.split(), cwd=tmp_path)
    assert "crash printed: about to fail" in again.stdout
    assert "IndexError" in again.stdout
    assert again.stdout.endswith("The same as in the log.\n")


@pytest.mark.long
def test_a_bot_that_cannot_start_is_played_again_once_that_is_mended(tmp_path):
    """`--again no-start` plays those games, and the old rows are kept in `replaced`."""
    field.write(tmp_path, {"a": FIRST, "needy": "import helpful_module\n" + LAST}, **SMALL)
    shown = run(tmp_path)
    assert "needy: no-start on grid-lock: raised ModuleNotFoundError" in shown.stderr
    folder = tmp_path / "results" / "cup"
    assert field.rows(folder, "SELECT DISTINCT winner, ending FROM games") == [("a", "no-start")]
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "helpful_module.py").write_text("")
    again = field.arena(
        "run", "configs/cup.toml", "--isolation", "trusted", "--again", "no-start", cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "lib")},
    )  # fmt: skip
    assert "8 games of no-start are played again" in again.stderr
    assert field.rows(folder, "SELECT DISTINCT ending FROM games") == [("no-moves",)]
    assert len(field.rows(folder, "SELECT * FROM replaced")) == 8
    assert "8 games of needy are played again" in run(tmp_path, "--again", "needy").stderr
    assert len(field.rows(folder, "SELECT * FROM replaced")) == 16
    wrong = run(tmp_path, "--again", "timout")
    assert wrong.returncode == 1
    assert "did you mean 'timeout'?" in wrong.stderr


def test_bots_that_cannot_be_repeated_are_marked(tmp_path):
    """Those that take chance from the system or ask for their clock; nobody else."""
    odd = {
        "dice": "import os\ndef move(position):\n    return position.legal_moves[os.urandom(1)[0] % len(position.legal_moves)]\n",
        "watch": "def move(position, clock):\n    return position.legal_moves[0]\n",
        "chance": field.CHANCE,
    }
    field.write(tmp_path, odd, variants=["blockade-5x5"], openings=1)
    shown = field.arena("run", "configs/cup.toml", cwd=tmp_path)
    assert re.findall(r"(\S+) ~ ", shown.stdout) != []
    assert sorted(set(re.findall(r"(\S+) ~ ", shown.stdout))) == ["dice", "watch"]
    digest = field.arena("digest", "cup", cwd=tmp_path)
    assert [line.split()[0] for line in digest.stderr.splitlines()] == ["dice", "watch"]


@pytest.mark.long
def test_a_sandboxed_run_does_not_count_trusted_games(tmp_path):
    """It plays them again; a trusted run counts both, and the mixture is shown."""
    field.write(tmp_path, {"a": FIRST, "b": LAST}, **SMALL)
    assert "8 games trusted" in run(tmp_path).stdout
    shown = field.arena("run", "configs/cup.toml", "--no-audit", "--no-grades", cwd=tmp_path)
    assert "8 games were played trusted, and are played again sandboxed" in shown.stderr
    folder = tmp_path / "results" / "cup"
    assert field.rows(folder, "SELECT DISTINCT isolation FROM games") == [("sandboxed",)]
    assert len(field.rows(folder, "SELECT * FROM replaced")) == 8
    field.write(tmp_path, {"c": LAST}, **SMALL)
    assert "8 games sandboxed, 16 trusted" in run(tmp_path).stdout


@pytest.mark.parametrize(
    ("number", "executor"),
    [
        (signal.SIGINT, "local"),
        *(pytest.param(one, "serial", marks=pytest.mark.long) for one in (signal.SIGTERM, signal.SIGINT)),
        pytest.param(signal.SIGTERM, "local", marks=pytest.mark.long),
    ],
)
def test_ctrl_c_keeps_what_is_finished_and_the_next_run_goes_on(tmp_path, number, executor):
    """Exit 130 within a few seconds, a whole log, no process left, and the same command finishes."""
    bots = {"a": SLEEPY, "b": SLEEPY + "#\n", "c": FIRST}
    field.write(tmp_path, bots, variants=["blockade-5x5"], openings=2)
    command = ("run", "configs/cup.toml", "--no-audit", "--no-grades", "--executor", executor)
    going = field.started(*command, cwd=tmp_path)
    folder = tmp_path / "results" / "cup"
    before = field.wait_for_games(folder, 3)
    everyone = [going.pid, *field.workers(going.pid), *field.bots(going.pid)]
    going.send_signal(number)
    output, errors = going.communicate(timeout=10)
    assert (going.returncode, output) == (130, "")
    assert "the same command goes on from there" in errors
    assert gone_within(1, *everyone)
    after = set(field.rows(folder))
    assert set(before) <= after
    assert len(after) < 12
    assert field.arena("verify", "cup", cwd=tmp_path).returncode == 0
    assert field.arena(*command, cwd=tmp_path).returncode == 0
    assert len(field.rows(folder)) == 12
    assert after <= set(field.rows(folder))


@pytest.mark.alone
def test_ctrl_c_twice_stops_at_once(tmp_path):
    """Whoever is in a hurry need not wait for the games in hand, and finds tables all the same."""
    sleepy = "import time\ndef move(position):\n    time.sleep(1.5)\n    return position.legal_moves[0]\n"
    field.write(tmp_path, {"a": sleepy, "b": sleepy + "#\n"}, variants=["blockade-5x5"], openings=1)
    going = field.started("run", "configs/cup.toml", cwd=tmp_path)
    while not field.bots(going.pid):
        time.sleep(0.02)
    everyone = [going.pid, *field.workers(going.pid), *field.bots(going.pid)]
    going.send_signal(signal.SIGINT)
    time.sleep(0.3)
    begun = time.monotonic()
    going.send_signal(signal.SIGINT)
    _, errors = going.communicate(timeout=10)
    assert going.returncode == 130, errors
    assert time.monotonic() - begun < 5  # the games would take twenty
    assert gone_within(5, *everyone)
    assert (tmp_path / "results" / "cup" / "standings.csv").exists()


def test_a_bot_that_gives_no_answer_is_named_soon_and_holds_up_nobody(tmp_path):
    """One question is enough to know it; its lost games say what they have cost."""
    sleepy = "import time\ndef move(position):\n    time.sleep(30)\n"
    limits = "[limits]\nmove_seconds = 0.2\ngame_seconds = 0.5\n"
    bots = {"a": FIRST, "hang": FAILING["timeout"], "sleepy": sleepy}
    field.write(tmp_path, bots, limits=limits, variants=["blockade-line", "grid-lock"], openings=1)
    shown = field.arena("run", "configs/cup.toml", "--quiet", cwd=tmp_path)
    assert shown.returncode == 0
    assert "hang: timeout on blockade-line: ply " in shown.stderr
    assert "sleepy: timeout on blockade-line: ply " in shown.stderr
    cpu, wall = field.rows(
        tmp_path / "results" / "cup",
        "SELECT MIN(first_cpu_seconds), MIN(first_wall_seconds) FROM games WHERE first = 'hang' AND winner = 'a'",
    )[0]
    assert cpu > 0.19
    assert wall > 0.19


def test_a_digest_of_half_a_run_says_so(tmp_path):
    """Two runs that have not been played would otherwise look the same."""
    field.write(tmp_path, {"a": FIRST, "b": LAST}, **SMALL)
    play(tmp_path)
    shown = field.arena(
        "run", "configs/cup.toml", "--isolation", "trusted", "--again", "b", "--dry-run", cwd=tmp_path
    )
    assert "0 already played, 8 to play" in shown.stdout
    with closing(sqlite3.connect(tmp_path / "results" / "cup" / "games.sqlite")) as log:
        log.execute("DELETE FROM games WHERE variant = 'grid-lock'")
        log.commit()
    assert "4 of 8 games are still to be played" in field.arena("digest", "cup", cwd=tmp_path).stderr


def test_output_that_cannot_be_written_is_one_line(played):
    """A full disk is nobody's bug."""
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [ARENA, "leaderboard", "cup"],
            cwd=played,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "arena: the output cannot be written: the disk is full\n")


def test_two_runs_cannot_write_one_folder(tmp_path):
    """The second is told who has it, and changes nothing; readers may look all the time."""
    field.write(tmp_path, {"a": SLEEPY, "b": SLEEPY + "#\n"}, variants=["blockade-5x5"], openings=8)
    going = field.started("run", "configs/cup.toml", "--no-audit", "--no-grades", cwd=tmp_path)
    field.wait_for_games(tmp_path / "results" / "cup", 1)
    second = field.arena("run", "configs/cup.toml", cwd=tmp_path)
    assert second.returncode == 1
    assert f"another run (process {going.pid}) is writing here" in second.stderr
    assert field.arena("leaderboard", cwd=tmp_path).returncode == 0
    going.communicate(timeout=60)
    assert going.returncode == 0
    assert count(tmp_path) == 16


@pytest.mark.long
def test_what_is_changed_during_a_run_is_said_and_does_not_matter(tmp_path):
    """The config edited, a bot deleted, another edited: games are played with what was read at the start."""
    bots = {"a": SLEEPY, "b": SLEEPY + "#\n", "c": FIRST}
    config = field.write(tmp_path, bots, variants=["blockade-5x5"], openings=4)
    going = field.started("run", "configs/cup.toml", "--no-audit", "--no-grades", cwd=tmp_path)
    field.wait_for_games(tmp_path / "results" / "cup", 1)
    (tmp_path / "bots" / "a.py").unlink()
    (tmp_path / "bots" / "b.py").write_text("nonsense")
    config.write_text(config.read_text().replace("openings = 4", "openings = 5"))
    _, errors = going.communicate(timeout=60)
    assert going.returncode == 0
    for words in ("cup.toml was changed", "a was removed", "b was changed"):
        assert words in errors
    folder = tmp_path / "results" / "cup"
    assert field.rows(folder, "SELECT DISTINCT ending FROM games") == [("no-moves",)]
    assert count(tmp_path) == 24


def test_a_log_that_cannot_be_used_is_one_clear_line(tmp_path):
    """Of another version, cut off, no log at all: exit 1, nothing changed."""
    field.write(tmp_path, {"a": FIRST, "b": LAST}, **SMALL)
    play(tmp_path)
    log = tmp_path / "results" / "cup" / "games.sqlite"
    for beside in ("games.sqlite-wal", "games.sqlite-shm"):
        log.with_name(beside).unlink(missing_ok=True)
    good = log.read_bytes()
    newer = sqlite3.connect(log)
    newer.execute("PRAGMA user_version = 99")
    newer.commit()
    newer.close()
    for bytes_, words in (
        (log.read_bytes(), "was written by a newer arena"),
        (good[: len(good) // 2], "is damaged, perhaps cut off"),
        (b"not a database at all" * 100, "is not an arena log"),
    ):
        for beside in ("games.sqlite-wal", "games.sqlite-shm"):
            log.with_name(beside).unlink(missing_ok=True)
        log.write_bytes(bytes_)
        for command in (("run", "configs/cup.toml", "--isolation", "trusted"), ("leaderboard", "cup")):
            shown = field.arena(*command, cwd=tmp_path)
            assert (shown.returncode, shown.stdout, shown.stderr.count("\n")) == (1, "", 1)
            assert words in shown.stderr
        assert log.read_bytes() == bytes_


@pytest.mark.skipif(not shutil.which("unshare"), reason="needs unshare, to mount a small disk")
def test_a_full_disk_is_said_and_loses_nothing(tmp_path):
    """What was committed is still there, and once there is room the same command goes on."""
    # Slow ones, so that not all games come in one commit, which would not fit.
    bots = {name: f"{field.SLOW.format(seconds=0.0001)}# {name}\n" for name in "abcd"}
    field.write(tmp_path, bots, variants=["blockade-5x5"], openings=50, repeats=2)
    disk = tmp_path / "disk"
    disk.mkdir()
    script = (
        f"mount -t tmpfs -o size=500k tmpfs {disk} && "
        f"{ARENA} run configs/cup.toml --isolation trusted --quiet --no-grades --results {disk}; echo $? > code; "
        f"cp -r {disk}/cup copy"
    )
    held = subprocess.run(
        ["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "sh", "-c", script],
        cwd=tmp_path, capture_output=True, text=True, check=False, env=plain(),
    )  # fmt: skip
    if "unshare" in held.stderr or "mount:" in held.stderr:
        pytest.skip("namespaces are refused here")
    assert (tmp_path / "code").read_text() == "1\n"
    assert "the disk is full; every game written so far is kept" in held.stderr
    assert held.stderr.count("\n") == 1
    (tmp_path / "results").mkdir()
    (tmp_path / "copy").rename(tmp_path / "results" / "cup")
    before = count(tmp_path)
    assert before > 0
    assert field.arena("verify", "cup", cwd=tmp_path).returncode == 0
    words = ("--isolation", "trusted", "--quiet", "--no-grades")
    assert field.arena("run", "configs/cup.toml", *words, cwd=tmp_path).returncode == 0
    assert count(tmp_path) == 6 * 2 * 50 * 2


def test_one_bot_alone_is_no_tournament(tmp_path):
    """Said in a line, and no folder is made."""
    field.write(tmp_path, {"a": FIRST})
    shown = field.arena("run", "configs/cup.toml", cwd=tmp_path)
    assert shown.returncode == 1
    assert shown.stderr == "arena: cup.toml: a tournament needs two bots; it has only a\n"
    assert not (tmp_path / "results").exists()


def test_arena_run_in_python(tmp_path):
    """`arena.run` gives a Run with pandas frames; it writes the same files."""
    config = field.write(tmp_path, GOOD, **SMALL)
    done = arena.run(config, isolation="trusted", executor="serial")
    assert len(done.games()) == 48
    assert list(done.standings().columns) == STANDINGS.split(",")
    assert set(done.standings()["bot"]) == set(GOOD)
    assert (tmp_path / "results" / "cup" / "standings.csv").is_file()


def test_what_is_our_own_fault_is_void_written_down_and_exit_4(tmp_path, monkeypatch):
    """A game that is spoilt twice is no game; the run goes on, and the next one plays it."""
    import typer

    from arena.cli.answering import PlainFormat
    from arena.cli.run import _finish
    from arena.errors import Void
    from arena.executors import worker
    from arena.hosts.play import play_surely
    from arena.reports.showing import leaderboard

    config = field.write(tmp_path, {"a": FIRST, "b": LAST}, **SMALL)

    def spoiling(spec, first, second):
        if spec.variant.name == "grid-lock" and spec.opening_number == 1 and spec.first == "a":
            raise Void("the template has ended")
        return play_surely(spec, first, second)

    monkeypatch.setattr(worker, "play_surely", spoiling)
    monkeypatch.setattr(worker.Worker, "_together", lambda *_: {})  # games are played one by one
    done = arena.run(config, isolation="trusted", executor="serial")
    assert len(done.games()) == 7
    assert field.rows(done.folder, "SELECT first, second, reason FROM voids") == [
        ("a", "b", "the template has ended")
    ]
    assert "1 game is void, spoilt by arena itself: it does not count" in leaderboard(done)
    with pytest.raises(typer.Exit) as left:
        _finish(done, strict=False, quiet=True, format=PlainFormat.TABLE)
    assert left.value.exit_code == 4
    monkeypatch.undo()
    again = run(tmp_path)
    assert (again.returncode, "void" in again.stdout) == (0, False)
    assert count(tmp_path) == 8


def test_no_file_of_the_working_directory_is_run(tmp_path):
    """A class's files lie about, and one may be called json.py: nothing of it may run outside the sandbox."""
    field.write(tmp_path, {"a": FIRST, "b": LAST}, **SMALL)
    told = "open('ran', 'a').write(__name__)\nraise ImportError\n"
    for name in ("json", "random", "arena", "socket", "selectors", "multiprocess", "numpy", "pandas"):
        (tmp_path / f"{name}.py").write_text(told)
    done = field.started("run", "configs/cup.toml", "--quiet", cwd=tmp_path)
    _, errors = done.communicate(timeout=60)
    assert (done.returncode, (tmp_path / "ran").exists()) == (0, False), errors


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory):
    """A folder with a small tournament that was played."""
    folder = tmp_path_factory.mktemp("looked_at")
    field.write(folder, {"a": FIRST, "b": LAST}, **SMALL)
    assert run(folder).returncode == 0
    return folder


@pytest.mark.long
def test_without_a_report_none_is_written_and_none_is_named(looked_at):
    """Whoever plays a hundred seeds does not look at a hundred pages."""
    page = looked_at / "results" / "cup" / "report.html"
    page.unlink(missing_ok=True)
    done = field.arena("run", "configs/cup.toml", "--no-report", cwd=looked_at)
    assert done.stdout.endswith("results are in results/cup/\n")
    done = field.arena("run", "configs/cup.toml", "--no-report", "--format", "json", cwd=looked_at)
    assert json.loads(done.stdout)["report"] is None
    assert not page.exists()


def test_a_page_that_cannot_be_written_is_a_sentence(looked_at):
    """The tables are printed all the same, and the run is as good as it was."""
    page = looked_at / "results" / "cup" / "report.html"
    page.unlink(missing_ok=True)
    (page / "in the way").mkdir(parents=True)
    done = run(looked_at)
    assert done.returncode == 0
    assert "results are in results/cup/" in done.stdout
    assert "report.html was not written (Is a directory); `arena report cup` writes it" in done.stderr
    assert json.loads(run(looked_at, "--format", "json").stdout)["report"] is None
    shutil.rmtree(page)
    assert json.loads(run(looked_at, "--format", "json").stdout)["report"] == "results/cup/report.html"
    assert page.is_file()


def test_ctrl_c_goes_on_without_the_page(looked_at, monkeypatch):
    """The run is over: it keeps its exit code, and no half of a file is left."""
    from arena.pages import report

    def stop(*_, **__):
        raise KeyboardInterrupt

    before = set(os.listdir(looked_at / "results" / "cup"))
    monkeypatch.setattr(report, "render", stop)
    done = inside(
        "run", "configs/cup.toml", "--isolation", "trusted", "--executor", "serial", "--quiet", cwd=looked_at
    )
    assert (done.returncode, "results are in results/cup/" in done.stdout) == (0, True)
    assert "report.html was not written (stopped); `arena report cup` writes it" in done.stderr
    assert set(os.listdir(looked_at / "results" / "cup")) == before


ROOT = Path(__file__).parent.parent.parent


@pytest.mark.long
def test_the_sample_leaderboard_is_what_the_software_makes(tmp_path):
    """The digest in results/LEADERBOARD.md is that of a run of configs/round_robin.toml, and so is its table."""
    done = field.arena("run", ROOT / "configs" / "round_robin.toml", "--results", tmp_path, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    sample = (ROOT / "results" / "LEADERBOARD.md").read_text()
    digest = field.arena("digest", tmp_path / "round-robin", cwd=ROOT).stdout
    assert f"\n    {digest}" in sample
    table = (tmp_path / "round-robin" / "standings.md").read_text()
    assert _without_cpu(sample).startswith(_without_cpu(table))
    done = field.arena("report", tmp_path / "round-robin", "--svg", tmp_path / "charts", cwd=ROOT)
    assert done.returncode == 0, done.stderr
    for name in ("ratings", "ledger", "meetings"):  # `make sample` writes them anew
        drawn = (ROOT / "docs" / "pictures" / f"{name}.svg").read_text()
        assert (tmp_path / "charts" / f"{name}.svg").read_text() == drawn


def _without_cpu(markdown):
    return re.sub(r"[0-9.]+ \|$", "|", markdown, flags=re.M)


CONFIGS = sorted((ROOT / "configs").glob("*.toml"))
# The first is played for the sample leaderboard, and the second by a newcomer; the others take longer.
PATIENT = dict.fromkeys(
    ("round_robin", "quick", "class", "large", "ladder", "swiss"),
    (pytest.mark.long, pytest.mark.timeout(1800)),
)


def dry(config, results):
    return field.arena("run", config, "--dry-run", "--results", results, cwd=ROOT).stdout


@pytest.mark.parametrize("config", CONFIGS, ids=[config.stem for config in CONFIGS])
def test_every_config_of_the_repository_can_rank(config):
    """No variant of theirs is degenerate, but for the sample tournament's, which has all rule books."""
    found = [why_degenerate(variant) for variant in read_tournament(config).variants]
    assert any(found) == (config.stem == "round_robin")


@pytest.mark.parametrize(
    "config", [pytest.param(config, id=config.stem, marks=PATIENT.get(config.stem, ())) for config in CONFIGS]
)
def test_every_config_of_the_repository_can_be_run(config, tmp_path):
    """Each as it stands; how many games there are is what --dry-run has said, or more if rounds follow."""
    told = dry(config, tmp_path)
    games = int(re.findall(r": ([0-9,]+) games", told)[0].replace(",", ""))
    words = ("--results", tmp_path, "--isolation", "trusted", "--quiet", "--no-audit", "--no-grades")
    done = field.arena("run", config, *words, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    played = int(
        re.findall(r"^([0-9,]+) games, [0-9,]+ distinct, between", done.stdout, re.M)[0].replace(",", "")
    )
    assert played > games if "more rounds to come" in told else played == games
    assert "forfeited" not in done.stdout
