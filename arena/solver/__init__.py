"""Perfect play: who wins a position, and by which moves, for every rule and board. Pure.

    solve(position)                     the winner and the winning moves
    Solver(variant).winner(position)    the winner alone, for many positions: what was found is remembered

`search` runs questions and has the transposition table, `shapes` recognises equal parts of a board, `mirror`
finds pairing strategies. `kayles` (Sprague-Grundy theory), `snort` and `col` (surreal numbers) know one rule
each. `solver` puts them together and keeps the budget.
"""

from arena.solver.solver import Solution, Solver, solve

__all__ = ["Solution", "Solver", "solve"]
