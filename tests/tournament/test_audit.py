"""The audit: whoever carries something from game to game is found out, and nobody else is."""

import os
import random
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import arena
from arena.errors import StoreError
from arena.referee.row import GAME_COLUMNS, GameRow
from arena.reports.showing import notes
from arena.results.run import Run
from arena.runs import merge
from arena.tournament.audit import LEAST, sample, who_differs
from arena.tournament.watch import Watch
from tests.tournament import field
from tests.tournament.field import CHANCE, FIRST, GLOBALS, LAST

# Each counts its games where a new game does not reach, and plays otherwise from the fourth one on: the
# pre-flight does not see that.
SYS = """
import sys
games = sys.games = getattr(sys, "games", -1) + 1


def move(position):
    return position.legal_moves[-(games > 2)]
"""
MODULE = SYS.replace("import sys", "import string as sys")
IN_C = """
import ctypes
libc = ctypes.CDLL(None)
libc.setlogmask(libc.setlogmask(0) - 1)  # a number of libc's, 255 at first; 0 leaves it as it is


def move(position):
    return position.legal_moves[-(libc.setlogmask(0) < 252)]
"""
COMMAND = """
import json, sys
games = -1
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif said["type"] == "game":
        games += 1
    elif said["type"] == "move":
        move = said["legal"][-(games > 2)]
        print(json.dumps({"id": said["id"], "move": move}, separators=(",", ":")), flush=True)
"""
STARTERS = Path(__file__).parents[2] / "bots"
LEARNERS = {"sys": SYS, "module": MODULE, "in_c": IN_C}


@pytest.mark.parametrize("learner", [*LEARNERS, "command"])
def test_a_bot_that_carries_something_from_game_to_game_is_marked(tmp_path, learner):
    """In `sys`, in a module, in a library in C, in a program of its own; and nobody else is."""
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE, "globals": GLOBALS}
    config = field.write(tmp_path, bots, variants=["blockade-5x5", "snort:grid-6x6"], openings=5)
    if learner == "command":
        (tmp_path / "learner.txt").write_text(COMMAND)
        entry = '[[bots]]\nname = "learner"\ncommand = ["python3", "learner.txt"]\n'
        config.write_text(config.read_text() + entry)
    else:
        (tmp_path / "bots" / "learner.py").write_text(LEARNERS[learner])
    run = arena.run(config, workers=2)
    assert run.unrepeatable == ["learner"]
    audits = field.rows(run.folder, "SELECT game, bot, ply FROM audits")
    assert {bot for _, bot, _ in audits} == {"", "learner"}
    assert {game for game, *_ in audits} <= set(run.games()["game"])
    told = [line for line in notes(run) if line.startswith("learner: at ply ")]
    assert len(told) == 1
    assert any(game in told[0] for game, bot, _ in audits if bot)


def audited(run):
    return field.rows(run.folder, "SELECT game, run FROM audits ORDER BY rowid")


@pytest.fixture
def small(tmp_path):
    """A tournament of four games."""
    return field.write(tmp_path, {"first": FIRST, "last": LAST}, variants=["blockade-line"], openings=2)


def test_games_are_audited_once_and_only_where_that_is_asked_for(tmp_path, small):
    """`audit=False` leaves them due; a run with nothing to play audits them, the next one none again."""
    assert audited(arena.run(small, executor="serial", audit=False)) == []
    assert len(audited(arena.run(small, executor="serial"))) == 4
    assert len(audited(arena.run(small, executor="serial"))) == 4
    run = arena.run(small, executor="serial", isolation="trusted", results=tmp_path / "other")
    assert audited(run) == []
    assert arena.run(small, executor="serial", audit=False, results=tmp_path / "other").games().shape[0] == 4


def test_games_that_are_played_again_are_audited_again(small):
    """Their rows have the numbers of those that were set aside."""
    arena.run(small, executor="serial")
    run = arena.run(small, executor="serial", again=("first",))
    assert [number for _, number in audited(run)] == [1] * 4 + [2] * 4


def test_games_from_another_kind_of_machine_are_not_audited(small):
    """There numpy may compute otherwise; the next games here are due again."""
    run = arena.run(small, executor="serial", audit=False)
    change(run, "UPDATE runs SET numpy = '0.1'")
    assert audited(arena.run(small, executor="serial")) == []
    arena.run(small, executor="serial", again=("first",))
    assert len(audited(run)) == 4


def test_merged_games_are_not_audited(tmp_path, small):
    """They were played elsewhere."""
    theirs = arena.run(small, executor="serial", audit=False, results=tmp_path / "theirs")
    mine = arena.run(small, executor="serial", audit=False)
    change(mine, "DELETE FROM games")
    merge(mine, theirs)
    assert audited(arena.run(small, executor="serial")) == []


def test_the_audit_goes_on_after_ctrl_c(small):
    """What it found is kept, and the next run plays what is due."""
    watch = Impatient()
    with pytest.raises(KeyboardInterrupt):
        arena.run(small, executor="serial", watch=watch)
    run = Run(small.parents[1] / "results" / "cup")
    assert len(run.games()) == 4
    assert len(audited(run)) < 4
    arena.run(small, executor="serial")
    assert {game for game, _ in audited(run)} == set(run.games()["game"])


class Impatient(Watch):
    """Presses Ctrl-C when the audit begins."""

    def stand(self, words):
        if words.startswith("audit"):
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize(
    "lie",
    [
        "UPDATE audits SET bot = 'first', ply = 0",
        "UPDATE audits SET bot = 'first', ply = 'x'",
        "UPDATE audits SET bot = 'first', ply = 3, moves = x'ff'",
        "UPDATE audits SET bot = 'first', ply = 3, moves = '1; DROP'",
        "UPDATE audits SET bot = 'first', ply = 3, ending = '[31m'",
    ],
)
def test_audits_of_strangers_are_looked_at(small, lie):
    """What arena would not have written is a sentence; nobody is marked for what a row says."""
    run = arena.run(small, executor="serial")
    change(run, f"{lie}; UPDATE bots SET is_repeatable = 0")
    with pytest.raises(StoreError, match="its audits are not as arena writes them"):
        notes(Run(run.folder))


def test_plies_beyond_a_game_are_shown_as_what_ended_it(small):
    """Also in a folder that says of a game what was never played."""
    run = arena.run(small, executor="serial")
    change(run, "UPDATE audits SET bot = 'first', ply = 99; UPDATE bots SET is_repeatable = 0")
    assert any("forfeited" in line for line in notes(Run(run.folder)))


def change(run, script):
    with closing(sqlite3.connect(run.folder / "games.sqlite")) as database:
        database.executescript(script)


def row(first="a", second="b", moves="3 1 4 1", ending="no-moves", game="0" * 16):
    empty = dict.fromkeys(GAME_COLUMNS, "")
    named = {"first": first, "second": second, "moves": moves, "ending": ending, "game": game}
    return GameRow(**(empty | named))


@pytest.mark.parametrize(
    ("logged", "again", "expected"),
    [
        (row(), row(), None),
        (row(moves="3 1 4"), row(moves="3 1 5 2"), ("a", 3)),
        (row(moves="3 1 4"), row(moves="3 2 4"), ("b", 2)),
        (row(moves="3 1", ending="crash"), row(moves="3 1 4"), ("a", 3)),
        (row(moves="3 1 4"), row(moves="3 1", ending="illegal"), ("a", 3)),
        (row(moves="3 1", ending="timeout"), row(moves="3 1 4"), None),
        (row(moves="3 1 4"), row(moves="3", ending="memory"), None),
        (row(moves="3 1 4"), row(moves="", ending="no-start"), None),
    ],
)
def test_the_one_whose_move_differs_first_is_named(logged, again, expected):
    """In the same position; what a clock or a limit has ended proves nothing."""
    assert who_differs(logged, again) == expected


def test_of_every_bot_enough_games_are_drawn():
    """At least twenty, or one in a hundred, or all that it has."""
    chance = random.Random(1)
    names = [f"b{number}" for number in range(8)]
    games = [row(*chance.sample(names, 2), game=f"{number:016x}") for number in range(5_000)]
    games += [row("rare", "b1", game=f"{number:016x}") for number in range(5_000, 5_003)]
    counts = {bot: sum(bot in (g.first, g.second) for g in games) for bot in (*names, "rare")}
    drawn = list(sample(games, counts))
    for bot in names:
        assert sum(bot in (g.first, g.second) for g in drawn) >= max(LEAST, counts[bot] // 100)
    assert sum(g.first == "rare" for g in drawn) == 3
    assert len(drawn) < 200


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("runs", [1, pytest.param(50, marks=pytest.mark.long)])
def test_no_starter_bot_is_ever_marked(tmp_path, runs):
    """In so many runs, each with another seed."""
    variants = ["blockade-line", "grid-block", "snort:grid-3x4"]
    bots = {file.stem: file.read_text() for file in STARTERS.glob("*.py")}
    for seed in range(runs):
        folder = tmp_path / str(seed)
        run = arena.run(field.write(folder, bots, variants=variants, openings=1, seed=seed), workers=2)
        assert len(audited(run)) >= len(bots) * LEAST / 2
        assert run.unrepeatable == []
