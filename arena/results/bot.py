"""What is known about one bot of a run: why it stands where it stands, and which games show it.

Score, rating and ledger are those of the standings. The records by opponent and by side count the same games;
the record by variant has all variants, also those that rank nobody. Games on secret variants are left out
until the end, as everywhere.

In rounds that depend on results, games of an older version of a bot are in the plan too. They belong to
another bot, `name@version`, and count on its page only among its versions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.game import Variant
from arena.log.archive import kept_variant
from arena.log.cache import remember
from arena.referee.row import GameRow
from arena.results.blunders import Blunder, Weigher
from arena.results.losses import Forfeits, Losses, Made
from arena.results.run import Run
from arena.results.versions import Version, read_versions

if TYPE_CHECKING:
    import pandas as pd

    from arena.standings.tables import Records

MOST_PLIES = 3


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
    versions: list[Version]  # nothing if there are no games of older ones


class BotPages:
    """Reads the pages of a run's bots; what one page has found out, the next does not look for again."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._played = dict(run.field.variants)
        self._variants: dict[str, Variant] = {}
        self._weigher = Weigher(self._variant)

    def read(self, name: str) -> BotPage:
        """Return the page of a bot; UserError if the run has none of that name."""
        bot = self._run.bot_name(name)
        return self._read(bot, self._collect(bot)[bot])

    def read_all(self, bots: Sequence[str]) -> Iterator[BotPage]:
        """Yield the pages of several bots; all games are read once, and not once for each."""
        losses = self._collect()
        return (self._read(bot, losses[bot]) for bot in bots)

    def _read(self, bot: str, losses: Losses) -> BotPage:
        run, standings = self._run, self._standings
        return BotPage(
            bot=bot,
            bots=len(standings),
            standing=standings[bot],
            grade=None if self._grades is None else _row_of(self._grades, bot),
            plies=self._plies.get(bot, []),
            opponents=self._records["opponent"].of(bot),
            variants=self._records["variant"].of(bot),
            sides=self._records["side"].of(bot),
            unrated=run.unrated,
            unsolved=self._unsolved.get(bot, 0),
            thrown_away=losses.thrown_away,
            thrown_by_forfeit=losses.thrown_by_forfeit,
            blunders=self._find_worst(bot, losses.made),
            forfeits=list(losses.forfeits()),
            versions=self._progress.get(bot, []),
        )

    def _collect(self, bot: str = "") -> defaultdict[str, Losses]:
        """Return what the games that were lost tell of each bot as it is now, or of one of them."""
        run, thrown, found = self._run, self._run.thrown_away(), self._nothing()
        versions = {name: full[:12] for name, full in run.field.bots.items()}
        with run.log() as log:
            for game in run.leave_out_hidden(log.games(bot)):
                loser, version = _loser(game)
                if versions.get(loser) == version:
                    found[loser].add(game, thrown.get(game.game))
        return found

    def _nothing(self) -> defaultdict[str, Losses]:
        return defaultdict(lambda: Losses(self._weigher.identify))

    @cached_property
    def _standings(self) -> dict[str, dict[str, Any]]:
        rows = self._run.standings().to_dict("records")
        return {row["bot"]: {str(name): value for name, value in row.items()} for row in rows}

    @cached_property
    def _records(self) -> dict[str, Records]:
        from arena.standings.tables import records

        run = self._run
        rated = run.counts[~run.counts["variant"].isin(run.unrated)]
        counted = {"opponent": rated, "variant": run.counts, "side": rated}
        return {by: records(counts, by) for by, counts in counted.items()}

    @cached_property
    def _grades(self) -> pd.DataFrame | None:
        grading = self._run.field.grading
        return None if grading is None else self._run.passing(grading)

    @cached_property
    def _progress(self) -> dict[str, list[Version]]:
        return read_versions(self._run)

    @cached_property
    def _ungraded(self) -> int:
        return self._run.ungraded

    def _find_worst(self, bot: str, made: list[Made]) -> list[Blunder]:
        """Return its worst blunders; every move has to be solved for them, so they are found once.

        They are not kept while some games have no grades.
        """
        if self._ungraded:
            return self._weigher.worst(made)
        found = remember(self._run.folder, f"blunders of {bot}", lambda: self._weigher.worst(made))
        return [Blunder(*each) for each in found]

    @cached_property
    def _plies(self) -> dict[str, list[int]]:
        """The plies at which each bot threw most wins away, on variants that rank."""
        throws = self._run.throws()
        sums: defaultdict[str, Counter[int]] = defaultdict(Counter)
        rated = throws[~throws["variant"].isin(self._run.unrated)]
        for bot, ply, thrown in zip(rated["bot"], rated["ply"], rated["thrown"], strict=True):
            sums[bot][int(ply)] += int(thrown)
        return {bot: _most(counted) for bot, counted in sums.items()}

    @cached_property
    def _unsolved(self) -> dict[str, int]:
        """How many games of each bot have a start that is not solved."""
        sums = self._run.evidence.groupby("bot")[["games", "won_starts", "lost_starts"]].sum()
        unsolved = sums["games"] - sums["won_starts"] - sums["lost_starts"]
        return {str(bot): int(games) for bot, games in unsolved.items()}

    def _variant(self, name: str) -> Variant:
        if name not in self._variants:
            with self._run.log() as log:
                self._variants[name] = kept_variant(log, name, self._played[name])
        return self._variants[name]


def _row_of(table: pd.DataFrame, bot: str) -> dict[str, Any] | None:
    rows = table[table["bot"] == bot].to_dict("records")
    return {str(name): value for name, value in rows[0].items()} if rows else None


def _loser(game: GameRow) -> tuple[str, str]:
    """Return the name and the version of the bot that lost."""
    if game.winner == game.first:
        return game.second, game.second_version
    return game.first, game.first_version


def _most(counted: Counter[int]) -> list[int]:
    """Return the plies with the largest counts, the earlier first where they are equal."""
    return sorted(counted, key=lambda ply: (-counted[ply], ply))[:MOST_PLIES]
