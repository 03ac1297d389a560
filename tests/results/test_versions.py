"""The versions of a bot: each is rated as if it took part beside the others."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from arena.errors import StoreError
from arena.reports.bot import explain_versions, show_bot
from arena.results import versions
from arena.results.rating import rate_field
from arena.results.run import Run
from arena.results.versions import read_versions
from arena.standings.ratings import rate
from tests.tournament.field import CHANCE, FIRST, GLOBALS, LAST
from tests.tournament.small import change, play_games

GREEDY = "def move(position):\n    return min(position.legal_moves, key=lambda cell: len(position.play(cell).legal_moves))\n"
MIDDLE = "def move(position):\n    return position.legal_moves[len(position.legal_moves) // 2]\n"
OTHERS = {"first": FIRST, "last": LAST, "middle": MIDDLE}
SETTINGS = {"variants": ["snort:line-9", "snort:line-8"], "openings": 6}
OLD, NEW = FIRST.replace("[0]", "[-1]") + "# v1\n", GREEDY


def read(run: Run) -> dict[str, list[Any]]:
    """The versions by bot; numbers that are None in one test are numbers in another."""
    return dict(read_versions(run))


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    """A run in which `own` was edited once."""
    folder = tmp_path_factory.mktemp("edited")
    play_games(folder, OTHERS | {"own": OLD}, **SETTINGS)
    return play_games(folder, OTHERS | {"own": NEW}, **SETTINGS)


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """A run in which both versions take part, as two bots; all of them always play alike."""
    folder = tmp_path_factory.mktemp("beside")
    return play_games(folder, OTHERS | {"old": OLD, "own": NEW}, **SETTINGS)


def test_versions_are_rated_as_if_they_took_part_side_by_side(edited, beside):
    """But for the games against each other, which nobody played, it is the same fit to the last digit."""
    both = ["old", "own"]
    results = beside.results()
    apart = results[~(results["first"].isin(both) & results["second"].isin(both))]
    ratings = rate_field(apart, ["own", *OTHERS])["own"], rate(apart).table.set_index("bot").loc["old"]
    old, new = read(edited)["own"]
    assert [new.rating, new.low, new.high] == pytest.approx(
        list(edited.standings().set_index("bot").loc["own"][["rating", "low", "high"]])
    )
    assert new.rating - old.rating == pytest.approx(
        rate(apart).table.set_index("bot").loc["own"]["rating"] - ratings[1]["rating"], abs=0.03
    )
    assert old.high - old.low == pytest.approx(ratings[1]["high"] - ratings[1]["low"], abs=0.03)
    assert new.over_before == pytest.approx(rate(apart).superiority("own", "old"), abs=1e-3)


def test_games_against_each_other_change_no_more_than_the_intervals_allow(edited, beside):
    """The difference of two versions is that of two bots side by side, within half an interval."""
    old, new = read(edited)["own"]
    table = beside.standings().set_index("bot")
    apart, side_by_side = new.rating - old.rating, table.loc["own"]["rating"] - table.loc["old"]["rating"]
    assert abs(apart - side_by_side) < (old.high - old.low) / 2


def test_a_version_tells_when_it_came_and_how_it_did(edited):
    """The old one first; games and score are those that the log has of it."""
    old, new = read(edited)["own"]
    with edited.log() as log:
        counted = log.rows(
            "SELECT COUNT(*), SUM(winner = 'own') FROM games WHERE (first = 'own' AND first_version = ?1) "
            "OR (second = 'own' AND second_version = ?1)",
            old.version,
        )
        times = [at for (at,) in log.rows("SELECT started_at FROM runs ORDER BY run")]
    assert (old.games, old.wins) == counted[0] != (0, 0)
    assert (old.is_current, new.is_current, old.left_out, old.over_before) == (False, True, 0, None)
    assert [old.since, new.since] == times
    assert old.score == old.wins / old.games
    assert old.score_low < old.score < old.score_high
    assert new.version == edited.bots.set_index("bot").loc["own"]["version"]
    assert set(read(edited)) == {"own"}, "nobody else was edited"


def test_an_opponent_that_was_edited_meanwhile_is_another_bot(tmp_path):
    """So games against it still count, and the order of edits is kept; an old version may come back."""
    play_games(tmp_path, OTHERS | {"own": OLD}, **SETTINGS)
    play_games(tmp_path, OTHERS | {"own": NEW, "first": FIRST + "# edited\n"}, **SETTINGS)
    run = play_games(tmp_path, OTHERS | {"own": OLD, "first": FIRST + "# edited\n"}, **SETTINGS)
    found = read(run)
    assert set(found) == {"own", "first"}
    assert [each.is_current for each in found["own"]] == [False, True]
    assert [each.games for each in found["first"]] == [72, 72], "three opponents, two of them also edited"
    assert all(each.rating is not None and not each.left_out for each in found["own"] + found["first"])
    before, now = found["first"]
    assert before.over_before is None
    assert now.over_before == pytest.approx(0.5, abs=0.2), "it plays as before"


def test_games_by_other_rules_are_left_out_and_counted(tmp_path):
    """Other limits, as other seeds, give other ids; the plan's games stay as they are."""
    play_games(tmp_path, OTHERS | {"own": OLD}, **SETTINGS)
    run = play_games(tmp_path, OTHERS | {"own": NEW}, **SETTINGS, limits="[limits]\nmove_seconds = 2.0\n")
    old, new = read(run)["own"]
    assert (old.games, old.left_out, old.rating, old.score) == (0, 72, None, None)
    assert (new.games, new.left_out, new.over_before) == (72, 0, None)
    shown = show_bot(run, "own")
    assert (
        "72 games of older versions are left out: they were played by other limits, seeds or boards" in shown
    )


def test_a_secret_variant_shows_nothing(tmp_path):
    """Neither in the games nor in those that are left out."""
    secret = {"limits": '[field]\nsecret = ["kayles:line-7"]\n'}
    settings = {"variants": ["snort:line-9"], "openings": 3}
    play_games(tmp_path, OTHERS | {"own": OLD}, **settings, **secret)
    run = play_games(tmp_path, OTHERS | {"own": NEW}, **settings, **secret)
    whole = read(run)["own"][0]
    change(
        run, "DELETE FROM games WHERE rowid = (SELECT MAX(rowid) FROM games WHERE variant = 'snort:line-9')"
    )
    run = Run(run.folder)
    assert run.hidden == {"kayles:line-7"}
    shown = read(run)["own"][0]
    assert (whole.games, shown.games, shown.left_out) == (36, 18, 0)


def test_rounds_that_depend_on_results_have_their_old_versions_in_the_plan(tmp_path):
    """A Swiss rates them already; here they are shown."""
    bots = OTHERS | {"own": OLD, "globals": GLOBALS}
    settings = {"variants": ["snort:line-9"], "openings": 4, "format": "swiss"}
    play_games(tmp_path, bots, rounds=2, **settings)
    run = play_games(tmp_path, bots | {"own": NEW}, rounds=3, **settings)
    old, new = read(run)["own"]
    assert old.games + new.games > 0
    assert old.rating == pytest.approx(
        rate(run.results()).table.set_index("bot").loc[f"own@{old.version}"]["rating"]
        + new.rating
        - rate(run.results()).table.set_index("bot").loc["own"]["rating"],
        abs=0.03,
    )


def test_only_the_newest_versions_are_rated_if_there_are_too_many(edited, monkeypatch):
    """A fit of thousands would take minutes; what is too old is counted as left out."""
    monkeypatch.setattr(versions, "MOST_RATED", 4)
    old, new = versions._read(edited)["own"]
    assert (old.games, old.left_out, old.rating) == (0, 72, None)
    assert new.games == 72


def test_a_game_outside_the_plan_that_arena_would_not_write_is_refused(tmp_path):
    """A folder may be somebody else's; a wrong id is not counted, a wrong winner or type is said."""
    settings = {"variants": ["snort:line-9"], "openings": 2}
    play_games(tmp_path, OTHERS | {"own": OLD}, **settings)
    run = play_games(tmp_path, OTHERS | {"own": NEW}, **settings)
    outside = "game NOT IN (SELECT game FROM plan)"
    change(
        run,
        f"UPDATE games SET game = '{'0' * 16}' WHERE game = (SELECT MIN(game) FROM games WHERE {outside})",
    )
    assert [each.left_out for each in read_versions(Run(run.folder))["own"]] == [1, 0]
    change(run, f"UPDATE games SET winner = 'nobody' WHERE {outside}")
    with pytest.raises(StoreError, match="was won by somebody who did not play it"):
        read_versions(Run(run.folder))
    change(run, f"UPDATE games SET moves = x'00' WHERE {outside}")
    with pytest.raises(StoreError, match="is not as arena writes games"):
        read_versions(Run(run.folder))


def test_a_run_in_which_nobody_was_edited_has_no_versions(beside, tmp_path):
    """Nor has one in which nothing was played yet."""
    assert read_versions(beside) == {}
    run = play_games(tmp_path, {"first": FIRST, "chance": CHANCE}, variants=["snort:line-9"], openings=1)
    change(run, "DELETE FROM games")
    assert read_versions(Run(run.folder)) == {}


def _simulate(rng, strengths, openings):
    """Results of one class: every evening everybody has a new version, and only those of one evening meet."""
    rows = []
    for evening in range(len(strengths)):
        players = [("boss", 0.0), *((f"{n}@{evening}", s) for n, s in enumerate(strengths[evening]))]
        for i, (one, power) in enumerate(players):
            for other, weaker in players[:i]:
                for opening in range(openings):
                    for first, second, gap in ((one, other, power - weaker), (other, one, weaker - power)):
                        wins = int(rng.random() < 1 / (1 + np.exp(-gap)))
                        rows.append(("x", opening, first, second, 0, wins, 1))
    return pd.DataFrame(rows, columns=["variant", "opening", "first", "second", "mover", "wins", "games"])


def test_progress_is_found_though_all_opponents_have_changed_too():
    """Versions of different evenings meet nobody in common but one boss; intervals hold the truth all the same."""
    rng = np.random.default_rng(1)
    held = shown = 0
    for _ in range(40):
        strengths = rng.normal(0, 1, (3, 6))
        results = _simulate(rng, strengths, 8)
        table = rate(results).table.set_index("bot")
        true = {f"{n}@{evening}": s for evening in range(3) for n, s in enumerate(strengths[evening])} | {
            "boss": 0.0
        }
        mean = np.mean(list(true.values()))
        for bot, strength in true.items():
            points = 1500 + (strength - mean) * 400 / np.log(10)
            held += table.loc[bot]["low"] <= points <= table.loc[bot]["high"]
            shown += 1
    assert 0.92 <= held / shown <= 0.995


def test_of_very_many_games_every_so_many_th_opening_is_enough(edited, monkeypatch):
    """All versions keep a rating near the one by all games, from fewer games of both sides; and that is said."""
    before = read(edited)["own"]
    with edited.log() as log:
        asked = log.in_all
    monkeypatch.setattr(versions, "MOST_GAMES", asked / 3)
    monkeypatch.setattr(versions, "remember", lambda folder, name, compute: compute())
    old, new = read(edited)["own"]
    assert (old.every, new.every, before[0].every) == (3, 3, 1)
    assert old.games == before[0].games / 3
    assert old.since == before[0].since
    assert new[:-2] == before[1][:-2], "the newest is that of the standings"
    assert old.low < before[0].rating < old.high
    assert "1 opening in 3 is counted" in " ".join(explain_versions([old, new]))
    assert "is counted" not in " ".join(explain_versions(before))
