"""What bots printed and where their code failed: for a page that is made with `--evidence`, and for authors.

It is read from `faults/`, which has it for the first forfeits of each kind. It quotes sources and may be
long, so it is in a report only if it was asked for, and then within limits. The folder may be a stranger's:
links are not followed, and no more is read than is shown.

An author sees every kind of forfeit of the own bot, from the log: a bot that thinks too long leaves no word.
`what-happened.txt` is not shown there. The log has its sentence, the replay its position, and its command is
for those who have the run folder.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from arena.files import is_plain_file
from arena.log.door import explain_errors
from arena.pages.games import has_all_forfeits
from arena.tournament.evidence import kept_games

if TYPE_CHECKING:
    from arena.referee.row import GameRow
    from arena.results.run import Run

FILES = {"printed.txt": "it printed", "traceback.txt": "its code failed"}
MOST_OF_A_FILE = 4_000
MOST_IN_ALL = 400_000
"""How many letters of each file, and of all together, a page has."""


class Forfeit(NamedTuple):
    """A game that was forfeited; `link` is its place in the page of the run, empty if that may not have it.

    `text` is what the bot printed and where its code failed, empty if there is nothing.
    """

    game: str
    opponent: str
    detail: str
    link: str
    text: str


class Kind(NamedTuple):
    """The forfeits of one version of a bot on one variant by one ending: how many, and some of them."""

    version: str
    variant: str
    ending: str
    games: int
    shown: list[Forfeit]


def read_printed(run: Run) -> dict[str, str]:
    """Return what there is about the forfeits that are shown, until the page is full.

    By game. The first line of each text says whose forfeit it was.
    """
    with run.log() as log:
        lost = list(run.leave_out_hidden(log.games(forfeits=True)))
    found, room = {}, MOST_IN_ALL
    for game in lost:
        left = _read(run, game)
        text = f"{game.loser}: {game.ending} on {game.variant}, game {game.game}\n\n{left}"
        if left and len(text) <= room:
            found[game.game] = text
            room -= len(text)
    return found


def read_forfeits(run: Run, bot: str) -> list[Kind]:
    """Return a bot's forfeits that are shown: of the version that plays now first, then the most frequent.

    Of a kind those games are shown that left something, and of games that left the same the first; if none
    did, the first game.
    """
    counts, some = _sort_out(run, bot)
    now = run.field.bots.get(bot, "")[:12]
    with run.log() as log:
        is_linked = has_all_forfeits(log, run.hidden)
    kinds, room = [], MOST_IN_ALL
    for kind in sorted(some, key=lambda kind: (kind[0] != now, -counts[kind], kind)):
        left = _choose(run, some[kind], room)
        room -= sum(map(len, left))
        pairs = [(game, text) for text, game in left.items()] or [(some[kind][0], "")]
        kinds.append(Kind(*kind, counts[kind], [_show(*pair, is_linked) for pair in pairs]))
    return kinds


_Key = tuple[str, str, str]


def _sort_out(run: Run, bot: str) -> tuple[Counter[_Key], dict[_Key, list[GameRow]]]:
    """Return how many forfeits of each kind a bot has; and the first of each, and those with evidence."""
    counts: Counter[_Key] = Counter()
    some: defaultdict[_Key, list[GameRow]] = defaultdict(list)
    with explain_errors(run.folder):
        kept = set(kept_games(run.folder / "faults"))
    with run.log() as log:
        for game in run.leave_out_hidden(log.games(bot, forfeits=True)):
            version = game.first_version if game.first == bot else game.second_version
            kind = version, game.variant, game.ending
            counts[kind] += 1
            if game.game in kept or not some[kind]:
                some[kind].append(game)
    return counts, some


def _choose(run: Run, games: Iterable[GameRow], room: int) -> dict[str, GameRow]:
    """Return what games left, each text once with the first game that left it, as far as there is room."""
    found: dict[str, GameRow] = {}
    for game in games:
        text = _read(run, game)
        if text and text not in found and len(text) <= room:
            found[text] = game
            room -= len(text)
    return found


def _show(game: GameRow, text: str, is_linked: bool) -> Forfeit:
    link = f"#game={game.game}" if is_linked else ""
    return Forfeit(game.game, game.winner, game.detail, link, text)


def _read(run: Run, game: GameRow) -> str:
    """Return what a game has left in `faults/`; nothing if there is nothing."""
    return "\n\n".join(_read_parts(run.folder / "faults" / game.game))


def _read_parts(folder: Path) -> Iterator[str]:
    if folder.parent.is_symlink() or folder.is_symlink():
        return
    for name, words in FILES.items():
        text = _read_file(folder / name).strip()
        if text:
            yield f"{words}:\n\n{text}"


def _read_file(file: Path) -> str:
    """Return the beginning of a file, and how much more there is."""
    try:
        if not is_plain_file(file):
            return ""
        with file.open(encoding="utf-8", errors="replace") as opened:
            text = opened.read(MOST_OF_A_FILE)
        return (
            text
            if file.stat().st_size <= len(text.encode())
            else f"{text}\n[cut: there is more in {file.name}]"
        )
    except OSError:
        return ""
