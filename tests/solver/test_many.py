"""Many positions at once: the same as one by one, which other tests hold against the plain solver."""

import random

import pytest

import arena
from arena.errors import IllegalMove
from arena.solver.grades import Grader
from arena.solver.many import LARGEST, find_all_winning
from arena.solver.solver import follow, open_cells
from arena.solver.thresholds import Thresholds
from tests.solver.walks import every_position, random_position, variant_of


def one_by_one(variant, positions):
    thresholds = Thresholds(variant)
    return [thresholds.find_winning(*pair) for pair in positions]


@pytest.mark.parametrize("board", ["line-1", "ring-9", "grid-3x4", "grid-2x5-rook", "torus-3x5", "hex-3x3"])
def test_all_positions_of_a_small_board_agree(board):
    """In every reachable position the same claims win."""
    variant = variant_of("snort", board)
    positions = [open_cells(position) for position in every_position(variant)]
    assert find_all_winning(Thresholds(variant), positions) == one_by_one(variant, positions)


@pytest.mark.parametrize(
    "board", ["line-24", "grid-5x5", "grid-5x5-rook", "grid-5x6", "torus-5x5", f"line-{LARGEST}"]
)
@pytest.mark.long
def test_random_positions_of_larger_boards_agree(board):
    """Where too many cells are contested both say nothing; some boards do not fill whole bytes."""
    variant, chance = variant_of("snort", board), random.Random(board)
    size = variant.board.size
    drawn = [random_position(variant, chance, chance.randint(1, size)) for _ in range(200)]
    positions = [open_cells(position) for position in [variant.start(), *drawn]]
    found = find_all_winning(Thresholds(variant), positions)
    assert found == one_by_one(variant, positions)
    assert any(winning for winning in found)


def test_where_too_many_cells_are_contested_nothing_is_said():
    """Such positions are left to the search."""
    variant = variant_of("snort", "line-24")
    assert find_all_winning(Thresholds(variant), [open_cells(variant.start()), (1, 2)]) == [None, 1]


def test_no_position_is_no_answer():
    """A batch may have nothing new."""
    assert find_all_winning(Thresholds(variant_of("snort", "grid-3x4")), []) == []


@pytest.mark.parametrize("name", ["blockade-5x5", "grid-block", "blockade-line", "snort:grid-6x6"])
def test_what_is_learnt_changes_no_grade(name):
    """Also where nothing can be learnt: under other rules, and on larger boards."""
    variant, chance = arena.variant(name), random.Random(name)
    games = []
    for _ in range(6):
        position = variant.start()
        while position.legal_moves:
            position = position.play(chance.choice(position.legal_moves))
        games.append((position.history, len(position.history) // 2, 0))
    learned, plain = Grader(variant), Grader(variant)
    learned.learn(pair for cells, opening, _ in games for pair in follow(variant, cells, opening))
    assert [learned.game(*game) for game in games] == [plain.game(*game) for game in games]


@pytest.mark.parametrize("rule", ["snort", "col", "kayles"])
def test_to_follow_a_game_is_to_play_it(rule):
    """What may be claimed is what positions say, from the end of the opening on."""
    variant = variant_of(rule, "grid-3x4")
    for position in list(every_position(variant))[:2000]:
        cells = position.history
        played = [open_cells(variant.replay(cells[:plies])) for plies in range(len(cells) + 1)]
        assert follow(variant, cells) == played
        assert follow(variant, cells, 2) == (played[2:] or played[-1:])


@pytest.mark.parametrize("cells", [(0, 0), (0, 1), (-1,), (12,), (10**30,)])
def test_a_move_that_is_not_allowed_is_not_followed(cells):
    """It is the log's mistake, and said as everywhere."""
    with pytest.raises(IllegalMove):
        follow(variant_of("snort", "grid-3x4"), cells)
