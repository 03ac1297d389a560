"""Formats that play in rounds, end to end: one digest whatever happens, an end, and nothing after it."""

import csv
import random
import re
import signal
import time
from collections import Counter
from functools import cache
from typing import Any

import pytest

import arena
from arena.errors import Void
from arena.executors import worker
from arena.formats.meeting import Meeting, Pairing
from arena.hosts.play import play_surely
from arena.log.reading import PlannedGame
from arena.log.writing import Store
from arena.plan.outlook import Options, look_ahead
from arena.plan.rounds import Course, _meetings
from arena.reports.showing import leaderboard, write_tables
from arena.results.verify import plan_of
from arena.tournament.rerun import rerun
from arena.tournament.watch import Watch
from tests.tournament import field
from tests.tournament.field import CHANCE, FIRST, GOOD
from tests.tournament.in_rounds import (
    FORMATS,
    ONE_FORMAT,
    SETTINGS,
    Died,
    dying,
    facts,
    play,
    rounds,
    some,
    wrong,
)
from tests.tournament.small import everything, just_play


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """Bots that can be repeated, two of them with chance and one that thinks, in a config for each format."""
    made = tmp_path_factory.mktemp("rounds")
    bots = GOOD | {"slow": field.SLOW.format(seconds=0.003), "dice": f"{CHANCE}# another\n"}
    for format in FORMATS:
        field.write(made, bots, name=format, format=format, isolation="trusted", **SETTINGS)
    return made


@pytest.fixture(scope="module")
def undisturbed(slow):
    """What a run of a format that nobody disturbs comes to, in one process."""
    return cache(lambda format: facts(arena.run(slow / "configs" / f"{format}.toml", executor="serial")))


@pytest.mark.parametrize("format", ONE_FORMAT)
@pytest.mark.parametrize(
    ("workers", "isolation"),
    [
        pytest.param(1, "trusted", marks=pytest.mark.long),
        (2, "sandboxed"),
        pytest.param(3, "trusted", marks=pytest.mark.long),
    ],
)
def test_any_number_of_workers_gives_one_digest(slow, undisturbed, format, workers, isolation):
    """Games arrive in any order; rounds, digest and standings stay."""
    config, results = slow / "configs" / f"{format}.toml", slow / f"{workers} workers"
    run = arena.run(config, workers=workers, isolation=isolation, results=results, audit=False)
    assert facts(run) == undisturbed(format)
    assert wrong(run) == []


@pytest.mark.parametrize("format", ONE_FORMAT)
@pytest.mark.long
def test_kills_at_random_moments_change_nothing(slow, undisturbed, format):
    """The coordinator is killed twice in one tournament; what was committed stays, and it goes on."""
    chance = random.Random(format)
    results = slow / "killed"
    folder = results / format
    command = ("run", f"configs/{format}.toml", "--results", results, "--workers", 2)
    total = len(field.rows(slow / "results" / format))
    for limit in sorted(chance.sample(range(1, total // 2), 2)):
        run = field.started(*command, cwd=slow)
        committed = field.wait_for_games(folder, limit)
        time.sleep(chance.uniform(0, 0.05))
        field.kill(run.pid)
        run.communicate(timeout=60)
        assert run.returncode == -signal.SIGKILL
        assert set(field.rows(folder)) >= set(committed)
        assert wrong(arena.Run(folder)) == []
    again = field.arena(*command, cwd=slow)
    assert again.returncode == 0, again.stderr
    assert facts(arena.Run(folder)) == undisturbed(format)


@pytest.mark.parametrize("format", ONE_FORMAT)
@pytest.mark.long
def test_after_ctrl_c_the_same_command_goes_on(slow, undisturbed, format):
    """Exit 130 with a table of what there is, and then the same result."""
    results = slow / "stopped"
    command = ("run", f"configs/{format}.toml", "--results", results, "--workers", 2, "--quiet")
    total = len(field.rows(slow / "results" / format))
    run = field.started(*command, cwd=slow)
    field.wait_for_games(results / format, total // 3)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=60)
    assert (run.returncode, errors.count("\n")) == (130, 1)
    assert (results / format / "standings.csv").exists()
    assert not arena.Run(results / format).is_over
    again = field.arena(*command, cwd=slow)
    assert again.returncode == 0, again.stderr
    assert facts(arena.Run(results / format)) == undisturbed(format)


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_whichever_write_is_the_last_one_the_next_sitting_goes_on(tmp_path, monkeypatch, format):
    """Each sitting ends one write to the log later than the one before, until one comes to the end."""
    expected = facts(play(tmp_path / "whole", some(5), format=format))
    honest, left = Store.transaction, [0]

    def transaction(store):
        left[0] -= 1
        if left[0] < 0:
            raise Died
        return honest(store)

    monkeypatch.setattr(Store, "transaction", transaction)
    run = None
    for left[0] in range(14, 200):
        try:
            run = play(tmp_path / "cut", some(5), format=format)
            break
        except Died:
            assert left[0] == -1
    assert run is not None
    assert facts(run) == expected


@pytest.mark.parametrize("format", [*FORMATS, "gauntlet"])
def test_what_is_over_stays_as_it_is(tmp_path, monkeypatch, format):
    """Started again nothing is played, and neither the plan nor the rounds are written again."""
    settings = {"format": format} | ({"gauntlet": ["b0"]} if format == "gauntlet" else {})
    run = play(tmp_path, some(4), **settings)
    before = everything(run)
    assert run.is_over
    monkeypatch.setattr(Store, "write_by_machine", None)
    monkeypatch.setattr(Store, "write_round", None)
    again = play(tmp_path, some(4), **settings)
    after = everything(again)
    assert sorted(after.pop("facts")) == sorted(before.pop("facts"))
    assert after == before
    assert again.is_over


@pytest.mark.long
def test_dry_run_of_a_ladder_tells_what_a_pairing_plays(tmp_path):
    """One opening of every variant, however many openings and repeats may follow in later rounds."""
    field.write(tmp_path, some(2), format="ladder", isolation="trusted", **SETTINGS | {"repeats": 3})
    told = field.arena("run", "configs/cup.toml", "--dry-run", cwd=tmp_path).stdout
    assert "2 bots in 1 pairing of 1 round, and perhaps more rounds to come; " in told
    assert "; those who meet play one opening of every variant twice, sides swapped\n" in told


def test_dry_run_says_what_is_known_of_the_next_rounds(tmp_path):
    """Before the first round, after a kill in the middle of one, and at the end; nothing is written."""
    config = field.write(tmp_path, some(4), format="swiss", isolation="trusted", **SETTINGS)

    def shown():
        told = field.arena("run", "configs/cup.toml", "--dry-run", cwd=tmp_path)
        assert (told.returncode, told.stderr) == (0, "")
        return re.findall(r"\d+ pairings[^;]*|\d+ already played, \d+ to play", told.stdout)

    assert shown() == [
        "2 pairings of 1 round, and perhaps more rounds to come",
        "0 already played, 16 to play",
    ]
    assert not (tmp_path / "results").exists()
    with dying(6):
        just_play(config)
    run = arena.Run(tmp_path / "results" / "cup")
    before = everything(run)
    assert shown() == [
        "4 pairings of 2 rounds, and perhaps more rounds to come",
        "24 already played, 8 to play",
    ]
    assert everything(run) == before
    just_play(config)
    before = everything(run)
    assert shown() == ["6 pairings of 3 rounds", "48 already played, 0 to play"]
    assert everything(run) == before


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_an_outlook_is_what_a_run_then_does(tmp_path, format):
    """Cut off after any number of units, the next games are those that were said to be next."""
    config = field.write(tmp_path, some(4), format=format, isolation="trusted", **SETTINGS)
    folder = tmp_path / "results" / "cup"
    for _ in range(30):
        ahead = look_ahead(config, Options())
        known = {game for (game,) in field.rows(folder)}
        expected = [game.game for game in ahead.plan.games() if game.game not in known]
        assert len(expected) == ahead.plan.count - ahead.played
        if not expected:
            break
        with dying(1):
            just_play(config)
        arrived = field.rows(folder, "SELECT game FROM games ORDER BY rowid")
        played = [game for (game,) in arrived if game not in known]
        assert played == expected[: len(played)] != []
    assert not ahead.has_more
    assert just_play(config).is_over


def test_rounds_are_drawn_by_the_results_that_tables_show(tmp_path):
    """Who won, from which opening, and who moved first after it: in both it is read from the same games."""
    run = play(tmp_path, some(3), format="swiss", openings=8)
    with run.log() as log:
        course = Course(log, run.degenerate)
        course.follow(plan_of(log, run.field))
        shown = sorted(log.results(is_entered=True))
        assert sorted(course.results) == shown
        assert {mover for *_, mover, _, _ in shown} == {0, 1}
        assert any(len(planned.cells) > 3 for planned in log.planned_games()), "cells of two digits"


@pytest.mark.parametrize("size", [2, 5, *(pytest.param(size, marks=pytest.mark.long) for size in (3, 8))])
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_ends_for_every_size_of_field(tmp_path, format, size):
    """Nobody plays himself or twice in a round, and sides are balanced."""
    assert_that_it_ends(play(tmp_path, some(size), format=format), size)


@pytest.mark.parametrize("size", [3, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("format", FORMATS)
def test_every_format_ends_where_nobody_is_better(tmp_path, format, size):
    """On a degenerate variant all that meet draw, whatever they do."""
    assert_that_it_ends(play(tmp_path, some(size), format=format, variants=["grid-lock"]), size)


def assert_that_it_ends(run, size):
    """With all of the field in it, and no mistake."""
    assert run.is_over
    for pairings in rounds(run):
        met = [bot for pairing in pairings for bot in pairing]
        assert len(set(met)) == len(met)
    games = run.games()
    sides = Counter(zip(games["first"], games["second"], strict=True))
    assert all(sides[second, first] == count for (first, second), count in sides.items())
    assert {bot for pair in sides for bot in pair} == set(some(size))
    assert wrong(run) == []


@pytest.mark.parametrize(
    "ranks", ["12", "12335", *(pytest.param(ranks, marks=pytest.mark.long) for ranks in ("123", "12335555"))]
)
def test_a_knock_out_ranks_by_its_bracket_and_shows_it(tmp_path, ranks):
    """The winner is first, who lost the final second, and so on down; the bracket stands below the table."""
    run = play(tmp_path, some(len(ranks)), format="knock-out")
    write_tables(run)
    with open(run.folder / "standings.csv", newline="") as file:
        rank = {row["bot"]: int(row["rank"]) for row in csv.DictReader(file)}
    assert "".join(map(str, rank.values())) == ranks
    assert run.bracket is not None
    assert run.bracket.winner == next(iter(rank))
    for level, place in zip(run.bracket.levels[::-1], (2, 3, 5), strict=False):
        losers = {bot for match in level for bot in match[:2] if bot not in (match.winner, None)}
        assert losers == {bot for bot in rank if rank[bot] == place}
    lines = leaderboard(run).splitlines()
    assert sum("─┐" in line for line in lines) == len(ranks) - 1
    assert any(re.fullmatch(rf" *├─ \d {run.bracket.winner}", line) for line in lines)
    assert "├─" in (run.folder / "standings.md").read_text()


def test_half_a_round_decides_nothing(tmp_path):
    """Before it is complete all that were drawn may still win, whatever they have won."""
    with dying(3):
        play(tmp_path, some(4), format="knock-out")
    run = arena.Run(tmp_path / "results" / "cup")
    assert 0 < len(run.games()) < 16
    assert run.bracket is not None
    assert [(match.scores, match.is_decided) for match in run.bracket.levels[0]] == [((), False)] * 2
    assert set(run.standings()["rank"]) == {1}


def test_deciders_go_on_with_other_openings_and_then_with_other_seeds(tmp_path):
    """Three of them between equals, on no game twice; then the better seed goes on. All can be checked."""
    bots = {"a": FIRST, "b": FIRST}
    few, many = "kayles:line-4", "blockade-5x5"
    run = play(tmp_path, bots, format="knock-out", variants=[few, many], openings=2)
    assert rounds(run, "one, other, start, count") == [[("a", "b", start, 2)] for start in (0, 2, 4, 6)]
    assert run.bracket is not None
    assert [match.scores for level in run.bracket.levels for match in level] == [(0.5,) * 4]
    assert run.standings()["bot"].tolist() == ["a", "b"]
    games = run.games()
    kinds = games[games["first"] == "a"].groupby("variant")[["opening", "repeat"]].agg(list)
    assert (kinds["opening"][many], kinds["repeat"][many]) == (list(range(8)), [0] * 8)
    slots = list(zip(kinds["repeat"][few], kinds["opening"][few], strict=True))
    assert slots == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]
    assert wrong(run) == []
    for game in games.groupby("variant")["game"].last():
        assert rerun(run, game, "sandboxed", lambda line: None).is_same


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_a_void_game_holds_up_its_round(tmp_path, monkeypatch, format):
    """No round is planned before it is complete; the next run plays what is missing, to the same digest."""
    expected = facts(play(tmp_path / "whole", some(4), format=format))
    spoilt = []

    def spoiling(spec, first, second):
        if "b3" in (spec.first, spec.second) and spec.opening_number == 1:
            spoilt.append(spec.game)
            raise Void("the template has ended")
        return play_surely(spec, first, second)

    monkeypatch.setattr(worker, "play_surely", spoiling)
    monkeypatch.setattr(worker.Worker, "_together", lambda *_: {})  # games are played one by one
    run = play(tmp_path / "spoilt", some(4), format=format)
    assert spoilt
    assert not run.is_over
    last = rounds(run)[-1]
    missing = "SELECT game, first, second FROM plan WHERE game NOT IN (SELECT game FROM games)"
    games = {game: frozenset(sides) for game, *sides in field.rows(run.folder, missing)}
    assert set(games) == set(spoilt)
    assert set(games.values()) == {frozenset(pairing) for pairing in last if "b3" in pairing}
    monkeypatch.undo()
    assert facts(play(tmp_path / "spoilt", some(4), format=format)) == expected


def test_pairs_come_in_the_order_of_openings():
    """However a round hands out its games, the pairs of one opening on all variants come before the next's."""
    planned = [("b", 0, 2), ("a", 0, 1), ("b", 1, 0), ("b", 2, 2), ("a", 1, 1), ("a", 2, 0)]
    games, is_won = [], []
    for variant, opening, wins in planned:
        for first, second, won in (("one", "two", wins > 0), ("two", "one", wins < 2)):
            games.append(PlannedGame("", variant, opening, 0, first, second, ""))
            is_won.append(won)
    (met,) = _meetings([Pairing("one", "two", 0, 3)], games, is_won)
    assert met == Meeting("one", "two", 0, 3, 0.5, (2, 1, 0, 1, 2, 0))
    (met,) = _meetings([Pairing("two", "one", 0, 3)], games, is_won)
    assert met.pairs == (0, 1, 2, 1, 0, 2)


@pytest.mark.parametrize("format", [*FORMATS, "gauntlet", "round-robin"])
def test_who_is_alone_is_told_so(tmp_path, format):
    """One bot, or none: a line for people, exit 1, and no folder is made."""
    gauntlet: dict[str, Any] = {"gauntlet": ["a"]} if format == "gauntlet" else {}
    config = field.write(tmp_path, {"a": FIRST}, format=format, **gauntlet)
    for bots in ('[[bots]]\npath = "bots/a.py"\n', '[[bots]]\npath = "bots/z*.py"\n', ""):
        config.write_text(config.read_text().partition("[[bots]]")[0] + bots)
        shown = field.arena("run", "configs/cup.toml", cwd=tmp_path)
        assert (shown.returncode, shown.stdout, shown.stderr.count("\n")) == (1, "", 1)
        assert "bot" in shown.stderr
        assert not (tmp_path / "results").exists()


def test_a_ladder_says_which_intervals_it_could_not_narrow(tmp_path, monkeypatch):
    """Who has met everybody, or lost everything, stays uncertain, and is named with the width."""
    bots = some(3) | {"broken": field.FAILING["illegal"]}
    asked: dict[str, Any] = {
        "format": "ladder",
        "interval_points": 500,
        "openings": 2,
        "variants": ["blockade-5x5"],
    }
    config = field.write(tmp_path, bots, isolation="trusted", **asked)
    watch, said = Watch(), []
    monkeypatch.setattr(watch, "say", said.append)
    run = just_play(config, watch)
    table = run.standings().set_index("bot")
    widths = (table["high"] - table["low"]).sort_index()
    wide = [f"{bot} ({width:,.0f})" for bot, width in widths.items() if width > 500]
    assert any(word.startswith("broken ") for word in wide)
    assert said[-1].startswith(f"not within 500 points: {', '.join(wide)}; ")
