"""A bot's way into bots/: which name it may have, where it goes, and what stands in the way."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from arena.bots.commands import hand_in
from arena.bots.copying import copy_bot
from arena.bots.finding import find_bot
from arena.bots.naming import HUMAN, NAME, own_name, refuse_name, suggest_name
from arena.checking.check import Asked
from arena.checking.check_many import Verdict
from arena.errors import UserError


def require_name(name: str) -> None:
    """Raise UserError, with a name that would do, unless a bot may be called this."""
    if name.endswith(".py") and NAME.fullmatch(name.removesuffix(".py")):
        word = name.removesuffix(".py")
        raise UserError(f"'{name}' is the name of a file; a bot's name is without .py: '{word}'")
    if name == HUMAN:
        raise UserError(f"'{HUMAN}' stands for a person in `arena play`; choose another name for a bot")
    if not NAME.fullmatch(name):
        raise UserError(refuse_name(name))


def make_ready(asked: Asked, name: str | None) -> Asked:
    """Return a bot as it will run once it is in bots/; that makes a difference to a command alone."""
    if asked.source is None or not asked.source.command:
        return asked
    return asked._replace(source=hand_in(asked.source._replace(name=name or asked.source.name)))


def find_target(bot: Asked | Verdict, name: str | None, replace: bool) -> Path:
    """Return where a bot would be copied to; UserError if it may not."""
    is_command = bot.source is not None and bool(bot.source.command)
    place = Path() if is_command else bot.path or find_bot(bot.text, Path())
    chosen = name or (bot.source.name if is_command and bot.source else own_name(place))
    if not NAME.fullmatch(chosen):
        raise UserError(f"{refuse_name(chosen)}: add --as {suggest_name(chosen)}")
    require_name(chosen)
    target = Path("bots", chosen if is_command or place.is_dir() else f"{chosen}.py")
    if is_command and bot.source and f"{target}/bot.py" in bot.source.files:
        raise UserError(f"{target} with a file bot.py would be taken for a Python bot; rename that file")
    if target.exists() and place.resolve() == target.resolve():
        raise UserError(f"{target} is this bot already; there is nothing to copy")
    if os.path.lexists(target) and not replace:
        raise UserError(
            f"{target} already exists; --replace replaces it, --as NAME gives this bot another name"
        )
    return target


def copy_passed(
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
    assert verdict.source is not None
    target = find_target(verdict, name, replace)
    if str(target) in taken:
        raise UserError(f"{target} is another of these bots; give one of them another name with --as NAME")
    try:
        is_folder = verdict.path is None or verdict.path.is_dir()
        copy_bot(verdict.source.without_folder(f"{target}/"), target, is_folder)
    except OSError as error:
        raise UserError(f"{target}: {error.strerror}; nothing was copied") from None
    return target
