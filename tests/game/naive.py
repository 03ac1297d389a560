"""A second implementation of the rules, as plain and slow as can be, to hold the kernel against.

It shares nothing with the kernel: sets instead of bits, distances instead of edge lists, and it asks
"is any neighbour taken by ...?" each time instead of keeping what is open.
"""

import re


class NaiveGame:
    """The rule texts, word for word: who owns what, and who may claim what."""

    def __init__(self, rule: str, neighbours: dict[int, set[int]]) -> None:
        self.rule = rule
        self.neighbours = neighbours
        self.owners: dict[int, int] = {}

    def may_claim(self, side: int, cell: int) -> bool:
        """Whether the rule text lets a side claim a cell."""
        if cell in self.owners:
            return False
        near = {self.owners[n] for n in self.neighbours[cell] if n in self.owners}
        if self.rule == "kayles":
            return not near
        if self.rule == "snort":
            return (1 - side) not in near
        assert self.rule == "col"
        return side not in near

    def legal(self, side: int) -> list[int]:
        """All cells that a side may claim, ascending."""
        return [cell for cell in sorted(self.neighbours) if self.may_claim(side, cell)]


def neighbours(board: str) -> dict[int, set[int]]:
    """The neighbours of a board's cells, by measuring every distance."""
    numbers = [int(n) for n in re.findall(r"\d+", board)]
    size = numbers[0] * numbers[1] if len(numbers) == 2 else numbers[0]
    return {a: {b for b in range(size) if a != b and touch(board, numbers, a, b)} for a in range(size)}


def touch(board: str, numbers: list[int], a: int, b: int) -> bool:
    """Whether two different cells of a board are neighbours."""
    if board.startswith("line"):
        return abs(a - b) == 1
    if board.startswith("ring"):
        return abs(a - b) in (1, numbers[0] - 1)
    rows, columns = numbers
    down, right = b // columns - a // columns, b % columns - a % columns
    if board.startswith("torus"):
        down, right = min(abs(down), rows - abs(down)), min(abs(right), columns - abs(right))
    if board.startswith("hex"):
        return abs(down) + abs(right) == 1 or (down, right) in ((-1, 1), (1, -1))
    if board.endswith("rook"):
        return abs(down) + abs(right) == 1
    return max(abs(down), abs(right)) == 1
