"""A bot in another language as a user types it, such as `node bot.js`, and as it is handed in.

It has the name of its first own file. Handed in, its files lie in a folder of its own in `bots/`, and the
words of its command say so. The command is checked with those words, because a tournament will run it so.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path, PurePosixPath

from arena.bots.naming import suggest_name
from arena.bots.source import Source, read_command
from arena.errors import BotFileError, printable


def read_typed_command(text: str, here: Path) -> Source:
    """Return the bot of a command line; BotFileError if it names no file below `here`, or a missing one."""
    shown = printable(text, 200)
    try:
        words = shlex.split(text)
    except ValueError as error:  # such as a quote that is not closed
        raise BotFileError(f"--command {shown}: {str(error).lower()}") from None
    if not words:
        raise BotFileError('--command needs a program and its arguments, such as --command "node bot.js"')
    source = read_command(words, "bot", here)
    missing = [word for word in words if _looks_like_a_file(word) and not (here / word).exists()]
    if missing:
        raise BotFileError(f"--command {shown}: there is no file '{printable(missing[0], 200)}' here")
    if not source.files:
        raise BotFileError(
            f"--command {shown}: none of its words is a file below this folder, so there is no bot to copy; "
            "a bot's own files are named by relative paths"
        )
    return source._replace(name=suggest_name(PurePosixPath(next(iter(source.files))).stem))


def _looks_like_a_file(word: str) -> bool:
    """Whether a word names a file: it has a folder or an ending, and is no option."""
    path = PurePosixPath(word)
    is_ending = path.suffix[1:].isalnum() and not path.suffix[1:].isdigit()
    return not word.startswith("-") and ("/" in word or is_ending)


def hand_in(source: Source) -> Source:
    """Return a command as it runs after its files were copied to a folder of its own in `bots/`."""
    folder = f"bots/{source.name}"
    moved = {PurePosixPath(path).as_posix(): f"{folder}/{path}" for path in source.files}
    words = [moved.get(PurePosixPath(word).as_posix(), word) for word in source.command]
    files = {moved[path]: data for path, data in source.files.items()}
    return source._replace(command=tuple(words), files=files)


def write_table(source: Source) -> str:
    """Return the lines of a tournament file that enter a command."""
    words = ", ".join(json.dumps(word, ensure_ascii=False) for word in source.command)
    return f'[[bots]]\nname = "{source.name}"\ncommand = [{words}]'
