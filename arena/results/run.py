"""A run folder for reading: its games, standings and digest. All numbers come from the log, each time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import UserError, printable, require_one_of, require_path
from arena.field import Grading
from arena.formats import FORMATS
from arena.formats.knockout import Bracket, places
from arena.log.archive import kept_variant
from arena.log.cache import remember
from arena.log.reading import COUNT_COLUMNS, Log
from arena.plan.rounds import IN_ROUNDS
from arena.referee.game import Row
from arena.referee.row import GAME_COLUMNS, GameRow
from arena.results import rating
from arena.results.digest import digest
from arena.results.doubts import find_cases, find_replays
from arena.results.graded import THROWN_AWAY, Graded
from arena.results.notebook import show_run
from arena.results.rounds import read_bracket, read_points
from arena.solver.health import why_degenerate

if TYPE_CHECKING:
    import pandas as pd

    from arena.standings.tables import Known

BY = ("overall", "variant", "side")
MOST_IN_CROSSTABLE = 500
"""With more bots than this, a crosstable has only those that have played."""


class Run:
    """The results of a tournament so far; `standings` and `games` are pandas frames.

    `is_whole` if grades are waited for; `is_anonymous` if bots have numbers for names (`export.anonymous`):
    then nobody who reads of it has its folder, and there is nothing to type.
    """

    def __init__(
        self, folder: str | os.PathLike[str], is_whole: bool = True, is_anonymous: bool = False
    ) -> None:
        self.folder = Path(require_path(folder, "run folder"))
        self.is_whole, self.is_anonymous = is_whole, is_anonymous
        self._grades = Graded(self.folder, is_whole)  # waited for, or those that there are
        self._standings: dict[tuple[str, str, bool], pd.DataFrame] = {}  # what was asked for already
        self._knowns: dict[bool, Known] = {}  # what they need
        self._results: dict[bool, pd.DataFrame] = {}
        self._thrown: dict[str, int] | None = None
        self._rows: dict[bool, list[Row]] = {}  # of ratings, without forfeits or with them
        with self.log() as log:
            self.field = log.field()

    def __repr__(self) -> str:
        return f"<Run {self.folder}>"

    def _repr_html_(self) -> str:
        return show_run(self)

    @contextmanager
    def log(self) -> Iterator[Log]:
        """Open the log for reading."""
        with closing(Log(self.folder)) as log:
            yield log

    def standings(
        self, by: str = "overall", variant: str = "", without_forfeits: bool = False
    ) -> pd.DataFrame:
        """Return the bots in order: overall, or by `variant` or by `side`; of one variant if it is named.

        Without forfeits, ratings rest on the games that were played out; the other columns count all.
        """
        asked = (by, variant, without_forfeits)
        if asked not in self._standings:
            self._standings[asked] = self._order(*asked)
        return self._standings[asked].copy()

    def _order(self, by: str, variant: str, without_forfeits: bool) -> pd.DataFrame:
        from arena.standings import tables

        if by not in ("overall", "variant", "side"):
            raise UserError(f"by: '{printable(str(by))}' is unknown; it is overall, variant or side")
        if without_forfeits not in self._knowns:
            self._knowns[without_forfeits] = self._known(without_forfeits)
        counts, known = self.counts, self._knowns[without_forfeits]
        if variant:
            counts = counts[counts["variant"] == self.variant_name(variant)]
            own = known.evidence[known.evidence["variant"] == variant]
            known = known._replace(evidence=own, degenerate=())
        if by == "variant":
            names = [variant] if variant else self.variants
            return tables.standings_by_variant(counts, self.bots, names, known)
        if by == "side":
            return tables.standings_by_side(counts, self.bots, known)
        if variant:
            return tables.standings_by_variant(counts, self.bots, [variant], known)[tables.COLUMNS]
        return tables.standings(counts, self.bots, known, self._places)

    def _known(self, without_forfeits: bool) -> Known:
        """Return what standings need beside the counts."""
        import pandas as pd

        from arena.standings.tables import Known

        name = f"scores of {' '.join(self.variants)}"
        rows = remember(self.folder, name, lambda: rating.score_rows(self._shown(), self.unrated))
        scores = pd.DataFrame(rows, columns=rating.SCORE_COLUMNS)
        return Known(self.evidence, scores, self.ratings(without_forfeits), self.unrated)

    def ratings(self, without_forfeits: bool = False) -> pd.DataFrame:
        """Return the ratings overall and on each variant: part, bot, rating, low, high, over_next, units.

        `over_next` is how likely a bot is truly better than the next one by rating.
        """
        import pandas as pd

        if without_forfeits not in self._rows:  # read once, so that all tables agree even during a run
            name = f"ratings{' without forfeits' * without_forfeits} of {' '.join(self.variants)}"
            self._rows[without_forfeits] = remember(self.folder, name, lambda: self._rate(without_forfeits))
        return pd.DataFrame(self._rows[without_forfeits], columns=rating.RATING_COLUMNS)

    def _rate(self, without_forfeits: bool) -> list[Row]:
        results = self.results(without_forfeits)
        return rating.rating_rows(results, self.field.bots, self.variants, self._places)

    def results(self, without_forfeits: bool = False) -> pd.DataFrame:
        """Return what ratings rest on: the games on variants that can rank, as rows of `RESULT_COLUMNS`."""
        found = self._shown(without_forfeits)
        return found[~found["variant"].isin(self.degenerate.keys())]

    def _shown(self, without_forfeits: bool = False) -> pd.DataFrame:
        """Return the results on all variants that are shown; they are read once."""
        if without_forfeits not in self._results:
            with self.log() as log:
                found = rating.results_frame(log.results(self.is_by_results, without_forfeits))
            self._results[without_forfeits] = found[found["variant"].isin(self.variants)]
        return self._results[without_forfeits]

    def ledger(self) -> pd.DataFrame:
        """Return where each bot's wins came from, overall and on each variant; see standings.ledger."""
        from arena.standings.ledger import ledger

        return ledger(self.evidence, self.standings()["bot"].tolist(), self.unrated)

    def throws(self) -> pd.DataFrame:
        """Return how often each bot threw a win away at which ply: bot, variant, ply, thrown."""
        throws = self._grades.throws()
        return throws[~throws["variant"].isin(self.hidden)]

    def crosstable(self) -> pd.DataFrame:
        """Return who beat whom, with wins by side."""
        return self._crosstable.copy()

    @cached_property
    def _crosstable(self) -> pd.DataFrame:
        from arena.standings import tables

        bots = self.standings()["bot"].tolist()
        if len(bots) > MOST_IN_CROSSTABLE:  # nobody would read the empty rows
            played = set(self.counts["first"]) | set(self.counts["second"])
            bots = [bot for bot in bots if bot in played]
        return tables.crosstable(self.counts, bots)

    def games(
        self, bot: str = "", variant: str = "", forfeits: bool = False, is_graded: bool = False
    ) -> pd.DataFrame:
        """Return the games of the plan that were played, as the log has them.

        With grades there is one more column: the ply at which the loser threw the game away for good, if any.
        """
        import pandas as pd

        chosen = self.variant_name(variant) if variant else ""
        with self.log() as log:
            rows = list(self.leave_out_hidden(log.games(self.bot_name(bot) if bot else "", chosen, forfeits)))
        games = pd.DataFrame(rows, columns=GAME_COLUMNS)
        if is_graded:
            games[THROWN_AWAY] = games["game"].map(self.thrown_away()).astype("Int64")
        return games

    def thrown_away(self) -> dict[str, int]:
        """Return the ply at which the loser threw the game away for good, for each game where it did."""
        if self._thrown is None:  # read once, because a page asks several times
            self._thrown = self._grades.thrown_away()
        return self._thrown

    def graded_games(self) -> Iterator[tuple[GameRow, int | None]]:
        """Yield the games that are shown in the order of the plan, each with the ply of its last throw."""
        hidden = self.hidden
        return (pair for pair in self._grades.games() if pair[0].variant not in hidden)

    def leave_out_hidden(self, games: Iterator[GameRow]) -> Iterator[GameRow]:
        """Leave out games on secret variants, which are not shown before the end."""
        if not self.hidden:
            return games
        return (row for row in games if row.variant not in self.hidden)

    def game(self, text: str) -> GameRow:
        """Return one game by its id or the beginning of it."""
        wanted = text.strip().lower()
        with self.log() as log:
            found = log.find(wanted) if wanted else []
        if not found:
            raise UserError(f"{self.folder}: there is no game '{printable(text)}'; `arena games` lists them")
        if len(found) > 1 and found[0].game != wanted:
            raise UserError(f"{self.folder}: more than one game begins with '{printable(text)}'")
        if found[0].variant in self.hidden:
            raise UserError(f"{found[0].game} is on a secret variant, which is shown {self.shown_when}")
        return found[0]

    def digest(self) -> str:
        """Return one hash over all games of the plan: equal for equal results, however they were played."""
        with self.log() as log:
            return digest(log.games_by_id())

    @cached_property
    def distinct(self) -> int:
        """How many games are not the same as another one of the same bots, up to the board's symmetry."""
        name = f"distinct of {' '.join(self.variants)}"
        found = int(
            remember(self.folder, name, lambda: rating.count_distinct(self.folder, self.field, self.variants))
        )
        return min(found, int(self.counts["games"].sum()))  # a run may have gone on since they were counted

    @cached_property
    def cycles(self) -> list[list[str]]:
        """Bots that surely beat each other in a circle."""
        from arena.standings.cycles import cycles

        name = f"cycles of {' '.join(self.variants)}"
        return list(remember(self.folder, name, lambda: [list(cycle) for cycle in cycles(self._of_field())]))

    def _of_field(self) -> pd.DataFrame:
        """Return the results between bots of the field, without old versions of edited ones."""
        found, field = self.results(), list(self.field.bots)
        return found[found["first"].isin(field) & found["second"].isin(field)]

    def passing(self, grading: Grading) -> pd.DataFrame:
        """Return who reaches the pass mark in games against the bosses."""
        from arena.standings.passing import passing

        evidence = self._grades.evidence(grading.bosses)
        shown = evidence[evidence["variant"].isin(self.variants)]
        return passing(self.results(), shown, self.bots, *grading)

    @cached_property
    def counts(self) -> pd.DataFrame:
        """The games of the plan, counted once, on first use."""
        import pandas as pd

        counts = pd.DataFrame(remember(self.folder, "counts", self._count), columns=COUNT_COLUMNS)
        return counts[~counts["variant"].isin(self.hidden)]

    def _count(self) -> list[Row]:
        with self.log() as log:
            return log.counts(self.is_by_results)

    @cached_property
    def evidence(self) -> pd.DataFrame:
        """What each bot did on each opening by side, against perfect play: columns of `EVIDENCE_COLUMNS`."""
        evidence = self._grades.evidence()
        return evidence[~evidence["variant"].isin(self.hidden)]

    @property
    def ungraded(self) -> int:
        """How many games have no grades yet; none if they are waited for."""
        with self.log() as log:
            return self._grades.count_missing(log.played)

    @cached_property
    def bots(self) -> pd.DataFrame:
        """The bots of the plan: bot, version, is_repeatable."""
        import pandas as pd

        shown = 0 if self.is_anonymous else 12
        rows = [(name, full[:shown], name not in self.unrepeatable) for name, full in self.field.bots.items()]
        return pd.DataFrame(rows, columns=["bot", "version", "is_repeatable"])

    @cached_property
    def unrepeatable(self) -> list[str]:
        """The bots of the plan whose games cannot be repeated."""
        with self.log() as log:
            return [name for name, full in log.unrepeatable() if self.field.bots.get(name) == full]

    @cached_property
    def degenerate(self) -> dict[str, str]:
        """The variants that can rank nobody, and why; computed here, because a log may be wrong."""
        found = remember(self.folder, "degenerate", self._find_degenerate)
        return {name: why for name, why in found.items() if why is not None}

    @property
    def unrated(self) -> list[str]:
        """The variants that scores leave out: those that rank nobody, unless there are no others."""
        shown = [name for name in self.variants if name in self.degenerate]
        return [] if len(shown) == len(self.variants) else shown

    def _find_degenerate(self) -> dict[str, str | None]:
        with self.log() as log:
            return {name: why_degenerate(kept_variant(log, name, v)) for name, v in self.field.variants}

    @cached_property
    def replays(self) -> tuple[dict[str, int], list[str]]:
        """How many games were played again because of whom, and of whom more often than chance explains."""
        with self.log() as log:
            return find_replays(log, self.counts)

    @cached_property
    def audited(self) -> list[str]:
        """What the audits found against bots of the plan that are marked, a sentence each."""
        with self.log() as log:
            versions = {name: version for name, version in self.field.variants if name in self.variants}
            return find_cases(log, self.unrepeatable, versions)

    @cached_property
    def bracket(self) -> Bracket | None:
        """The bracket of a knock-out, as far as it is decided."""
        format = FORMATS.get(self.field.format)
        if format is None or not format.has_bracket:
            return None
        with self.log() as log:
            return read_bracket(log, self.field)

    @cached_property
    def points(self) -> dict[str, float]:
        """The points of each bot in a Swiss; empty in other formats."""
        if self.field.format != "swiss":
            return {}
        with self.log() as log:
            return read_points(log, self.field)

    @property
    def _places(self) -> dict[str, int] | None:
        return places(self.bracket) if self.bracket is not None else None

    @property
    def is_by_results(self) -> bool:
        """Whether rounds depend on results, so that old games of an edited bot count as another bot's."""
        return self.field.format in IN_ROUNDS

    @cached_property
    def is_over(self) -> bool:
        """Whether all games have been played, and neither more rounds nor more bots will follow."""
        with self.log() as log:
            is_last = not self.is_by_results or log.fact("over") == log.fact("plan")
            return is_last and log.planned == log.played and not log.is_open

    @property
    def shown_when(self) -> str:
        """When secret variants are shown, in words."""
        with self.log() as log:
            return "when the contest is closed" if log.is_open else "when all games are played"

    @property
    def missing(self) -> int:
        """How many games of the plan, on variants that are shown, are still to be played."""
        with self.log() as log:
            return log.planned_on(self.hidden) - int(self.counts["games"].sum())

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The variants that are not shown yet: secret ones, before the end."""
        return frozenset() if not self.field.secret or self.is_over else frozenset(self.field.secret)

    @property
    def variants(self) -> list[str]:
        """The variants of the plan that are shown."""
        return [name for name, _ in self.field.variants if name not in self.hidden]

    def variant_name(self, name: str) -> str:
        """Return a variant of the plan; UserError if it has none of that name."""
        return require_one_of(name, "variant", self.variants)

    def bot_name(self, name: str) -> str:
        """Return a bot of the plan; UserError if it has none of that name."""
        return require_one_of(name, "bot", list(self.field.bots))
