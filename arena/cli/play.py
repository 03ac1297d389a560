"""`arena play`: a game on the terminal, in the rule book's own words."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from arena.cli.bots import HUMAN, Isolation, IsolationOption
from arena.cli.rules import VariantArgument
from arena.cli.seats import Forfeit, Seats
from arena.errors import IllegalMove, UnreadableCell, UserError, printable
from arena.game import Position, Variant, variant
from arena.game.dialogue import Dialogue


class Start(StrEnum):
    """Who moves first."""

    PLAYER_1 = "1"
    PLAYER_2 = "2"
    COIN = "coin"


class EndOfInput(Exception):  # noqa: N818 - not an error: the input has ended
    """There is nobody left to ask."""


PlayerOption = Annotated[str, typer.Option(metavar="human|BOT", help="A person, or a bot's file or name.")]


def play(
    name: VariantArgument,
    first: PlayerOption = HUMAN,
    second: PlayerOption = HUMAN,
    start: Annotated[Start, typer.Option(help="The player who moves first.")] = Start.PLAYER_1,
    board: Annotated[bool, typer.Option("--board", help="Draw the board before every turn.")] = False,
    isolation: IsolationOption = Isolation.SANDBOXED,
) -> None:
    """Play a game between people and bots, in the rule book's own words."""
    chosen = variant(name)
    starter = _starter(chosen, start)
    _read_any_bytes()
    with Seats((first, second), chosen, starter, isolation) as seats:
        try:
            _game(chosen, starter, seats, board)
        except EndOfInput:
            print("\nThe input has ended; the game is left unfinished.")
        except Forfeit as forfeit:
            print(f"\n{forfeit}")
        except KeyboardInterrupt:
            print()  # so that the shell's prompt begins on a new line
            raise


def _starter(variant: Variant, start: Start) -> int:
    if start is not Start.PLAYER_1 and not variant.book.is_start_agreed:
        raise UserError(f"--start {start}: the rule book of {variant.name} says that Player 1 moves first")
    if start is not Start.COIN:
        return int(start)
    import random

    starter = random.choice((1, 2))
    print(f"The coin says: Player {starter} moves first.\n")
    return starter


def _game(variant: Variant, starter: int, seats: Seats, draws_board: bool) -> None:
    dialogue = Dialogue(variant, starter)
    position = variant.start()
    print(dialogue.welcome(position), end="")
    while not position.is_over:
        if draws_board:
            print(f"\n{dialogue.picture(position)}")
        print(dialogue.turn(position), end="")
        position = position.play(_ask_for_claim(dialogue, position, seats))
        print(dialogue.say_placed(position), end="")
    print(dialogue.over(position), end="")


def _ask_for_claim(dialogue: Dialogue, position: Position, seats: Seats) -> int:
    """Return the cell that the side to move claims; a bot's move is shown as if it were typed."""
    if seats.is_person(position.to_move):
        return _ask(dialogue, position)
    cell = seats.ask(position)
    prompts = dialogue.prompts(position)
    typed = position.variant.notation.spell(cell)
    answers = typed.split() if len(prompts) > 1 else [typed]
    for prompt, answer in zip(prompts, answers, strict=True):
        print(f"{prompt}{answer}")
    return cell


def _ask(dialogue: Dialogue, position: Position) -> int:
    """Return the cell that the person at the terminal claims, asking until it is a legal one."""
    prompts = dialogue.prompts(position)
    while True:
        typed, cell = _typed_cell(dialogue, position, prompts)
        try:
            position.play(cell)
            return cell
        except IllegalMove:
            reason = "blocked" if position.owner(cell) is None else "taken"
            print(dialogue.say_refused(position, reason, typed, cell), end="")


def _typed_cell(dialogue: Dialogue, position: Position, prompts: tuple[str, ...]) -> tuple[str, int]:
    """Return what was typed and its cell; with two prompts, each number is asked for separately."""
    notation = position.variant.notation
    if len(prompts) == 1:
        return _until_read(dialogue, position, prompts[0], notation.parse)
    answers = [
        _until_read(dialogue, position, prompt, partial(notation.number, field))
        for prompt, field in zip(prompts, notation.fields, strict=True)
    ]
    return " ".join(text for text, _ in answers), notation.cell([number for _, number in answers])


def _until_read(
    dialogue: Dialogue, position: Position, prompt: str, read: Callable[[str], int]
) -> tuple[str, int]:
    """Return a typed text and the number read from it, asking until it can be read."""
    while True:
        text = _read_line(prompt)
        try:
            return text.strip(), read(text)
        except UnreadableCell as refusal:
            print(dialogue.say_refused(position, refusal.reason, refusal.typed), end="")


def _read_line(prompt: str) -> str:
    """Return a line typed after a prompt; what comes from a pipe is shown as if it were typed."""
    print(prompt, end="", flush=True)
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise EndOfInput
    if not sys.stdin.isatty():
        print(printable(line.rstrip("\n"), 1000))
    return line


def _read_any_bytes() -> None:
    """Accept bytes that are not text, so that they are refused as a move and do not crash."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
