"""The audit: whoever carries something from game to game is found out, and nobody else is."""

import os
import random
import signal
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.referee.row import GAME_COLUMNS, GameRow
from arena.reports.showing import notes
from arena.results.run import Run
from arena.runs import merge
from arena.tournament.audit import LEAST, Case, Verdict, compare, sample
from arena.tournament.watch import Watch
from tests.tournament import field
from tests.tournament.field import CHANCE, FAILING, FIRST, GLOBALS, LAST
from tests.tournament.small import copied, just_play

# Each counts its games where a new game does not reach, and plays otherwise from the seventh one on: the
# pre-flight does not see that.
SYS = """
import sys
games = sys.games = getattr(sys, "games", -1) + 1


def move(position):
    return position.legal_moves[-(games > 5)]
"""
MODULE = SYS.replace("import sys", "import string as sys")
IN_C = """
import ctypes
libc = ctypes.CDLL(None)
libc.setlogmask(libc.setlogmask(0) - 1)  # a number of libc's, 255 at first; 0 leaves it as it is


def move(position):
    return position.legal_moves[-(libc.setlogmask(0) < 249)]
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
        move = said["legal"][-(games > 5)]
        print(json.dumps({"id": said["id"], "move": move}, separators=(",", ":")), flush=True)
"""
STARTERS = Path(__file__).parents[2] / "bots"
LEARNERS = {"sys": SYS, "module": MODULE, "in_c": IN_C}


@pytest.mark.parametrize(
    "learner", ["sys", *(pytest.param(one, marks=pytest.mark.long) for one in ("in_c", "module", "command"))]
)
def test_a_bot_that_carries_something_from_game_to_game_is_marked(tmp_path, learner):
    """In `sys`, in a module, in a library in C, in a program of its own; and nobody else is."""
    bots = {"first": FIRST, "chance": CHANCE, "globals": GLOBALS}
    config = field.write(tmp_path, bots, variants=["blockade-5x5"], openings=4)
    if learner == "command":
        (tmp_path / "learner.txt").write_text(COMMAND)
        entry = '[[bots]]\nname = "learner"\ncommand = ["python3", "learner.txt"]\n'
        config.write_text(config.read_text() + entry)
    else:
        (tmp_path / "bots" / "learner.py").write_text(LEARNERS[learner])
    run = just_play(config)
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
    assert audited(just_play(small, audit=False)) == []
    assert len(audited(just_play(small))) == 8
    assert len(audited(just_play(small))) == 8
    run = just_play(small, isolation="trusted", results=tmp_path / "other")
    assert audited(run) == []
    assert just_play(small, audit=False, results=tmp_path / "other").games().shape[0] == 4


def test_games_that_are_played_again_are_audited_again(small):
    """Their rows have the numbers of those that were set aside."""
    just_play(small)
    run = just_play(small, again=("first",))
    assert [number for _, number in audited(run)] == [1] * 8 + [2] * 8


@pytest.mark.long
def test_games_from_another_kind_of_machine_are_not_audited(small):
    """There numpy may compute otherwise; the next games here are due again."""
    run = just_play(small, audit=False)
    change(run, "UPDATE runs SET numpy = '0.1'")
    assert audited(just_play(small)) == []
    just_play(small, again=("first",))
    assert len(audited(run)) == 8


@pytest.mark.long
def test_merged_games_are_not_audited(tmp_path, small):
    """They were played elsewhere."""
    theirs = just_play(small, audit=False, results=tmp_path / "theirs")
    mine = just_play(small, audit=False)
    change(mine, "DELETE FROM games")
    merge(mine, theirs)
    assert audited(just_play(small)) == []


def test_the_audit_goes_on_after_ctrl_c(small):
    """What it found is kept, and the next run plays what is due."""
    watch = Impatient()
    with pytest.raises(KeyboardInterrupt):
        just_play(small, watch=watch)
    run = Run(small.parents[1] / "results" / "cup")
    assert len(run.games()) == 4
    assert len(audited(run)) < 8
    just_play(small)
    assert {game for game, _ in audited(run)} == set(run.games()["game"])


class Impatient(Watch):
    """Presses Ctrl-C when the audit begins."""

    def stand(self, words):
        if words.startswith("audit"):
            os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    """Those four games, played and audited."""
    bots = {"first": FIRST, "last": LAST}
    folder = tmp_path_factory.mktemp("four")
    return just_play(field.write(folder, bots, variants=["blockade-line"], openings=2))


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
def test_audits_of_strangers_are_looked_at(four, tmp_path, lie):
    """What arena would not have written is a sentence; nobody is marked for what a row says."""
    run = copied(four, tmp_path / "copy")
    change(run, f"{lie}; UPDATE bots SET is_repeatable = 0")
    with pytest.raises(StoreError, match="its audits are not as arena writes them"):
        notes(Run(run.folder))


def test_plies_beyond_a_game_are_shown_as_what_ended_it(four, tmp_path):
    """Also in a folder that says of a game what was never played."""
    run = copied(four, tmp_path / "copy")
    change(run, "UPDATE audits SET bot = 'first', ply = 99; UPDATE bots SET is_repeatable = 0")
    assert any("forfeited" in line for line in notes(Run(run.folder)))


def change(run, script):
    with closing(sqlite3.connect(run.folder / "games.sqlite")) as database:
        database.executescript(script)


def row(first="a", second="b", *, moves="3 1 4 1", ending="no-moves", game="0" * 16, winner="a"):
    empty = dict.fromkeys(GAME_COLUMNS, "")
    named = {
        "first": first,
        "second": second,
        "moves": moves,
        "ending": ending,
        "game": game,
        "winner": winner,
    }
    counted = {"opening_plies": 0, "plies": len(moves.split())}
    return GameRow(**(empty | named | counted))


SAME, DIFFERS, UNPROVEN = Verdict


@pytest.mark.parametrize(
    ("logged", "again", "expected"),
    [
        (row(), row(), (SAME, 0)),
        (row(moves="3 1 4 2"), row(moves="3 1 5 2"), (DIFFERS, 3)),
        (row(moves="3 1 4 2"), row(moves="3 1 5", ending="memory"), (DIFFERS, 3)),
        (row(moves="3 1 4", ending="timeout"), row(moves="3 1 5"), (DIFFERS, 3)),
        (row(moves="3 1", ending="crash", winner="b"), row(moves="3 1 4"), (DIFFERS, 3)),
        (
            row(moves="3 1", ending="crash", winner="b"),
            row(moves="3 1", ending="crash", winner="b"),
            (SAME, 0),
        ),
        (row(moves="3 1 4"), row(moves="3 1", ending="illegal", winner="b"), (DIFFERS, 3)),
        (row(moves="3 1", ending="crash", winner="a"), row(moves="3 1"), (SAME, 0)),  # the opponent's own
        (row(moves="3 1", ending="timeout", winner="b"), row(moves="3 1 4"), (UNPROVEN, 0)),
        (row(moves="3 1 4"), row(moves="3", ending="memory", winner="b"), (UNPROVEN, 0)),
        (row(moves="3 1 4"), row(moves="", ending="no-start", winner="b"), (UNPROVEN, 0)),
    ],
)
def test_a_move_that_differs_in_the_same_position_differs_whatever_came_later(logged, again, expected):
    """Where none does, what a clock or a limit has cut short proves nothing; bot a was asked again."""
    assert compare(Case(logged, "a"), again) == expected


def test_of_every_bot_enough_games_are_drawn():
    """At least twenty, or one in a hundred, or all that it has."""
    chance = random.Random(1)
    names = [f"b{number}" for number in range(8)]
    games = [row(*chance.sample(names, 2), game=f"{number:016x}") for number in range(5_000)]
    games += [row("rare", "b1", game=f"{number:016x}") for number in range(5_000, 5_003)]
    counts = {bot: sum(bot in (g.first, g.second) for g in games) for bot in (*names, "rare")}
    drawn = Counter(case.bot for case in sample(games, counts))
    assert drawn == {bot: min(count, max(LEAST, -(-count // 100))) for bot, count in counts.items()}


# Learns, and raises MemoryError where it is asked in a process that has played nothing yet.
GHOST = (
    SYS
    + """

play = move


def move(position):
    if games == 0:
        raise MemoryError
    return play(position)
"""
)
CLOCKED = "def move(position, clock):\n    return position.legal_moves[0]\n"


def test_who_only_meets_bots_that_are_marked_is_audited_too(tmp_path):
    """The opponent's moves come from the log: whatever it would play now proves nothing for or against anybody."""
    bots = {"clocked": CLOCKED, "learner": SYS}
    run = just_play(field.write(tmp_path, bots, variants=["blockade-5x5"], openings=12))
    assert run.unrepeatable == ["clocked", "learner"]


def test_games_that_prove_nothing_are_said(tmp_path, monkeypatch):
    """Another game is drawn for each; who makes most of them prove nothing is named, and not marked."""
    bots = {"ghost": GHOST, "last": LAST}
    watch, said = Watch(), []
    monkeypatch.setattr(watch, "say", said.append)
    config = field.write(tmp_path, bots, variants=["blockade-5x5"], openings=30)
    run = just_play(config, watch)
    unproven = field.rows(run.folder, "SELECT COUNT(*) FROM audits WHERE ply = -1")[0][0]
    assert unproven > LEAST
    assert any(line.startswith("ghost: ") and "prove nothing" in line for line in said)
    assert "last" not in run.unrepeatable


def test_games_that_somebody_forfeited_at_once_are_audited_too(tmp_path, monkeypatch):
    """A bot that was asked nothing there is not asked again, and no script runs out."""
    failing = {"crash": FAILING["crash"], "no_start": FAILING["no-start"], "illegal": FAILING["illegal"]}
    some_start = "import sys\nif sys.__dict__.setdefault('games', []).append(1) or len(sys.games) < 3:\n"
    failing["rarely"] = f"{some_start}    raise RuntimeError\n{FIRST}"
    bots = {"first": FIRST, "last": LAST} | failing
    watch, said = Watch(), []
    monkeypatch.setattr(watch, "say", said.append)
    run = just_play(field.write(tmp_path, bots, variants=["blockade-line"], openings=2), watch)
    with run.log() as log:
        assert log.voids == 0
    assert {"first", "last", "crash", "illegal"}.isdisjoint(run.unrepeatable)
    assert not any("void" in line for line in said)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("runs", [1, pytest.param(50, marks=pytest.mark.long)])
@pytest.mark.long
def test_no_starter_bot_is_ever_marked(tmp_path, runs):
    """In so many runs, each with another seed."""
    variants = ["grid-block", "snort:grid-3x4"]
    bots = {file.stem: file.read_text() for file in STARTERS.glob("*.py")}
    for seed in range(runs):
        folder = tmp_path / str(seed)
        config = field.write(folder, bots, variants=variants, openings=1, seed=seed)
        run = just_play(config, executor="local", workers=2)
        assert len(audited(run)) >= len(bots) * LEAST / 2
        assert run.unrepeatable == []
