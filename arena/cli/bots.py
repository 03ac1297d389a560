"""`arena new`, `check`, `submit` and `bots`: from an empty folder to a bot that takes part."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import screen_width
from arena.errors import BotFileError, UserError, printable
from arena.plaintext import for_lines, for_terminal

if TYPE_CHECKING:
    from arena.tournament.check import Step
    from arena.tournament.check_many import Verdict

HUMAN = "human"
"""The word for a person in `arena play`; no bot may have this name."""

LONGEST_DESCRIPTION = 500
"""Characters of a bot's own description that are shown: a line may have as many as a file."""

BotsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...", help="Python files, folders with bot.py, folders of bots, or names in bots/."
    ),
]
NameOption = Annotated[
    str | None, typer.Option("--as", metavar="NAME", help="The bot's name, in place of its file's.")
]


class CheckFormat(StrEnum):
    """How a check is printed."""

    TABLE = "table"
    JSON = "json"


CheckFormatOption = Annotated[CheckFormat, typer.Option(help="Text, or JSON for scripts.")]


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
    _require_name(name)
    file = Path("bots", f"{name}.py")
    if file.exists():
        raise UserError(f"{file} already exists; choose another name")
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(STARTER.format(name=name), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None
    print(f"wrote {file}; now: arena check {file}")


def check(
    paths: BotsArgument,
    name: NameOption = None,
    isolation: IsolationOption = Isolation.SANDBOXED,
    format: CheckFormatOption = CheckFormat.TABLE,
) -> None:
    """Check a bot step by step, as a tournament would run it; of several bots, print one table."""
    verdicts = _check(_find(paths, name), name, isolation, format)
    if format is CheckFormat.JSON:
        from arena.reports.checks import checks_as_json

        print(checks_as_json(verdicts))
    if not all(verdict.is_passed for verdict in verdicts):
        raise typer.Exit(1)


def submit(
    paths: BotsArgument,
    name: NameOption = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace bots of the same names.")] = False,
    isolation: IsolationOption = Isolation.SANDBOXED,
    format: CheckFormatOption = CheckFormat.TABLE,
) -> None:
    """Check bots, and copy to bots/ those that pass."""
    texts = _find(paths, name)
    if len(texts) == 1:
        _target(texts[0], name, replace)  # what stands in the way is said before the check, not after it
    verdicts = _check(texts, name, isolation, format)
    copied, refused = _copy_passed(verdicts, name, replace)
    if format is CheckFormat.JSON:
        from arena.reports.checks import checks_as_json

        print(checks_as_json(verdicts, copied))
    else:
        _say_copied(verdicts, copied, refused)
    if len(copied) < len(verdicts):
        raise typer.Exit(1)


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


def _require_name(name: str) -> None:
    """Raise UserError, with a name that would do, unless a bot may be called this."""
    from arena.bots.naming import NAME, refuse_name

    if name.endswith(".py") and NAME.fullmatch(name.removesuffix(".py")):
        word = name.removesuffix(".py")
        raise UserError(f"'{name}' is the name of a file; a bot's name is without .py: '{word}'")
    if name == HUMAN:
        raise UserError(f"'{HUMAN}' stands for a person in `arena play`; choose another name for a bot")
    if not NAME.fullmatch(name):
        raise UserError(refuse_name(name))


def _find(paths: Sequence[str], name: str | None) -> list[str]:
    """Return the bots that the user means, each once; UserError if there are none, or several for a name."""
    from arena.bots.finding import find_bots

    texts = list(dict.fromkeys(text for path in paths for text in find_bots(path, Path())))
    if name is not None:
        _require_name(name)
        if len(texts) > 1:
            raise typer.BadParameter(f"--as gives one bot a name, and these are {len(texts)}")
    return texts


def _check(texts: list[str], name: str | None, isolation: Isolation, format: CheckFormat) -> list[Verdict]:
    """Check bots, and print how it went unless it is to be JSON."""
    is_shown = format is CheckFormat.TABLE
    if len(texts) == 1:
        return [_check_one(texts[0], name, isolation, is_shown)]
    from arena.reports.checks import show_checks
    from arena.tournament.check_many import check_many

    verdicts: list[Verdict] = []
    for verdict in check_many(texts, isolation, Path()):
        verdicts.append(verdict)
        if sys.stderr.isatty():
            said = f"checked {len(verdicts)} of {len(texts)}: {verdict.text}"
            print(for_terminal(said), file=sys.stderr, flush=True)
    verdicts.sort(key=lambda verdict: texts.index(verdict.text))
    if is_shown:
        print(show_checks(verdicts, screen_width()))
    return verdicts


def _check_one(text: str, name: str | None, isolation: Isolation, is_shown: bool) -> Verdict:
    """Check a bot, and print the steps as they are done."""
    from arena.hosts.opening import require_sandbox
    from arena.sandbox.template import Template
    from arena.tournament.check import Check
    from arena.tournament.check_many import give_verdict

    template = Template()
    try:
        if isolation is Isolation.SANDBOXED:
            require_sandbox(template)
        check = Check(text, isolation, template, Path(), name)
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


def _target(path: str, name: str | None, replace: bool) -> Path:
    """Return where a bot would be copied to; UserError if it may not."""
    from arena.bots.finding import find_bot
    from arena.bots.naming import NAME, own_name, refuse_name, suggest_name

    place = find_bot(path, Path())
    chosen = name if name is not None else own_name(place)
    if not NAME.fullmatch(chosen):
        raise UserError(f"{refuse_name(chosen)}: add --as {suggest_name(chosen)}")
    _require_name(chosen)
    target = Path("bots", chosen if place.is_dir() else f"{chosen}.py")
    if target.exists() and place.resolve() == target.resolve():
        raise UserError(f"{target} is this bot already; there is nothing to copy")
    if os.path.lexists(target) and not replace:
        raise UserError(
            f"{target} already exists; --replace replaces it, --as NAME gives this bot another name"
        )
    return target


def _copy_passed(
    verdicts: Sequence[Verdict], name: str | None, replace: bool
) -> tuple[dict[str, str], dict[str, str]]:
    """Copy the bots that passed; return where to, and why the others were not copied."""
    copied: dict[str, str] = {}
    refused: dict[str, str] = {}
    for verdict in verdicts:
        if not verdict.is_passed:
            refused[verdict.text] = "it has failed"
            continue
        try:
            copied[verdict.text] = str(_copy(verdict, name, replace, set(copied.values())))
        except UserError as error:
            refused[verdict.text] = str(error)
    return copied, refused


def _copy(verdict: Verdict, name: str | None, replace: bool, taken: set[str]) -> Path:
    from arena.bots.copying import copy_bot

    assert verdict.source is not None
    assert verdict.path is not None
    target = _target(str(verdict.path), name, replace)
    if str(target) in taken:
        raise UserError(f"{target} is another of these bots; give one of them another name with --as NAME")
    try:
        copy_bot(verdict.source, target, verdict.path.is_dir())
    except OSError as error:
        raise UserError(f"{target}: {error.strerror}; nothing was copied") from None
    return target


def _say_copied(verdicts: Sequence[Verdict], copied: dict[str, str], refused: dict[str, str]) -> None:
    if len(verdicts) == 1:
        if not copied and verdicts[0].is_passed:
            raise UserError(refused[verdicts[0].text])
        print(f"copied to {copied[verdicts[0].text]}" if copied else "nothing was copied")
        return
    print(f"\ncopied {len(copied)} of {len(verdicts)} bots to bots/")
    for text, why in refused.items():
        print(for_terminal(f"not copied: {text}: {why}"))
