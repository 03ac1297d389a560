"""A bot's own page, for every reader: what `arena bot` says, its progress over its versions, and its games.

It has no commands: its readers do not have the run folder. Whether it passed is not on it, and nothing that a
bot printed; that is between a teacher and an author.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import arena
from arena.pages.bots import BotPart, show_bot
from arena.pages.games import MOST_GAMES
from arena.pages.progress import chart_progress
from arena.pages.rendering import render
from arena.referee.endings import Ending
from arena.results.bot import BotPage

if TYPE_CHECKING:
    from arena.referee.row import GameRow
    from arena.results.run import Run

MOST_LISTED = 300
"""So many games are listed, those that it lost first; the run's own page has a list that can be asked."""


class Played(NamedTuple):
    """A game as its bot sees it; `thrown` is the ply at which the loser threw it away for good, if any."""

    game: str
    opponent: str
    is_won: bool
    side: str
    variant: str
    plies: int
    forfeit: str  # its ending, if it is one
    thrown: int | None


class Games(NamedTuple):
    """The games that are listed, of how many; `has_links` if the run's own page has them all."""

    listed: list[Played]
    of: int
    has_links: bool


def make_bot_page(run: Run, page: BotPage, home: str, made_at: str) -> str:
    """Return a bot's own page; `home` is the address of the run's page, as seen from this one."""
    part: BotPart = show_bot(run, page)
    return render(
        "bot.html.j2",
        {
            "title": f"{page.bot} in {run.field.name}",
            "name": run.field.name,
            "home": home,
            "each": part,
            "progress": chart_progress(page.versions),
            "games": list_games(run, page.bot),
            "made_at": made_at,
            "arena_version": arena.__version__,
        },
        is_live=True,
    )


def list_games(run: Run, bot: str) -> Games:
    """Return the games of a bot as it is now: those that it lost come first, thrown away before others."""
    thrown, version = run.thrown_away(), run.field.bots[bot][:12]
    with run.log() as log:
        rows = [
            _see(game, bot, thrown)
            for game in run.leave_out_hidden(log.games(bot))
            if (game.first_version if game.first == bot else game.second_version) == version
        ]
    rows.sort(key=lambda played: (played.is_won, played.thrown is None))
    return Games(rows[:MOST_LISTED], len(rows), int(run.counts["games"].sum()) <= MOST_GAMES)


def _see(game: GameRow, bot: str, thrown: Mapping[str, int]) -> Played:
    is_first = game.first == bot
    forfeit = "" if game.ending == Ending.NO_MOVES else game.ending
    return Played(
        game.game,
        game.second if is_first else game.first,
        game.winner == bot,
        "first" if is_first else "second",
        game.variant,
        game.plies,
        forfeit,
        thrown.get(game.game),
    )
