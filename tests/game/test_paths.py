"""Node Kayles on a path has been solved by others: OEIS A002187, the values of Dawson's Chess."""

import arena
from arena.game import Position

# https://oeis.org/A002187, offset 0: a(n) is the Grundy value of a path of n cells.
A002187 = "0 1 1 2 0 3 1 1 0 3 3 2 2 4 0 5 2 2 3 3 0 1 1 3 0 2 1 1 0 4 5 2 7 4 0 1 1 2 0 3 1 1 0"


def runs(position: Position) -> tuple[int, ...]:
    """The lengths of the runs of open cells; two equal runs cancel, since the second side can copy."""
    lengths = [len(run) for run in bin(position.open[0])[2:].split("0") if run]
    return tuple(n for n in sorted(set(lengths)) if lengths.count(n) % 2)


def wins(position: Position, known: dict[tuple[int, ...], bool]) -> bool:
    """Whether the side to move wins: plain search with the kernel's own moves, remembered by runs."""
    key = runs(position)
    if key not in known:
        known[key] = any(not wins(position.play(cell), known) for cell in position.legal_moves)
    return known[key]


def test_paths_are_won_by_the_second_side_exactly_where_the_grundy_value_is_0():
    """For a path of n cells, n up to 40, the second side wins just where A002187(n) is 0."""
    values = [int(value) for value in A002187.split()]
    # The shift, by hand: three cells in a row leave 0 cells or 1 cell, worth 0 and 1, so a(3) is 2;
    # four leave 1 or 2 cells, both worth 1, so a(4) is 0.
    assert values[3:5] == [2, 0]
    known: dict[tuple[int, ...], bool] = {}
    for n in range(1, 41):
        assert wins(arena.variant(f"kayles:line-{n}").start(), known) == (values[n] != 0), n
