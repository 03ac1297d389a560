"""`[limits] solver = false` in a tournament: who has the solver is part of every game's id, and is said."""

import pytest

import arena
from arena.bots.starters import starter_bots
from arena.config.reading import read_tournament
from arena.errors import FileMistakes
from arena.inside.without_solver import REFUSAL
from arena.plan.outlook import make_plan
from arena.results.verify import mistakes
from arena.tournament.rerun import rerun
from arena.tournament.watch import Watch
from tests.tournament.field import FIRST, LAST, rows

PERFECT = "import arena\n\n\ndef move(position):\n    return (arena.solve(position).winning_moves or position.legal_moves)[0]\n"
CUP = """[tournament]
variants = ["kayles:line-7"]
openings = 2
isolation = "trusted"
{limits}
[[bots]]
path = "bots/*"
exclude = ["boss"]
[[bots]]
path = "bots/boss.py"
{boss}
"""
WITHOUT = "[limits]\nsolver = false"


class Listening(Watch):
    """Keeps what a run says."""

    def __init__(self):
        self.said = []

    def say(self, line):
        self.said.append(line)


@pytest.fixture
def write(tmp_path):
    """A function that writes the tournament file, with a few bots, and returns it."""
    (tmp_path / "bots").mkdir()
    for name, text in {"boss": PERFECT, "first": FIRST, "cheat": PERFECT + "# mine\n"}.items():
        (tmp_path / "bots" / f"{name}.py").write_text(text)

    def make(limits=WITHOUT, boss="solver = true"):
        (tmp_path / "cup.toml").write_text(CUP.format(limits=limits, boss=boss))
        return tmp_path / "cup.toml"

    return make


def ids(config):
    """The ids of the planned games by who plays them."""
    games = make_plan(read_tournament(config), None).games()
    return {(game.game, game.first, game.second, game.opening) for game in games}


def test_who_asks_the_solver_fails_with_a_sentence_and_the_boss_keeps_it(write):
    """The pre-flight says it, every game of the cheat is a forfeit, and the boss plays; the log holds all of it."""
    watch = Listening()
    run = arena.run(write(), executor="serial", watch=watch)
    assert f"cheat: crash on kayles:line-7: ply 1: raised ImportError: {REFUSAL}" in watch.said
    forfeits = rows(run.folder, "SELECT DISTINCT winner, detail FROM games WHERE ending = 'crash'")
    assert {winner for winner, _ in forfeits} == {"boss", "first"}
    assert all(REFUSAL in detail for _, detail in forfeits)
    assert rows(run.folder, "SELECT COUNT(*) FROM games WHERE ending = 'crash' AND winner = 'cheat'") == [
        (0,)
    ]
    with run.log() as log:
        assert list(mistakes(log)) == []
    against = "first = 'boss' AND second = 'first'"
    ((game,),) = rows(run.folder, f"SELECT game FROM games WHERE {against} AND opening = 0")
    assert rerun(run, game, "trusted", lambda line: None).is_same
    assert arena.run(write(), executor="serial").games().equals(run.games())


def test_ids_are_as_before_where_the_solver_is_free(write):
    """`solver = true` is left out of them, in [limits] and in [[bots]]."""
    as_before = ids(write("", ""))
    assert ids(write("[limits]\nsolver = true", "")) == ids(write("", "solver = true")) == as_before


def test_ids_say_who_has_the_solver(write):
    """Taking it away makes other games of all; giving it back to one, of the games of that one alone."""
    free, none, boss = ids(write("", "")), ids(write(boss="")), ids(write())
    assert not free & none
    assert all("boss" in game for game in none ^ boss)
    assert not any("boss" in game for game in none & boss)


def test_games_of_an_earlier_plan_with_another_keeper_verify(write):
    """What was played while the boss kept the solver stays right after it was taken away."""
    arena.run(write(), executor="serial")
    run = arena.run(write(boss=""), executor="serial")
    assert len(rows(run.folder)) > len(run.games())
    with run.log() as log:
        assert list(mistakes(log)) == []


def test_a_boss_that_has_left_keeps_its_solver_in_its_rounds(write, tmp_path):
    """Rounds are frozen: without the boss in the file, its games are still those that were played."""
    config = write()
    text = config.read_text().replace("openings = 2", 'openings = 2\nformat = "swiss"\nrounds = 1')
    (tmp_path / "bots" / "last.py").write_text(LAST)
    config.write_text(text)
    run = arena.run(config, executor="serial")
    before = {game for (game,) in rows(run.folder, "SELECT game FROM plan")}
    config.write_text(text.partition('[[bots]]\npath = "bots/boss.py"')[0])
    again = arena.run(config, executor="serial")
    assert {game for (game,) in rows(again.folder, "SELECT game FROM plan")} == before
    assert len(rows(again.folder)) == len(before)


def test_a_starter_bot_that_needs_it_is_named_with_the_remedy(write, tmp_path):
    """By its files, whatever it is called; not where it keeps the solver."""
    (tmp_path / "bots" / "boss.py").write_bytes(starter_bots()["perfect"].read_bytes())
    (told,) = read_tournament(write(boss="")).notices
    assert told.startswith("boss asks arena.solver, which [limits] takes away, and will not start; ")
    assert "solver = true" in told
    assert read_tournament(write()).notices == read_tournament(write("", "")).notices == ()


def test_wrong_values_are_mistakes(write):
    """A bot cannot be denied what others have, and a word is not true or false."""
    with pytest.raises(FileMistakes) as refusal:
        read_tournament(write('[limits]\nsolver = "no"', "solver = false"))
    lines = [line.partition("cup.toml:")[2] for line in refusal.value.mistakes]
    assert lines == [
        "6: limits.solver: must be true or false",
        "12: bots[1].solver: can only be true here, which lets this bot keep it; [limits] has solver = false",
    ]
