"""Two run folders: what differs between them is found, and the games of one come whole into the other."""

from contextlib import closing
from random import Random
from typing import Any

import pytest

from arena.bots.source import Source
from arena.errors import StoreError, UserError
from arena.log import archive
from arena.log.writing import Store
from arena.results.compare import Merged, differences, merge
from arena.results.run import Run
from arena.results.verify import mistakes
from arena.runs import merge as merge_and_write
from arena.tournament.rerun import rerun
from tests.cli.command import run
from tests.tournament.small import BOTS, change, copied, everything, logged, play, play_games

HALVES = {
    "alternating": lambda number, game: number % 2,
    "by variant": lambda number, game: game.variant == "blockade-5x5",
    "one game apart": lambda number, game: number == 17,
    "all of it": lambda number, game: True,
    "by bot": lambda number, game: "liar" in (game.first, game.second),
}
SECONDS = "first_cpu_seconds = ?, second_cpu_seconds = ?"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tournament that was played to its end."""
    return play(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def copy(whole, tmp_path):
    """A copy of its folder."""
    return copied(whole, tmp_path / "copy")


def without(whole, folder, games):
    """A copy of a folder that has not played some games."""
    run = copied(whole, folder)
    for game in games:
        change(run, "DELETE FROM games WHERE game = ?", game.game)
    return run


def halves(whole, folder, is_left):
    """Two copies of a folder, each with the games that the other has not played."""
    parts = [[], []]
    for number, game in enumerate(logged(whole)):
        parts[bool(is_left(number, game))].append(game)
    return [without(whole, folder / str(side), parts[side]) for side in (0, 1)]


def test_a_folder_does_not_differ_from_its_copy(whole, copy):
    """Equal folders have no differences, and one has none from itself."""
    assert list(differences(whole, copy)) == []
    assert list(differences(whole, whole)) == []


def test_a_tournament_played_twice_does_not_differ(whole, tmp_path):
    """Played anew from nothing it has the same games, though not the same seconds."""
    again = play_games(tmp_path)
    assert list(differences(whole, again)) == []
    assert again.digest() == whole.digest()


def test_games_that_one_folder_has_not_played_differ(whole, tmp_path):
    """Missing in either folder, first, last or in between, each is found once, in the order of ids."""
    games = logged(whole)
    missing = [games[0], games[1], games[20], games[-1]]
    part = without(whole, tmp_path / "part", missing)
    assert [(found.one, found.other) for found in differences(whole, part)] == [
        (game, None) for game in missing
    ]
    assert [(found.one, found.other) for found in differences(part, whole)] == [
        (None, game) for game in missing
    ]
    assert [found.game for found in differences(part, whole)] == [game.game for game in missing]


def test_the_command_says_which_folder_has_the_games(whole, tmp_path):
    """Of both folders it is said how many games only they have, and the one that has them is named."""
    games = logged(whole)
    one = without(whole, tmp_path / "one", games[:1])
    other = without(whole, tmp_path / "other", games[1:4])
    found = run("diff", str(one.folder), str(other.folder))
    assert found.returncode == 1
    assert found.stdout.splitlines() == [
        f"3 games are only in {one.folder}",
        f"1 game is only in {other.folder}",
        "0 games are in both, with different results",
    ]


def test_the_command_says_that_equal_folders_are_equal(whole, copy):
    """In words and with exit code 0, so that a script may ask."""
    found = run("diff", str(whole.folder), str(copy.folder))
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout == "The two runs have the same games, with the same results.\n"


def test_folders_that_share_nothing_differ_in_everything(whole, tmp_path):
    """Two tournaments of other seeds have no game in common."""
    other = play_games(tmp_path, openings=1, seed=1)
    found = list(differences(whole, other))
    assert len(found) == 36 + 12
    assert sorted(found, key=lambda one: one.game) == found
    assert all((one.one is None) != (one.other is None) for one in found)


@pytest.mark.parametrize("column", ["winner", "ending", "moves"])
def test_a_game_that_ended_otherwise_differs(whole, copy, column):
    """Who won, how and by which moves are compared, and both records are shown."""
    game = logged(whole)[7]
    other: Any = {"winner": game.loser, "ending": "crash", "moves": "1 2"}[column]
    change(copy, f"UPDATE games SET {column} = ? WHERE game = ?", other, game.game)
    (found,) = differences(whole, copy)
    assert found.one == game
    assert found.other == game._replace(**{column: other})


@pytest.mark.parametrize("column", ["first_cpu_seconds", "second_wall_seconds", "isolation", "detail"])
def test_how_long_a_game_took_is_no_difference(whole, copy, column):
    """Seconds, isolation and sentences differ from machine to machine, and games do not by them."""
    change(copy, f"UPDATE games SET {column} = ?", "sandboxed" if column == "isolation" else 7)
    assert list(differences(whole, copy)) == []


@pytest.mark.parametrize("cut", HALVES)
def test_two_halves_merge_to_the_whole(whole, tmp_path, cut):
    """Wherever a tournament is cut, the merged halves have the games and the digest of the whole."""
    into, source = halves(whole, tmp_path, HALVES[cut])
    before = everything(source)
    there, added = len(logged(into)), len(logged(source))
    assert there + added == 36
    assert merge(into, source) == Merged(added=added, counted=added)
    assert logged(into) == logged(whole)
    assert into.digest() == whole.digest()
    with into.log() as log:
        assert list(mistakes(log)) == []
    assert everything(source) == before


def test_merging_rewrites_the_tables_beside_the_log(whole, tmp_path):
    """The files of the first folder say what its log says now."""
    into, source = halves(whole, tmp_path, HALVES["alternating"])
    merge_and_write(into, source)
    for name in ("games.csv", "standings.csv", "crosstable.csv"):
        lines = [(run.folder / name).read_text().splitlines() for run in (into, whole)]
        assert lines[0] == lines[1], name


def test_tables_do_not_depend_on_the_order_in_which_games_were_logged(copy, tmp_path):
    """Seconds have sums that differ in their last digit by their order; what is shown does not."""
    draw = Random(0)
    for game in logged(copy):
        seconds = (draw.random() / 3000, draw.random() / 2000)
        change(copy, f"UPDATE games SET {SECONDS} WHERE game = ?", *seconds, game.game)
    reverse = copied(copy, tmp_path / "reverse")
    change(reverse, "UPDATE games SET rowid = -rowid")
    assert logged(reverse) == logged(copy)
    assert tables(reverse) == tables(copy)


def tables(run):
    """Every table that is written, as text."""
    frames = (
        run.standings(),
        run.standings("variant"),
        run.ratings(),
        run.ledger(),
        run.throws(),
        run.crosstable(),
    )
    return [frame.to_csv() for frame in frames]


def test_merging_twice_adds_nothing_the_second_time(whole, tmp_path):
    """What is there already stays, and nothing else is changed."""
    into, source = halves(whole, tmp_path, HALVES["alternating"])
    merge_and_write(into, source)
    before = everything(into)
    assert merge_and_write(into, source) == Merged(there_already=18)
    assert everything(into) == before


def test_the_first_folder_keeps_its_own_result(whole, copy):
    """Where both have played a game and not alike, that is counted, and the first folder's stays."""
    game = next(game for game in logged(whole) if game.ending == "illegal")
    change(copy, "UPDATE games SET ending = 'crash' WHERE game = ?", game.game)
    assert merge(copy, whole) == Merged(there_already=36, differing=1)
    assert game._replace(ending="crash") in logged(copy)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET winner = CASE winner WHEN first THEN second ELSE first END WHERE game = ?",
        "UPDATE games SET moves = '0 1 2', plies = 3 WHERE game = ?",
        "UPDATE games SET first_version = '000000000000' WHERE game = ?",
        "UPDATE games SET moves = moves || ' 0', plies = plies + 1 WHERE game = ?",
    ],
)
def test_a_source_that_was_tampered_with_is_refused_whole(whole, tmp_path, statement):
    """One wrong game is named, none is added, and every table of the first folder is as it was."""
    into, source = halves(whole, tmp_path, HALVES["alternating"])
    wrong = logged(source)[-1]
    change(source, statement, wrong.game)
    change(source, "INSERT INTO bots VALUES ('mallory', ?, ?, '', '[]', '', NULL)", "1" * 12, "1" * 64)
    before = everything(into)
    with pytest.raises(UserError, match=f"game {wrong.game} .*nothing was added") as refusal:
        merge(into, source)
    assert str(source.folder) in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert everything(into) == before


def test_a_folder_is_not_merged_into_itself(copy, tmp_path):
    """By whatever path it is reached, it is one folder, and nothing is changed."""
    (tmp_path / "link").symlink_to(copy.folder)
    before = everything(copy)
    for other in (copy.folder, tmp_path / "link", copy.folder / ".." / "copy"):
        with pytest.raises(UserError, match="cannot be merged into itself"):
            merge(copy, Run(other))
    assert everything(copy) == before


def test_a_folder_that_is_being_written_is_not_merged_into(whole, copy):
    """A run that is under way is the one writer."""
    with closing(Store(copy.folder)), pytest.raises(StoreError, match="another run"):
        merge(copy, whole)


def test_merged_games_can_be_played_again(whole, tmp_path):
    """The first folder has all that its new games need."""
    into, source = halves(whole, tmp_path, HALVES["by variant"])
    games = logged(source)
    merge(into, source)
    for game in games[:3]:
        assert rerun(into, game.game, "trusted", lambda line: None).is_same


def test_a_merge_brings_games_and_what_they_need_and_nothing_else(whole, tmp_path):
    """Bots with all their files and definitions come along: the larger tournament has no game to play.

    Openings, rounds, runs, facts, marks, voids and bots that no game needs stay where they are.
    """
    few = {name: BOTS[name] for name in ("first", "chance")}
    into = play_games(tmp_path, few, openings=1, variants=["snort:line-9"])
    before = everything(into)
    source = copied(whole, tmp_path / "source")
    with closing(Store(source.folder)) as store:
        archive.keep_bot(store, Source("deep", "bot.py", {"bot.py": b"import more\n", "more.py": b"\xff\0"}))
        store.write_fact("over", "mine")
    change(source, "UPDATE bots SET is_repeatable = 0")
    change(source, "INSERT INTO openings SELECT variant, version, seed, 99, '7', 1 FROM openings LIMIT 1")
    change(source, "INSERT INTO voids VALUES ('0', 'x', 'x', 'x', 'x', 'x', 1)")
    change(source, "DELETE FROM openings WHERE opening = 99")
    assert merge(into, source) == Merged(added=34, counted=0, there_already=2)
    after = everything(into)
    changed = {table for table in after if after[table] != before[table]}
    assert changed == {"games", "places", "bots", "variants", "facts"}
    assert [fact[0] for fact in set(after["facts"]) ^ set(before["facts"])] == ["audited"] * 2
    assert {row[0] for row in after["bots"]} == {"first", "chance", "liar"}
    assert Run(into.folder).unrepeatable == []
    with into.log() as log:
        assert log.played == 2  # its plan is still its own
    larger = play_games(tmp_path)
    assert larger.folder == into.folder
    assert larger.digest() == whole.digest()
    assert len(everything(larger)["runs"]) == len(before["runs"]), "something was played"


def test_games_that_could_never_count_are_left_out(whole, tmp_path):
    """Another seed, other limits: such games are no games of the first folder, and are not taken."""
    different: list[dict[str, Any]] = [{"seed": 1}, {"limits": "[limits]\nmove_seconds = 0.5"}]
    for number, changes in enumerate(different):
        other = play_games(tmp_path / str(number), openings=1, **changes)
        before = everything(copied(whole, tmp_path / f"copy-{number}"))
        into = Run(tmp_path / f"copy-{number}")
        assert merge(into, other) == Merged(left_out=12)
        assert everything(into) == before


def test_a_game_under_another_number_of_opening_is_left_out(whole, tmp_path):
    """The number is in no id; it must be the one that the first folder has for these cells, or would draw."""
    source, into = halves(whole, tmp_path, HALVES["all of it"])
    change(source, "DELETE FROM games WHERE variant <> 'snort:line-9'")
    for table in ("games", "plan", "openings"):
        where = "variant = 'snort:line-9' AND opening"
        change(source, f"UPDATE {table} SET opening = 77 WHERE {where} = 1")
        change(source, f"UPDATE {table} SET opening = 1 WHERE {where} = 2")
        change(source, f"UPDATE {table} SET opening = 2 WHERE {where} = 77")
    assert len(logged(source)) == 18
    assert merge(into, source) == Merged(added=6, counted=6, left_out=12)
