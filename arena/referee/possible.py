"""Whether a game can have gone as a row says: by the rules, and as the game that was asked for. Pure.

Rows come from logs that somebody has sent, and from machines that somebody else runs. What bots would really
have played, and how long they took, no rule can tell.
"""

from __future__ import annotations

from arena.errors import IllegalMove
from arena.game import Position, Variant
from arena.referee.endings import Ending
from arena.referee.game import GameSpec
from arena.referee.row import GameRow, write_cells


def find_wrong_game(row: GameRow, spec: GameSpec) -> str | None:
    """Return why a row is not a possible end of a game that was to be played; None if it is."""
    versions = spec.first_version[:12], spec.second_version[:12]
    names = (spec.variant.name, spec.opening_number, spec.repeat, spec.first, spec.second, *versions)
    if row[:8] != (spec.game, *names) or row.winner not in (spec.first, spec.second):
        return "it is not the game that was to be played"
    cells = row.cells  # read once: a cluster's coordinator does this for every game
    if row.moves != write_cells(cells):
        return "its moves are not written as the log writes them"
    if cells[: row.opening_plies] != spec.opening or row.opening_plies != len(spec.opening):
        return "it does not begin with its opening"
    return _find_broken_rule(row, cells, spec.variant, is_trial=spec.moves_asked > 0)


def find_broken_rule(row: GameRow, variant: Variant) -> str | None:
    """Return why a game is not what the rules say; None if it is."""
    return _find_broken_rule(row, row.cells, variant, is_trial=False)


def _find_broken_rule(row: GameRow, cells: tuple[int, ...], variant: Variant, is_trial: bool) -> str | None:
    """A trial may end before its end."""
    if row.plies != len(cells) or not 0 <= row.opening_plies <= row.plies:
        return f"it has {len(cells)} moves and says {row.plies}"
    try:
        position = variant.replay(cells)
    except IllegalMove as why:
        return f"a move is illegal: {why}"
    return None if is_trial else _find_wrong_result(row, position)


def _find_wrong_result(row: GameRow, position: Position) -> str | None:
    ending = Ending(row.ending)
    if ending is Ending.NO_MOVES:
        if not position.is_over:
            return f"it ended with no moves left, but side {position.to_move} has {len(position.legal_moves)}"
        return None if position.winner == row.winning_side else f"{row.winner} lost it"
    if position.is_over:
        return f"it is logged as a forfeit by {ending}, but it was already over"
    if ending is Ending.NO_START:
        return None if row.plies == row.opening_plies else "moves were made by a bot that did not start"
    return None if position.to_move != row.winning_side else f"{row.loser} forfeited out of turn"
