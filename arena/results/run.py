"""A run folder for reading: its games, standings and digest. All numbers come from the log, each time."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.errors import UserError, did_you_mean, printable
from arena.field import Grading
from arena.formats import FORMATS
from arena.formats.knockout import Bracket, bracket, places
from arena.formats.meeting import Meeting, name_of
from arena.log.archive import kept_variant
from arena.log.audits import case_against, evidence
from arena.log.cache import remember
from arena.log.door import wrong
from arena.log.reading import COUNT_COLUMNS, Log
from arena.plan.rounds import IN_ROUNDS, Course, read_first_field
from arena.referee.game import Row
from arena.referee.row import GAME_COLUMNS, GameRow
from arena.results.grading import GRADE_COLUMNS, grade_counts, grade_counts_against, thrown_away
from arena.results.rating import RATING_COLUMNS, count_distinct, rating_rows, results_frame
from arena.results.verify import plan_of
from arena.solver.health import why_degenerate
from arena.standings import OVERALL

if TYPE_CHECKING:
    import pandas as pd

BY = ("overall", "variant", "side")
MOST_IN_CROSSTABLE = 500
"""With more bots than this, a crosstable has only those that have played."""


class Run:
    """The results of a tournament so far; `standings` and `games` are pandas frames."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._standings: dict[tuple[str, str, bool], pd.DataFrame] = {}  # what was asked for already
        self._rows: dict[bool, list[Row]] = {}  # of ratings, without forfeits or with them
        with self.log() as log:
            self.field = log.field()

    def __repr__(self) -> str:
        return f"<Run {self.folder}>"

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

        counts, grades, ratings = self.counts, self.grades, self.ratings(without_forfeits)
        if variant:
            counts = counts[counts["variant"] == self.variant_name(variant)]
            grades = grades[grades["variant"] == variant]
        if by == "variant":
            names = [variant] if variant else self.variants
            return tables.standings_by_variant(counts, self.bots, names, grades, ratings)
        if by == "side":
            return tables.standings_by_side(counts, self.bots, grades)
        rated = ratings[ratings["part"] == (variant or OVERALL)].assign(part=OVERALL)
        is_ranked = self.bracket is not None and not variant
        return tables.standings(
            counts, self.bots, grades, rated, places(self.bracket) if self.bracket and is_ranked else None
        )

    def ratings(self, without_forfeits: bool = False) -> pd.DataFrame:
        """Return the ratings overall and on each variant: part, bot, rating, low, high, over_next, units.

        `over_next` is how likely a bot is truly better than the next one by rating.
        """
        import pandas as pd

        if without_forfeits not in self._rows:  # read once, so that all tables agree even during a run
            name = f"ratings{' without forfeits' * without_forfeits} of {' '.join(self.variants)}"
            self._rows[without_forfeits] = remember(
                self.folder, name, lambda: rating_rows(self.results(without_forfeits), self.field.bots)
            )
        return pd.DataFrame(self._rows[without_forfeits], columns=RATING_COLUMNS)

    def results(self, without_forfeits: bool = False) -> pd.DataFrame:
        """Return what ratings rest on: the games on variants that can rank, as rows of `RESULT_COLUMNS`."""
        with self.log() as log:
            found = results_frame(log.results(self.is_by_results, without_forfeits))
        return found[found["variant"].isin(set(self.variants) - self.degenerate.keys())]

    def crosstable(self) -> pd.DataFrame:
        """Return who beat whom, with wins by side."""
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
            games["thrown_away"] = games["game"].map(thrown_away(self.folder)).astype("Int64")
        return games

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
            raise UserError(
                f"{found[0].game} is on a secret variant, which is shown when all games are played"
            )
        return found[0]

    def digest(self) -> str:
        """Return one hash over all games of the plan: equal for equal results, however they were played."""
        digest = hashlib.sha256()
        with self.log() as log:
            for row in log.games_by_id():
                words = (row.game, row.first, row.second, row.winner, row.ending, row.moves)
                digest.update(f"{' '.join(words)}\n".encode())
        return digest.hexdigest()

    @cached_property
    def distinct(self) -> int:
        """How many games are not the same as another one of the same bots, up to the board's symmetry."""
        name = f"distinct of {' '.join(self.variants)}"
        found = int(
            remember(self.folder, name, lambda: count_distinct(self.folder, self.field, self.variants))
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
        import pandas as pd

        from arena.standings.passing import passing

        kept = grade_counts_against(self.folder, grading.bosses, self.variants)
        grades = pd.DataFrame(kept, columns=["bot", "kept", "graded"])
        return passing(self.results(), grades, self.bots, *grading)

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
    def grades(self) -> pd.DataFrame:
        """How often each bot kept a win that it could have thrown away, by variant and side."""
        import pandas as pd

        rows = remember(self.folder, "grades", lambda: grade_counts(self.folder))
        grades = pd.DataFrame(rows, columns=GRADE_COLUMNS)
        return grades[~grades["variant"].isin(self.hidden)]

    @cached_property
    def bots(self) -> pd.DataFrame:
        """The bots of the plan: bot, version, is_repeatable."""
        import pandas as pd

        rows = [(name, full[:12], name not in self.unrepeatable) for name, full in self.field.bots.items()]
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

    def _find_degenerate(self) -> dict[str, str | None]:
        with self.log() as log:
            return {name: why_degenerate(kept_variant(log, name, v)) for name, v in self.field.variants}

    @cached_property
    def replays(self) -> tuple[int, list[str]]:
        """How many games had to be played again, and whose more often than chance explains."""
        from arena.standings.replays import more_than_chance

        with self.log() as log:
            again = log.replays()
        second_chances = Counter(bot for _, bot, is_forfeited in again if bot and not is_forfeited)
        sides = [self.counts.groupby(side)["games"].sum() for side in ("first", "second")]
        games = {str(bot): int(count) for bot, count in sides[0].add(sides[1], fill_value=0).items()}
        return len({game for game, *_ in again}), more_than_chance(second_chances, games)

    @cached_property
    def audited(self) -> list[str]:
        """What the audits found against bots of the plan that are marked, a sentence each."""
        with self.log() as log:
            cases = [case for bot, case in evidence(log).items() if bot in self.unrepeatable]
            versions = {name: version for name, version in self.field.variants if name in self.variants}
            shown = [(case, case.logged.variant) for case in cases if case.logged.variant in versions]
            return [case_against(case, kept_variant(log, name, versions[name])) for case, name in shown]

    @cached_property
    def bracket(self) -> Bracket | None:
        """The bracket of a knock-out, as far as it is decided."""
        format = FORMATS.get(self.field.format)
        if format is None or not format.has_bracket:
            return None
        with self.log() as log:
            course = Course(log, ())
            course.follow(plan_of(log, self.field))
            seeds = read_first_field(log, self.field.series) or tuple(self.field.bots)
            found = bracket(seeds, course.rounds, self.field.bots)
            if not _is_drawn_so(found, course.rounds):
                raise wrong(log.folder, "its first round is not that of the bracket that was drawn")
        return found

    @property
    def is_by_results(self) -> bool:
        """Whether rounds depend on results, so that old games of an edited bot count as another bot's."""
        return self.field.format in IN_ROUNDS

    @cached_property
    def is_over(self) -> bool:
        """Whether all games have been played, and no more rounds will follow."""
        with self.log() as log:
            is_last = not self.is_by_results or log.fact("over") == log.fact("plan")
            return is_last and log.planned == log.played

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
        return _require(name, "variant", self.variants)

    def bot_name(self, name: str) -> str:
        """Return a bot of the plan; UserError if it has none of that name."""
        return _require(name, "bot", list(self.field.bots))


def _is_drawn_so(found: Bracket, rounds: Sequence[Sequence[Meeting]]) -> bool:
    """Whether the pairs of the first round are those of the bracket."""
    duels = {frozenset((duel.one, duel.other)) for duel in (found.levels[0] if found.levels else ())}
    met = {
        frozenset((name_of(meeting.one), name_of(meeting.other))) for meeting in (rounds[0] if rounds else ())
    }
    return met <= duels


def _require(name: str, what: str, names: list[Any]) -> str:
    if name in names:
        return name
    hint = did_you_mean(name, names) or f"; there are {', '.join(names)}"
    raise UserError(f"there is no {what} '{printable(name)}' in this run{hint}")
