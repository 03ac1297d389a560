"""Grading a run: accuracy as the contract defines it, once for each game, and never from a stale cache."""

import shutil
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import arena
from arena.log.cache import CACHE
from arena.reports.showing import leaderboard
from arena.results import graders
from arena.results.grading import read_evidence
from arena.results.run import Run
from tests.tournament import field
from tests.tournament.small import change, just_play

BOTS = Path(__file__).parent.parent.parent / "bots"
STARTERS = ["perfect", "alpha_beta", "monte_carlo", "greedy", "mirror", "random_mover", "first_legal"]
# Loses by a forfeit now and then, in won and in lost positions alike.
CLUMSY = (
    "def move(position):\n    if len(position.history) > 3 and sum(position.history) % 3 == 0:\n        return 999\n"
    "    return position.legal_moves[len(position.history) % len(position.legal_moves)]\n"
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A finished tournament of four bots, one of which forfeits."""
    folder = tmp_path_factory.mktemp("graded")
    config = field.write(
        folder,
        {"first": field.FIRST, "chance": field.CHANCE, "last": field.LAST, "clumsy": CLUMSY},
        variants=["blockade-line", "grid-block", "snort:hex-3x3", "grid-lock"],
        openings=4,
        isolation="trusted",
    )
    return arena.run(config, executor="serial")


@cache
def wins(position):
    return any(not wins(position.play(cell)) for cell in position.legal_moves)


def was_asked(game):
    """Whether the loser forfeited where it was to move; one that did not start may not have been."""
    loser = 1 if game.winner == game.first else 0
    is_to_move = len(game.moves.split()) % 2 == loser
    return game.ending != "no-moves" and (game.ending != "no-start" or is_to_move)


def test_who_does_not_start_throws_away_what_was_won(tmp_path):
    """It is no better than a crash at the first move: a class's boss gives it a verdict."""
    bots = {"broken": "raise SystemExit\n", "first": field.FIRST, "last": field.LAST}
    config = field.write(tmp_path, bots, variants=["blockade-line"], openings=4, isolation="trusted")
    run = arena.run(config, executor="serial")
    row = run.standings().set_index("bot").loc["broken"]
    assert row["graded"] > 0
    assert row["accuracy"] == 0
    sums = run.evidence.groupby(["variant", "bot", "side"])[["kept", "graded"]].sum()
    found = {key: tuple(counts) for key, counts in zip(sums.index, sums.to_numpy().tolist(), strict=True)}
    assert {key: counts for key, counts in found.items() if counts[1]} == naive_counts(run)


def naive_counts(run):
    """Kept and graded by bot, variant and side, straight from the contract's sentence."""
    found = {}
    for game in run.games().itertuples():
        chosen = arena.variant(game.variant)
        cells = tuple(map(int, game.moves.split()))
        moves = [
            *cells[game.opening_plies :],
            *([None] if was_asked(game) else []),
        ]
        for ply, move in enumerate(moves, game.opening_plies):
            position = chosen.replay(cells[:ply])
            keeps = {cell: not wins(position.play(cell)) for cell in position.legal_moves}
            if any(keeps.values()) and not all(keeps.values()):
                bot, side = ((game.first, "first"), (game.second, "second"))[ply % 2]
                count = found.setdefault((game.variant, bot, side), [0, 0])
                count[0] += move is not None and keeps[move]
                count[1] += 1
    return {key: tuple(count) for key, count in found.items()}


def test_accuracy_is_what_the_contract_says(whole):
    """Of the moves made in won positions where a move could lose, the share that kept the win."""
    expected = naive_counts(whole)
    sums = whole.evidence.groupby(["variant", "bot", "side"])[["kept", "graded"]].sum()
    rows = zip(sums.index, sums.to_numpy().tolist(), strict=True)
    assert {key: tuple(counts) for key, counts in rows if counts[1]} == expected
    table = whole.standings().set_index("bot")
    for bot in ("first", "chance", "last", "clumsy"):
        kept, graded = (sum(c[n] for (_, b, _), c in expected.items() if b == bot) for n in (0, 1))
        assert table.loc[bot, "graded"] == graded
        assert table.loc[bot, "accuracy"] == pytest.approx(kept / graded)
    by_variant = whole.standings("variant").set_index(["variant", "bot"])
    assert by_variant.loc["grid-lock"]["accuracy"].isna().all()


def test_a_forfeit_in_a_won_position_is_thrown_away(whole):
    """It counts against accuracy, and the game's ply says so."""
    games = whole.games(is_graded=True)
    forfeits = games[games["ending"] == "illegal"]
    assert len(forfeits)
    seen = set()
    for game in forfeits.itertuples():
        position = arena.variant(game.variant).replay(map(int, game.moves.split()))
        if wins(position):
            assert game.thrown_away == game.plies + 1
            seen.add(game.variant)
    assert seen


def test_the_list_of_games_beside_the_log_has_the_ply_too(whole):
    """What `arena games` says of a game, a spreadsheet says as well; nobody has to type a command."""
    listed = pd.read_csv(whole.folder / "games.csv").set_index("game")["thrown_away"].astype("Int64")
    assert listed.equals(whole.games(is_graded=True).set_index("game")["thrown_away"])
    assert 0 < listed.notna().sum() < len(listed)


def test_the_ply_where_a_game_was_thrown_away_is_in_the_games(whole):
    """Before that ply its loser was winning, and after it not any more."""
    games = whole.games(is_graded=True)
    ended = games[(games["ending"] == "no-moves") & games["thrown_away"].notna()]
    assert len(ended) > 10
    for game in ended.itertuples():
        cells = tuple(map(int, game.moves.split()))
        chosen = arena.variant(game.variant)
        loser = 0 if game.winner == game.second else 1
        assert (game.thrown_away - 1) % 2 == loser
        assert wins(chosen.replay(cells[: game.thrown_away - 1]))
        assert wins(chosen.replay(cells[: game.thrown_away]))


def test_a_game_is_graded_once(whole, tmp_path, monkeypatch):
    """Only what is new or was changed is graded again, and games that went alike are graded as one."""
    run = copied(whole, tmp_path / "copy")
    shown = leaderboard(Run(run))
    graded = []
    honest = graders._grade
    monkeypatch.setattr(graders, "PATIENCE_SECONDS", 60)  # all in this process
    monkeypatch.setattr(
        graders,
        "_grade",
        lambda grader, alike, path: graded.append(alike.game) or honest(grader, alike, path),
    )
    assert leaderboard(Run(run)) == shown
    assert graded == []
    changed = Run(run).games().iloc[0]
    change(
        Run(run),
        "UPDATE games SET ending = 'timeout', winner = ? WHERE game = ?",
        changed.winner,
        changed.game,
    )
    leaderboard(Run(run))
    assert graded == [changed.game]
    (run / CACHE).unlink()
    change(Run(run), "UPDATE games SET ending = ? WHERE game = ?", changed.ending, changed.game)
    assert leaderboard(Run(run)) == shown
    games = whole.games()
    games["by_first"] = games["winner"] == games["first"]
    alike = games.drop_duplicates(["variant", "moves", "opening_plies", "ending", "by_first"])
    assert len(graded) == 1 + len(alike) < len(games)


def test_a_folder_with_a_damaged_cache_is_graded_all_the_same(whole, tmp_path):
    """It is only a cache."""
    run = copied(whole, tmp_path / "copy")
    (run / CACHE).write_bytes(b"nonsense" * 500)
    assert leaderboard(Run(run)) == leaderboard(whole)


def test_grades_that_somebody_else_has_written_are_removed_whenever_that_was(whole, tmp_path):
    """A process that has looked at all signatures looks again when another one has written."""
    run = copied(whole, tmp_path / "copy")
    evidence = read_evidence(run)
    with closing(sqlite3.connect(run / CACHE)) as database, database:
        database.execute("UPDATE grades SET first_thrown = first_thrown + 7, first_kept = 0")
    assert read_evidence(run) == evidence


def copied(run, folder):
    shutil.copytree(run.folder, folder)
    with closing(sqlite3.connect(folder / "games.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


@pytest.fixture(scope="module")
def starters(tmp_path_factory):
    """Every starter bot against every other on all five rule books."""
    folder = tmp_path_factory.mktemp("starters")
    bots = {name: (BOTS / f"{name}.py").read_text() for name in STARTERS}
    return just_play(field.write(folder, bots, openings=4), executor="local", audit=False)


@pytest.mark.long
def test_perfect_never_loses_a_won_position(starters):
    """Over all openings, both sides and every opponent its accuracy is exactly 1, within the ordinary limits."""
    table = starters.standings().set_index("bot")
    assert table.loc["perfect", "accuracy"] == 1.0
    assert table.loc["perfect", "graded"] > 100
    assert table.loc["perfect", "forfeits"] == 0
    assert table["accuracy"].drop(["perfect", "alpha_beta"]).max() < 1.0
    assert table["score"].idxmax() == "perfect"
    games = starters.games(bot="perfect", is_graded=True)
    lost = games[games["winner"] != "perfect"]
    assert lost["thrown_away"].isna().all()


def test_every_starter_bot_is_in_the_test_above():
    """A new one must be held to it."""
    assert {file.stem for file in BOTS.glob("*.py")} == set(STARTERS)


@pytest.mark.long
def test_openings_are_balanced_by_proof(starters):
    """Of the openings of a variant half are won for the side to move, and half are lost, where there are both."""
    with starters.log() as log:
        rows = log.rows("SELECT variant, cells, is_won FROM openings ORDER BY variant, opening")
    for name in dict.fromkeys(variant for variant, _, _ in rows):
        verdicts = [bool(is_won) for variant, _, is_won in rows if variant == name]
        assert verdicts == [True, False] * 2
        for variant, cells, is_won in rows:
            if variant == name and name != "blockade-5x5":
                position = arena.variant(name).replay(map(int, cells.split()))
                assert wins(position) == bool(is_won)
