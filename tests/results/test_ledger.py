"""The ledger: every win has a source, to the last game, as a naive solver that shares nothing finds it."""

import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest

import arena
from arena.results.run import Run
from arena.standings.ledger import COLUMNS
from tests.results.test_grading import CLUMSY
from tests.tournament import field
from tests.tournament.field import CHANCE, FAILING, FIRST, LAST
from tests.tournament.small import change, just_play

ROOT = Path(__file__).parent.parent.parent
COUNTED = ["games", "wins", "won_starts", "held", "lost_starts", "taken", "gifts", "thrown", "unjudged"]


class Naive:
    """Who wins on one board, by trying every move and remembering positions. No rule is known to it."""

    def __init__(self, name):
        self.variant = arena.variant(name)
        self._found = {}

    def winner(self, position):
        mover = position.to_move
        return mover if self._wins(position.open[mover], position.open[1 - mover]) else 1 - mover

    def _wins(self, mine, yours):
        if (mine, yours) not in self._found:
            self._found[mine, yours] = any(
                not self._wins(yours & theirs, mine & own)
                for cell, (_, _, own, theirs) in self.variant.claims.items()
                if mine >> cell & 1
            )
        return self._found[mine, yours]

    def winners(self, cells, opening_plies):
        """Who wins with perfect play: after the opening, and after each move from there on."""
        position = self.variant.replay(cells[:opening_plies])
        found = [self.winner(position)]
        for cell in cells[opening_plies:]:
            position = position.play(cell)
            found.append(self.winner(position))
        return found


def naive_ledger(run):
    """Counts by variant and bot, and throws by bot, variant and ply, from the list of games alone."""
    counts, throws = Counter(), Counter()
    boards = {name: Naive(name) for name in run.variants}
    for game in run.games().itertuples():
        bots = (game.first, game.second)
        winner = bots.index(game.winner)
        cells = tuple(map(int, game.moves.split()))
        winners = [*boards[game.variant].winners(cells, game.opening_plies), winner]
        thrown = [0, 0]
        for ply, (before, after) in enumerate(pairwise(winners), game.opening_plies + 1):
            if before != after:
                thrown[before] += 1
                own = ply if ply % 2 != before else ply + 1  # the next that would be its own
                throws[bots[before], game.variant, own] += 1
        for side in (0, 1):
            is_won_start = winners[0] == side
            assert (winner == side) == is_won_start + thrown[1 - side] - thrown[side]
            for name, count in {
                "games": 1,
                "wins": winner == side,
                "won_starts" if is_won_start else "lost_starts": 1,
                "held" if is_won_start else "taken": winner == side,
                "gifts": thrown[1 - side],
                "thrown": thrown[side],
            }.items():
                counts[game.variant, bots[side], name] += int(count)
    return counts, throws


def check_ledger(run):
    """Hold a run's ledger, standings and files to the naive one."""
    counts, throws = naive_ledger(run)
    rated = [name for name in run.variants if name not in run.unrated]
    table = run.ledger()
    for row in table.to_dict("records"):
        parts = rated if row["variant"] == "all variants" else [row["variant"]]
        naive = {name: sum(counts[part, row["bot"], name] for part in parts) for name in COUNTED}
        for name in ("games", "wins", "won_starts", "lost_starts", "gifts", "thrown", "unjudged"):
            assert row[name] == naive[name], (row, name)
        for share, starts in (("held", "won_starts"), ("taken", "lost_starts")):
            expected = naive[share] / naive[starts] if naive[starts] else None
            assert row[share] == pytest.approx(expected) if expected is not None else pd.isna(row[share])
        assert row["wins"] == row["won_starts"] + row["gifts"] - row["thrown"]
    check_sums(run)
    found = run.throws().itertuples(index=False)
    assert {(row.bot, row.variant, row.ply): row.thrown for row in found} == throws
    return table


def check_sums(run):
    """Hold the ledger to itself, to the standings and to the files: these hold where little is solved, too."""
    table = run.ledger()
    assert table.columns.tolist() == COLUMNS
    assert (table["wins"] == table["won_starts"] + table["gifts"] - table["thrown"] + table["unjudged"]).all()
    each = run.evidence  # a bot on one side of one opening
    assert (each["wins"] == each["won_starts"] + each["gifts"] - each["thrown"] + each["unjudged"]).all()
    overall = table[table["variant"] == "all variants"].set_index("bot")
    standings = run.standings().set_index("bot").loc[overall.index]
    for name in ("games", "wins", "held", "taken", "gifts", "thrown"):
        assert (standings[name].fillna(-1) == overall[name].fillna(-1)).all()
    for part in table["variant"].unique():
        own = table[table["variant"] == part]
        assert own["gifts"].sum() == own["thrown"].sum()
        assert own["wins"].sum() * 2 == own["games"].sum()
    pd.testing.assert_frame_equal(pd.read_csv(run.folder / "ledger.csv"), table, check_dtype=False)
    throws = pd.read_csv(run.folder / "blunders.csv").groupby(["bot", "variant"])["thrown"].sum()
    by_variant = table[table["variant"] != "all variants"].set_index(["bot", "variant"])["thrown"]
    assert (throws == by_variant[by_variant > 0].sort_index()).all()


def test_it_adds_up_with_every_kind_of_forfeit(tmp_path):
    """In won positions and in lost ones, on a bot's own turn and before it has made a move."""
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE, "clumsy": CLUMSY}
    bots |= {name.replace("-", "_"): FAILING[name] for name in ("crash", "garbage", "no-start")}
    variants = ["blockade-line", "grid-block", "snort:hex-3x3", "grid-lock"]
    config = field.write(tmp_path, bots, variants=variants, openings=2, isolation="trusted")
    run = arena.run(config, executor="serial")
    table = check_ledger(run)
    assert set(run.games()["ending"]) >= {"no-moves", "illegal", "crash", "garbage", "no-start"}
    failed = table[(table["bot"] == "no_start") & (table["variant"] == "all variants")].iloc[0]
    assert failed["thrown"] >= failed["won_starts"] - failed["wins"] > 0


def shipped(name, folder, **changes):
    """Play a shipped tournament, with its bots, in another folder."""
    shutil.copytree(ROOT / "bots", folder / "bots", ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "configs" / f"{name}.toml").read_text()
    for key, value in changes.items():
        lines = text.splitlines()
        text = "\n".join(f"{key} = {value}" if line.startswith(f"{key} = ") else line for line in lines)
    (folder / "cup.toml").write_text(text)
    return arena.run(folder / "cup.toml", workers=2)


@pytest.mark.long
def test_it_adds_up_for_the_sample(tmp_path):
    """All five rule books, all starter bots, as shipped."""
    table = check_ledger(shipped("round_robin", tmp_path))
    perfect = table[(table["bot"] == "perfect") & (table["variant"] == "all variants")].iloc[0]
    assert (perfect["held"], perfect["thrown"]) == (1.0, 0)


@pytest.mark.long
def test_it_adds_up_for_the_large_tournament(tmp_path):
    """Other rules on other boards, as shipped."""
    check_ledger(shipped("large", tmp_path))


def test_it_adds_up_under_other_rules(tmp_path):
    """Each rule on a board of its own."""
    bots = {"first": FIRST, "chance": CHANCE}
    variants = ["snort:hex-4x4", "col:hex-4x4", "kayles:torus-4x4"]
    config = field.write(tmp_path, bots, variants=variants, openings=2, isolation="trusted")
    check_ledger(arena.run(config, executor="serial"))


@pytest.mark.long
def test_it_adds_up_where_little_is_solved(tmp_path):
    """What could not be judged has a column, and what could be is judged."""
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE}
    config = field.write(tmp_path, bots, variants=["kayles:hex-8x8"], openings=1, isolation="trusted")
    run = arena.run(config, executor="serial")
    table = run.ledger()
    check_sums(run)
    assert table["unjudged"].sum() > 0
    assert table["thrown"].sum() > 0
    known = (table["games"] - table["won_starts"] - table["lost_starts"]).ge(table["unjudged"])
    assert known.all()


def test_a_folder_without_games_has_an_empty_ledger(tmp_path):
    """Its columns are there all the same."""
    config = field.write(
        tmp_path, {"first": FIRST, "last": LAST}, variants=["grid-block"], openings=1, isolation="trusted"
    )
    run = just_play(config)
    change(run, "DELETE FROM games")
    assert Run(run.folder).ledger().columns.tolist() == COLUMNS
    assert Run(run.folder).ledger().empty
