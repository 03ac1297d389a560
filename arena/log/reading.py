"""A run folder for reading, also while a run writes it: every query about its plan and its games.

Queries for all games first check that they can be counted (`sound`), and a query for one game checks that
game. Only `every_row` does not check; it is for callers who check themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena.errors import StoreError
from arena.log import sound
from arena.log.cache import is_vouched, remember
from arena.log.door import LOG as LOG  # its name is public
from arena.log.inventory import Inventory
from arena.referee.game import Row
from arena.referee.row import GAME_COLUMNS, GameRow

COUNT_COLUMNS = (
    "variant first second winner ending isolation games first_moves second_moves first_cpu_seconds "
    "second_cpu_seconds"
).split()

RESULT_COLUMNS = ["variant", "opening", "first", "second", "mover", "wins", "games"]
"""The input of ratings: how often `first` won; `mover` is the side to move after the opening."""

_GAMES = ", ".join(f"g.{column}" for column in GAME_COLUMNS)
_COUNTS = """
SELECT g.variant, {first}, {second}, {winner}, ending, isolation, COUNT(*),
    SUM((plies + 1) / 2 - (opening_plies + 1) / 2), SUM(plies / 2 - opening_plies / 2),
    SUM(first_cpu_seconds), SUM(second_cpu_seconds)
FROM {planned} GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6"""
_RESULTS = (
    "SELECT g.variant, g.opening, {first}, {second}, opening_plies % 2, winner = g.first, 1 FROM {planned}"
)
PLANNED = "plan JOIN games AS g USING (game)"
_NAMES = {"first": "g.first", "second": "g.second", "winner": "winner"}
# The plan's names for bots, which distinguish old versions of edited bots.
_ENTERED_NAMES = {
    "first": "plan.first",
    "second": "plan.second",
    "winner": "CASE winner WHEN g.first THEN plan.first ELSE plan.second END",
}


class PlannedGame(NamedTuple):
    """One game of the plan, as the log keeps it."""

    game: str
    variant: str
    opening: int
    repeat: int
    first: str  # `name@version` if the bot was changed since its round was planned
    second: str
    cells: str  # of the opening


class Log(Inventory):
    """A run folder, to be read."""

    _is_sound = False

    def require_sound(self) -> None:
        """StoreError unless all games of this log can be counted; checked once while it does not change."""
        if not self._is_sound and not is_vouched(self.folder):
            why = remember(self.folder, "sound", lambda: sound.is_sound(self))
            if why:
                raise StoreError(why)
        self._is_sound = True

    # The plan.

    def planned_on(self, hidden: frozenset[str]) -> int:
        """Return how many games the plan has, except those on hidden variants."""
        marks = ", ".join("?" * len(hidden))
        return self.number(f"SELECT SUM(1) FROM plan WHERE variant NOT IN ({marks})", *hidden)

    def planned_ids(self) -> set[str]:
        """Return the ids of the plan's games."""
        return {game for (game,) in self.each("SELECT game FROM plan")}

    def planned_game(self, game: str) -> PlannedGame | None:
        """Return a game of the plan by its id; None if it has none."""
        found = self.rows("SELECT * FROM plan WHERE game = ? LIMIT 1", game)
        return PlannedGame(*found[0]) if found else None

    def planned_games(self) -> Iterator[PlannedGame]:
        """Yield the games of the plan in its order."""
        return (PlannedGame(*row) for row in self.each("SELECT * FROM plan ORDER BY rowid"))

    def planned_bots(self) -> list[str]:
        """Return all bots that the plan names."""
        return [bot for (bot,) in self.rows("SELECT first FROM plan UNION SELECT second FROM plan")]

    def planned_variants(self) -> list[str]:
        """Return the variants that the plan names."""
        return [name for (name,) in self.rows("SELECT DISTINCT variant FROM plan")]

    # What was played.

    @property
    def played(self) -> int:
        """How many games of the plan are in the log."""
        return self.number(f"SELECT SUM(1) FROM {PLANNED}")

    def played_on(self, hidden: frozenset[str]) -> int:
        """Return how many games of the plan are in the log, except those on hidden variants."""
        marks = ", ".join("?" * len(hidden))
        return self.number(f"SELECT SUM(1) FROM {PLANNED} WHERE g.variant NOT IN ({marks})", *hidden)

    def forfeits_on(self, hidden: frozenset[str]) -> int:
        """Return how many games of the plan were forfeited, except those on hidden variants."""
        marks = ", ".join("?" * len(hidden))
        query = f"SELECT COUNT(*) FROM {PLANNED} WHERE ending <> 'no-moves' AND g.variant NOT IN ({marks})"
        return self.number(query, *hidden)

    def count_of_bots(self, hidden: frozenset[str]) -> dict[str, tuple[int, int]]:
        """Return how many games of the plan each bot has, and how many of them are in the log.

        Games on hidden variants are not counted.
        """
        marks = ", ".join("?" * len(hidden))
        query = (
            "SELECT plan.first, plan.second, COUNT(*), COUNT(g.game) "
            "FROM plan LEFT JOIN games AS g USING (game) "
            f"WHERE plan.variant NOT IN ({marks}) GROUP BY plan.first, plan.second"
        )
        counts: dict[str, tuple[int, int]] = {}
        for *bots, planned, played in self.rows(query, *hidden):
            for bot in bots:
                before = counts.get(bot, (0, 0))
                counts[bot] = before[0] + planned, before[1] + played
        return counts

    def latest(self, most: int, hidden: frozenset[str]) -> list[GameRow]:
        """Return the games that came last, planned or not, the newest first; none on hidden variants."""
        marks = ", ".join("?" * len(hidden))
        query = (
            f"SELECT {_GAMES} FROM games AS g WHERE g.variant NOT IN ({marks}) ORDER BY rowid DESC LIMIT ?"
        )
        return [sound.check_row(self, GameRow(*row)) for row in self.rows(query, *hidden, most)]

    @property
    def trusted(self) -> int:
        """How many games of the plan were not played sandboxed."""
        trusted = "FROM games WHERE isolation <> 'sandboxed'"
        if not self.rows(f"SELECT 1 {trusted} LIMIT 1"):  # a plan of millions is not even looked at
            return 0
        return self.number(f"SELECT SUM(1) {trusted} AND game IN (SELECT game FROM plan)")

    @property
    def voids(self) -> int:
        """How many games of the plan were spoilt by our own fault and never played since."""
        return self.number(
            "SELECT COUNT(DISTINCT game) FROM voids WHERE game IN (SELECT game FROM plan) "
            "AND game NOT IN (SELECT game FROM games)"
        )

    def void_games(self) -> list[str]:
        """Return the games of the plan that were ever spoilt by our own fault."""
        return [
            game
            for (game,) in self.rows("SELECT DISTINCT game FROM voids WHERE game IN (SELECT game FROM plan)")
        ]

    @property
    def differing(self) -> int:
        """How many games of the plan had another result before they were replaced."""
        return self.number(
            f"SELECT COUNT(DISTINCT g.game) FROM {PLANNED} JOIN replaced AS r USING (game) "
            "WHERE (r.winner, r.ending, r.moves) <> (g.winner, g.ending, g.moves)"
        )

    def replays(self) -> list[Row]:
        """Return which games of the plan had to be played again: game, bot at fault (or empty), whether it
        then lost that game by a forfeit."""
        if not self.has("replays"):
            return []
        query = """SELECT r.game, r.bot, MAX(g.ending <> 'no-moves' AND g.winner <> r.bot)
            FROM replays AS r JOIN games AS g USING (game) WHERE r.game IN (SELECT game FROM plan)
            GROUP BY 1, 2 ORDER BY 1, 2"""
        return [row for row in self.rows(query) if isinstance(row[1], str)]

    def counts(self, is_entered: bool = False) -> list[Row]:
        """Return the games of the plan, counted: rows of `COUNT_COLUMNS`.

        With `is_entered` bots have the names that the plan has for them: `name@version` for old versions.
        """
        self.require_sound()
        return self.rows(self._of_plan(_COUNTS, is_entered))

    def results(
        self, is_entered: bool = False, without_forfeits: bool = False, up_to: int | None = None
    ) -> Iterator[Row]:
        """Yield the games of the plan as ratings need them: rows of `RESULT_COLUMNS`.

        `up_to` is the last row that counts, in the order in which games arrived.
        """
        self.require_sound()
        conditions = [
            "1",
            *["ending = 'no-moves'"] * without_forfeits,
            *["g.rowid <= ?"] * (up_to is not None),
        ]
        query = f"{self._of_plan(_RESULTS, is_entered)} WHERE {' AND '.join(conditions)}"
        return self.each(query, *([] if up_to is None else [up_to]))

    @property
    def earlier_row(self) -> int:
        """The last row of `games` before the last sitting that added games; 0 if no other came before it."""
        earlier, last = self.sittings
        return last if self.number("SELECT max(rowid) FROM games") > last else earlier

    def _of_plan(self, query: str, is_entered: bool) -> str:
        if is_entered:
            return query.format(planned=PLANNED, **_ENTERED_NAMES)
        # Without the join it takes half the time, and usually every game in the log is in the plan.
        return query.format(planned="games AS g" if self.is_all_planned else PLANNED, **_NAMES)

    @property
    def is_all_planned(self) -> bool:
        """Whether every game in the log is in the plan."""
        return bool(remember(self.folder, "is all planned", lambda: self.played == self.in_all))

    def games(self, bot: str = "", variant: str = "", forfeits: bool = False) -> Iterator[GameRow]:
        """Yield the games of the plan in its order."""
        self.require_sound()
        conditions, values = ["1"], []
        if bot:
            conditions.append("(g.first = ? OR g.second = ?)")
            values += [bot, bot]
        if variant:
            conditions.append("g.variant = ?")
            values.append(variant)
        if forfeits:
            conditions.append("g.ending <> 'no-moves'")
        if forfeits and bot:
            conditions.append("g.winner <> ?")  # its own forfeits, not those of its opponents
            values.append(bot)
        where = " AND ".join(conditions)
        query = f"SELECT {_GAMES} FROM {PLANNED} WHERE {where} ORDER BY plan.rowid"
        return map(GameRow._make, self.each(query, *values))

    def games_by_id(self) -> Iterator[GameRow]:
        """Yield the games of the plan in the order of their ids."""
        self.require_sound()
        return map(GameRow._make, self.each(f"SELECT {_GAMES} FROM {PLANNED} ORDER BY g.game"))

    def moves(self) -> Iterator[Row]:
        """Yield variant, both bots as the plan calls them, and moves of the plan's games."""
        self.require_sound()
        return self.each(f"SELECT g.variant, plan.first, plan.second, moves FROM {PLANNED}")

    def find(self, game: str) -> list[GameRow]:
        """Return the games, planned or not, whose id begins with `game`; at most two."""
        query = f"SELECT {_GAMES} FROM games AS g WHERE g.game >= ? AND g.game < ? LIMIT 2"
        return [sound.check_row(self, GameRow(*row)) for row in self.rows(query, game, game + "g")]

    def winner(self, game: str) -> str | None:
        """Return who won a game; None if it was not played."""
        found = self.rows("SELECT winner FROM games WHERE game = ?", game)
        return str(found[0][0]) if found else None

    def known_games(self, isolation: str) -> Iterator[Row]:
        """Yield the games that count for this isolation: id, both bots and the ending."""
        self.require_sound()
        query = "SELECT game, first, second, ending FROM games WHERE isolation = 'sandboxed' OR ? = 'trusted'"
        return self.each(query, isolation)

    def forfeits_among(self, games: Iterable[str]) -> list[GameRow]:
        """Return those of these games, planned or not, that were forfeits, in the order of their arrival."""
        query = f"SELECT g.rowid, {_GAMES} FROM games AS g WHERE game = ? AND ending <> 'no-moves'"
        found = sorted(row for game in games for row in self.rows(query, game))
        return [GameRow._make(row[1:]) for row in found]

    # For callers who check themselves.

    def every_row(self) -> Iterator[GameRow]:
        """Yield all games, planned or not, unchecked."""
        return map(GameRow._make, self.each(f"SELECT {_GAMES} FROM games AS g"))

    def damage(self) -> list[str]:
        """Return what SQLite finds wrong with the file; nothing if it is whole."""
        try:
            return [str(text) for (text,) in self.rows("PRAGMA integrity_check(3)") if text != "ok"]
        except StoreError as error:
            return [str(error)]

    def unsound_games(self) -> list[GameRow]:
        """Return a game of the plan that arena would not have written under its id, if there is one."""
        query = f"SELECT {_GAMES} FROM {PLANNED} WHERE {sound.UNSOUND} LIMIT 1"
        return [GameRow(*row) for row in self.rows(query)]

    def unsound_plan(self) -> list[object]:
        """Return the id of a row of the plan that arena would not have written, if there is one."""
        return [game for (game,) in self.rows(f"SELECT game FROM plan WHERE {sound.UNSOUND_PLAN} LIMIT 1")]

    def planned_twice(self) -> list[object]:
        """Return a game that the plan has more than once, if there is one."""
        query = "SELECT game FROM plan GROUP BY game HAVING COUNT(*) > 1 LIMIT 1"
        return [game for (game,) in self.rows(query)]
