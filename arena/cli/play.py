"""`arena play`: a game or a match on the terminal, in the rule book's own words."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from arena.answers.games import Answer, tell_match, tell_played
from arena.bots.naming import HUMAN
from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.bots import CommandsOption, Isolation, IsolationOption
from arena.cli.completion import complete_player
from arena.cli.replay import write_mark
from arena.cli.rules import VariantArgument
from arena.game import Position, Variant, variant
from arena.game.dialogue import Dialogue
from arena.plaintext import for_lines, for_terminal
from arena.terminal.match import Start, list_starters, play_match
from arena.terminal.person import EndOfInput, ask_person, read_any_bytes, wait_for_enter
from arena.terminal.seats import Forfeit, Manner, Seats

if TYPE_CHECKING:
    from arena.solver.grades import Grader

PlayerOption = Annotated[
    str,
    typer.Option(
        metavar="human|BOT", help="A person, or a bot's file or name.", autocompletion=complete_player
    ),
]
RoundsOption = Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Play a match of N games.")]
StepOption = Annotated[bool, typer.Option("--step", help="Wait for Enter before every move of a bot.")]
GradeOption = Annotated[bool, typer.Option("--grade", help="Mark each move against perfect play.")]
DebugOption = Annotated[
    bool, typer.Option("--debug", help="Run your own bots in this process, for breakpoint(); without clocks.")
]
ConfigOption = Annotated[
    str | None, typer.Option(metavar="F", help="A tournament file, for its bots' names and its limits.")
]


class View(NamedTuple):
    """What is shown beside the rule book's words."""

    has_board: bool
    has_steps: bool
    grader: Grader | None


def play(
    name: VariantArgument,
    first: PlayerOption = HUMAN,
    second: PlayerOption = HUMAN,
    start: Annotated[Start, typer.Option(help="The player who moves first.")] = Start.PLAYER_1,
    rounds: RoundsOption = 1,
    board: Annotated[bool, typer.Option("--board", help="Draw the board before every turn.")] = False,
    step: StepOption = False,
    grade: GradeOption = False,
    debug: DebugOption = False,
    config: ConfigOption = None,
    command: CommandsOption = None,
    isolation: IsolationOption = Isolation.SANDBOXED,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Play a game between people and bots, in the rule book's own words."""
    from arena.checking.asked import read_commands, read_config

    chosen = variant(name)
    view = View(board, step, _make_grader(chosen) if grade else None)
    read_any_bytes()
    commands = read_commands(command)
    seated = _seat_commands([first, second], [source.name for source in commands])
    players = (None if seated[0] == HUMAN else seated[0], None if seated[1] == HUMAN else seated[1])
    seats = Seats(players, Manner(isolation, debug, read_config(config), commands))
    if format is PlainFormat.JSON:
        with redirect_stdout(sys.stderr):  # what is said at the board
            answer = _play_match(chosen, start, rounds, seats, view)
        print_json(answer)
    else:
        _play_match(chosen, start, rounds, seats, view)


def _play_match(variant: Variant, start: Start, rounds: int, seats: Seats, view: View) -> Answer:
    """Play games until there were enough, or the input ends; return those that were finished."""
    games: list[Answer] = []

    def play(starter: int) -> int:
        games.append(_play_game(variant, starter, seats, view))
        return int(games[-1]["winner"])

    with seats:
        names = {side + 1: Dialogue(variant, 1, seats.bots).name(side) for side in (0, 1)}
        starters = list_starters(variant, start, names)
        try:
            play_match(rounds, starters, play, names)
        except EndOfInput:
            print("\nThe input has ended; the game is left unfinished.")
        except KeyboardInterrupt:
            print()  # so that the shell's prompt begins on a new line
            raise
    return tell_match(variant, names, games)


def _make_grader(variant: Variant) -> Grader:
    from arena.solver.grades import Grader

    return Grader(variant)


def _seat_commands(typed: list[str], names: list[str]) -> list[str]:
    """Return who plays: a command that no seat names takes the place of the first person."""
    for name in names:
        if name not in typed and HUMAN in typed:
            typed[typed.index(HUMAN)] = name
    return typed


def _play_game(variant: Variant, starter: int, seats: Seats, view: View) -> Answer:
    """Play one game; return what is to be told of it."""
    from arena.referee.judge import end_of

    draws_closed = bool(seats.bots) or view.grader is not None
    dialogue = Dialogue(variant, starter, seats.bots, draws_closed)
    seats.begin(variant, starter)
    try:
        position = _play_to_the_end(dialogue, variant.start(), seats, view)
        print(dialogue.over(position), end="")
        outcome, moves = end_of(position), position.history
    except Forfeit as forfeit:
        outcome, moves = forfeit.outcome, forfeit.moves
        _say_forfeit(dialogue, forfeit)
    seats.finish(outcome)
    return tell_played(starter, outcome, moves)


def _play_to_the_end(dialogue: Dialogue, position: Position, seats: Seats, view: View) -> Position:
    print(dialogue.welcome(position), end="")
    while not position.is_over:
        if view.has_board:
            print(f"\n{dialogue.picture(position)}")
        print(dialogue.turn(position), end="")
        before, position = position, position.play(_ask_for_claim(dialogue, position, seats, view))
        print(dialogue.say_placed(position), end="")
        if view.grader is not None:
            _say_grade(dialogue, before, position.history[-1], view.grader)
    return position


def _ask_for_claim(dialogue: Dialogue, position: Position, seats: Seats, view: View) -> int:
    """Return the cell that the side to move claims; a bot's move is shown as if it were typed."""
    if seats.is_person(position.to_move):
        return ask_person(dialogue, position)
    if view.has_steps:
        wait_for_enter(f"(Enter lets {dialogue.name(position.to_move)} move) ")
    try:
        cell = seats.ask(position)
    except Forfeit:
        if view.grader is not None:
            _say_grade(dialogue, position, None, view.grader)
        raise
    prompts = dialogue.prompts(position)
    typed = position.variant.notation.spell(cell)
    answers = typed.split() if len(prompts) > 1 else [typed]
    for prompt, answer in zip(prompts, answers, strict=True):
        print(f"{prompt}{answer}")
    return cell


def _say_grade(dialogue: Dialogue, before: Position, cell: int | None, grader: Grader) -> None:
    """Print what a move was worth, as `arena replay --grade` does; None is a forfeit."""
    what = before.name(cell) if cell is not None else "no legal move"
    mark = write_mark(grader, grader.move(before, cell), before)
    print(f"\n{len(before.history) + 1}. {dialogue.name(before.to_move)}: {what}{mark}")


def _say_forfeit(dialogue: Dialogue, forfeit: Forfeit) -> None:
    """Print which rule a bot broke, the traceback if it crashed, and who has won."""
    winner, evidence = forfeit.outcome.winner, forfeit.outcome.evidence
    if evidence:
        print("\n" + indent(for_lines(evidence.rstrip("\n")), "    "))
    print("\n" + for_terminal(f"{dialogue.name(1 - winner)} forfeits: {forfeit}."))
    print(f"{dialogue.name(winner)} wins the game!")
