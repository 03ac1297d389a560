"""Verifying: a log that was played is right, and whatever is changed in it afterwards is named."""

import sqlite3
from contextlib import closing

import pytest

from arena.errors import StoreError
from arena.game import variant
from arena.log.reading import LOG
from arena.results.verify import UNCHECKED, list_unchecked, mistakes, plan_of, redraw
from tests.tournament.field import FIRST
from tests.tournament.small import change, copied, logged, play_games


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tournament that was played to its end."""
    return play_games(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def copy(whole, tmp_path):
    """A copy of its folder, to be tampered with."""
    return copied(whole, tmp_path / "copy")


def wrong(run):
    """What is wrong with a folder: reasons by game."""
    with run.log() as log:
        found = list(mistakes(log))
    assert len(found) == len(dict(found)), "a game is named once"
    return {what: why for what, why in found if "plan" not in what}


def wrong_plan(run):
    """What is wrong with the plan of a folder."""
    with run.log() as log:
        return [what for what, _ in mistakes(log) if "plan" in what]


def test_what_was_played_is_what_the_rules_say(whole):
    """A log that nobody touched has no mistake, with games of both kinds in it."""
    endings = {(game.ending, game.plies > game.opening_plies) for game in logged(whole)}
    assert endings == {("no-moves", True), ("illegal", True)}
    assert len(logged(whole)) == 36
    assert wrong(whole) == {}


def test_a_folder_is_enough_to_make_its_ids_anew(whole):
    """The plan comes out of the folder alone, and every planned game has the id that it says."""
    with whole.log() as log:
        plan = plan_of(log, log.field())
        for game, name, number, repeat, first, second, cells in log.rows("SELECT * FROM plan"):
            assert plan.game_id(name, first, second, cells, repeat) == game
            assert " ".join(map(str, plan.openings[name][number].cells)) == cells


def loser(game):
    return game.second if game.winner == game.first else game.first


def other_last_move(game):
    """Another legal last move, after which the game is not over; None if there is none."""
    before = variant(game.variant).replay(game.cells[:-1])
    others = [cell for cell in before.legal_moves if cell != game.cells[-1] and not before.play(cell).is_over]
    return others[0] if others else None


def moves(*cells):
    return {"moves": " ".join(map(str, cells)), "plies": len(cells)}


def is_ended(game):
    return game.ending == "no-moves"


def is_forfeit(game):
    return game.ending == "illegal"


# Which game, and what is changed of it.
TAMPERINGS = {
    "one digit of the id": (is_ended, lambda g: {"game": g.game[:-1] + "10"[g.game[-1] == "1"]}),
    "a negative opening": (lambda g: g.opening == 2, lambda g: {"opening": -1}),
    "an opening that is no number": (is_ended, lambda g: {"opening": "abc"}),
    "moves written otherwise": (is_ended, lambda g: {"moves": "+" + g.moves}),
    "the winner of a game": (is_ended, lambda g: {"winner": loser(g)}),
    "the winner of a forfeited game": (is_forfeit, lambda g: {"winner": loser(g)}),
    "a stranger wins": (is_ended, lambda g: {"winner": "mallory"}),
    "a stranger wins a forfeited game": (is_forfeit, lambda g: {"winner": "mallory"}),
    "nobody wins": (is_ended, lambda g: {"winner": ""}),
    "the last move is a claimed cell": (is_ended, lambda g: moves(*g.cells[:-1], g.cells[0])),
    "the last move is no cell": (is_ended, lambda g: moves(*g.cells[:-1], 999)),
    "the last move is below all cells": (is_ended, lambda g: moves(*g.cells[:-1], -1)),
    "a legal but different last move": (
        lambda g: is_ended(g) and other_last_move(g) is not None,
        lambda g: moves(*g.cells[:-1], other_last_move(g)),
    ),
    "two moves exchanged": (
        lambda g: is_ended(g) and g.opening_plies > 1,
        lambda g: moves(g.cells[1], g.cells[0], *g.cells[2:]),
    ),
    "the last move dropped": (is_ended, lambda g: moves(*g.cells[:-1])),
    "the first move dropped": (is_ended, lambda g: moves(*g.cells[1:])),
    "a move dropped and not counted": (is_ended, lambda g: {"moves": " ".join(g.moves.split()[:-1])}),
    "a move dropped from a forfeited game": (is_forfeit, lambda g: moves(*g.cells[:-1])),
    "a move added after the end": (is_ended, lambda g: moves(*g.cells, 0)),
    "no moves at all": (lambda g: g.opening_plies > 0, lambda g: moves()),
    "moves that are no numbers": (is_ended, lambda g: {"moves": "north by north west"}),
    "no-moves made a forfeit": (is_ended, lambda g: {"ending": "illegal"}),
    "no-moves made a timeout": (is_ended, lambda g: {"ending": "timeout"}),
    "a forfeit made no-moves": (is_forfeit, lambda g: {"ending": "no-moves"}),
    "a forfeit made no-start": (is_forfeit, lambda g: {"ending": "no-start"}),
    "an ending that there is not": (is_ended, lambda g: {"ending": "draw"}),
    "one ply too many": (is_ended, lambda g: {"plies": g.plies + 1}),
    "one ply too few": (is_forfeit, lambda g: {"plies": g.plies - 1}),
    "another opening": (lambda g: g.opening == 1, lambda g: {"opening": 2}),
    "an opening instead of none": (lambda g: g.opening == 0, lambda g: {"opening": 1}),
    "an opening that there is not": (lambda g: g.opening == 2, lambda g: {"opening": 7}),
    "no opening plies": (lambda g: g.opening_plies > 0, lambda g: {"opening_plies": 0}),
    "one opening ply more": (lambda g: g.opening_plies > 0, lambda g: {"opening_plies": g.opening_plies + 1}),
    "a negative number of opening plies": (
        lambda g: g.opening_plies == 0,
        lambda g: {"opening_plies": -g.plies},
    ),
    "another repeat": (is_ended, lambda g: {"repeat": 1}),
    "sides exchanged": (is_ended, lambda g: {"first": g.second, "second": g.first}),
    "sides exchanged, and versions": (
        is_ended,
        lambda g: {
            "first": g.second,
            "second": g.first,
            "first_version": g.second_version,
            "second_version": g.first_version,
        },
    ),
    "a bot against itself": (is_ended, lambda g: {"second": g.first, "second_version": g.first_version}),
    "another bot": (lambda g: g.second == "first", lambda g: {"second": "mallory", "winner": g.first}),
    "the first version": (is_ended, lambda g: {"first_version": "0" * 12}),
    "the second version": (is_forfeit, lambda g: {"second_version": g.second_version[::-1]}),
    "another variant": (lambda g: g.variant == "blockade-5x5", lambda g: {"variant": "snort:line-9"}),
    "a variant that there is not": (is_ended, lambda g: {"variant": "chess"}),
}


@pytest.mark.parametrize("what", TAMPERINGS)
def test_whatever_is_changed_in_one_row_is_named(copy, what):
    """Of all games exactly the one that was tampered with is named, and the reason is a sentence."""
    is_chosen, tampered = TAMPERINGS[what]
    chosen = next(filter(is_chosen, logged(copy)))
    changes = tampered(chosen)
    assert any(getattr(chosen, column) != value for column, value in changes.items())
    columns = ", ".join(f"{column} = ?" for column in changes)
    change(copy, f"UPDATE games SET {columns} WHERE game = ?", *changes.values(), chosen.game)
    found = wrong(copy)
    ((named, reason),) = found.items()
    assert named == changes.get("game", chosen.game)
    assert len(reason.split()) > 2
    assert "\n" not in reason


def test_a_game_that_was_cut_short_is_said_to_be(copy):
    """The reason is the one that a reader needs: somebody could still move."""
    game = next(filter(is_ended, logged(copy)))
    change(
        copy,
        "UPDATE games SET moves = ?, plies = ? WHERE game = ?",
        *moves(*game.cells[:-1]).values(),
        game.game,
    )
    assert "no moves left" in wrong(copy)[game.game]


def test_results_that_changed_places_are_named(copy):
    """Two whole rows under each other's ids are both found out: an id belongs to its game."""
    one, other = logged(copy)[:2]
    change(copy, "UPDATE games SET game = 'x' WHERE game = ?", one.game)
    change(copy, "UPDATE games SET game = ? WHERE game = ?", one.game, other.game)
    change(copy, "UPDATE games SET game = ? WHERE game = 'x'", other.game)
    assert set(wrong(copy)) == {one.game, other.game}


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE facts SET value = replace(value, '"move_seconds": 1.0', '"move_seconds": 2.0') WHERE name = 'field'""",
    ],
)
def test_a_plan_that_was_tampered_with_names_all_games(copy, statement):
    """Under another seed, or other limits, these would be other games."""
    change(copy, statement)
    assert set(wrong(copy)) == {game.game for game in logged(copy)}


def test_a_plan_without_the_openings_of_its_seed_is_a_sentence(copy):
    """Nothing was ever planned so, and no game of it can be looked at."""
    change(
        copy, """UPDATE facts SET value = replace(value, '"seed": 8721', '"seed": 1') WHERE name = 'field'"""
    )
    with pytest.raises(StoreError, match="without openings"):
        wrong(copy)


def test_games_that_are_left_out_of_the_plan_are_missed(copy):
    """Whoever deletes the games that a bot has lost, and plans them no more, is found out."""
    lost = [game.game for game in logged(copy) if game.loser == "chance"]
    for table in ("games", "plan"):
        for game in lost:
            change(copy, f"DELETE FROM {table} WHERE game = ?", game)
    assert wrong(copy) == {}
    assert wrong_plan(copy) == ["(the plan)"]


def test_frozen_openings_that_were_tampered_with_name_their_games(copy):
    """Games begin with the opening that was planned, or they are not the games of the plan."""
    change(copy, "UPDATE openings SET cells = '0 4' WHERE variant = 'snort:line-9' AND opening = 2")
    found = {game.game for game in logged(copy) if (game.variant, game.opening) == ("snort:line-9", 2)}
    assert len(found) == 6
    assert set(wrong(copy)) == found


def test_games_of_an_older_plan_are_held_to_the_rules_too(copy):
    """What no longer counts is still replayed."""
    game = next(filter(is_ended, logged(copy)))
    change(copy, "DELETE FROM plan")
    assert wrong(copy) == {}
    assert wrong_plan(copy) == ["(the plan)"]
    change(copy, "UPDATE games SET winner = ? WHERE game = ?", loser(game), game.game)
    assert set(wrong(copy)) == {game.game}


def test_a_folder_that_was_run_again_with_other_bots_has_no_mistake(tmp_path):
    """Games of bots before they were edited stay in the log, and are right."""
    play_games(tmp_path, openings=1)
    again = play_games(
        tmp_path,
        {"first": "def move(position):\n    return position.legal_moves[1 % len(position.legal_moves)]\n"},
        openings=1,
    )
    with again.log() as log:
        assert log.number("SELECT COUNT(*) FROM games") == 12 + 8
        assert log.played == 12
    assert wrong(again) == {}


def test_damage_within_the_file_is_told(copy):
    """A page of an index that lies is no mistake of a game's, and is told all the same."""
    with closing(sqlite3.connect(copy.folder / LOG, isolation_level=None)) as database:
        pages = dict(database.execute("SELECT name, rootpage FROM sqlite_master"))
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with (copy.folder / LOG).open("r+b") as file:
        file.seek((pages["sqlite_autoindex_games_1"] - 1) * size + size - 40)
        file.write(bytes(range(1, 41)))
    with copy.log() as log:
        assert "(the file itself)" in dict(mistakes(log))


def test_what_was_not_looked_at_is_said(whole):
    """A gauntlet's plan names no list of who runs it, so that it is whole cannot be known; and that is said."""
    with whole.log() as log:
        field, drawing = log.field(), redraw(log)
    assert list_unchecked(field, drawing) == list(UNCHECKED)
    lines = list_unchecked(field._replace(format="gauntlet"), drawing._replace(not_drawn=3))
    assert lines == ["3 openings", "that no game was left out of its plan", *UNCHECKED]


def test_an_opening_that_no_seed_can_draw_is_named(tmp_path):
    """Where all openings are drawn already, one more is the mirror image of another, and was put there."""
    run = play_games(tmp_path, {"first": FIRST, "last": FIRST}, variants=["snort:line-4"], openings=50)
    with run.log() as log:
        drawn = log.rows("SELECT opening, cells FROM openings")
        assert redraw(log) == (len(drawn), 0, [])
    cells = next(" ".join(str(3 - int(cell)) for cell in cells.split()) for _, cells in drawn if cells)
    values = "variant, version, seed, ?, ?, NULL"
    change(run, f"INSERT INTO openings SELECT {values} FROM openings LIMIT 1", len(drawn), cells)
    with run.log() as log:
        told = "1 of its openings are not those that its seed draws"
        assert redraw(log) == (len(drawn), 0, [("snort:line-4", told)])
