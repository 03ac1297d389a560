"""The board: a graph of cells, kept as bit sets.

A cell is an index from 0, row by row where there are rows. A set of cells is an int whose bit `c` stands for
cell `c`. A board knows its neighbours and its symmetries. It knows no rule, no side, and not how a cell is
written.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from arena.game.frozen import Frozen
from arena.game.symmetry import Permutation, automorphisms, group

MOST_CELLS = 4096
"""The number of cells of the largest board that a variant may have."""


GRAPH = "graph"
"""The name of a board that is given by its edges."""


class Board(Frozen):
    """An immutable graph without loops. `rows` and `columns` are None where there are none.

    `is_slanted` says that each row is half a cell to the right of the one above. `generators` are symmetries
    that generate all the others; None asks for a search of the graph.
    """

    def __init__(
        self,
        name: str,
        size: int,
        edges: Iterable[tuple[int, int]],
        *,
        shape: tuple[int, int] | None = None,
        is_slanted: bool = False,
        generators: Iterable[Permutation] | None = None,
    ) -> None:
        unique = tuple(sorted({(min(edge), max(edge)) for edge in edges}))
        around: list[list[int]] = [[] for _ in range(size)]
        for a, b in unique:
            around[a].append(b)
            around[b].append(a)
        rows, columns = shape or (None, None)
        self._freeze(
            name=name,
            size=size,
            edges=unique,
            rows=rows,
            columns=columns,
            is_slanted=is_slanted,
            _generators=None if generators is None else tuple(generators),
            _neighbours=tuple(tuple(sorted(cells)) for cells in around),
        )

    name: str
    size: int
    edges: tuple[tuple[int, int], ...]
    rows: int | None
    columns: int | None
    is_slanted: bool
    _generators: tuple[Permutation, ...] | None
    _neighbours: tuple[tuple[int, ...], ...]

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """Return the neighbours of a cell, ascending; IndexError if there is no such cell."""
        if cell < 0:
            raise IndexError(f"there is no cell {cell}")
        return self._neighbours[cell]

    @property
    def every_cell(self) -> int:
        """The bit set of all cells."""
        return (1 << self.size) - 1

    def around(self, cell: int) -> int:
        """Return the bit set of a cell and its neighbours."""
        return 1 << cell | sum(1 << other for other in self._neighbours[cell])

    @cached_property
    def symmetries(self) -> tuple[Permutation, ...]:
        """A group of symmetries (automorphisms), the identity first.

        A permutation `p` moves cell `c` to `p[c]`. Families give those of their geometry; for any other graph
        they are all there are, if they can be listed. It is always a group, so a least image is canonical.
        """
        if self._generators is None:
            return automorphisms(self._neighbours)
        return group(self.size, self._generators)

    def __getstate__(self) -> dict[str, object]:
        """Pickle only what defines the board, so that the same board has the same bytes."""
        return {name: value for name, value in self.__dict__.items() if name != "symmetries"}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self is other or self._definition() == other._definition()

    def __hash__(self) -> int:
        return hash(self._definition())

    def __repr__(self) -> str:
        return f"<Board {self.name}: {self.size} cells, {len(self.edges)} edges>"

    def _definition(self) -> tuple[object, ...]:
        return self.size, self.edges, self.rows, self.columns
