"""Tables of who won how often, computed from counts of games.

Everything here is a function of small frames. `counts` has a row for each kind of game, with how many there
were: variant, first, second, winner, ending, isolation, games, first_moves, second_moves, first_cpu_seconds,
second_cpu_seconds (moves and seconds are sums over those games; moves of the opening belong to nobody).
`grades` has variant, bot, side, kept and graded: how often a bot kept a win that it could have thrown away.
`ratings` has part (a variant, or OVERALL), bot, rating, low, high. `bots` has bot, version and is_repeatable.
A table has a row for each of these bots, even if it has not played, and for no others.

The log groups the games, not this file. A million games are about a thousand counts, so a table costs the
same during a run and after it, and nothing has to be kept up to date in between.

Each count is seen twice, once from each side, and all tables are sums over those two views. Refused: adding
up wins, losses and forfeits by separate queries for each side, which is where the sides get confused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from arena.referee.endings import Ending
from arena.standings import OVERALL

COLUMNS = [
    *("rank", "bot", "version", "games", "wins", "losses", "score", "rating", "low", "high"),
    *("wins_first", "wins_second", "forfeits", "accuracy", "graded", "cpu_ms_per_move"),
]
"""The columns of all standings, which scripts rely on."""

SIDES = ("first", "second")

_RATED = ["rating", "low", "high"]
_SUMS = ["games", "wins", "wins_first", "wins_second", "forfeits", "moves", "cpu_seconds"]

# The columns of an empty query have no type, and their sums make no sense.
_TYPES = {
    **dict.fromkeys(("games", "first_moves", "second_moves"), "int64"),
    **dict.fromkeys(("first_cpu_seconds", "second_cpu_seconds"), "float64"),
}
_NO_GRADES = pd.DataFrame(columns=["variant", "bot", "side", "kept", "graded"])
_NO_RATINGS = pd.DataFrame(columns=["part", "bot", *_RATED])
_TO_VARIANT, _TO_SIDE = {"part": "variant"}, {"part": "side"}


def standings(
    counts: pd.DataFrame,
    bots: pd.DataFrame,
    grades: pd.DataFrame | None = None,
    ratings: pd.DataFrame | None = None,
    places: Mapping[str, int] | None = None,
) -> pd.DataFrame:
    """Return the bots in order, over all games; those that have not played come last, without a score.

    `places` are those of a bracket, and come before everything else.
    """
    rated = _NO_RATINGS if ratings is None else ratings
    views, graded = _views(counts).assign(part=OVERALL), _NO_GRADES if grades is None else grades
    table = _standings(views, bots, "part", [OVERALL], graded.assign(part=OVERALL), rated, places)
    return table[COLUMNS]


def standings_by_variant(
    counts: pd.DataFrame,
    bots: pd.DataFrame,
    variants: Sequence[str] | None = None,
    grades: pd.DataFrame | None = None,
    ratings: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return the standings of each variant, one below the other; by default of variants that were played."""
    if variants is None:
        variants = counts["variant"].unique().tolist()
    graded, rated = _NO_GRADES if grades is None else grades, _NO_RATINGS if ratings is None else ratings
    return _standings(_views(counts), bots, "variant", variants, graded, rated.rename(columns=_TO_VARIANT))


def standings_by_side(
    counts: pd.DataFrame, bots: pd.DataFrame, grades: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Return the standings of the bots as first, and below as second; there are no ratings by side."""
    graded = _NO_GRADES if grades is None else grades
    return _standings(_views(counts), bots, "side", SIDES, graded, _NO_RATINGS.rename(columns=_TO_SIDE))


def crosstable(counts: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Return how each bot (row) did against each other (column): `12/16 (7+5)` is 12 wins in 16 games.

    7 of those it won as first, 5 as second. A cell is empty for bots that have not met and on the diagonal.
    """
    every_pair = pd.MultiIndex.from_product([names, names])
    cells = _meetings(counts).reindex(every_pair, fill_value="")
    square = cells.to_numpy().reshape(len(names), len(names))
    table = pd.DataFrame(square, columns=[_heading(name) for name in names])
    table.insert(0, "bot", names)
    return table


def forfeits(counts: pd.DataFrame) -> pd.DataFrame:
    """Return who forfeited where, how and how often: bot, variant, ending, games; in that order."""
    lost = counts.astype(_TYPES)[counts["ending"] != Ending.NO_MOVES.value]
    loser = lost["second"].where(lost["winner"] == lost["first"], lost["first"])
    return lost.assign(bot=loser).groupby(["bot", "variant", "ending"])["games"].sum().reset_index()


def blunders(grades: pd.DataFrame) -> pd.DataFrame:
    """Return how often each bot threw a win away on each variant: bot, variant, graded, kept, blunders."""
    typed = grades.astype({"kept": "int64", "graded": "int64"})
    sums = typed.groupby(["bot", "variant"])[["graded", "kept"]].sum().reset_index()
    return sums.assign(blunders=sums["graded"] - sums["kept"])


def _meetings(counts: pd.DataFrame) -> pd.Series:
    """Return the cell of the crosstable for each two bots that have met."""
    views = _views(counts)
    sums = views[views["bot"] != views["opponent"]].groupby(["bot", "opponent"])[_SUMS].sum()
    word = {name: sums[name].astype(str) for name in ("games", "wins", "wins_first", "wins_second")}
    cells = word["wins"] + "/" + word["games"] + " (" + word["wins_first"] + "+" + word["wins_second"] + ")"
    return cells.astype(object)


def _heading(name: str) -> str:
    """Return a bot's heading; a bot may be called `bot`, but two columns may not have the same heading."""
    return name if name != "bot" else "(bot)"


def _views(counts: pd.DataFrame) -> pd.DataFrame:
    """Return each count as its first bot sees it, and again as its second bot sees it."""
    typed = counts.astype(_TYPES)
    return pd.concat([_view(typed, "first", "second"), _view(typed, "second", "first")], ignore_index=True)


def _view(counts: pd.DataFrame, side: str, other: str) -> pd.DataFrame:
    is_won = counts["winner"] == counts[side]
    is_forfeited = ~is_won & (counts["ending"] != Ending.NO_MOVES.value)
    wins = counts["games"].where(is_won, 0)
    return pd.DataFrame(
        {
            "variant": counts["variant"],
            "side": side,
            "bot": counts[side],
            "opponent": counts[other],
            "games": counts["games"],
            "wins": wins,
            f"wins_{side}": wins,
            f"wins_{other}": 0,
            "forfeits": counts["games"].where(is_forfeited, 0),
            "moves": counts[f"{side}_moves"],
            "cpu_seconds": counts[f"{side}_cpu_seconds"],
        }
    )


def _standings(
    views: pd.DataFrame,
    bots: pd.DataFrame,
    part: str,
    parts: Sequence[str],
    grades: pd.DataFrame,
    ratings: pd.DataFrame,
    places: Mapping[str, int] | None = None,
) -> pd.DataFrame:
    """Return the standings within each part of the games; column `part` says which part."""
    every_row = pd.MultiIndex.from_product([list(parts), bots["bot"].tolist()], names=[part, "bot"])
    sums = views.groupby([part, "bot"])[_SUMS].sum().reindex(every_row, fill_value=0).reset_index()
    counted = grades.astype({"kept": "int64", "graded": "int64"}).groupby([part, "bot"])[["kept", "graded"]]
    judged = counted.sum().reindex(every_row, fill_value=0).reset_index()
    rated = ratings.set_index([part, "bot"])[_RATED].astype("float64").reindex(every_row).reset_index()
    table = sums.assign(
        version=sums["bot"].map(bots.set_index("bot")["version"]),
        losses=sums["games"] - sums["wins"],
        score=sums["wins"] / sums["games"].where(sums["games"] > 0),
        cpu_ms_per_move=sums["cpu_seconds"] / sums["moves"].where(sums["moves"] > 0) * 1000,
        accuracy=judged["kept"] / judged["graded"].where(judged["graded"] > 0),
        graded=judged["graded"].where(judged["graded"] > 0).astype("Int64"),
        place=sums["bot"].map(places or {}).astype("float64"),
        **{name: rated[name] for name in _RATED},
    )
    return _rank(table, part)[[part, *COLUMNS]]


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
