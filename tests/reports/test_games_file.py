"""games.csv is written by another process while tables are made: the same file, whoever writes it."""

import os

import pytest

import arena
from arena.reports import games_file
from arena.reports.showing import write_tables
from tests.tournament import field
from tests.tournament.field import CHANCE, FIRST, LAST


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run of a few games, on a board that is graded."""
    folder = tmp_path_factory.mktemp("games-file")
    bots = {"chance": CHANCE, "first": FIRST, "last": LAST}
    config = field.write(folder, bots, variants=["grid-block", "kayles:line-40"], openings=3)
    return arena.run(config, executor="serial", audit=False)


def write_anew(run):
    """Write the tables of a run and return its games as bytes."""
    (run.folder / "games.csv").unlink()
    write_tables(run)
    return (run.folder / "games.csv").read_bytes()


@pytest.mark.long
def test_another_process_writes_the_same_file(played, monkeypatch):
    here = write_anew(played)
    monkeypatch.setattr(games_file, "FEW", 0)
    monkeypatch.setattr(games_file, "own_cores", lambda: [0, 1])
    monkeypatch.setattr(games_file, "write_all_games", None)  # in this process nobody writes it
    assert write_anew(played) == here
    assert b",thrown_away\n" in here


def test_a_lost_process_costs_only_time(played, monkeypatch):
    here = write_anew(played)
    monkeypatch.setattr(games_file, "FEW", 0)
    monkeypatch.setattr(games_file, "own_cores", lambda: [0, 1])
    monkeypatch.setattr(games_file, "_write_elsewhere", os.kill)  # which fails, having been told no process
    assert write_anew(played) == here


def test_a_reader_of_the_games_holds_nobody_up(played, monkeypatch):
    """They are read a few at a time, in the order of the plan, and nobody waits for who is slow between."""
    monkeypatch.setattr("arena.log.cache._OF_ARENA", "a cache that knows nothing yet")
    games = played.graded_games()
    first = next(games)
    run = arena.Run(played.folder)
    run.standings()  # writes to the cache
    assert [first[0].game, *(row.game for row, _ in games)] == run.games()["game"].tolist()
