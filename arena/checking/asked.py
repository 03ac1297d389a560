"""The bots that a user asks for: files, names, a command in another language, names in a tournament file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.bots.commands import read_typed_command
from arena.bots.finding import find_bots
from arena.bots.naming import NAME, own_name, suggest_name
from arena.bots.source import Source
from arena.checking.check import Asked
from arena.errors import UserError
from arena.referee.game import DEFAULT_LIMITS

if TYPE_CHECKING:
    from arena.config.reading import Tournament

_OWN_BOT = re.compile(rb"^(def move|class Bot)\b", re.MULTILINE)


def read_config(config: str | None) -> Tournament | None:
    """Return the tournament of a file, if one is given."""
    if config is None:
        return None
    from arena.config.reading import read_tournament  # heavy, and most commands have no file

    return read_tournament(config)


def read_commands(texts: Sequence[str] | None) -> tuple[Source, ...]:
    """Return the bots of typed commands; UserError if two have one name."""
    if not texts:
        return ()
    sources = tuple(read_typed_command(text, Path()) for text in texts)
    names = [source.name for source in sources]
    if twice := [name for name in names if names.count(name) > 1]:
        raise UserError(f"two commands are called {twice[0]}; give them names in a file for --config")
    return sources


def say_swallowed(paths: Sequence[str]) -> list[str]:
    """Return a sentence for each folder that is one bot by its `bot.py`, and has others that could be one."""
    return [said for path in paths for said in _say_swallowed(Path(path))]


def _say_swallowed(folder: Path) -> Iterator[str]:
    if not (folder / "bot.py").is_file():
        return
    files = sorted(file for file in folder.glob("*.py") if file.name != "bot.py")
    names = [file.name for file in files if _OWN_BOT.search(file.read_bytes())]
    if names:
        yield (
            f"{folder} has a bot.py, so it is one bot, and {', '.join(names)} belong to it; "
            f"if they are bots of their own, give the files: {folder}/*.py"
        )


def find_asked(paths: Sequence[str], command: str | None, config: str | None) -> list[Asked]:
    """Return the bots to check, each once; without paths, all bots of the tournament file."""
    tournament = read_config(config)
    if command is not None:
        source, limits = read_typed_command(command, Path()), tournament and tournament.limits
        return [Asked(command, limits or DEFAULT_LIMITS, source, name=source.name)]
    entered = [source.name for source in tournament.bots] if tournament is not None else []
    words = paths or entered
    texts = [text for word in words for text in ([word] if word in entered else find_bots(word, Path()))]
    return [_ask(text, tournament) for text in dict.fromkeys(texts)]


def _ask(text: str, tournament: Tournament | None) -> Asked:
    """Return a bot to check, by the limits of a tournament file if there is one, and as entered there."""
    if tournament is None:
        return Asked(text)
    for source in tournament.bots:
        place = tournament.paths.get(source.name)
        if text == source.name or place == Path(text).absolute():
            return Asked(text, tournament.limits_of(source.name), source, place, source.name)
    return Asked(text, tournament.limits)


def call(asked: Asked, name: str) -> Asked:
    """Return a bot that is to have a name, whatever its file is called."""
    return asked._replace(name=name, source=asked.source and asked.source._replace(name=name))


def call_as_suggested(asked: Asked) -> Asked:
    """Return a bot with the name that is suggested for it, if that of its file will not do."""
    own = asked.name or own_name(Path(asked.text))
    return asked if NAME.fullmatch(own) else call(asked, suggest_name(own))
