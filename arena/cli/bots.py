"""`arena new`, `check`, `submit` and `bots`: from an empty folder to a bot that takes part."""

from __future__ import annotations

import os
import shutil
import tempfile
from enum import StrEnum
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import screen_width
from arena.errors import BotFileError, UserError, printable
from arena.plaintext import for_lines, for_terminal

if TYPE_CHECKING:
    from arena.bots.source import Source
    from arena.tournament.check import Check, Step

HUMAN = "human"
"""The word for a person in `arena play`; no bot may have this name."""

LONGEST_DESCRIPTION = 500
"""Characters of a bot's own description that are shown: a line may have as many as a file."""

BotArgument = Annotated[
    str, typer.Argument(metavar="PATH", help="A Python file, a folder with bot.py, or a name in bots/.")
]


class Isolation(StrEnum):
    """How bots are run."""

    SANDBOXED = "sandboxed"
    TRUSTED = "trusted"


IsolationOption = Annotated[Isolation, typer.Option(help="Run bots in a sandbox, or in this process.")]

STARTER = '''"""{name}: say in a line how it plays."""


def move(position):
    """Return the cell to claim: any of position.legal_moves.

    position.to_move        your side, 0 or 1
    position.play(cell)     the position after a claim: look ahead as far as you like
    position.moves_of(side) what a side could claim if it were its turn
    position.is_over, position.winner, position.history, position.board.neighbours(cell)
    """
    return min(position.legal_moves, key=lambda cell: len(position.play(cell).legal_moves))
'''


def new(name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")]) -> None:
    """Write a commented starter bot, bots/NAME.py."""
    from arena.bots.source import NAME

    if not NAME.fullmatch(name) or name.endswith(".py") or name == HUMAN:
        raise UserError(f"'{printable(name)}' is not a valid bot name: use letters, digits and _ . -")
    file = Path("bots", f"{name}.py")
    if file.exists():
        raise UserError(f"{file} already exists; choose another name")
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(STARTER.format(name=name), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
    print(f"wrote {file}; now: arena check {file}")


def check(path: BotArgument, isolation: IsolationOption = Isolation.SANDBOXED) -> None:
    """Check a bot step by step, as a tournament would run it."""
    if _check(path, isolation) is None:
        raise typer.Exit(1)


def submit(
    path: BotArgument,
    name: Annotated[str | None, typer.Option("--as", metavar="NAME", help="The bot's name in bots/.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a bot of that name.")] = False,
    isolation: IsolationOption = Isolation.SANDBOXED,
) -> None:
    """Check a bot, and copy it to bots/ if it passes."""
    _target(path, name, replace)
    checked = _check(path, isolation)
    if checked is None:
        print("nothing was copied")
        raise typer.Exit(1)
    print(f"copied to {_copy(checked, name, replace)}")


def bots() -> None:
    """List the bots in bots/ and those that come with arena."""
    from arena.bots.finding import bots_in
    from arena.bots.starters import starter_bots
    from arena.reports.screen import Table, lay_out

    places = starter_bots() | bots_in(Path("bots"))
    rows = [[*map(for_terminal, _row(name, place))] for name, place in sorted(places.items())]
    headings = ("bot", "version", "where", "its own description")
    table = Table(headings, rows, names=("bot", "where"), below=headings[-1], spare=("version",))
    print(lay_out(table, screen_width()))


def _row(name: str, place: Path) -> tuple[str, str, str, str]:
    from arena.bots.source import read_source

    try:
        source = read_source(place)
    except BotFileError as error:
        return name, "", str(place), str(error)
    first_line = source.files[source.main].decode(errors="replace").partition("\n")[0]
    says = first_line.strip("\"' ") if first_line.startswith(('"""', "'''")) else ""
    return name, source.version[:12], str(place), printable(says, LONGEST_DESCRIPTION)


def _check(path: str, isolation: Isolation) -> Check | None:
    """Print the steps of a check; return it if all passed."""
    from arena.hosts.opening import require_sandbox
    from arena.sandbox.template import Template
    from arena.tournament.check import Check

    template = Template()
    try:
        if isolation is Isolation.SANDBOXED:
            require_sandbox(template)
        made = Check(path, isolation, template, Path())
        steps = []
        for step in made.steps():
            steps.append(step)
            _show(len(steps), step)
    finally:
        template.close()
    _show_printed(steps[-1])
    return made if all(step.is_passed for step in steps) else None


def _show(number: int, step: Step) -> None:
    verdict = "passed" if step.is_passed else "FAILED"
    print(for_terminal(f"{number}. {step.title:38} {verdict}  {step.detail}"), flush=True)
    if not step.is_passed and step.evidence:
        print("\n" + indent(for_lines(step.evidence.rstrip("\n")), "    "))
    if step.hint:
        print("\n" * bool(step.evidence) + for_terminal(f"   hint: {step.hint}"))


def _show_printed(step: Step) -> None:
    if step.printed:
        lines = [printable(line, 120) for line in step.printed.splitlines()]
        shown = lines[:20] + [f"... and {len(lines) - 20} more lines"] * (len(lines) > 20)
        print("\nIn its last game it printed:\n\n" + "\n".join(f"    {line}" for line in shown))


def _target(path: str, name: str | None, replace: bool) -> Path:
    """Return where a bot would be copied to; UserError if it may not."""
    from arena.bots.finding import find_bot
    from arena.bots.source import NAME

    place = find_bot(path, Path())
    chosen = name if name is not None else place.name.removesuffix(".py")
    if not NAME.fullmatch(chosen) or chosen == HUMAN:
        raise UserError(f"'{printable(chosen)}' is not a valid bot name: use letters, digits and _ . -")
    target = Path("bots", chosen if place.is_dir() else f"{chosen}.py")
    if target.exists() and place.resolve() == target.resolve():
        raise UserError(f"{target} is this bot already; there is nothing to copy")
    if os.path.lexists(target) and not replace:
        raise UserError(
            f"{target} already exists; --replace replaces it, --as NAME gives this bot another name"
        )
    return target


def _copy(checked: Check, name: str | None, replace: bool) -> Path:
    assert checked.source is not None
    assert checked.path is not None
    target = _target(str(checked.path), name, replace)
    try:
        target.parent.mkdir(exist_ok=True)
        _write(checked.source, target, checked.path.is_dir())
    except OSError as error:
        raise UserError(f"{target}: {error.strerror}; nothing was copied") from None
    return target


def _write(source: Source, target: Path, is_folder: bool) -> None:
    """Write a bot beside its place and move it there, so that nobody sees half of it.

    The temporary place is new and ours alone: what others have left in `bots/` is neither used nor followed.
    The bot that is replaced is moved, and removed only when the new one is in place.
    """
    beside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    new, old = beside / "new", beside / "old"
    try:
        if is_folder:
            new.mkdir()
            source.write(new)
        else:
            new.write_bytes(source.files[source.main])
        if os.path.lexists(target):
            target.rename(old)
        try:
            new.rename(target)
        except OSError:
            if os.path.lexists(old):
                old.rename(target)
            raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
