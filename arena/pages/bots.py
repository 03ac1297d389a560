"""The part of each bot: what `arena bot` says, with its worst blunders on boards; and all forfeits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from arena.game import Variant
from arena.log.archive import kept_variant
from arena.pictures.layout import Layout, place
from arena.pictures.sketch import sketch
from arena.reports.bot import (
    head_blunders,
    say_moves,
    say_where,
    tell_forfeits,
    tell_records,
    tell_standing,
    tell_versions,
)
from arena.reports.page import Block, Code, Heading, Lines, Title
from arena.reports.text import lay_cells
from arena.results.blunders import Blunder
from arena.results.bot import BotPage, BotPages

if TYPE_CHECKING:
    from arena.log.reading import Log
    from arena.results.run import Run

MOST_BOTS = 100
"""So many bots have a part of their own in the page; the rest have pages by `arena bot`."""

MOST_RECORDS = 12
"""So many rows of a bot's record are shown; who beat whom is in the heat map."""

MOST_BLUNDERS = 3
"""So many blunders of a bot are drawn."""

LARGEST = 200
"""Boards with more cells than this are not drawn: a page has room for many small ones."""


class Part(NamedTuple):
    """A block of a bot's part: `heading`, `lines`, `code` or `table`."""

    kind: str
    content: Any


class Mistake(NamedTuple):
    """A blunder: in which game and at which ply, the words, and the board before it unless it is large."""

    game: str
    ply: int
    words: list[str]
    board: Markup | None


class BotPart(NamedTuple):
    """All that is shown of a bot."""

    bot: str
    standing: list[str]
    versions: list[Part]
    records: list[list[Part]]
    thrown: list[Part]
    blunders: list[Mistake]
    forfeits: list[Part]


class Kinds(NamedTuple):
    """How many forfeits of each kind every bot has; only bots and kinds that have any."""

    endings: list[str]
    rows: list[tuple[str, list[int], int]]
    most: int


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
    game: str


def name_folder(run: Run) -> str:
    """Return what to type for a run in `results/`: a page is published, and names no other folder.

    Nothing if the run is anonymous: then nobody who reads the page has the folder.
    """
    return "" if run.is_anonymous else quote(run.folder.resolve().name)


def read_pages(run: Run, bots: Sequence[str]) -> list[BotPage]:
    """Return what is known of the first of these bots."""
    return list(BotPages(run).read_all(bots[:MOST_BOTS]))


def show_bots(run: Run, pages: Iterable[BotPage]) -> list[BotPart]:
    """Return the part of each bot."""
    typed = name_folder(run)
    with run.log() as log:
        boards = _Boards(run, log)
        return [_show(page, typed, boards) for page in pages]


def _show(page: BotPage, typed: str, boards: _Boards) -> BotPart:
    return BotPart(
        page.bot,
        list(tell_standing(page).lines),
        list(map(_part, tell_versions(page))),
        _gather(map(_part, tell_records(page))),
        list(map(_part, head_blunders(page))) if page.thrown_away else [],
        [boards.show(blunder) for blunder in page.blunders[:MOST_BLUNDERS]],
        list(map(_part, tell_forfeits(page, typed))),
    )


def show_bot(run: Run, page: BotPage) -> BotPart:
    """Return the part of one bot, without commands: for readers who do not have the folder."""
    with run.log() as log:
        return _show(page, "", _Boards(run, log))


class _Boards:
    """Draws blunders; a board is placed once."""

    def __init__(self, run: Run, log: Log) -> None:
        self._log = log
        self._versions = dict(run.field.variants)
        self._known: dict[str, tuple[Variant, Layout | None]] = {}

    def show(self, blunder: Blunder) -> Mistake:
        """Return a blunder with its board before the move."""
        words = [say_where(blunder), say_moves(blunder)]
        return Mistake(blunder.game, blunder.ply, words, self._draw(blunder))

    def _draw(self, blunder: Blunder) -> Markup | None:
        if blunder.variant not in self._known:
            variant = kept_variant(self._log, blunder.variant, self._versions[blunder.variant])
            self._known[blunder.variant] = variant, self._place(variant)
        cells = self._log.find(blunder.game)[0].cells
        variant, layout = self._known[blunder.variant]
        if layout is None:
            return None
        before, winning = variant.replay(cells[: blunder.ply - 1]), map(variant.parse, blunder.winning_moves)
        return Markup(sketch(before, layout, cells[blunder.ply - 1], list(winning)))

    def _place(self, variant: Variant) -> Layout | None:
        return place(variant.board) if variant.board.size <= LARGEST else None


def count_forfeits(run: Run, bots: Sequence[str]) -> Kinds:
    """Return the forfeits of the run by bot and kind, in the order of the standings."""
    from arena.standings.tables import forfeits

    counted: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in forfeits(run.counts).to_dict("records"):
        counted[row["bot"]][row["ending"]] += row["games"]
    sums = {bot: sum(counted[bot].values()) for bot in bots if bot in counted}
    endings = sorted({ending for bot in sums for ending in counted[bot]})
    rows = [(bot, [counted[bot][ending] for ending in endings], total) for bot, total in sums.items()]
    return Kinds(endings, rows, max((most for _, games, _ in rows for most in games), default=0))


def list_forfeits(run: Run, pages: Iterable[BotPage]) -> Iterator[ForfeitLine]:
    """Yield the first forfeits of each bot and ending."""
    typed = name_folder(run)
    for page in pages:
        for kind in page.forfeits:
            for each in kind.shown:
                about = (each.variant, each.opponent, each.ply, each.detail)
                command = typed and f"arena rerun {typed} {each.game}"
                yield ForfeitLine(page.bot, kind.ending, kind.games, *about, command, each.game)


def _gather(parts: Iterable[Part]) -> list[list[Part]]:
    """Return parts in groups, each from a heading to the next."""
    groups: list[list[Part]] = []
    for part in parts:
        if part.kind == "heading":
            groups.append([])
        groups[-1].append(part)
    return groups


def _part(block: Block) -> Part:
    match block:
        case Heading(text) | Title(text):
            return Part("heading", text)
        case Lines(lines):
            return Part("lines", list(lines))
        case Code(text):
            return Part("code", text)
        case frame:
            return Part(
                "table", (lay_cells(frame.head(MOST_RECORDS), str), max(0, len(frame) - MOST_RECORDS))
            )
