"""How strong each version of a bot is: its progress, from all games that the log still has.

The plan has only the bots as they are now, and so have the standings. Here every version is a bot of its own,
and all are fitted together in one Bradley-Terry model: the games of the plan, and games outside it that were
played by today's rules. A game's id is a hash of variant, seed, limits, opening and both bots, so whether it
was is seen by making its id anew; the others are left out, and how many is said. Opponents change too, and
that does no harm: an old version of an opponent is another bot.

The last line of a bot is its row of the standings. The ratings before it are shifted by what the fit of all
games has the bot as it is now above or below the standings, so their differences are those of that fit.
Scores are of the games that were played, against whoever was there: only ratings can be compared.

Intervals are those of the standings (cluster-robust). Two versions that play alike have the same games on the
same openings, which the fit takes for independent evidence; so the chance that a version is better than the
one before errs towards one half.

A class that hands in new bots for two weeks leaves a million and more games of old versions, and nobody wants
to wait half a minute for a page. Of so many, every so-many-th opening is enough: both sides of it, on every
variant, and of all pairings alike. So all versions keep a rating, with wider intervals.

Refused: only games against opponents as they are now. Where a class hands in new bots every day, few would be
left. Refused: old strengths held fixed while new versions are rated, which hides how unsure they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.log.archive import kept_variant
from arena.log.cache import remember
from arena.log.door import wrong
from arena.log.history import OldGame, games_outside_plan, times_of_entry
from arena.log.reading import Log
from arena.plan.plan import Identifier, Side, common_part, identifier
from arena.referee.game import ID_FORMAT, Limits, Row
from arena.results import rating
from arena.results.run import Run
from arena.standings import OVERALL
from arena.standings.scale import MEAN

if TYPE_CHECKING:
    import pandas as pd

MOST_RATED = 1_500
"""So many bots and versions are fitted together, the newest; a fit takes as long as their number cubed."""

MOST_GAMES = 200_000
"""About so many games are read; each takes some 25 microseconds."""

Bot = tuple[str, str]
"""A name and a version."""


class Version(NamedTuple):
    """A version of a bot; numbers are None where they are not known."""

    version: str
    is_current: bool
    since: str | None  # when the sitting began that has its first game
    games: int
    wins: int
    left_out: int  # more games, by other rules or too old
    score: float | None
    score_low: float | None
    score_high: float | None
    rating: float | None
    low: float | None
    high: float | None
    over_before: float | None  # the chance that it is truly better than the version before it
    every: int  # of the games of older versions, those on every so-many-th opening; 1 if on all of them


def read_versions(run: Run) -> dict[str, list[Version]]:
    """Return the versions of every bot that has games of older ones.

    They come in the order in which they were entered, but for the present one, which is the last.
    """
    if run.is_anonymous:
        return {}
    found = remember(run.folder, f"versions of {' '.join(run.variants)}", lambda: _read(run))
    return {bot: [Version(*each) for each in versions] for bot, versions in found.items()}


def _read(run: Run) -> dict[str, list[Version]]:
    import pandas as pd

    with run.log() as log:
        entered = [(name, version) for name, version, _ in log.bots()]
        every = max(1, round(log.in_all / MOST_GAMES))
        outside = _Outside(run, log, entered)
        rows = rating.results_frame(outside.results(every))
        since = times_of_entry(log, every)
    planned = run.results()
    results = pd.concat([planned, rows], ignore_index=True) if len(rows) else planned
    together, now = _Together(results, run), _numbers_now(run)
    found = {}
    for bot, full in run.field.bots.items():
        told = []
        for name, version in entered:
            if name == bot:
                is_current = version == full[:12]
                numbers = (
                    now[bot] if is_current else together.tell(f"{bot}@{version}", bot, now[bot]["rating"])
                )
                left_out = outside.left_out[bot, version]
                at = since.get((bot, version))
                told.append(_version(version, is_current, at, left_out, numbers)._replace(every=every))
        kept = [each for each in told if each.games or each.left_out or each.is_current]
        if len(kept) > 1:
            found[bot] = _compare(sorted(kept, key=lambda each: each.is_current), bot, together)
    return found


def _numbers_now(run: Run) -> dict[str, dict[str, Any]]:
    """Return what the standings say of each bot."""
    import pandas as pd

    rows = run.standings()[["bot", *_NUMBERS]].to_dict("records")
    return {
        row["bot"]: {
            str(key): None if pd.isna(value) else value for key, value in row.items() if key != "bot"
        }
        for row in rows
    }


class _Outside:
    """The games outside the plan: those by today's rules as results, the others counted."""

    def __init__(self, run: Run, log: Log, entered: list[Bot]) -> None:
        field, limits = run.field, Limits(**run.field.limits)  # type: ignore[arg-type]
        keeps = frozenset(() if limits.solver else field.keep_solver)
        terms = (field.seed, limits, log.id_format or ID_FORMAT)
        self._run, self._log, self._isolation = run, log, field.isolation
        self._common = {
            name: common_part(kept_variant(log, name, version), *terms)
            for name, version in field.variants
            if name in run.variants
        }
        self._sides = {(name, full[:12]): Side(name, full, name in keeps) for name, _, full in log.bots()}
        current = {(name, full[:12]) for name, full in field.bots.items()}
        newest = [bot for bot in reversed(entered) if bot not in current]
        rated = [*current, *newest[: max(0, MOST_RATED - len(current))]]
        self._players = {bot: bot[0] if bot in current else "@".join(bot) for bot in rated}
        self._identifiers: dict[tuple[str, Bot, Bot], Identifier | None] = {}
        self.left_out: Counter[Bot] = Counter()

    def results(self, every: int) -> Iterator[Row]:
        """Yield what ratings need of the games that can be compared, and count the others."""
        unseen = self._run.hidden | self._run.degenerate.keys()
        for game in games_outside_plan(self._log, every):
            first, second = (game.first, game.first_version), (game.second, game.second_version)
            if game.variant in unseen:
                continue
            if not self._is_comparable(game, first, second):
                self.left_out.update((first, second))
                continue
            if game.winner not in (game.first, game.second):
                raise wrong(self._log.folder, f"game {game.game} was won by somebody who did not play it")
            players = self._players[first], self._players[second]
            mover = game.opening_plies % 2
            yield game.variant, game.opening, *players, mover, int(game.winner == game.first), 1

    def _is_comparable(self, game: OldGame, first: Bot, second: Bot) -> bool:
        """Whether today's plan would have this game under this id, if it had these two bots."""
        key = (game.variant, first, second)
        if key not in self._identifiers:
            self._identifiers[key] = self._identify(*key)
        ident = self._identifiers[key]
        if ident is None or (game.isolation != "sandboxed" and self._isolation == "sandboxed"):
            return False
        return ident(game.cells, game.repeat) == game.game

    def _identify(self, variant: str, first: Bot, second: Bot) -> Identifier | None:
        """Return the function that makes the ids of these two on a variant; None if they are not compared."""
        if variant not in self._common or not {first, second} <= self._players.keys():
            return None
        return identifier(self._common[variant], self._sides[first], self._sides[second])


class _Together:
    """All versions fitted together."""

    def __init__(self, results: pd.DataFrame, run: Run) -> None:
        from arena.standings.ratings import rate

        self._ratings = rate(results)
        table = self._ratings.table.set_index("bot")
        own = table[table.index.isin(list(run.field.bots))]
        shift = MEAN - own["rating"].mean() if len(own) else 0.0
        self._points = (table[["rating", "low", "high"]] + shift).to_dict("index")
        self._scores = {row[1]: row[2:] for row in rating.score_rows(results, ()) if row[0] == OVERALL}
        self._won = _count(results)

    def tell(self, player: str, bot: str, rating_now: float | None) -> dict[str, Any]:
        """Return the numbers of an old version of a bot; nothing if it has no game that can be compared."""
        if player not in self._won:
            return {}
        is_both = rating_now is not None and bot in self._points
        shift = rating_now - self._points[bot]["rating"] if is_both else 0.0
        points = {name: round(value + shift, 2) for name, value in self._points[player].items()}
        wins, games = self._won[player]
        low, high = self._scores[player]
        score = {"score": wins / games, "score_low": low, "score_high": high}
        return {"games": games, "wins": wins} | score | points

    def superiority(self, one: str, other: str) -> float:
        """Return the chance that one is truly better; KeyError if one of them has no game."""
        return self._ratings.superiority(one, other)

    def __contains__(self, player: str) -> bool:
        return player in self._points


def _count(results: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Return how many games each bot has won, of how many."""
    import pandas as pd

    first = results[["first", "wins", "games"]].set_axis(["bot", "wins", "games"], axis=1)
    second = first.assign(bot=results["second"], wins=results["games"] - results["wins"])
    sums = pd.concat([first, second]).groupby("bot").sum()
    return {str(bot): (int(wins), int(games)) for bot, wins, games in sums.itertuples()}


_NUMBERS = ("games", "wins", "score", "score_low", "score_high", "rating", "low", "high")


def _version(
    version: str, is_current: bool, since: str | None, left_out: int, numbers: dict[str, Any]
) -> Version:
    told: dict[str, Any] = dict.fromkeys(_NUMBERS) | {"games": 0, "wins": 0} | numbers
    return Version(version, is_current, since, left_out=left_out, over_before=None, every=1, **told)


def _compare(versions: list[Version], bot: str, together: _Together) -> list[Version]:
    """Return versions with the chance of each to be better than the last one before it that has games."""
    compared, before = [], ""
    for each in versions:
        player = bot if each.is_current else f"{bot}@{each.version}"
        over = together.superiority(player, before) if player in together and before else None
        compared.append(each._replace(over_before=None if over is None else round(over, 4)))
        before = player if player in together else before
    return compared
