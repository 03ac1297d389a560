"""What is known about one bot of a run: why it stands where it stands, and which games show it.

Score, rating and ledger are those of the standings. The records by opponent and by side count the same games;
the record by variant has all variants, also those that rank nobody. Games on secret variants are left out
until the end, as everywhere.

In rounds that depend on results, games of an older version of a bot are in the plan too. They belong to
another bot, `name@version`, and are not on its page.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.game import Variant
from arena.log.archive import kept_variant
from arena.log.cache import remember
from arena.referee.endings import Ending
from arena.referee.row import GameRow
from arena.results.blunders import Blunder, Weigher
from arena.results.run import Run

if TYPE_CHECKING:
    import pandas as pd

MOST_OF_A_KIND = 3
"""How many forfeits of one ending are shown."""

MOST_PLIES = 3


class Forfeit(NamedTuple):
    """A game that the bot lost by breaking a rule; `ply` is the one that it did not play, if it was asked."""

    game: str
    variant: str
    opponent: str
    side: str
    ply: int | None
    detail: str


class Forfeits(NamedTuple):
    """The forfeits of one ending: how many there are, and the first of them."""

    ending: str
    games: int
    shown: list[Forfeit]


class BotPage(NamedTuple):
    """All that a bot's page shows."""

    bot: str
    bots: int  # in the field
    standing: dict[str, Any]  # its row of the standings
    grade: dict[str, Any] | None  # its row of `grades.csv`; none of a boss, or where nobody is graded
    plies: list[int]  # at which it threw most wins away, the worst first
    opponents: pd.DataFrame  # records, see standings.tables.record
    variants: pd.DataFrame
    sides: pd.DataFrame
    unrated: list[str]  # variants that rank nobody
    unsolved: int  # games whose start is not solved, so that earlier blunders are not known
    thrown_away: int  # games that it threw away for good, by a move or by a forfeit
    thrown_by_forfeit: int  # those of them in which it was winning when it forfeited
    blunders: list[Blunder]
    forfeits: list[Forfeits]


class BotPages:
    """Reads the pages of a run's bots; what one page has found out, the next does not look for again."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._played = dict(run.field.variants)
        self._variants: dict[str, Variant] = {}
        self._weigher = Weigher(self._variant)

    def read(self, name: str) -> BotPage:
        """Return the page of a bot; UserError if the run has none of that name."""
        from arena.standings.tables import record

        run, bot = self._run, self._run.bot_name(name)
        lost = [game for game in self._games(bot) if game.winner != bot]
        rated = run.counts[~run.counts["variant"].isin(run.unrated)]
        standings = run.standings()
        own = _row_of(standings, bot)
        assert own is not None
        return BotPage(
            bot=bot,
            bots=len(standings),
            standing=own,
            grade=None if self._grades is None else _row_of(self._grades, bot),
            plies=self._plies(bot),
            opponents=record(rated, bot),
            variants=record(run.counts, bot, "variant"),
            sides=record(rated, bot, "side"),
            unrated=run.unrated,
            unsolved=self._count_unsolved(bot),
            thrown_away=sum(game.game in self._thrown for game in lost),
            thrown_by_forfeit=sum(self._thrown.get(game.game, 0) > game.plies for game in lost),
            blunders=self._find_worst(bot, lost),
            forfeits=list(_forfeits(lost)),
        )

    @cached_property
    def _grades(self) -> pd.DataFrame | None:
        grading = self._run.field.grading
        return None if grading is None else self._run.passing(grading)

    @cached_property
    def _ungraded(self) -> int:
        return self._run.ungraded

    @cached_property
    def _thrown(self) -> dict[str, int]:
        return self._run.thrown_away()

    def _find_worst(self, bot: str, lost: list[GameRow]) -> list[Blunder]:
        """Return its worst blunders; every move has to be solved for them, so they are found once.

        They are not kept while some games have no grades.
        """
        if self._ungraded:
            return self._weigher.worst(lost, self._thrown)
        name = f"blunders of {bot}"
        found = remember(self._run.folder, name, lambda: self._weigher.worst(lost, self._thrown))
        return [Blunder(*each) for each in found]

    def _games(self, bot: str) -> list[GameRow]:
        """Return the games of the bot as it is now."""
        version = self._run.field.bots[bot][:12]
        with self._run.log() as log:
            games = list(self._run.leave_out_hidden(log.games(bot)))
        return [game for game in games if (bot, version) in _entrants(game)]

    def _plies(self, bot: str) -> list[int]:
        """Return the plies at which it threw most wins away, on variants that rank."""
        throws = self._run.throws()
        own = throws[(throws["bot"] == bot) & ~throws["variant"].isin(self._run.unrated)]
        sums = own.groupby("ply")["thrown"].sum().sort_values(ascending=False, kind="stable")
        return [int(ply) for ply in sums.index[:MOST_PLIES]]

    def _count_unsolved(self, bot: str) -> int:
        own = self._run.evidence[self._run.evidence["bot"] == bot]
        return int((own["games"] - own["won_starts"] - own["lost_starts"]).sum())

    def _variant(self, name: str) -> Variant:
        if name not in self._variants:
            with self._run.log() as log:
                self._variants[name] = kept_variant(log, name, self._played[name])
        return self._variants[name]


def _row_of(table: pd.DataFrame, bot: str) -> dict[str, Any] | None:
    rows = table[table["bot"] == bot].to_dict("records")
    return {str(name): value for name, value in rows[0].items()} if rows else None


def _entrants(game: GameRow) -> tuple[tuple[str, str], tuple[str, str]]:
    return (game.first, game.first_version), (game.second, game.second_version)


def _forfeits(lost: list[GameRow]) -> Iterator[Forfeits]:
    """Yield the forfeits by ending, the most frequent first."""
    own = sorted((game for game in lost if game.ending != Ending.NO_MOVES), key=lambda game: game.ending)
    kinds = [(ending, list(games)) for ending, games in groupby(own, lambda game: game.ending)]
    for ending, games in sorted(kinds, key=lambda kind: -len(kind[1])):
        yield Forfeits(ending, len(games), list(map(_forfeit, islice(games, MOST_OF_A_KIND))))


def _forfeit(game: GameRow) -> Forfeit:
    side = "second" if game.winner == game.first else "first"
    ply = None if game.ending == Ending.NO_START else game.plies + 1
    return Forfeit(game.game, game.variant, game.winner, side, ply, game.detail)
