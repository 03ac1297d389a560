"""What went wrong, told without saying where things are on this machine, which is nobody's business.

What arena and the system say of a fault names files by their paths. A run, its book and its base are called
as readers know them; of a path in the temporary directory nothing is left.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.contest.hosted import Contest


def hide_places(why: object, folder: Path, book: Path | None = None) -> str:
    """Return why something failed in a run folder, or with the book beside it, without paths."""
    said = str(why)
    if book is not None:
        said = said.replace(str(book), "the book")
    said = said.replace(str(folder), folder.name)
    for base in filter(None, (folder.parent, book and book.parent.parent)):
        said = said.replace(f"{base}/", "")
    inside = rf"(?<![\w./-]){re.escape(tempfile.gettempdir())}(?![\w.-])(/[^\s'\":,;]*)?"
    return re.sub(inside, "the temporary directory", said)


def say_not_now(why: object, contest: Contest) -> str:
    """Return a sentence about what cannot be done for a contest at the moment."""
    return f"This cannot be done now: {hide_places(why, contest.folder, contest.book.file).rstrip('.')}."
