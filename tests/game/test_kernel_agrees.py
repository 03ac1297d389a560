"""The kernel against the naive implementation: everywhere where that is possible, else by many games."""

import random

import pytest

import arena
from arena.game import Position, Variant
from tests.game.naive import NaiveGame, neighbours

RULE_BOOKS = {
    "blockade-4x4": ("kayles", "grid-4x4"),
    "grid-lock": ("kayles", "grid-4x4"),
    "grid-block": ("col", "grid-4x4"),
    "blockade-line": ("kayles", "line-13"),
}
SMALL_BOARDS = ["line-1", "line-10", "ring-3", "ring-10", "grid-1x1", "grid-2x5", "grid-3x3", "grid-3x4-rook"]
SMALL_BOARDS += ["torus-3x3", "torus-3x4", "hex-3x4", "hex-2x5"]
SMALL = {f"{rule}:{board}": (rule, board) for rule in ("kayles", "snort", "col") for board in SMALL_BOARDS}

PENTAGRAM = [(0, 2), (2, 4), (4, 1), (1, 3), (3, 0), (5, 0)]


def assert_agrees(position: Position, naive: NaiveGame) -> None:
    side = position.to_move
    legal = naive.legal(side)
    assert position.legal_moves == position.moves_of(side) == tuple(legal)
    assert position.moves_of(1 - side) == tuple(naive.legal(1 - side))
    assert position.is_over == (not legal)
    assert position.winner == (None if legal else 1 - side)
    assert {c: position.owner(c) for c in naive.neighbours if position.owner(c) is not None} == naive.owners


def assert_agrees_everywhere(variant: Variant, naive: NaiveGame) -> int:
    """Visit every reachable (who owns what) once; return how many there are."""
    seen = set()
    left = [variant.start()]
    while left:
        position = left.pop()
        naive.owners = {cell: ply % 2 for ply, cell in enumerate(position.history)}
        key = frozenset(naive.owners.items())
        if key in seen:
            continue
        seen.add(key)
        assert_agrees(position, naive)
        left.extend(position.play(cell) for cell in position.legal_moves)
        refused = set(naive.neighbours) - set(position.legal_moves)
        assert all(not allows(position, cell) for cell in refused)
    return len(seen)


def allows(position: Position, cell: int) -> bool:
    try:
        position.play(cell)
    except arena.IllegalMove:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        *RULE_BOOKS.items(),
        *(
            pytest.param(*one, marks=pytest.mark.long if at % 2 else ())
            for at, one in enumerate(SMALL.items())
        ),
    ],
)
def test_every_reachable_position_agrees(name, parts):
    """Legal moves, end and winner are those of the rule text in every reachable position."""
    rule, board = parts
    count = assert_agrees_everywhere(arena.variant(name), NaiveGame(rule, neighbours(board)))
    assert count >= 2


@pytest.mark.parametrize("rule", ["kayles", "snort", "col"])
def test_every_reachable_position_of_a_graph_agrees(rule, tmp_path):
    """A board given by its edges follows the same rules as any other."""
    file = tmp_path / "star.toml"
    file.write_text(f'rule = "{rule}"\nboard.edges = {[list(edge) for edge in PENTAGRAM]}\n')
    near = {cell: {a + b - cell for a, b in PENTAGRAM if cell in (a, b)} for cell in range(6)}
    assert assert_agrees_everywhere(arena.variant(file), NaiveGame(rule, near)) > 20


@pytest.mark.parametrize(
    ("name", "games"),
    [
        ("blockade-5x5", 500),
        ("kayles:grid-8x8", 200),
        ("snort:grid-8x8", 100),
        ("col:grid-8x8", 100),
        pytest.param("blockade-5x5", 20_000, marks=pytest.mark.long),
        pytest.param("kayles:grid-8x8", 6_000, marks=pytest.mark.long),
        pytest.param("snort:grid-8x8", 4_000, marks=pytest.mark.long),
        pytest.param("col:grid-8x8", 4_000, marks=pytest.mark.long),
    ],
)
def test_random_games_on_larger_boards_agree(name, games):
    """Along many random games every legal move is one by the rule text, and no other."""
    variant = arena.variant(name)
    near = neighbours(variant.board.name)
    chance = random.Random(name)
    for _ in range(games):
        position, naive = variant.start(), NaiveGame(variant.rule, near)
        while not position.is_over:
            assert position.legal_moves == tuple(naive.legal(position.to_move))
            cell = chance.choice(position.legal_moves)
            naive.owners[cell] = position.to_move
            position = position.play(cell)
        assert_agrees(position, naive)
