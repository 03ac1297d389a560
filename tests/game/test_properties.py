"""Laws of the kernel that must hold for every variant, searched for counter-examples by hypothesis."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arena
from arena.game import RULE_BOOKS, RULES, Position, Variant
from arena.game.families import FAMILIES

BOARDS = ["line-9", "ring-7", "grid-3x5", "grid-4x4-rook", "torus-3x5", "hex-4x4", "hex-3x5", "grid-8x8"]
NAMES = [*RULE_BOOKS, *(f"{rule}:{board}" for rule in RULES for board in BOARDS)]


@st.composite
def games(draw: st.DrawFn) -> Position:
    """A position after some legal moves of some variant."""
    position = arena.variant(draw(st.sampled_from(NAMES))).start()
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=30)):
        if not position.is_over:
            position = position.play(position.legal_moves[choice % len(position.legal_moves)])
    return position


@given(games())
def test_play_never_reopens_a_cell(position):
    """What is closed to a side stays closed, and every claim closes its own cell to both."""
    for cell in position.legal_moves:
        after = position.play(cell)
        for side in (0, 1):
            assert set(after.moves_of(side)) < set(position.moves_of(side)) | {cell}
            assert cell not in after.moves_of(side)


@settings(max_examples=50)
@given(games(), st.integers(0, 10**6))
def test_symmetries_map_legal_games_to_legal_games(position, choice):
    """Moving every claim by a symmetry gives a legal game whose open cells are the moved open cells."""
    symmetries = position.board.symmetries
    moved = symmetries[choice % len(symmetries)]
    image = position.variant.replay(moved[cell] for cell in position.history)
    for side in (0, 1):
        assert sorted(moved[cell] for cell in position.moves_of(side)) == list(image.moves_of(side))
    assert image.winner == position.winner


@pytest.mark.parametrize("name", [*NAMES, "kayles:line-1000", "snort:grid-64x64"])
def test_every_cell_is_found_again_by_its_printed_and_its_typed_form(name):
    """parse(name(c)) == c and parse(typed(c)) == c, for all cells."""
    variant = arena.variant(name)
    for cell in range(variant.board.size):
        assert variant.parse(variant.start().name(cell)) == cell
        assert variant.parse(f"  {variant.notation.spell(cell)} ") == cell


@given(games())
def test_a_game_goes_to_text_and_back(position):
    """The moves, as the rule book prints them and as people type them, lead to the same position."""
    variant = position.variant
    printed = ", ".join(map(position.name, position.history))
    typed = ", ".join(map(variant.notation.spell, position.history))
    for text in (printed, typed):
        again = variant.replay(variant.parse_moves(text))
        assert again == position
        assert hash(again) == hash(position)
        assert (again.key, str(again)) == (position.key, str(position))


@given(games())
def test_variants_go_to_text_and_back(position):
    """A variant's name, and its pickle, stand for an equal variant."""
    variant = position.variant
    assert arena.variant(variant.name) == variant
    assert pickle.loads(pickle.dumps(position)) == copy.copy(position) == position
    assert pickle.loads(pickle.dumps(position)).key == position.key


@given(games())
def test_the_side_to_move_follows_from_the_plies(position):
    """Side 0 makes ply 1; the last to claim has won when the other side cannot."""
    assert position.to_move == len(position.history) % 2
    assert position.is_over == (position.legal_moves == ()) == (position.winner is not None)
    assert position.winner in (None, 1 - position.to_move)
    assert position.legal_moves == position.moves_of(position.to_move)
    assert list(position.legal_moves) == sorted(set(position.legal_moves))


class Number:
    """Something that stands for a number, as numpy's do."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


NUMBERS = st.integers(-3, 70) | st.integers() | st.integers(0, 70).map(Number)
OTHERS = st.text() | st.floats() | st.none() | st.lists(st.integers()) | st.booleans()


@given(games(), NUMBERS)
def test_play_takes_legal_numbers_of_any_kind_and_no_others(position, cell):
    """A number among the legal moves is claimed, whatever kind of number it is; others are illegal."""
    number = getattr(cell, "number", cell)
    if number in position.legal_moves:
        claimed = position.play(cell).history[-1]
        assert type(claimed) is int
        assert claimed == number
    else:
        with pytest.raises(arena.IllegalMove):
            position.play(cell)


@given(games(), OTHERS)
def test_play_takes_nothing_that_a_referee_would_not_take(position, reply):
    """Texts, fractions, lists, nothing and truth values are no moves, even where they equal one."""
    with pytest.raises(arena.IllegalMove, match="is not a number"):
        position.play(reply)


@given(st.text(max_size=30))
def test_any_text_is_a_cell_or_a_clear_refusal(text):
    """Parsing never fails in any way but the one that says what is wrong."""
    for name in ("grid-lock", "grid-block", "blockade-4x4"):
        variant = arena.variant(name)
        try:
            cell = variant.parse(text)
        except arena.UserError as refusal:
            assert str(refusal)
        else:
            assert 0 <= cell < variant.board.size


@given(st.from_regex(r"(kayles|snort|col|x):[a-z]{0,6}-?[0-9]{0,5}x?[0-9]{0,2}(-rook)?", fullmatch=True))
def test_any_rule_and_board_is_a_variant_or_a_clear_refusal(text):
    """A name either gives a variant of that name with at most 4,096 cells, or one sentence."""
    try:
        variant = arena.variant(text)
    except arena.UserError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert isinstance(variant, Variant)
        assert variant.name == text
        assert 1 <= variant.board.size <= 4096


def test_what_cannot_be_shown_is_still_an_illegal_move():
    """A number too long for Python to print, or an object that refuses to be shown, is refused all the same."""

    class Shy:
        def __repr__(self):
            raise RuntimeError

    for cell in (1 << 100_000, Shy()):
        with pytest.raises(arena.IllegalMove):
            arena.variant("grid-lock").start().play(cell)  # type: ignore[arg-type] # no number at all


def test_positions_cannot_be_changed():
    """Every attribute of a position is read-only, and there is no place for new ones."""
    position = arena.variant("grid-lock").start().play(5)
    public = [name for name in dir(position) if not name.startswith("_")]
    assert {"legal_moves", "to_move", "history", "board", "variant", "winner", "is_over"} <= set(public)
    for name in [*public, "something_new"]:
        with pytest.raises(AttributeError):
            setattr(position, name, 0)


def test_variants_and_boards_cannot_be_changed():
    """They are shared by everybody who names them."""
    variant = arena.variant("grid-lock")
    for thing, name in (
        (variant, "rule"),
        (variant, "new"),
        (variant.board, "size"),
        (variant.board, "edges"),
    ):
        with pytest.raises(AttributeError):
            setattr(thing, name, None)
    with pytest.raises(AttributeError):
        del variant.rule
    assert variant.rule == "kayles"


def test_things_are_equal_only_if_all_that_defines_them_is():
    """Key, variant and board tell apart what plays differently."""
    snort, col = arena.variant("snort:grid-3x3"), arena.variant("col:grid-3x3")
    assert snort != col
    assert snort.board == col.board != arena.variant("snort:grid-3x3-rook").board
    assert arena.variant("snort:grid-2x4").board != arena.variant("snort:grid-4x2").board
    assert snort.start().play(4) != col.start().play(4)
    one = arena.variant("kayles:line-9")
    assert one.replay([0, 4]).key != one.replay([0, 4, 8]).key
    # The same cells are open to both, but the other side is to move.
    assert one.replay([1, 4]).open == one.replay([1, 4]).open
    assert (
        arena.variant("kayles:line-3").replay([0, 2]).key[0]
        != arena.variant("kayles:line-3").replay([1]).key[0]
    )


def test_the_table_of_cells_stays_small():
    """However many bit sets are asked for, what is remembered is bounded by cells."""
    table = arena.variant("snort:grid-64x64").cells_of
    for number in range(600):
        assert table[1 << number | 1 << 4095] == (number, 4095)
    assert len(table) <= 1_000_000 // 4096


def test_every_family_has_a_board_in_these_tests():
    """A new board family must be put through the laws above."""
    assert {type(b)(b).split("-")[0] + ("-rook" if b.endswith("rook") else "") for b in BOARDS} == set(
        FAMILIES
    )
