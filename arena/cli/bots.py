"""`arena new`, `check`, `submit` and `bots`: from an empty folder to a bot that takes part."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.errors import BotFileError, UserError, printable
from arena.plaintext import for_lines, for_terminal
from arena.terminal.output import screen_width

if TYPE_CHECKING:
    from arena.checking.check import Asked, Step
    from arena.checking.check_many import Verdict

LONGEST_DESCRIPTION = 500
"""Characters of a bot's own description that are shown: a line may have as many as a file."""

BotsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PATH", help="Python files, folders with bot.py, folders of bots, or names in bots/."
    ),
]
NameOption = Annotated[
    str | None, typer.Option("--as", metavar="NAME", help="The bot's name, in place of its file's.")
]
RenameOption = Annotated[
    bool, typer.Option("--rename", help="Take the suggested names where those of files will not do.")
]
CommandOption = Annotated[
    str | None,
    typer.Option(
        "--command", metavar='"PROGRAM ..."', help="A bot in another language, such as 'node bot.js'."
    ),
]
CommandsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--command", metavar='"PROGRAM ..."', help="A bot in another language; its name is that of its file."
    ),
]
ConfigOption = Annotated[
    str | None, typer.Option(metavar="F", help="A tournament file, for its limits and its bots' names.")
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


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")],
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Write a commented starter bot, bots/NAME.py."""
    from arena.checking.submitting import require_name

    require_name(name)
    file = Path("bots", f"{name}.py")
    if file.exists():
        raise UserError(f"{file} already exists; choose another name")
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(STARTER.format(name=name), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
    if format is PlainFormat.JSON:
        print_json({"bot": name, "path": file})
    else:
        print(f"wrote {file}; now: arena check {file}")


def check(
    paths: BotsArgument = None,
    name: NameOption = None,
    rename: RenameOption = False,
    command: CommandOption = None,
    config: ConfigOption = None,
    isolation: IsolationOption = Isolation.SANDBOXED,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Check a bot step by step, as a tournament would run it; of several bots, print one table."""
    verdicts = _check(_find(paths, name, rename, command, config), isolation, format)
    if format is PlainFormat.JSON:
        from arena.reports.checks import checks_as_json

        print(checks_as_json(verdicts))
    if not all(verdict.is_passed for verdict in verdicts):
        raise typer.Exit(1)


def submit(
    paths: BotsArgument = None,
    name: NameOption = None,
    rename: RenameOption = False,
    command: CommandOption = None,
    config: ConfigOption = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace bots of the same names.")] = False,
    isolation: IsolationOption = Isolation.SANDBOXED,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Check bots, and copy to bots/ those that pass."""
    from arena.checking.submitting import copy_passed, find_target, make_ready

    bots = [make_ready(asked) for asked in _find(paths, name, rename, command, config)]
    if len(bots) == 1:
        find_target(bots[0], replace)  # what stands in the way is said before the check, not after it
    verdicts = _check(bots, isolation, format)
    copied, refused = copy_passed(verdicts, replace)
    if format is PlainFormat.JSON:
        from arena.reports.checks import checks_as_json

        print(checks_as_json(verdicts, copied, refused))
    else:
        _say_copied(verdicts, copied, refused)
    _say_tables(verdicts, copied)
    if len(copied) < len(verdicts):
        raise typer.Exit(1)


def bots(format: PlainFormatOption = PlainFormat.TABLE) -> None:
    """List the bots in bots/ and those that come with arena."""
    from arena.bots.finding import bots_in
    from arena.bots.starters import starter_bots
    from arena.reports.screen import Table, lay_out

    places = starter_bots() | bots_in(Path("bots"))
    found = [_row(name, place) for name, place in sorted(places.items())]
    if format is PlainFormat.JSON:
        keys = ("bot", "version", "path", "description")
        print_json([dict(zip(keys, (each or None for each in row), strict=True)) for row in found])
        return
    rows = [[*map(for_terminal, row)] for row in found]
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


def _find(
    paths: Sequence[str] | None, name: str | None, rename: bool, command: str | None, config: str | None
) -> list[Asked]:
    """Return the bots that the user means, each once; UserError if there are none, or several for a name."""
    from arena.checking.asked import call, call_as_suggested, find_asked, say_swallowed
    from arena.checking.submitting import require_name

    if command is not None and paths:
        raise typer.BadParameter("--command is a bot by itself, and PATH is another; give one of them")
    if not (paths or command or config):
        raise typer.BadParameter("give a PATH, or --command, or --config for all bots of a tournament file")
    if name is not None:
        require_name(name)
    bots = find_asked(paths or (), command, config)
    for line in say_swallowed(paths or ()):
        print(for_terminal(line), file=sys.stderr)
    if name is not None and len(bots) > 1:
        raise typer.BadParameter(f"--as gives one bot a name, and these are {len(bots)}")
    if name is not None:
        return [call(bots[0], name)]
    return [call_as_suggested(asked) for asked in bots] if rename else bots


def _check(bots: list[Asked], isolation: Isolation, format: PlainFormat) -> list[Verdict]:
    """Check bots, and print how it went unless it is to be JSON."""
    is_shown = format is PlainFormat.TABLE
    if len(bots) == 1:
        return [_check_one(bots[0], isolation, is_shown)]
    from arena.checking.check_many import check_many
    from arena.reports.checks import show_checks

    verdicts: list[Verdict] = []
    texts = [asked.text for asked in bots]
    for verdict in check_many(bots, isolation, Path()):
        verdicts.append(verdict)
        if sys.stderr.isatty():
            said = f"checked {len(verdicts)} of {len(texts)}: {verdict.text}"
            print(for_terminal(said), file=sys.stderr, flush=True)
    verdicts.sort(key=lambda verdict: texts.index(verdict.text))
    if is_shown:
        print(show_checks(verdicts, screen_width()))
    return verdicts


def _check_one(asked: Asked, isolation: Isolation, is_shown: bool) -> Verdict:
    """Check a bot, and print the steps as they are done."""
    from arena.checking.check import Check
    from arena.checking.check_many import give_verdict
    from arena.hosts.opening import require_sandbox
    from arena.sandbox.template import Template

    template = Template()
    try:
        if isolation is Isolation.SANDBOXED:
            require_sandbox(template)
        check = Check(asked, isolation, template, Path())
        steps = []
        for step in check.steps():
            steps.append(step)
            if is_shown:
                _show(len(steps), step)
    finally:
        template.close()
    if is_shown:
        _show_printed(steps[-1])
    return give_verdict(check, steps)


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


def _say_tables(verdicts: Sequence[Verdict], copied: dict[str, str]) -> None:
    """Print, beside all else, what enters each command that was copied: no pattern does."""
    from arena.bots.commands import write_table

    for verdict in verdicts:
        if verdict.text in copied and verdict.source is not None and verdict.source.command:
            print("add this to a tournament file:", file=sys.stderr)
            print(for_lines(write_table(verdict.source)), file=sys.stderr)


def _say_copied(verdicts: Sequence[Verdict], copied: dict[str, str], refused: dict[str, str]) -> None:
    if len(verdicts) == 1:
        if not copied and verdicts[0].is_passed:
            raise UserError(refused[verdicts[0].text])
        print(f"copied to {copied[verdicts[0].text]}" if copied else "nothing was copied")
        return
    print(f"\ncopied {len(copied)} of {len(verdicts)} bots to bots/")
    for text, why in refused.items():
        print(for_terminal(f"not copied: {text}: {why}"))
