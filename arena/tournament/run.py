"""A run folder, read: its games, standings and digest. All numbers come from the log, each time anew."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.errors import UserError, did_you_mean, printable
from arena.referee.game import GAME_COLUMNS, Row
from arena.store import COUNT_COLUMNS, LOG, Log, told
from arena.tournament.archive import read_field
from arena.tournament.cache import cached
from arena.tournament.grading import GRADE_COLUMNS, grade_counts, thrown_away

if TYPE_CHECKING:
    import pandas as pd

BY = ("overall", "variant", "side")


class Run:
    """The results of a tournament so far; `standings` and `games` are pandas frames."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with self.log() as log:
            self.field = read_field(log)

    def __repr__(self) -> str:
        return f"<Run {self.folder}>"

    @contextmanager
    def log(self) -> Iterator[Log]:
        """Open the log for reading."""
        with closing(Log(self.folder)) as log:
            yield log

    def standings(self, by: str = "overall", variant: str = "") -> pd.DataFrame:
        """Return the bots in order: overall, or by `variant` or by `side`; of one variant if it is named."""
        from arena.standings import tables

        counts, grades = self.counts, self.grades
        if variant:
            counts = counts[counts["variant"] == self.variant_name(variant)]
            grades = grades[grades["variant"] == variant]
        if by == "variant":
            names = [name for name, _ in self.field.variants if not variant or name == variant]
            return tables.standings_by_variant(counts, self.bots, names, grades)
        table = tables.standings_by_side if by == "side" else tables.standings
        return table(counts, self.bots, grades)

    def crosstable(self) -> pd.DataFrame:
        """Return who beat whom, with wins by side."""
        from arena.standings import tables

        return tables.crosstable(self.counts, self.bots)

    def games(
        self, bot: str = "", variant: str = "", forfeits: bool = False, is_graded: bool = False
    ) -> pd.DataFrame:
        """Return the games of the plan that were played, as the log has them.

        Graded, they have a column more: the ply at which the loser threw the game away for good, if it did.
        """
        import pandas as pd

        chosen = self.variant_name(variant) if variant else ""
        with self.log() as log:
            rows = list(log.games(self.bot_name(bot) if bot else "", chosen, forfeits))
        games = pd.DataFrame(rows, columns=GAME_COLUMNS)
        if is_graded:
            games["thrown_away"] = games["game"].map(thrown_away(self.folder)).astype("Int64")
        return games

    def game(self, text: str) -> Row:
        """Return one game by its id or the beginning of it."""
        wanted = text.strip().lower()
        with self.log() as log:
            found = log.found(wanted) if wanted else []
        if not found:
            raise UserError(f"{self.folder}: there is no game '{printable(text)}'; `arena games` lists them")
        if len(found) > 1 and found[0][0] != wanted:
            raise UserError(f"{self.folder}: more than one game begins with '{printable(text)}'")
        return found[0]

    def digest(self) -> str:
        """Return one hash over all games of the plan: equal for equal results, however they came about."""
        digest = hashlib.sha256()
        with self.log() as log:
            for row in log.games_by_id():
                game, first, second, winner, ending, moves = (row[number] for number in _DIGESTED)
                digest.update(f"{game} {first} {second} {winner} {ending} {moves}\n".encode())
        return digest.hexdigest()

    def notes(self, variant: str = "") -> list[str]:
        """Return what to say under a table: how much was played, and what to know before trusting it."""
        from arena.reports.text import notes

        counts = self.counts
        if variant:
            told = notes(counts[counts["variant"] == self.variant_name(variant)], self.bots, 0, 0)
            return told + [why for name, why in self.field.degenerate.items() if name == variant]
        with self.log() as log:
            missing = log.planned - int(counts["games"].sum())
            told = notes(counts, self.bots, missing, log.voids)
        return told + [f"{name}: {why}" for name, why in self.field.degenerate.items()]

    def leaderboard(self, by: str = "overall", variant: str = "", format: str = "table") -> str:
        """Return standings as text, for people with notes under them."""
        from arena.reports.text import leaderboard

        text = leaderboard(self.standings(by, variant), self.bots, format)
        if format not in ("table", "markdown"):
            return text
        between = "\n\n" if format == "markdown" else "\n"
        return f"{text}\n\n{between.join(self.notes(variant))}"

    def write_tables(self) -> None:
        """Write the files beside the log: they say what it says, for spreadsheets and people."""
        from arena.reports.files import write_games, write_tables
        from arena.standings import tables

        frames = {
            "standings": self.standings(),
            "crosstable": self.crosstable(),
            "forfeits": tables.forfeits(self.counts),
            "blunders": tables.blunders(self.grades),
        }
        with told(self.folder), self.log() as log:
            write_games(self.folder / "games.csv", log.games(), GAME_COLUMNS)
            markdown = f"# {self.field.name}\n\n{self.leaderboard(format='markdown')}"
            write_tables(self.folder, frames, self.standings("variant"), markdown)

    @cached_property
    def counts(self) -> pd.DataFrame:
        """The games of the plan, counted, as they are when first asked for."""
        import pandas as pd

        return pd.DataFrame(cached(self.folder, "counts", self._counted), columns=COUNT_COLUMNS)

    def _counted(self) -> list[Row]:
        with self.log() as log:
            return log.counts()

    @cached_property
    def grades(self) -> pd.DataFrame:
        """How often each bot kept a win that it could have thrown away, by variant and side."""
        import pandas as pd

        rows = cached(self.folder, "grades", lambda: grade_counts(self.folder))
        return pd.DataFrame(rows, columns=GRADE_COLUMNS)

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
            marked = log.rows("SELECT name, hash FROM bots WHERE is_repeatable = 0 ORDER BY name")
        return [name for name, full in marked if self.field.bots.get(name) == full]

    def variant_name(self, name: str) -> str:
        """Return a variant of the plan; UserError if it has none of that name."""
        return _known(name, "variant", [name for name, _ in self.field.variants])

    def bot_name(self, name: str) -> str:
        """Return a bot of the plan; UserError if it has none of that name."""
        return _known(name, "bot", list(self.field.bots))


_DIGESTED = [
    GAME_COLUMNS.index(column) for column in ("game", "first", "second", "winner", "ending", "moves")
]


def find_run(text: str | None, results: Path = Path("results")) -> Run:
    """Return a run by its folder or its name in `results/`; the newest if nothing is said."""
    if text is None:
        return Run(_newest(results))
    for folder in (Path(text), results / text):
        if (folder / LOG).is_file():
            return Run(folder)
    if Path(text).is_dir():
        raise UserError(f"{printable(text, 200)}: there is no {LOG} in it, so it is no run folder")
    names = [folder.name for folder in _runs(results)]
    hint = did_you_mean(text, names) or (f"; there are {', '.join(names)}" if names else "")
    raise UserError(f"there is no run '{printable(text, 200)}' here or in {results}/{hint}")


def _newest(results: Path) -> Path:
    runs = _runs(results)
    if not runs:
        raise UserError(f"there is no run in {results}/ yet; `arena run CONFIG` makes one")
    return max(runs, key=lambda folder: max(file.stat().st_mtime for file in folder.glob(f"{LOG}*")))


def _runs(results: Path) -> list[Path]:
    return sorted(file.parent for file in results.glob(f"*/{LOG}"))


def _known(name: str, what: str, names: list[Any]) -> str:
    if name in names:
        return name
    hint = did_you_mean(name, names) or f"; there are {', '.join(names)}"
    raise UserError(f"there is no {what} '{printable(name)}' in this run{hint}")
