"""Every exception that arena raises on purpose.

    ArenaError
    ├── IllegalMove (ValueError)        a claim that the rules do not allow
    ├── Void                            a game spoilt by our own fault: it does not count
    └── UserError                       the user can fix it: printed without a traceback, exit code 1
        ├── UnknownVariant (ValueError)     no rule book, board or file of that name
        ├── UnreadableCell (ValueError)     typed text that names no cell of the board
        ├── BotFileError                    a bot's file or folder that cannot be used
        ├── StoreError                      a results folder that cannot be read or written
        ├── Refused                         something sent to a contest that is not taken now
        ├── NoSandbox                       this machine cannot sandbox, and what would fix it
        └── FileMistakes                    all mistakes of one file, each with its line and key

Any other exception is a bug in arena.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from arena.plaintext import for_terminal


@runtime_checkable
class PathLike(Protocol):
    """What stands for a path, as `os.PathLike`; nothing on this floor knows of files."""

    def __fspath__(self) -> str:
        """Return the path as text."""


class ArenaError(Exception):
    """The root of the tree above."""


class IllegalMove(ArenaError, ValueError):  # noqa: N818 - the public name
    """A claim that the rules do not allow in this position."""


class Void(ArenaError):  # noqa: N818 - the public word for it
    """A game spoilt by our own fault, twice; it does not count, is written down and is played again."""


class UserError(ArenaError):
    """Something the user can fix; its text is one helpful sentence."""


class UnknownVariant(UserError, ValueError):  # noqa: N818 - reads as what it says
    """A name that stands for no variant."""


class UnreadableCell(UserError, ValueError):  # noqa: N818 - reads as what it says
    """Typed text that names no cell; `reason` is one of `empty`, `letters`, `count`, `range`."""

    def __init__(self, reason: str, typed: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.typed = typed


class BotFileError(UserError):
    """A bot's file or folder that cannot be used."""


class StoreError(UserError):
    """A results folder that cannot be read or written; the text says why, and that nothing was lost."""


class Refused(UserError):  # noqa: N818 - reads as what it says
    """Something sent to a contest that is not taken now; the text says why, to whoever has sent it."""


class NoSandbox(UserError):  # noqa: N818 - reads as what it says
    """This machine cannot sandbox; the text says what is missing and what would fix it."""


class FileMistakes(UserError):  # noqa: N818 - reads as what it says
    """All mistakes of one file, a line each: `file:line: key: what is wrong`."""

    def __init__(self, mistakes: Iterable[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(self.mistakes))


def require_path(found: object, what: str) -> str:
    """Return a path as text; UserError, which says what it should be, if a caller gave something else."""
    if isinstance(found, str):
        return found
    if isinstance(found, PathLike):
        return str(found.__fspath__())
    raise UserError(f"{printable(repr(found), 80)} is no {what}")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean '...'?` with the nearest known word, or nothing if none is near."""
    import difflib  # half of the kernel's import time, for a rare sentence

    near = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean '{printable(near[0], 80)}'?" if near else ""


def require_one_of(name: str, what: str, names: Sequence[str]) -> str:
    """Return a name if a run has it; UserError, which says what there is, if it has not."""
    if name in names:
        return name
    hint = did_you_mean(name, names) or f"; there are {', '.join(names)}"
    raise UserError(f"there is no {what} '{printable(name)}' in this run{hint}")


def printable(text: str, limit: int = 40) -> str:
    """Return somebody's text for a sentence: one printable line of at most `limit` characters."""
    shown = for_terminal(text)
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."
