"""A second solver, as plain as can be, to hold the real one against: sets of cells, every move, a memo.

It knows no parts, no symmetry, no values and no bounds, and shares nothing with the solver or the kernel.
"""

from tests.game.naive import neighbours

Cells = frozenset[int]

# Board families and what is given by its edges alone: a star, a triangle and an edge apart, K4 less an edge.
GRAPHS = {
    "star": [(0, 1), (0, 2), (0, 3), (0, 4), (4, 5)],
    "apart": [(0, 1), (1, 2), (2, 0), (3, 4), (5, 6), (6, 7)],
    "diamond": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (3, 4)],
    "pentagram": [(0, 2), (2, 4), (4, 1), (1, 3), (3, 0), (5, 0)],
    "cube": [(a, a ^ bit) for a in range(8) for bit in (1, 2, 4) if a < a ^ bit],
    "utility": [(a, b) for a in (0, 1, 2) for b in (3, 4, 5)],
}


class PlainSolver:
    """Who wins, by looking at every move of every position that can follow."""

    def __init__(self, rule: str, near: dict[int, set[int]]) -> None:
        self.rule = rule
        self.near = {cell: frozenset(cells | {cell}) for cell, cells in near.items()}
        self.memo: dict[tuple[Cells, Cells], bool] = {}

    def after(self, mine: Cells, yours: Cells, cell: int) -> tuple[Cells, Cells]:
        """What mover and opponent may claim after a claim, as the claimer sees it."""
        one, all_near = frozenset({cell}), self.near[cell]
        closed_to_me = all_near if self.rule in ("kayles", "col") else one
        closed_to_you = all_near if self.rule in ("kayles", "snort") else one
        return mine - closed_to_me, yours - closed_to_you

    def wins(self, mine: Cells, yours: Cells) -> bool:
        """Whether whoever may claim `mine` wins, being to move."""
        known = self.memo.get((mine, yours))
        if known is None:
            known = self.memo[mine, yours] = any(
                not self.wins(*self.after(mine, yours, cell)[::-1]) for cell in mine
            )
        return known

    def winning_moves(self, mine: Cells, yours: Cells) -> tuple[int, ...]:
        """The claims after which the opponent loses, ascending."""
        return tuple(c for c in sorted(mine) if not self.wins(*self.after(mine, yours, c)[::-1]))


def near_of(board: str) -> dict[int, set[int]]:
    """The neighbours of the cells of a board or graph."""
    if board not in GRAPHS:
        return neighbours(board)
    cells = {cell for edge in GRAPHS[board] for cell in edge}
    return {cell: {a + b - cell for a, b in GRAPHS[board] if cell in (a, b)} for cell in cells}


def cells(bits: int) -> Cells:
    """The cells of a bit set."""
    return frozenset(cell for cell in range(bits.bit_length()) if bits >> cell & 1)


def open_to(position) -> tuple[Cells, Cells]:
    """What the side to move and the other may claim."""
    return cells(position.open[position.to_move]), cells(position.open[1 - position.to_move])
