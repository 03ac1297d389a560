"""The part of each bot: what `arena bot` says, as blocks for a template; and all forfeits together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.reports.bot import tell_bot
from arena.reports.page import Block, Code, Heading, Lines, Title
from arena.reports.text import lay_cells
from arena.results.bot import BotPage, BotPages

if TYPE_CHECKING:
    from arena.results.run import Run

MOST_BOTS = 100
"""So many bots have a part of their own in the page; the rest have pages by `arena bot`."""


class Part(NamedTuple):
    """A block of a bot's part: `heading`, `lines`, `code` or `table`."""

    kind: str
    content: Any


class BotPart(NamedTuple):
    """All that is shown of a bot."""

    bot: str
    parts: list[Part]


class ForfeitLine(NamedTuple):
    """A forfeit with its sentence; `games` is how many of this kind there are."""

    bot: str
    ending: str
    games: int
    variant: str
    opponent: str
    ply: int | None
    detail: str
    command: str


def name_folder(run: Run) -> str:
    """Return what to type for a run in `results/`: a page is published, and names no other folder."""
    return quote(run.folder.resolve().name)


def read_pages(run: Run, bots: Sequence[str]) -> list[BotPage]:
    """Return what is known of the first of these bots."""
    pages = BotPages(run)
    return [pages.read(bot) for bot in bots[:MOST_BOTS]]


def show_bots(run: Run, pages: Iterable[BotPage]) -> list[BotPart]:
    """Return the part of each bot."""
    typed = name_folder(run)
    return [
        BotPart(page.bot, list(map(_part, _without_title(tell_bot(page, run.field.name, typed)))))
        for page in pages
    ]


def list_forfeits(run: Run, pages: Iterable[BotPage]) -> Iterator[ForfeitLine]:
    """Yield the first forfeits of each bot and ending."""
    typed = name_folder(run)
    for page in pages:
        for kind in page.forfeits:
            for each in kind.shown:
                about = (each.variant, each.opponent, each.ply, each.detail)
                yield ForfeitLine(
                    page.bot, kind.ending, kind.games, *about, f"arena rerun {typed} {each.game}"
                )


def _without_title(blocks: Iterable[Block]) -> Iterator[Block]:
    return (block for block in blocks if not isinstance(block, Title))


def _part(block: Block) -> Part:
    match block:
        case Heading(text) | Title(text):
            return Part("heading", text)
        case Lines(lines):
            return Part("lines", list(lines))
        case Code(text):
            return Part("code", text)
        case frame:
            return Part("table", lay_cells(frame, str))
