"""A bot's way into bots/: which name it may have, where it goes, and what stands in the way."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.bots.commands import hand_in
from arena.bots.copying import copy_bot
from arena.bots.finding import find_bot
from arena.bots.naming import HUMAN, NAME, own_name, refuse_name, suggest_name
from arena.checking.check import Asked
from arena.checking.check_many import Verdict
from arena.errors import UserError, printable


def require_name(name: str) -> None:
    """Raise UserError, with a name that would do, unless a bot may be called this."""
    if name.endswith(".py") and NAME.fullmatch(name.removesuffix(".py")):
        word = name.removesuffix(".py")
        raise UserError(f"'{name}' is the name of a file; a bot's name is without .py: '{word}'")
    if name == HUMAN:
        raise UserError(f"'{HUMAN}' stands for a person in `arena play`; choose another name for a bot")
    if not NAME.fullmatch(name):
        raise UserError(refuse_name(name))


def make_ready(asked: Asked) -> Asked:
    """Return a bot as it will run once it is in bots/; that makes a difference to a command alone."""
    if asked.source is None or not asked.source.command:
        return asked
    return asked._replace(source=hand_in(asked.source))


def find_target(bot: Asked | Verdict, replace: bool) -> Path:
    """Return where a bot would be copied to; UserError if it may not."""
    is_command = bot.source is not None and bool(bot.source.command)
    place = Path() if is_command else bot.path or find_bot(bot.text, Path())
    chosen = bot.name or own_name(place)
    if not NAME.fullmatch(chosen):
        raise UserError(f"{refuse_name(chosen)}: add --as {suggest_name(chosen)}")
    require_name(chosen)
    target = Path("bots", chosen if is_command or place.is_dir() else f"{chosen}.py")
    if is_command and bot.source and f"{target}/bot.py" in bot.source.files:
        raise UserError(f"{target} with a file bot.py would be taken for a Python bot; rename that file")
    if target.exists() and place.resolve() == target.resolve():
        raise UserError(f"{target} is this bot already; there is nothing to copy")
    file, folder = Path("bots", f"{chosen}.py"), Path("bots", chosen)
    other = folder if target == file else file
    if (folder / "bot.py" if target == file else file).is_file():
        raise UserError(f"{other} is a bot of the same name; --as NAME gives this bot another one")
    if os.path.lexists(target) and not replace:
        raise UserError(
            f"{target} already exists; --replace replaces it, --as NAME gives this bot another name"
        )
    return target


def copy_passed(verdicts: Sequence[Verdict], replace: bool) -> tuple[dict[str, str], dict[str, str]]:
    """Copy the bots that passed; return where to, and why the others were not copied."""
    copied: dict[str, str] = {}
    refused: dict[str, str] = {}
    owners = _find_owners(verdicts)
    for verdict in verdicts:
        try:
            copied[verdict.text] = str(_copy(verdict, owners, replace))
        except UserError as error:
            refused[verdict.text] = str(error)
    return copied, refused


def _find_owners(verdicts: Sequence[Verdict]) -> dict[str | None, str]:
    """Return whose each name is, by what the user typed: whose file has it, or else the first to be given it.

    The name of a file that has failed is not given to another: its author will mend it, and hand it in again.
    """
    owners: dict[str | None, str] = {}
    for verdict in sorted(verdicts, key=lambda one: (one.is_renamed, not one.is_passed)):
        owners.setdefault(verdict.name, verdict.text)
    return owners


def _copy(verdict: Verdict, owners: Mapping[str | None, str], replace: bool) -> Path:
    if verdict.suggested:
        raise UserError(f"its name will not do; --rename calls it {verdict.suggested}")
    if not verdict.is_passed:
        raise UserError("it has failed")
    assert verdict.source is not None
    if owners[verdict.name] != verdict.text:
        other = printable(owners[verdict.name], 200)
        raise UserError(f"{verdict.name} is the name of {other}; give it another with --as NAME")
    target = find_target(verdict, replace)
    try:
        is_folder = verdict.path is None or verdict.path.is_dir()
        copy_bot(verdict.source.without_folder(f"{target}/"), target, is_folder)
    except OSError as error:
        raise UserError(f"{target}: {error.strerror}; nothing was copied") from None
    return target
