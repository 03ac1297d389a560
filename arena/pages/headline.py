"""What a run says in a sentence: who is first, and who cannot be told apart.

Two bots can be told apart if the 95 % intervals of their ratings do not overlap. That is stricter than a test
of these two alone, and it is what the eye sees in the plot. In a knock-out the bracket decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.reports.bot import list_words
from arena.reports.versus import STOPPED

if TYPE_CHECKING:
    import pandas as pd

    from arena.results.run import Run

MOST_NAMED = 5


class Place(NamedTuple):
    """The ranks that a bot may truly have."""

    best: int
    worst: int

    @property
    def text(self) -> str:
        """The rank, or from which to which."""
        return str(self.best) if self.best == self.worst else f"{self.best}\N{EN DASH}{self.worst}"


def find_places(standings: pd.DataFrame, has_bracket: bool) -> dict[str, Place]:
    """Return the ranks that each bot may have, as intervals of ratings overlap; one if a bracket decides."""
    ranks = dict(zip(standings["bot"], standings["rank"].astype(int), strict=True))
    rated = standings.dropna(subset=["low", "high"])
    places = {bot: Place(rank, rank) for bot, rank in ranks.items()}
    if has_bracket:
        return places
    lows, highs = rated["low"].to_numpy(), rated["high"].to_numpy()
    for bot, low, high in zip(rated["bot"], lows, highs, strict=True):
        places[bot] = Place(1 + int((lows > high).sum()), len(rated) - int((highs < low).sum()))
    return places


def say_headline(run: Run, verdict: str = "") -> str:
    """Return who is first in a sentence without a full stop; of a sequential test its verdict."""
    standings = run.standings()
    if verdict:
        return verdict.removesuffix(".")
    if not standings["games"].sum():
        return "No game that counts has been played yet"
    if run.bracket is not None:
        return _say_bracket(run.bracket.winner, run.is_over)
    rated = standings.dropna(subset=["rating"]).sort_values("rating", ascending=False, kind="stable")
    if rated.empty:
        return "Nobody can be ranked on these variants"
    has_leader = rated["rating"].round()[:2].is_unique
    said = _say_order(rated["bot"].tolist(), rated["low"].tolist(), rated["high"].tolist(), has_leader)
    return said if run.is_over else f"So far, {said}"


def _say_bracket(winner: str | None, is_over: bool) -> str:
    if winner:
        return f"{winner} has won the knock-out"
    return "Nobody has won the knock-out" if is_over else "The knock-out goes on"


def say_more(run: Run) -> list[str]:
    """Return what to know with the headline, whole sentences."""
    if run.field.format != "versus":
        return []
    return [f"This was a sequential test: {STOPPED}."]


def _say_order(bots: list[str], lows: list[float], highs: list[float], has_leader: bool = True) -> str:
    """Return who is first, and who comes next; bots are in the order of their ratings.

    Without a leader two bots have the same rating in the table, and which of them comes first says nothing.
    """
    near = _find_near(0, lows, highs)
    if near and not has_leader:
        return f"{_name([bots[n] for n in [0, *near]])} cannot be told apart"
    if near:
        return f"{bots[0]} leads, but {_name([bots[n] for n in near])} cannot be told apart from it"
    if len(bots) == 1:
        return f"{bots[0]} is alone"
    equals = [1, *_find_near(1, lows, highs)]
    if len(equals) == 1:
        return f"{bots[0]} is first, {bots[1]} is second"
    return f"{bots[0]} is first; {_name([bots[n] for n in equals])} cannot be told apart"


def _find_near(number: int, lows: Sequence[float], highs: Sequence[float]) -> list[int]:
    """Return the bots after this one whose intervals overlap with its own."""
    return [other for other in range(number + 1, len(highs)) if highs[other] >= lows[number]]


def _name(bots: list[str]) -> str:
    more = len(bots) - MOST_NAMED
    return list_words([*bots[:MOST_NAMED], f"{more:,} more"] if more > 1 else bots)
