"""What is said of single games: one from a log, the same played again, or those of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from arena.game import Position, Variant
from arena.referee.endings import Ending, Outcome
from arena.referee.row import GameRow

if TYPE_CHECKING:
    from arena.solver import Solution
    from arena.solver.grades import Grade
    from arena.tournament.rerun import Again

Answer = dict[str, Any]


def tell_replay(logged: GameRow, variant: Variant, is_graded: bool) -> Answer:
    """Return a game ply by ply; the ply that a bot forfeited, if it was asked for one, has no cell."""
    return {"logged": _row(logged), "turns": list(_turns(logged, variant, is_graded))}


def tell_again(again: Again, transcript: Sequence[str]) -> Answer:
    """Return a game as it was logged and as it went this time, with what was shown meanwhile."""
    record = again.record
    return {
        "same": again.is_same,
        "logged": _row(again.logged),
        "again": _row(record.row()),
        "transcript": [line.strip() for line in transcript],
        "evidence": record.evidence or None,
    }


def tell_match(variant: Variant, names: dict[int, str], games: Sequence[Answer]) -> Answer:
    """Return the games of a match, and who won how many; players are called as at the board."""
    wins = [sum(game["winner"] == player for game in games) for player in names]
    return {
        "variant": variant.name,
        "players": list(names.values()),
        "wins": wins,
        "games": games,
    }


def tell_played(starter: int, outcome: Outcome, moves: tuple[int, ...]) -> Answer:
    """Return one game of a match: who moved first and who won it, Player 1 or 2."""
    winner = starter if outcome.winner == 0 else 3 - starter
    ending = {"ending": outcome.ending, "detail": outcome.detail}
    return {"starter": starter, "winner": winner, **ending, "moves": moves}


def tell_solution(position: Position, solution: Solution) -> Answer:
    """Return who wins a position with perfect play, and by which moves."""
    return {
        "variant": position.variant.name,
        "to_move": position.to_move,
        "winner": solution.winner,
        "winning_moves": solution.winning_moves,
        "unknown_moves": solution.unknown_moves,
    }


def tell_position(position: Position) -> Answer:
    """Return a position: who is to move, what is claimed, what is open to each side, the board as text."""
    return {
        "variant": position.variant.name,
        "to_move": position.to_move,
        "winner": position.winner,
        "moves": position.history,
        "open": [position.moves_of(side) for side in (0, 1)],
        "picture": str(position),
    }


def _row(row: GameRow) -> Answer:
    return {**row._asdict(), "moves": row.cells}


def _turns(logged: GameRow, variant: Variant, is_graded: bool) -> Iterator[Answer]:
    from arena.solver.grades import Grade, Grader

    is_asked = logged.ending not in (Ending.NO_MOVES, Ending.NO_START)
    grader = Grader(variant)
    grades: tuple[Grade, ...] = ()
    if is_graded:
        grades = grader.game(logged.cells, logged.opening_plies, logged.winning_side, is_asked).grades
    by_ply = dict(enumerate(grades, logged.opening_plies + 1))
    position = variant.start()
    cells: tuple[int | None, ...] = (*logged.cells, *([None] * is_asked))
    for ply, cell in enumerate(cells, 1):
        is_chosen = by_ply.get(ply) in (Grade.KEPT, Grade.THROWN_AWAY)
        yield {
            "ply": ply,
            "bot": logged.first if ply % 2 else logged.second,
            "cell": cell,
            "name": None if cell is None else position.name(cell),
            "is_opening": ply <= logged.opening_plies,
            "grade": by_ply.get(ply),
            "winning_moves": grader.winning_moves(position) if is_chosen else None,
        }
        position = position if cell is None else position.play(cell)
