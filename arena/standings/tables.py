"""Tables of who won how often, computed from counts of games.

Everything here is a function of small frames. `counts` has a row for each kind of game, with how many there
were: variant, first, second, winner, ending, isolation, games, first_moves, second_moves, first_cpu_seconds,
second_cpu_seconds (moves and seconds are sums over those games; moves of the opening belong to nobody).
`bots` has bot, version and is_repeatable. A table has a row for each of these bots, even if it has not
played, and for no others. What else is known comes as `Known`.

Games on degenerate variants say nothing about who is better: wins, scores and the ledger leave them out, and
`unrated` counts them. Forfeits, accuracy and CPU seconds are those of all games.

The log groups the games, not this file. A million games are about a thousand counts, so a table costs the
same during a run and after it, and nothing has to be kept up to date in between.

Each count is seen twice, once from each side, and all tables are sums over those two views. Refused: adding
up wins, losses and forfeits by separate queries for each side, which is where the sides get confused.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from arena.referee.endings import Ending
from arena.standings import OVERALL
from arena.standings.ledger import COUNTED, add_up
from arena.standings.shares import NOTHING, measure_shares

COLUMNS = [
    *("rank", "bot", "version", "games", "wins", "losses", "score", "score_low", "score_high"),
    *("rating", "low", "high", "over_next", "wins_first", "wins_second", "unrated", "forfeits"),
    *("accuracy", "accuracy_low", "accuracy_high", "chance", "graded"),
    *("held", "taken", "gifts", "thrown", "cpu_ms_per_move", "repeatable"),
]
"""The columns of all standings, which scripts rely on."""

SIDES = ("first", "second")

_RATED = ["rating", "low", "high", "over_next"]
_SCORED = ["score_low", "score_high"]
_WON = ["games", "wins", "wins_first", "wins_second"]
_SUMS = [*_WON, "forfeits", "moves", "cpu_seconds"]
_MET = [*_WON, "games_first", "games_second"]

# The columns of an empty query have no type, and their sums make no sense.
_TYPES = {
    **dict.fromkeys(("games", "first_moves", "second_moves"), "int64"),
    **dict.fromkeys(("first_cpu_seconds", "second_cpu_seconds"), "float64"),
}
_NO_EVIDENCE = pd.DataFrame(
    columns=["variant", "opening", "bot", "side", "kept", "graded", "chance", "weighed", *COUNTED]
)
_NO_SCORES = pd.DataFrame(columns=["part", "bot", *_SCORED])
_NO_RATINGS = pd.DataFrame(columns=["part", "bot", *_RATED])


class Known(NamedTuple):
    """What is known beside the counts.

    `evidence` has what each bot did on each opening by side, with `chance`, the sum of what random moves
    would have kept, over `weighed` of its graded moves. `scores` and `ratings` have a row for each bot and
    part, which is a variant, a side or OVERALL. `degenerate` are variants to leave out: they rank nobody.
    """

    evidence: pd.DataFrame = _NO_EVIDENCE
    scores: pd.DataFrame = _NO_SCORES
    ratings: pd.DataFrame = _NO_RATINGS
    degenerate: Collection[str] = ()


NOTHING_KNOWN = Known()


def standings(
    counts: pd.DataFrame,
    bots: pd.DataFrame,
    known: Known = NOTHING_KNOWN,
    places: Mapping[str, int] | None = None,
) -> pd.DataFrame:
    """Return the bots in order, over all games; those that have not played come last, without a score.

    `places` are those of a bracket, and come before everything else.
    """
    views, evidence = _views(counts).assign(part=OVERALL), known.evidence.assign(part=OVERALL)
    table = _standings(views, bots, "part", [OVERALL], known._replace(evidence=evidence), places)
    return table[COLUMNS]


def standings_by_variant(
    counts: pd.DataFrame,
    bots: pd.DataFrame,
    variants: Sequence[str] | None = None,
    known: Known = NOTHING_KNOWN,
) -> pd.DataFrame:
    """Return the standings of each variant, one below the other; by default of variants that were played.

    A variant's own table has all of its games, even if it is degenerate.
    """
    if variants is None:
        variants = counts["variant"].unique().tolist()
    return _standings(_views(counts), bots, "variant", variants, known._replace(degenerate=()))


def standings_by_side(counts: pd.DataFrame, bots: pd.DataFrame, known: Known = NOTHING_KNOWN) -> pd.DataFrame:
    """Return the standings of the bots as first, and below as second; there are no ratings by side."""
    return _standings(_views(counts), bots, "side", SIDES, known._replace(ratings=_NO_RATINGS))


def crosstable(counts: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return how each bot (row) did against each other (column): `12/16 (7+5)` is 12 wins in 16 games.

    7 of those it won as first, 5 as second. A cell is empty for bots that have not met and on the diagonal.
    """
    every_pair = pd.MultiIndex.from_product([names, names])
    cells = _cells(meetings(counts)).reindex(every_pair, fill_value="")
    square = cells.to_numpy().reshape(len(names), len(names))
    table = pd.DataFrame(square, columns=[_heading(name) for name in names])
    table.insert(0, "bot", names)
    return table


class Records:
    """How each bot did by `opponent`, `variant` or `side`, the worst first."""

    def __init__(self, table: pd.DataFrame) -> None:
        own = table.drop(columns="bot")
        self._by_bot = dict(iter(own.groupby(table["bot"], sort=False)))
        self._nothing = own.iloc[:0]

    def of(self, bot: str) -> pd.DataFrame:
        """Return the record of one bot: by what, games, wins and score.

        Where it is not by side there are also `as_first` and `as_second`, the scores as first and as second,
        which are empty where there are no such games.
        """
        return self._by_bot.get(bot, self._nothing).reset_index(drop=True)


def record(counts: pd.DataFrame, bot: str, by: str = "opponent") -> pd.DataFrame:
    """Return how a bot did by `opponent`, `variant` or `side`; see `Records`."""
    return records(counts[(counts["first"] == bot) | (counts["second"] == bot)], by).of(bot)


def records(counts: pd.DataFrame, by: str = "opponent") -> Records:
    """Return how all bots did; for many that takes little longer than for one."""
    views = _views(counts)
    own = views[views["bot"] != views["opponent"]]
    games = {f"games_{side}": own["games"].where(own["side"] == side, 0) for side in SIDES}
    sums = own.assign(**games).groupby(["bot", by])[[*_WON, *games]].sum().reset_index()
    table = sums[["bot", by, "games", "wins"]].assign(score=_share(sums["wins"], sums["games"]))
    if by != "side":
        table = table.assign(
            **{f"as_{side}": _share(sums[f"wins_{side}"], sums[f"games_{side}"]) for side in SIDES}
        )
    order = {"bot": True, "score": True, "games": False, by: True}
    return Records(table.sort_values(list(order), ascending=list(order.values()), ignore_index=True))


def _share(wins: pd.Series[int], games: pd.Series[int]) -> pd.Series[float]:
    return (wins / games.where(games > 0)).astype("float64")


def forfeits(counts: pd.DataFrame) -> pd.DataFrame:
    """Return who forfeited where, how and how often: bot, variant, ending, games; in that order."""
    lost = counts.astype(_TYPES)[counts["ending"] != Ending.NO_MOVES.value]
    loser = lost["second"].where(lost["winner"] == lost["first"], lost["first"])
    return lost.assign(bot=loser).groupby(["bot", "variant", "ending"])["games"].sum().reset_index()


def meetings(counts: pd.DataFrame) -> pd.DataFrame:
    """Return how each bot did against each that it has met: games and wins, of all and by its side."""
    views = _views(counts)
    met = views[views["bot"] != views["opponent"]]
    return met.groupby(["bot", "opponent"])[_MET].sum()


def _cells(met: pd.DataFrame) -> pd.Series:
    """Return meetings as the crosstable writes them."""
    word = {name: met[name].astype(str) for name in ("games", "wins", "wins_first", "wins_second")}
    cells = word["wins"] + "/" + word["games"] + " (" + word["wins_first"] + "+" + word["wins_second"] + ")"
    return cells.astype(object)


def _heading(name: str) -> str:
    """Return a bot's heading; a bot may be called `bot`, but two columns may not have the same heading."""
    return name if name != "bot" else "(bot)"


def _views(counts: pd.DataFrame) -> pd.DataFrame:
    """Return each count as its first bot sees it, and again as its second bot sees it.

    Columns are made of arrays: to join frames takes pandas several times as long, and every table needs this.
    """
    typed = {name: counts[name].to_numpy(_TYPES.get(name, object)) for name in counts.columns}
    columns = {name: _join(typed, *names) for name, names in _SEEN.items()}
    is_first = np.repeat((True, False), len(counts))
    is_won = _join(typed, "winner", "winner") == columns["bot"]
    is_forfeited = ~is_won & (_join(typed, "ending", "ending") != Ending.NO_MOVES.value)
    games = columns["games"]
    wins = np.where(is_won, games, 0)
    return pd.DataFrame(
        {
            **columns,
            "side": np.where(is_first, *SIDES),
            "wins": wins,
            "games_first": np.where(is_first, games, 0),
            "games_second": np.where(is_first, 0, games),
            "wins_first": np.where(is_first, wins, 0),
            "wins_second": np.where(is_first, 0, wins),
            "forfeits": np.where(is_forfeited, games, 0),
        }
    )


_SEEN = {
    "variant": ("variant", "variant"),
    "bot": ("first", "second"),
    "opponent": ("second", "first"),
    "games": ("games", "games"),
    "moves": ("first_moves", "second_moves"),
    "cpu_seconds": ("first_cpu_seconds", "second_cpu_seconds"),
}
"""Columns of what bots see, by those of the counts: as the first bot sees it, and as the second."""


def _join(columns: Mapping[str, NDArray[Any]], first: str, second: str) -> NDArray[Any]:
    return np.concatenate([columns[first], columns[second]])


def _standings(
    views: pd.DataFrame,
    bots: pd.DataFrame,
    part: str,
    parts: Sequence[str],
    known: Known,
    places: Mapping[str, int] | None = None,
) -> pd.DataFrame:
    """Return the standings within each part of the games; column `part` says which part."""
    every_row = pd.MultiIndex.from_product([list(parts), bots["bot"].tolist()], names=[part, "bot"])
    sums = views.groupby([part, "bot"])[_SUMS].sum().reindex(every_row, fill_value=0)
    rated = _leave_out(views, known.degenerate).groupby([part, "bot"])[_WON].sum()
    rated = rated.reindex(every_row, fill_value=0)
    table = rated[_WON].assign(
        losses=rated["games"] - rated["wins"],
        score=rated["wins"] / rated["games"].where(rated["games"] > 0),
        unrated=sums["games"] - rated["games"],
        forfeits=sums["forfeits"],
        # To the nanosecond: further digits depend on the order in which games were added up.
        cpu_ms_per_move=(sums["cpu_seconds"] / sums["moves"].where(sums["moves"] > 0) * 1000).round(6),
    )
    more = [
        _reindex(known.ratings, part, _RATED, every_row),
        _reindex(known.scores, part, _SCORED, every_row),
        _weigh(known.evidence, part, every_row),
        add_up(_leave_out(known.evidence, known.degenerate), part, every_row),
    ]
    whole = pd.concat([table, *more], axis=1).reset_index()
    of_bots = bots.set_index("bot")
    named = whole.assign(
        version=whole["bot"].map(of_bots["version"]),
        repeatable=whole["bot"].map(of_bots["is_repeatable"]).map({True: "yes", False: "no"}),
        place=whole["bot"].map(places or {}).astype("float64"),
    )
    return _rank(named, part)[[part, *COLUMNS]]


def _leave_out(frame: pd.DataFrame, degenerate: Collection[str]) -> pd.DataFrame:
    return frame[~frame["variant"].isin(list(degenerate))]


def _reindex(
    frame: pd.DataFrame, part: str, columns: Sequence[str], every_row: pd.MultiIndex
) -> pd.DataFrame:
    """Return some columns of a frame by part and bot, in the order of a table."""
    return frame.set_index(["part", "bot"])[columns].astype("float64").reindex(every_row)


def _weigh(evidence: pd.DataFrame, part: str, every_row: pd.MultiIndex) -> pd.DataFrame:
    """Return each bot's accuracy with its interval, and what chance would have reached."""
    typed = evidence.astype({"kept": "int64", "graded": "int64", "weighed": "int64", "chance": "float64"})
    sums = typed.groupby([part, "bot"])[["graded", "chance", "weighed"]].sum()
    sums = sums.reindex(every_row, fill_value=0)
    found = {name: measure_shares(rows, "kept", "graded") for name, rows in typed.groupby(part)}
    shares = [found.get(name, {}).get(bot, NOTHING) for name, bot in every_row]
    columns = zip(*(share[:3] for share in shares), strict=True) if shares else ((), (), ())
    accuracy = dict(zip(("accuracy", "accuracy_low", "accuracy_high"), columns, strict=True))
    return pd.DataFrame(
        {
            **{name: pd.Series(column, every_row, dtype="float64") for name, column in accuracy.items()},
            "chance": (sums["chance"] / sums["weighed"].where(sums["weighed"] > 0)).round(9),
            "graded": sums["graded"].where(sums["graded"] > 0).astype("Int64"),
        }
    )


def _rank(table: pd.DataFrame, part: str) -> pd.DataFrame:
    """Return a table in order, with ranks 1, 2, 2, 4: bots that are equal in all that counts share a rank.

    If there is a bracket, only the place in it counts; else the rating, then the score. Names order the rest.
    """
    is_bracket = table["place"].notna().any()
    counting = ["place"] if is_bracket else ["rating", "score"]
    keys = pd.DataFrame({"part": table.groupby(part, sort=False).ngroup(), "place": table["place"]})
    keys[["rating", "score"]] = -table[["rating", "score"]]
    keys = keys.fillna(float("inf")).assign(bot=table["bot"])
    order = keys.sort_values(["part", "place", "rating", "score", "bot"]).index
    keys, ranked = keys.loc[order].reset_index(drop=True), table.loc[order].reset_index(drop=True)
    within = keys.groupby("part").cumcount() + 1
    is_new = (keys[["part", *counting]].diff().fillna(0) != 0).any(axis=1) | (within == 1)
    return ranked.assign(rank=within.where(is_new).ffill().astype("int64"))
