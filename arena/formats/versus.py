"""Versus: is one bot better than another? A few pairs at a time, until it is known.

The test is a generalised SPRT on pairs (`standings.sprt`). Its verdict is that of the first pair, in the
order of the openings, at which the test ends, and so is the estimate. The rest of that round is shown and
counts for neither, so the answer depends neither on the workers nor on how rounds are cut.

No opening is played again as another pair. For deterministic bots that would tell nothing new, and counting
it would make chance look like evidence. If all openings are played and it is still not known, that is the
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from arena.formats.meeting import Format, Meeting, Pairing, Rating, Settings

if TYPE_CHECKING:
    from arena.standings.sprt import State

PAIRS_A_ROUND = 8


def next_round(
    field: Sequence[str],
    rounds: Sequence[Sequence[Meeting]],
    ratings: Mapping[str, Rating],
    settings: Settings,
) -> list[Pairing]:
    """Return a few more pairs of the two bots; nothing when it is known, or cannot be."""
    from arena.standings.sprt import Verdict

    one, other = field
    state = assess(field, rounds, settings)
    start = sum(met.sheets for met in _between(one, other, rounds))
    sheets = _sheets(settings, start, settings.games // 2 - state.pairs)
    is_open = state.verdict is Verdict.UNKNOWN and sheets
    return [Pairing(one, other, start, sheets)] if is_open else []


def assess(field: Sequence[str], rounds: Iterable[Sequence[Meeting]], settings: Settings) -> State:
    """Return where the test of two bots stands after some rounds."""
    from arena.standings.sprt import Bounds, first_verdict

    one, other = field
    return first_verdict(pairs_of(one, other, rounds), settings.bounds or Bounds())


def pairs_of(one: str, other: str, rounds: Iterable[Sequence[Meeting]]) -> list[int]:
    """Return how many of its two games `one` won in every pair, in the order of the openings."""
    return [
        pair if met.one == one else 2 - pair for met in _between(one, other, rounds) for pair in met.pairs
    ]


def _between(one: str, other: str, rounds: Iterable[Sequence[Meeting]]) -> Iterator[Meeting]:
    """Yield the meetings of two bots; old versions of either are others."""
    return (met for some in rounds for met in some if {met.one, met.other} == {one, other})


def _sheets(settings: Settings, start: int, pairs: int) -> int:
    """Return the sheets of the next round: about eight pairs, no more than are left; 0 if it is over."""
    sheets, most = 0, min(pairs, max(PAIRS_A_ROUND, settings.pairs_on(range(1))))
    while start + sheets < settings.sheets and settings.pairs_on(range(start, start + sheets + 1)) <= most:
        sheets += 1
    return sheets


def say_standing(field: Sequence[str], rounds: Sequence[Sequence[Meeting]], settings: Settings) -> str:
    """Return where the test stands in a few words."""
    from arena.standings.sprt import Bounds

    bounds = settings.bounds or Bounds()
    ratio = assess(field, rounds, settings).llr
    return f"log ratio {ratio:+.2f}, ends at {bounds.lower:+.2f} or {bounds.upper:+.2f}"


def keep_question(settings: Settings) -> dict[str, float]:
    """Return what was asked, for the log: the bounds, and after how many games it is given up."""
    from arena.standings.sprt import Bounds

    return {**(settings.bounds or Bounds())._asdict(), "games": settings.games}


def read_question(kept: Mapping[str, float] | None) -> Settings:
    """Return what was asked, from what the log keeps; the defaults where an older log does not say it."""
    from arena.standings.sprt import Bounds

    bounds = Bounds(**{name: value for name, value in (kept or {}).items() if name in Bounds._fields})
    is_right = bounds.low < bounds.high and 0 < bounds.alpha < 0.5 and 0 < bounds.beta < 0.5
    return Settings(
        bounds=bounds if is_right else Bounds(), games=int((kept or {}).get("games", Settings().games))
    )


FORMAT = Format(
    next_round,
    is_by_results=True,
    is_in_files=False,
    takes_all_openings=True,
    standing=say_standing,
    kept=keep_question,
)
