"""The starter bots: legal on every board, repeatable, as strong as they say, and loaded the way users' bots are.

Games go through `Program` and `TrustedHost` under the default limits, so a bot that is too slow forfeits here too.
"""

import ast
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.game.catalogue import RULE_BOOKS
from arena.hosts.play import play
from arena.hosts.trusted import TrustedHost
from arena.inside.program import Program
from arena.referee import Ending, Game, GameRecord, GameSpec, Limits

FOLDER = Path(__file__).parents[2] / "bots"
BOTS = sorted(file.stem for file in FOLDER.glob("*.py"))
DRAWING = {"random_mover", "monte_carlo"}  # those whose moves depend on chance

ODD_BOARDS = [
    *(f"{rule}:line-1" for rule in ("kayles", "snort", "col")),
    *("col:line-2", "snort:ring-3", "col:ring-7", "kayles:torus-3x4", "snort:torus-3x3", "snort:hex-3x4"),
    *("col:hex-4x2", "col:grid-1x6", "kayles:grid-3x3-rook", "snort:grid-2x5"),
]

LIGHT = {"collections", "functools", "itertools", "math", "operator", "random"}


@cache
def program(bot: str) -> Program:
    return Program(str(FOLDER / f"{bot}.py"))


def game(variant, first: str, second: str, *, opening=(), seed: int = 0) -> GameRecord:
    """The record of a game whose bots are called 0 and 1, by their sides."""
    spec = GameSpec("starter", variant, "0", "1", first, second, tuple(opening), seed)
    return play(spec, TrustedHost(program(first)), TrustedHost(program(second)))


def played_out(record: GameRecord, variant) -> bool:
    """Whether a game went by the rules to the position where the loser cannot move."""
    end = variant.replay(record.moves)
    return record.ending is Ending.NO_MOVES and end.is_over and record.winner == str(end.winner)


def chosen(bot: str, position: arena.Position) -> int:
    """The move of a bot that does not depend on chance, asked without a game."""
    return program(bot).begin(Game(position.variant, position.to_move, 0, Limits())).move(position)


@pytest.fixture(scope="module")
def scattered(tmp_path_factory):
    """For each rule a graph of two pieces and two lonely cells, as users write it."""
    folder = tmp_path_factory.mktemp("variants")
    for rule in ("kayles", "snort", "col"):
        edges = "board.size = 8\nboard.edges = [[0, 3], [3, 5], [5, 0], [2, 6], [6, 7]]\n"
        (folder / f"scattered-{rule}.toml").write_text(f'rule = "{rule}"\n{edges}')
    return [arena.variant(file) for file in sorted(folder.iterdir())]


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_plays_legal_moves_to_the_end_on_every_board(bot, scattered):
    """On the rule books and on odd boards, against chance and against itself, on both sides."""
    variants = [arena.variant(name) for name in (*RULE_BOOKS, *ODD_BOARDS)] + scattered
    for variant in variants:
        for first, second in ((bot, "random_mover"), ("random_mover", bot), (bot, bot)):
            record = game(variant, first, second)
            assert played_out(record, variant), record


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("rule", ["kayles", "snort", "col"])
@pytest.mark.long
def test_every_bot_keeps_to_the_default_limits_on_8x8_cells(bot, rule):
    """A large board makes the bots think less, not forfeit."""
    variant = arena.variant(f"{rule}:grid-8x8")
    record = game(variant, bot, "random_mover")
    assert played_out(record, variant), record


@pytest.mark.parametrize("bot", BOTS)
def test_the_same_seed_gives_the_same_game(bot):
    """A game played twice is the same game, whatever was played in between."""
    variant = arena.variant("blockade-5x5")
    once = game(variant, bot, "random_mover", seed=3)
    game(variant, bot, "first_legal", seed=4)
    assert game(variant, bot, "random_mover", seed=3).moves == once.moves


@pytest.mark.parametrize("bot", BOTS)
def test_other_seeds_give_other_games_to_the_bots_that_draw_and_to_no_others(bot):
    """Chance comes from the seed, and who uses none plays the same game with any seed."""
    variant = arena.variant("blockade-5x5")
    games = {game(variant, bot, "first_legal", seed=seed).moves for seed in range(4)}
    assert len(games) == (4 if bot in DRAWING else 1)


# Pairs of games, and the share of them that must be won. Some openings are lost for whoever gets them, most
# of all on grid-block. Greedy is not asked for blockade-line: there it is hardly better than chance.
STRENGTH = {"blockade-5x5": (20, 0.80), "grid-block": (100, 0.55), "blockade-line": (40, 0.65)}
STRONG = [(bot, name) for bot in ("greedy", "monte_carlo", "alpha_beta") for name in STRENGTH]
STRONG.remove(("greedy", "blockade-line"))


def openings(variant, count: int) -> list[tuple[int, ...]]:
    """Distinct openings of two plies, always the same ones."""
    draw = random.Random(8721)
    found: dict[tuple[int, ...], None] = {}
    while len(found) < count:
        position = variant.start()
        for _ in range(2):
            position = position.play(draw.choice(position.legal_moves))
        found[position.history] = None
    return list(found)


def share_won(bot: str, opponent: str, name: str, pairs: int) -> float:
    """The share of games that a bot wins, each opening played on both sides."""
    variant = arena.variant(name)
    won = 0
    for seed, opening in enumerate(openings(variant, pairs)):
        won += game(variant, bot, opponent, opening=opening, seed=seed).winner == "0"
        won += game(variant, opponent, bot, opening=opening, seed=seed).winner == "1"
    return won / (2 * pairs)


@pytest.mark.parametrize(
    ("bot", "name"),
    [
        pytest.param(*case, marks=[pytest.mark.long] if number % 3 else [])
        for number, case in enumerate(STRONG)
    ],
)
def test_bots_that_think_beat_chance(bot, name):
    """Greedy, Monte Carlo and alpha-beta win clearly against random moves."""
    pairs, least = STRENGTH[name]
    assert share_won(bot, "random_mover", name, pairs) >= least


@pytest.mark.parametrize("bot", ["monte_carlo", "alpha_beta"])
def test_looking_further_beats_greed_where_the_last_move_decides(bot):
    """On blockade-line, where greed sees nothing, the two bots that look to the end win clearly."""
    assert share_won(bot, "greedy", "blockade-line", 30) >= 0.60


def always_wins(bot: str, position: arena.Position, side: int) -> bool:
    """Whether a bot that does not draw wins from here against every way of playing."""
    if position.is_over:
        return position.winner == side
    moves = [chosen(bot, position)] if position.to_move == side else position.legal_moves
    return all(always_wins(bot, position.play(cell), side) for cell in moves)


@pytest.mark.parametrize(("name", "side"), [("grid-block", 1), ("blockade-line", 0), ("snort:grid-3x3", 0)])
def test_mirror_wins_where_it_is_proven_to(name, side):
    """Against every possible play: col on an even board as second, kayles and snort on an odd one as first."""
    assert always_wins("mirror", arena.variant(name).start(), side)


@pytest.mark.parametrize("opponent", [bot for bot in BOTS if bot != "mirror"])
def test_mirror_beats_every_other_starter_bot_where_it_is_proven_to(opponent):
    """Second on grid-block, first on blockade-line and on blockade-5x5, with several seeds."""
    for seed in range(4):
        assert game(arena.variant("grid-block"), opponent, "mirror", seed=seed).winner == "1"
        assert game(arena.variant("blockade-line"), "mirror", opponent, seed=seed).winner == "0"
        assert game(arena.variant("blockade-5x5"), "mirror", opponent, seed=seed).winner == "0"


def test_mirror_has_no_centre_to_take_on_an_even_board():
    """There it begins as greed does: on a line of six, next to the end."""
    assert chosen("mirror", arena.variant("snort:line-6").start()) == 1


def test_greedy_leaves_the_fewest_replies_then_the_most_own_moves_then_takes_the_lowest_cell():
    """Its choice is the one that the documented attributes of a position give."""
    for position in positions("snort:hex-4x4", "col:grid-4x4", "kayles:ring-9"):
        side = position.to_move
        after = {cell: position.play(cell) for cell in position.legal_moves}
        prices = {
            cell: (len(next_.moves_of(1 - side)), -len(next_.moves_of(side))) for cell, next_ in after.items()
        }
        best = [cell for cell, price in prices.items() if price == min(prices.values())]
        assert chosen("greedy", position) == min(best)


def positions(*names: str) -> list[arena.Position]:
    """All positions but the last of a few games played at random, always the same ones."""
    draw = random.Random(8721)
    found = []
    for name in names:
        for _ in range(12):
            position = arena.variant(name).start()
            while not position.is_over:
                found.append(position)
                position = position.play(draw.choice(position.legal_moves))
    return found


def test_alpha_beta_takes_the_centre_of_the_line():
    """The only winning first move on blockade-line: whatever follows can be mirrored."""
    assert chosen("alpha_beta", arena.variant("blockade-line").start()) == 6


def is_won(position: arena.Position) -> bool:
    """Whether the side to move wins, by trying everything."""
    return any(not is_won(position.play(cell)) for cell in position.legal_moves)


def test_alpha_beta_plays_perfectly_when_it_sees_the_end():
    """With few cells open, cuts and table included, it wins whatever a search without them can win."""
    won = [
        position for position in positions("snort:hex-2x4", "col:line-8", "kayles:line-9") if is_won(position)
    ]
    assert len(won) > 50
    for position in won:
        assert not is_won(position.play(chosen("alpha_beta", position))), position


SMALL = ["snort:line-10", "col:ring-9", "snort:grid-3x4", "col:grid-3x4"]


@pytest.mark.parametrize("name", SMALL)
def test_alpha_beta_finds_the_value_of_a_full_search(name):
    """Where it does not see the end, cuts and table still change no value."""
    names = vars_of("alpha_beta")
    bound = names["MORE_THAN_WIN"]
    for position in positions(name)[::5]:
        bot = names["Bot"]()  # a new one: a table from before may know better, having looked further
        assert bot.value(position, 5, -bound, bound) == full_search(names, position, 5)


@pytest.mark.parametrize("name", SMALL)
def test_the_table_of_alpha_beta_holds_bounds_that_are_true(name):
    """Whatever a cut search leaves behind, the value of a full one to the same depth lies within."""
    names = vars_of("alpha_beta")
    bot, start, bound = names["Bot"](), arena.variant(name).start(), names["MORE_THAN_WIN"]
    bot.value(start, 4, -bound, bound)
    reached = {position.key: position for position in within(start, 3)}
    for key, (depth, least, greatest) in bot.table.items():
        assert least <= full_search(names, reached[key], depth) <= greatest


def full_search(names: dict[str, Any], position: arena.Position, depth: int) -> int:
    """The value of a position as alpha-beta counts it, without cuts and table."""
    if position.is_over or depth == 0:
        return -names["WIN"] if position.is_over else names["mobility"](position)
    return max(-full_search(names, position.play(cell), depth - 1) for cell in position.legal_moves)


def within(position: arena.Position, plies: int) -> Iterator[arena.Position]:
    """A position and all that can come of it in so many plies."""
    yield position
    if plies:
        for cell in position.legal_moves:
            yield from within(position.play(cell), plies - 1)


def vars_of(bot: str) -> dict[str, Any]:
    """The names that a bot's file defines."""
    names: dict[str, Any] = {}
    exec(program(bot).code, names)
    return names


@pytest.mark.parametrize("bot", BOTS)
def test_bots_import_light_modules_of_python_alone(bot):
    """Nothing to install, nothing slow to load, and nothing that knows the time."""
    tree = ast.parse((FOLDER / f"{bot}.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in imports if isinstance(node, ast.ImportFrom)}
    assert modules <= LIGHT | {"arena.solver"}


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_says_what_it_teaches(bot):
    """The first line of a starter bot is what a reader can learn from it."""
    docstring = ast.get_docstring(ast.parse((FOLDER / f"{bot}.py").read_text(encoding="utf-8")))
    assert docstring is not None
    assert "Teaches:" in docstring.splitlines()[0]
