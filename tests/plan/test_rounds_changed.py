"""Tournaments in rounds whose bots or settings change on the way: what was planned stays, what comes is new."""

import shutil
from collections import Counter
from functools import cache
from typing import Any

import pytest

import arena
from arena.config.reading import read_tournament
from arena.plan.outlook import Options, look_ahead
from arena.plan.rounds import series_of
from arena.referee.game import ID_FORMAT
from arena.reports.showing import leaderboard
from arena.results.compare import differences
from arena.runs import merge
from arena.tournament.rerun import rerun
from arena.tournament.watch import Watch
from tests.tournament import field
from tests.tournament.field import CHANCE, LAST
from tests.tournament.in_rounds import ONE_FORMAT, SETTINGS, dying, facts, play, rounds, some, wrong
from tests.tournament.small import change, everything, just_play

EDITED = {"b2": LAST + "# edited\n"}
WRITES = {"swiss": 8, "knock-out": 6, "ladder": 4}
"""How many units of a field of six are played in the middle of its second round."""


def games_of(run):
    """How many games each bot has in the standings."""
    table = run.standings()
    return dict(zip(table["bot"], table["games"], strict=True))


def ids(run):
    return {game for (game,) in field.rows(run.folder)}


@pytest.mark.parametrize(
    ("format", "before", "after"), [("swiss", {"rounds": 2}, {"rounds": 4}), ("ladder", {}, {})]
)
def test_a_bot_that_comes_later_joins_the_next_round(tmp_path, format, before, after):
    """The rounds that were stay as they are."""
    first = play(tmp_path, some(5), format=format, **before)
    frozen, known = rounds(first), ids(first)
    run = play(tmp_path, some(6), format=format, **after)
    assert rounds(run)[: len(frozen)] == frozen
    assert ids(run) > known
    assert "b5" in {bot for pairing in rounds(run)[len(frozen)] for bot in pairing}
    assert run.is_over
    assert games_of(run)["b5"] > 0


def test_a_bot_that_comes_in_the_middle_of_a_round_waits_for_the_next(tmp_path):
    """What is frozen is finished first, without it."""
    with dying(2):
        play(tmp_path, some(4), format="swiss")
    frozen = rounds(arena.Run(tmp_path / "results" / "cup"))
    run = play(tmp_path, some(6), format="swiss")
    assert rounds(run)[:1] == frozen
    assert {"b4", "b5"} <= {bot for pairing in rounds(run)[1] for bot in pairing}


def test_a_bracket_is_drawn_once(tmp_path):
    """Who comes later is in the table, behind all that were drawn, and has no games."""
    first = play(tmp_path, some(5), format="knock-out")
    run = play(tmp_path, some(6), format="knock-out")
    assert rounds(run) == rounds(first)
    assert run.digest() == first.digest()
    assert run.is_over
    last = run.standings().iloc[-1]
    assert (last["bot"], last["rank"], last["games"]) == ("b5", 6, 0)
    assert run.standings()["bot"].tolist()[:-1] == first.standings()["bot"].tolist()
    assert "b5" not in leaderboard(run).partition("─┐")[2]


def test_a_bracket_is_drawn_before_its_first_round_and_not_after_it(tmp_path):
    """Who comes while the first round is played is not in it, and changes nothing for those who are."""
    alone = play(tmp_path / "alone", some(4), format="knock-out")
    with dying(1):
        play(tmp_path, some(4), format="knock-out")
    run = play(tmp_path, some(5), format="knock-out")
    assert (rounds(run), run.digest()) == (rounds(alone), alone.digest())
    assert run.bracket == alone.bracket


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    """For a format a tournament whose b2 was edited in the middle of its second round."""

    @cache
    def made(format):
        folder = tmp_path_factory.mktemp(format)
        settings = {"rounds": 4} if format == "swiss" else {}
        with dying(WRITES[format]):
            play(folder, some(6), format=format, **settings)
        half = arena.Run(folder / "results" / "cup")
        shutil.copytree(half.folder, folder / "half" / "cup")
        frozen = rounds(half)
        assert len(frozen) == 2
        with half.log() as log:
            in_first = 4 * sum(count for (count,) in rounds(half, "count")[0])
            assert in_first < log.played < log.planned
        return play(folder, some(6) | EDITED, format=format, **settings), frozen

    return made


def versions_of(run, bot):
    """The versions of a bot in the order in which they were planned."""
    query = f"SELECT round, CASE one WHEN '{bot}' THEN one_version ELSE other_version END FROM rounds"
    return field.rows(run.folder, f"{query} WHERE '{bot}' IN (one, other) ORDER BY round")


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_a_round_that_was_planned_is_played_by_the_old_version(edited, format):
    """The one that was edited joins the next; the games of both stay in the plan and in the digest."""
    run, frozen = edited(format)
    new = run.bots.set_index("bot")["version"]["b2"]
    ((old,),) = field.rows(run.folder, f"SELECT version FROM bots WHERE name = 'b2' AND version <> '{new}'")
    assert rounds(run)[:2] == frozen
    planned = versions_of(run, "b2")
    assert {version for number, version in planned if number <= 2} == {old}
    assert {version for number, version in planned if number > 2} <= {new}
    games = run.games("b2")
    played = games["first_version"].where(games["first"] == "b2", games["second_version"])
    sheets = field.rows(run.folder, "SELECT one, other, round, count FROM rounds")
    expected = Counter()
    for one, other, number, count in sheets:
        if "b2" in (one, other):
            expected[old if number <= 2 else new] += 4 * count  # two variants, sides swapped
    assert Counter(played) == expected
    with run.log() as log:
        assert log.planned == log.played == len(run.games())


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_standings_count_an_edited_bots_own_games_only(edited, format):
    """Its opponents keep what they played against its old version."""
    run, _ = edited(format)
    version = dict(zip(run.bots["bot"], run.bots["version"], strict=True))
    games = run.games()
    sides = [
        *zip(games["first"], games["first_version"], strict=True),
        *zip(games["second"], games["second_version"], strict=True),
    ]
    assert games_of(run) == {bot: sides.count((bot, version[bot])) for bot in version}
    won = games[(games["winner"] == "b2")]
    own = won["first_version"].where(won["first"] == "b2", won["second_version"]) == version["b2"]
    assert run.standings().set_index("bot")["wins"]["b2"] == own.sum()


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_a_folder_with_old_versions_can_be_verified(edited, format):
    """Every game is the one that its id names, whichever version played it."""
    run, _ = edited(format)
    assert wrong(run) == []


@pytest.mark.long
@pytest.mark.parametrize("format", ONE_FORMAT)
def test_a_game_of_an_old_version_can_be_played_again(edited, format):
    """By that version, whose source the log has kept: also what was played after the edit."""
    run, _ = edited(format)
    new = run.bots.set_index("bot")["version"]["b2"]
    by_new = f"'{new}' IN (first_version, second_version)"
    for which in (by_new, f"NOT {by_new}"):
        query = (
            f"SELECT game FROM games WHERE 'b2' IN (first, second) AND {which} ORDER BY rowid DESC LIMIT 3"
        )
        for (game,) in field.rows(run.folder, query):
            assert rerun(run, game, "sandboxed", lambda line: None).is_same


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_folders_with_old_versions_can_be_compared_and_merged(edited, format):
    """A copy that stopped in the middle takes the games of the whole one, and goes on to the same digest."""
    run, _ = edited(format)
    half = arena.Run(run.folder.parent.parent / "half" / "cup")
    missing = len(ids(run) - ids(half))
    assert len(list(differences(run, half))) == missing
    assert merge(half, run).added == missing
    config = run.folder.parent.parent / "configs" / "cup.toml"
    again = just_play(config, results=half.folder.parent)
    assert facts(again) == facts(run)
    assert list(differences(run, again)) == []


@pytest.mark.long
def test_an_edit_that_is_taken_back_counts_again(tmp_path):
    """Who is again what it was has its games again, and no other round was played."""
    first = play(tmp_path, some(4), format="swiss")
    before, games = facts(first), games_of(first)
    edited = play(tmp_path, some(4) | EDITED, format="swiss")
    assert games_of(edited) == games | {"b2": 0}
    assert facts(play(tmp_path, some(4), format="swiss")) == before


@pytest.mark.parametrize("format", ONE_FORMAT)
def test_a_bot_that_is_removed_has_its_planned_games_still(tmp_path, format):
    """The round that it was drawn in is finished, then it goes on without it; its old games stay."""
    with dying(WRITES[format]):
        play(tmp_path, some(6), format=format)
    half = arena.Run(tmp_path / "results" / "cup")
    frozen, known = rounds(half), ids(half)
    (tmp_path / "bots" / "b2.py").unlink()
    left = {name: text for name, text in some(6).items() if name != "b2"}
    run = play(tmp_path, left, format=format)
    assert rounds(run)[: len(frozen)] == frozen
    assert ids(run) > known
    assert "b2" not in {
        bot for pairings in rounds(run)[len(frozen) :] for pairing in pairings for bot in pairing
    }
    assert set(games_of(run)) == set(left)
    gone = field.rows(run.folder, "SELECT game FROM games WHERE 'b2' IN (first, second)")
    assert sum(games_of(run).values()) == 2 * len(run.games()) - len(gone)
    assert run.is_over


@pytest.mark.parametrize("word", ["b1", "no-moves"])
def test_games_that_are_played_again_keep_their_rounds(tmp_path, word):
    """`--again` sets games of frozen rounds aside and plays just those."""
    first = play(tmp_path, some(5), format="swiss")
    config = tmp_path / "configs" / "cup.toml"
    chosen = list(first.games()["game"]) if word == "no-moves" else list(first.games("b1")["game"])
    assert look_ahead(config, Options(again=(word,))).played == len(first.games()) - len(chosen)
    run = just_play(config, again=(word,))
    assert {game for (game,) in field.rows(run.folder, "SELECT game FROM replaced")} == set(chosen)
    assert facts(run) == facts(first)
    assert run.is_over


CHANGES: dict[str, dict[str, Any]] = {
    "openings": {"openings": 3},
    "repeats": {"repeats": 2},
    "seed": {"seed": 1},
    "limits": {"limits": "[limits]\nmove_seconds = 2.0\n"},
    "variants": {"variants": SETTINGS["variants"][:1]},
}


@pytest.mark.parametrize("what", CHANGES)
def test_each_setting_makes_another_series(tmp_path, what):
    """Rounds of other openings, repeats, seeds, limits or variants are not those of one tournament."""
    found = set()
    for changes in ({}, CHANGES[what]):
        written = field.write(tmp_path, some(2), format="swiss", **(SETTINGS | changes))
        found.add(series_of(read_tournament(written), ID_FORMAT))
    assert len(found) == 2


@pytest.mark.parametrize(
    ("format", "what"),
    [
        *(("swiss", what) for what in ("seed", "limits")),
        *(
            pytest.param("swiss", what, marks=pytest.mark.long)
            for what in ("openings", "repeats", "variants")
        ),
        ("knock-out", "openings"),
        pytest.param("ladder", "seed", marks=pytest.mark.long),
    ],
)
@pytest.mark.long
def test_other_settings_begin_anew_and_the_old_ones_go_on(tmp_path, format, what):
    """Round 1 comes again, without the games that both have in common; changed back, the old rounds count."""
    first = play(tmp_path, some(4), format=format)
    digest, frozen, known = first.digest(), rounds(first), everything(first)["games"]
    alone = play(tmp_path / "alone", some(4), format=format, **CHANGES[what])
    changed = play(tmp_path, some(4), format=format, **CHANGES[what])
    assert changed.field.series != first.field.series
    assert rounds(changed) == rounds(alone)
    assert changed.digest() == alone.digest()
    assert wrong(changed) == []
    before = everything(changed)
    assert before["games"][: len(known)] == known
    assert ids(changed) == {row[0] for row in known} | ids(alone)
    back = play(tmp_path, some(4), format=format)
    assert (back.digest(), rounds(back)) == (digest, frozen)
    after = everything(back)
    assert (after["games"], after["rounds"]) == (before["games"], before["rounds"])


@pytest.mark.parametrize(
    ("format", "before", "after"),
    [("swiss", {"rounds": 2}, {"rounds": 3}), ("ladder", {"interval_points": 900}, {"interval_points": 400})],
)
def test_more_rounds_and_more_certainty_go_on(tmp_path, format, before, after):
    """What was played counts, and rounds follow those that were; of a Swiss, to the very same end."""
    part = play(tmp_path / "part", some(5), format=format, **before)
    frozen, known = rounds(part), ids(part)
    assert part.is_over
    longer = play(tmp_path / "part", some(5), format=format, **after)
    assert longer.is_over
    assert rounds(longer)[: len(frozen)] == frozen != rounds(longer)
    assert ids(longer) > known
    if format == "swiss":
        assert facts(longer) == facts(play(tmp_path / "whole", some(5), format=format, **after))


def test_a_log_that_is_older_than_rounds_can_be_looked_at(tmp_path):
    """It has no table of them, and so none were played."""
    run = play(tmp_path, some(3))
    for statement in (
        "DROP TABLE rounds",
        "DROP TABLE replays",
        "DROP TABLE audits",
        "DROP TABLE places",
        "DROP TABLE machines",
        "PRAGMA user_version = 2",
    ):
        change(run, statement)
    config = field.write(tmp_path, {}, format="swiss", isolation="trusted", **SETTINGS)
    assert look_ahead(config, Options()).plan.count == 8
    assert rounds(play(tmp_path, {}, format="swiss"))


@pytest.mark.parametrize("settings", [{"format": "swiss", "rounds": 3}, {"format": "knock-out"}])
def test_who_has_come_too_late_is_named(tmp_path, monkeypatch, settings):
    """When it is over, a bot that is new or was edited has no games, and that is said."""
    play(tmp_path, some(4), **settings)
    config = field.write(tmp_path, some(5) | EDITED, isolation="trusted", **SETTINGS, **settings)
    watch, said = Watch(), []
    monkeypatch.setattr(watch, "say", said.append)
    just_play(config, watch)
    mend = {"swiss": "more `rounds` let it play", "knock-out": "another `name` draws a new bracket"}
    words = f"in its current version is in no round and has no games; {mend[settings['format']]}"
    assert said == [f"{bot} {words}" for bot in ("b2", "b4")]


def test_a_gauntlet_plays_what_is_asked_for_and_no_more(tmp_path):
    """Each named bot meets each other one; one bot more costs its own games only."""
    settings = {"format": "gauntlet", "gauntlet": ["b0", "b3"]}

    def meetings(run):
        games = run.games()
        return Counter(frozenset(sides) for sides in zip(games["first"], games["second"], strict=True))

    run = play(tmp_path, some(5), **settings)
    expected = {frozenset((one, other)): 8 for one in ("b0", "b3") for other in ("b1", "b2", "b4")}
    assert meetings(run) == expected
    assert field.rows(run.folder, "SELECT * FROM rounds") == []
    before = field.rows(run.folder, "SELECT * FROM games ORDER BY rowid")
    longer = play(tmp_path, {"b5": CHANCE}, **settings)
    after = field.rows(run.folder, "SELECT * FROM games ORDER BY rowid")
    assert after[: len(before)] == before
    assert meetings(longer) == expected | {frozenset((named, "b5")): 8 for named in ("b0", "b3")}
    assert wrong(longer) == []


@pytest.mark.long
def test_an_old_version_that_is_trusted_is_played_again_sandboxed(tmp_path):
    """Isolation begins no new rounds: games of frozen ones are played again, by the versions that they name."""
    play(tmp_path, some(3), format="swiss", variants=["snort:line-9"])
    trusted = play(tmp_path, some(3) | EDITED, format="swiss", variants=["snort:line-9"])
    config = tmp_path / "configs" / "cup.toml"
    run = arena.run(config, isolation="sandboxed", workers=2, audit=False)
    assert facts(run)[:2] == facts(trusted)[:2]
    assert set(run.games()["isolation"]) == {"sandboxed"}
