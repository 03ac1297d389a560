"""The pre-flight: whoever cannot be repeated is found out, and nobody can tell that it is being tried."""

import pytest

import arena
from arena.config.reading import read_tournament
from arena.executors.serial import SerialExecutor
from arena.plan.outlook import make_plan
from arena.tournament.preflight import _slowest, _unit, preflight
from arena.tournament.watch import Watch
from tests.tournament import field
from tests.tournament.field import FAILING, FIRST, LAST
from tests.tournament.small import logged, play_games

# The same for all bots that are forked from one template.
ADDRESS = (
    "def move(position):\n    return position.legal_moves[(id(position) >> 12) % len(position.legal_moves)]\n"
)
# The same in all of its processes and games, as long as they come from one template.
LAYOUT = (
    "def move(position):\n    at = id(type(position)) >> 12\n"
    "    return position.legal_moves[at % len(position.legal_moves)]\n"
)
URANDOM = "import os\ndef move(position):\n    return position.legal_moves[os.urandom(1)[0] % len(position.legal_moves)]\n"


def test_a_bot_that_answers_otherwise_in_another_process_is_marked(tmp_path):
    """By chance of its own, or by where things lie in memory, which forks of one template have in common."""
    bots = {"address": ADDRESS, "urandom": URANDOM, "first": FIRST, "last": LAST}
    config = field.write(tmp_path, bots, variants=["blockade-5x5", "snort:grid-6x6"], openings=2)
    run = arena.run(config, workers=1, grades=False)
    assert run.unrepeatable == ["address", "urandom"]


def test_a_bot_that_answers_otherwise_under_another_template_is_marked(tmp_path):
    """The second time it is forked from one that has another layout of addresses."""
    bots = {"layout": LAYOUT, "first": FIRST}
    config = field.write(tmp_path, bots, variants=["blockade-5x5", "snort:grid-6x6"], openings=1)
    assert arena.run(config, workers=1, audit=False, grades=False).unrepeatable == ["layout"]


def test_a_trial_looks_like_a_planned_game(tmp_path):
    """Variant, opening, limits, side and seed are those of a game that will be played."""
    limits = "[limits]\nmove_seconds = 0.5\ngame_seconds = 7.0\n"
    config = field.write(tmp_path, {"first": FIRST, "last": LAST}, limits=limits, variants=["blockade-5x5"])
    tournament = read_tournament(config)
    plan = make_plan(tournament, None)
    planned = {
        (spec.variant.name, spec.opening, spec.limits, side, spec.bot_seed(side))
        for spec in map(plan.spec, plan.games())
        for side in (0, 1)
    }
    for bot in tournament.bots:
        for spec in _unit(bot, [*plan.variants], plan, "sandboxed").specs:
            for side in (0, 1):
                assert (spec.variant.name, spec.opening, spec.limits, side, spec.bot_seed(side)) in planned


@pytest.mark.parametrize("side", [0, 1])
def test_a_bot_that_starts_as_one_side_only_forfeits_as_the_other_only(tmp_path, side):
    """What was found of a side is held against that side, and the other's games are played."""
    half = f"class Bot:\n    def __init__(self, game):\n        assert game.side != {side}\n"
    half += "    def move(self, position):\n        return position.legal_moves[0]\n"
    games = logged(play_games(tmp_path, {"first": FIRST, "half": half}))
    failed = [(game.first, game.second)[side] == "half" for game in games]
    assert [game.ending == "no-start" for game in games] == failed
    assert any(failed)
    assert not all(failed)


IMPORTED = "import sys\nsys.stderr.write('loaded')\nraise ValueError('no')\n"


def test_a_bot_that_never_starts_is_tried_as_both_sides_and_then_no_more(tmp_path, monkeypatch):
    """All its games are decided without another start, and none of them was played again."""
    units = []
    play_units = SerialExecutor.play
    monkeypatch.setattr(
        SerialExecutor,
        "play",
        lambda self, some: play_units(self, (units.append(unit) or unit for unit in some)),
    )
    config = field.write(
        tmp_path, {"first": FIRST, "last": LAST, "never": IMPORTED}, variants=["snort:line-9"]
    )
    run = arena.run(config, executor="serial", audit=False, grades=False)
    games = logged(run)
    own = [game for game in games if "never" in (game.first, game.second)]
    assert {(game.ending, game.loser) for game in own} == {("no-start", "never")}
    assert {(game.first, game.second).index("never") for game in own} == {0, 1}
    planned = {game.game for game in games}
    met = [unit.bots for unit in units if {spec.game for spec in unit.specs} & planned]
    assert {bot.name for pair in met for bot in pair} == {"first", "last"}
    assert run.replays == ({}, [])


def test_of_two_bots_that_do_not_start_the_one_to_move_loses(tmp_path):
    """Whoever made the opening's last move has won, also where that is the first bot."""
    games = logged(play_games(tmp_path, {"one": FAILING["no-start"], "other": FAILING["no-start"]}))
    assert {game.opening_plies % 2 for game in games} == {0, 1}
    for game in games:
        assert (game.ending, game.loser) == ("no-start", (game.first, game.second)[game.opening_plies % 2])


def test_a_bot_is_as_slow_as_on_its_slowest_variant_and_not_as_its_slowest_start():
    """Each side is asked twice on each variant: what a busy machine adds to one of them counts for nothing."""
    assert _slowest({("a", 0): 0.1, ("a", 1): 0.002}, {("a", 0): 0.001, ("a", 1): 0.003}) == 0.002
    assert _slowest({("a", 0): 0.1}, {}) == 0.1
    assert _slowest({}, {}) == 0.0


def test_who_sleeps_does_not_play_among_many(tmp_path):
    """It uses no CPU, and would hold up everybody all the same."""
    sleepy = "import time\ndef move(position):\n    time.sleep(0.02)\n    return position.legal_moves[0]\n"
    config = field.write(tmp_path, {"quick": FIRST, "sleepy": sleepy}, variants=["grid-lock"], openings=1)
    tournament = read_tournament(config)
    made = SerialExecutor()
    try:
        found = preflight(made, tournament.bots, make_plan(tournament, None), "trusted", Watch())
    finally:
        made.close()
    assert found.seconds["sleepy"] < 0.01
    assert "sleepy" not in found.sociable
