"""`arena replay` shows a game of a run ply by ply; `arena rerun` plays it again, with what the bots print."""

from __future__ import annotations

from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.bots import Isolation, IsolationOption
from arena.cli.completion import complete_run
from arena.errors import UserError, printable
from arena.plaintext import for_lines, for_terminal
from arena.referee.endings import Ending

if TYPE_CHECKING:
    from arena.game import Position, Variant
    from arena.referee.row import GameRow
    from arena.results.run import Run
    from arena.solver.grades import Grade, Grader
    from arena.tournament.rerun import Again

MOST_NAMED = 8
"""How many winning moves a mark names."""

RunAndGame = Annotated[
    list[str],
    typer.Argument(
        metavar="[RUN] GAME",
        help="A run as elsewhere, by default the newest; and a game's id, or the beginning of it.",
        autocompletion=complete_run,
    ),
]


def replay(
    words: RunAndGame,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after every ply.")] = False,
    grade: Annotated[bool, typer.Option("--grade", help="Mark each move against perfect play.")] = False,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Show a game ply by ply, in its rule book's look."""
    from arena.answers.games import tell_replay

    found, game = _find(words)
    logged = found.game(game)
    if format is PlainFormat.JSON:
        print_json(tell_replay(logged, _variant(found, logged), grade))
        return
    position = _variant(found, logged).start()
    marks = _marks(logged, position.variant) if grade else {}
    print(f"{_heading(logged)}\n\n{position}")
    for ply, cell in enumerate(logged.cells, 1):
        if step and not _go_on():
            return
        position = position.play(cell)
        print(f"\n{_ply(logged, position, ply, cell)}{marks.get(ply, '')}\n\n{position}")
    print(f"\n{_ending(logged)}{marks.get(logged.plies + 1, '')}\n{_say_cpu(logged)}")


def _marks(logged: GameRow, variant: Variant) -> dict[int, str]:
    """Return the grade of each ply against perfect play; where choices mattered also what wins."""
    from arena.solver.grades import Grader

    grader = Grader(variant)
    is_asked = logged.ending not in (Ending.NO_MOVES, Ending.NO_START)
    grades = grader.game(logged.cells, logged.opening_plies, logged.winning_side, is_asked).grades
    return {
        ply: _mark(grader, grade, variant.replay(logged.cells[: ply - 1]))
        for ply, grade in enumerate(grades, logged.opening_plies + 1)
    }


def _mark(grader: Grader, grade: Grade, before: Position) -> str:
    """Return the mark behind a move of a game that is over; of a win that was kept also how it could be."""
    winning = grader.winning_moves(before) if grade == "kept" else ()
    if not winning:
        return write_mark(grader, grade, before)
    more = f" and {len(winning) - MOST_NAMED:,} more" if len(winning) > MOST_NAMED else ""
    named = ", ".join(map(before.name, winning[:MOST_NAMED])) + more
    return f"  [{grade}; {len(winning):,} of {len(before.legal_moves):,} moves win: {named}]"


def write_mark(grader: Grader, grade: Grade, before: Position) -> str:
    """Return the mark behind a move; `before` is the position in which it was made."""
    if grade != "thrown away":
        return f"  [{grade}]"
    # That a position is won may be known by a proof that names no move, such as symmetry.
    known = ", ".join(map(before.name, grader.winning_moves(before)))
    return f"  [{grade}; {known or 'another move, which is not known,'} would have won]"


def _variant(run: Run, logged: GameRow) -> Variant:
    """Return the variant of a game; for a game outside the plan, the newest on which its moves are legal."""
    from arena.errors import IllegalMove
    from arena.log.archive import kept_variant, kept_variants
    from arena.log.door import wrong

    with run.log() as log:
        if log.planned_game(logged.game) is not None:
            played = dict(run.field.variants)
            if logged.variant not in played:
                raise wrong(
                    run.folder, f"game {logged.game} is on {logged.variant}, which is not in this run"
                )
            kept = [kept_variant(log, logged.variant, played[logged.variant])]
        else:
            kept = kept_variants(log, logged.variant)
    for variant in reversed(kept):
        try:
            variant.replay(logged.cells)
            return variant
        except IllegalMove:
            continue
    raise UserError(f"game {logged.game} has moves that the rules of {logged.variant} do not allow")


def _heading(logged: GameRow) -> str:
    lines = (
        f"game {logged.game} on {logged.variant}, opening {logged.opening}",
        f"first {logged.first} {logged.first_version}, second {logged.second} {logged.second_version}",
    )
    return "\n".join(map(for_terminal, lines))


def _ply(logged: GameRow, position: Position, ply: int, cell: int) -> str:
    who = logged.first if ply % 2 else logged.second
    opening = " (opening)" if ply <= logged.opening_plies else ""
    return for_terminal(f"{ply}. {who}: {position.name(cell)}{opening}")


def _ending(logged: GameRow) -> str:
    if logged.ending == Ending.NO_MOVES:
        return for_terminal(f"{logged.loser} has no move left; {logged.winner} wins.")
    return for_terminal(f"{logged.loser} forfeits by {logged.ending}, {logged.detail}; {logged.winner} wins.")


def _say_cpu(logged: GameRow) -> str:
    used = {logged.first: logged.first_cpu_seconds, logged.second: logged.second_cpu_seconds}
    return for_terminal("CPU: " + ", ".join(f"{bot} {1000 * spent:.1f} ms" for bot, spent in used.items()))


def _go_on() -> bool:
    """Wait for Enter; False at the end of the input."""
    try:
        input()
        return True
    except EOFError:
        return False


def _find(words: list[str]) -> tuple[Run, str]:
    """Return the run and the game that were typed."""
    from arena.results.finding import find_run

    if len(words) > 2:
        raise typer.BadParameter(f"a run and a game are two words, and these are {len(words)}")
    return find_run(words[0] if len(words) == 2 else None), words[-1]


def rerun(
    words: RunAndGame,
    isolation: IsolationOption = Isolation.SANDBOXED,
    debug: Annotated[
        str,
        typer.Option(metavar="NAME", help="Run your own file of this bot in this process, for breakpoint()."),
    ] = "",
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Play one game of a run again from its record, showing what the bots print."""
    from arena.answers.games import tell_again
    from arena.tournament.rerun import rerun

    found, game = _find(words)
    if format is PlainFormat.JSON:
        lines: list[str] = []
        again = rerun(found, game, isolation, lines.append, debug)
        print_json(tell_again(again, lines))
        return
    print(_heading_of(found, game))
    again = rerun(found, game, isolation, lambda line: print(printable(line, 500), flush=True), debug)
    record = again.record
    if record.evidence:
        print("\n" + indent(for_lines(record.evidence.rstrip("\n")), "    "))
    detail = f", {record.detail}" if record.detail else ""
    print("\n" + for_terminal(f"{record.winner} wins by {record.ending}{detail}."))
    print("The same as in the log." if again.is_same else _otherwise(found, again))


def _otherwise(run: Run, again: Again) -> str:
    """Return where a game that was played again differs from its record, and whether that is expected."""
    logged, record = again.logged, again.record
    plies = zip(logged.cells, record.moves, strict=False)
    first = next((ply for ply, (one, other) in enumerate(plies, 1) if one != other), None)
    where = f"from ply {first} on" if first is not None else f"in how it ended: {_ending(logged)}"
    odd = [name for name in (logged.first, logged.second) if name in run.unrepeatable]
    expected = f" {' and '.join(odd)} cannot be repeated exactly (~)." if odd else ""
    return for_terminal(f"Different from the log {where}.{expected}")


def _heading_of(run: Run, game: str) -> str:
    return _heading(run.game(game)) + "\n"
