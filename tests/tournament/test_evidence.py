"""Evidence for forfeits: enough to understand and to repeat, and not more than ten of a kind."""

import json
from collections import Counter

import pytest

import arena
from arena.tournament.evidence import MOST_OF_A_KIND, Faults, evidence
from tests.hosts.games import FIRST_LEGAL, QUICK, game

FAILS = (
    "def move(position):\n    print('trying', len(position.history))\n    return [][len(position.history)]\n"
)


def test_an_author_sees_what_happened_and_how_to_see_it_again(bot, tmp_path):
    """Position, request, printed text, own traceback and the command are all there."""
    loser = bot(FAILS)
    record = game(bot(FIRST_LEGAL), loser)
    files = evidence(record, arena.variant("grid-lock"), QUICK, "results/cup")
    Faults(tmp_path, Counter()).keep(record, files)
    place = tmp_path / "faults" / record.game
    told = (place / "what-happened.txt").read_text()
    assert "two lost game 0123456789abcdef on grid-lock by crash." in told
    assert "ply 2: raised IndexError: list index out of range" in told
    assert "X   -   3   4\n" in told
    assert "arena rerun results/cup 0123456789abcdef\n" in told
    assert (place / "printed.txt").read_text() == "trying 1\n"
    assert 'File "bot.py", line 3, in move' in (place / "traceback.txt").read_text()
    request = json.loads((place / "request.json").read_text())
    assert (request["to_move"], request["history"], request["owners"][0]) == (1, [0], "X")


def test_ten_of_a_kind_are_kept(bot, tmp_path):
    """The eleventh forfeit of the same bot, variant and ending is not written; another kind is."""
    record = game(bot(FAILS), bot(FIRST_LEGAL))
    faults = Faults(tmp_path, Counter())
    for number in range(20):
        forfeit = record._replace(game=f"{number:016x}")
        if faults.is_wanted(forfeit):
            faults.keep(forfeit, {"what-happened.txt": ""})
    assert len(list((tmp_path / "faults").iterdir())) == MOST_OF_A_KIND == 10
    assert faults.is_wanted(record._replace(variant="grid-block"))
    assert not faults.is_wanted(record)


@pytest.mark.parametrize(("moves", "left"), [((), 1.75), ((0,), 1.5)])
def test_the_request_shows_the_clock_of_the_side_that_was_asked(bot, moves, left):
    """Not the opponent's."""
    record = game(bot(FAILS), bot(FAILS))._replace(
        moves=moves, first_cpu_seconds=0.25, second_cpu_seconds=0.5
    )
    files = evidence(record, arena.variant("grid-lock"), QUICK, "results/cup")
    assert json.loads(files["request.json"])["game_seconds_left"] == left
