"""Which games are in the page: all of them, or where there are too many a choice that is the same each time.

A game's id is a hash of all that can change its result, so the games with the least ids are a fair sample:
nobody chose them, every machine finds the same, and few of them change when more games are played.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from arena.referee.endings import Ending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arena.log.reading import Log
    from arena.referee.row import GameRow
    from arena.results.run import Run

MOST_GAMES = 10_000
MOST_FORFEITS = 5_000
MOST_BLUNDERS = 2_500
"""So many games are in the page; if there are more, up to so many forfeits and games with a blunder first."""


class Chosen(NamedTuple):
    """The games of the page, and which ones they are in a sentence."""

    games: list[GameRow]
    said: str


class Draw:
    """A fair sample of the games that it is given: those with the least ids."""

    def __init__(self, most: int) -> None:
        self.seen = 0
        self._most = most
        self._kept: list[GameRow] = []

    def add(self, game: GameRow) -> None:
        """Look at one more game."""
        self.seen += 1
        self._kept.append(game)
        if len(self._kept) >= 2 * self._most:  # now and then, so that a million games need little memory
            self._kept = self.games

    @property
    def games(self) -> list[GameRow]:
        """The sample in the order of the ids."""
        return sorted(self._kept)[: self._most]


def choose_games(run: Run, thrown: Mapping[str, int], wanted: Collection[str] = ()) -> Chosen:
    """Return the games of the page; `wanted` are ids that other parts of it refer to, and are in it anyhow.

    `thrown` has the games in which a blunder changed the result.
    """
    every, forfeits, blunders = Draw(MOST_GAMES), Draw(MOST_FORFEITS), Draw(MOST_BLUNDERS)
    chosen: dict[str, GameRow] = {}
    with run.log() as log:
        for game in run.leave_out_hidden(log.games()):
            every.add(game)
            if game.ending != Ending.NO_MOVES:
                forfeits.add(game)
            elif game.game in thrown:
                blunders.add(game)
            if game.game in wanted:
                chosen[game.game] = game
    for draw in (forfeits, blunders, every):
        room = MOST_GAMES - len(chosen)
        fresh = [game for game in draw.games if game.game not in chosen]
        chosen.update({game.game: game for game in fresh[:room]})
    return Chosen(list(chosen.values()), _say(every, forfeits, blunders, len(chosen)))


def has_all_forfeits(log: Log, hidden: frozenset[str]) -> bool:
    """Whether every forfeit on a variant that is not hidden is in the page."""
    return log.played_on(hidden) <= MOST_GAMES or log.forfeits_on(hidden) <= MOST_FORFEITS


def _say(every: Draw, forfeits: Draw, blunders: Draw, chosen: int) -> str:
    if chosen == every.seen:
        return f"All {every.seen:,} games are here."
    parts = [
        _say_part(forfeits, "forfeits", "forfeit"),
        _say_part(blunders, "games that a blunder decided", "game that a blunder decided"),
    ]
    named = ", ".join(filter(None, parts))
    rest = f"{named}, and a fair sample of the others" if named else "a fair sample"
    return f"Of {every.seen:,} games, {chosen:,} are here: {rest}. The command `arena games` lists all."


def _say_part(draw: Draw, many: str, one: str) -> str:
    shown = len(draw.games)
    if shown < draw.seen:
        return f"{shown:,} of the {draw.seen:,} {many}"
    return {0: "", 1: f"the one {one}"}.get(shown, f"all {shown:,} {many}")
