"""A person at the terminal in `arena play`: what is typed becomes a legal move, or is asked for again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from arena.errors import IllegalMove, UnreadableCell, printable
from arena.game import Position
from arena.game.dialogue import Dialogue


class EndOfInput(Exception):  # noqa: N818 - not an error: the input has ended
    """There is nobody left to ask."""


def ask_person(dialogue: Dialogue, position: Position) -> int:
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


def wait_for_enter(prompt: str) -> None:
    """Wait until somebody presses Enter; EndOfInput if nobody can."""
    print(prompt, end="", flush=True)
    if not _next_line():
        raise EndOfInput
    if not sys.stdin.isatty():
        print()


def read_any_bytes() -> None:
    """Accept bytes that are not text, so that they are refused as a move and do not crash."""
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")


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
    line = _next_line()
    if not line:
        raise EndOfInput
    if not sys.stdin.isatty():
        print(printable(line.rstrip("\n"), 1000))
    return line


def _next_line() -> str:
    return sys.stdin.readline() if sys.stdin is not None else ""
