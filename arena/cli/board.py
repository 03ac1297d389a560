"""`arena board`: a position to look at, on the terminal or as a picture in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.rules import VariantArgument
from arena.cli.solve import MovesOption
from arena.errors import UserError
from arena.game import Position
from arena.plaintext import for_terminal


def board(
    name: VariantArgument,
    moves: MovesOption = "",
    svg: Annotated[Path | None, typer.Option(metavar="F", help="Write a picture to this file.")] = None,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Show a position: its board on the terminal, or a picture of it in a file."""
    from arena.answers.games import tell_position
    from arena.terminal.board import read_position, show_position

    position = read_position(name, moves)
    if svg is not None:
        _write(position, svg)
    if format is PlainFormat.JSON:
        print_json({**tell_position(position), "svg": svg})
    else:
        print(for_terminal(f"wrote the picture to {svg}") if svg else show_position(position))


def _write(position: Position, file: Path) -> None:
    from arena.files import write_anew
    from arena.pictures import draw

    if file.is_dir():
        raise UserError(f"--svg: {file} is a folder; name a file, such as {file / 'board.svg'}")
    try:
        with write_anew(file) as whole:
            whole.write(draw(position))
    except OSError as error:
        raise UserError(f"--svg: {file}: {error.strerror}") from None
