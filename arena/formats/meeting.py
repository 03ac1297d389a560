"""What formats are given and what they give back: one small protocol for all of them.

A format is `next_round(field, rounds, ratings, settings) -> pairings`, a pure function. It sees complete
rounds only, so the order in which games arrive never matters; an empty list says that the tournament is over.
`field` holds the bots of now, in the order of the tournament file; `rounds` what was played, in which bots
that have left the field may occur, and old versions of edited bots, written `name@version`.

Two bots meet on sheets. A sheet is one opening of every variant, played twice with the sides swapped, so
whatever a format asks for, sides are balanced.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.referee.game import SEED

if TYPE_CHECKING:
    from arena.standings.sprt import Bounds


class Pairing(NamedTuple):
    """Two bots that are to meet on `sheets` sheets, from number `start` on."""

    one: str
    other: str
    start: int
    sheets: int


class Meeting(NamedTuple):
    """A pairing that was played; `score` is the share of its games that `one` won.

    `pairs` are the games of each opening that it won, 0, 1 or 2, in the order of the sheets.
    """

    one: str
    other: str
    start: int
    sheets: int
    score: float
    pairs: tuple[int, ...] = ()


class Rating(NamedTuple):
    """A bot's strength in Elo points: an estimate and its 95 % interval."""

    rating: float
    low: float
    high: float


class Settings(NamedTuple):
    """The settings of a format, from the tournament file, the command line and the plan."""

    sheets: int = 8  # of a whole meeting
    rounds: int | None = None
    gauntlet: tuple[str, ...] = ()
    interval_points: float = 100.0
    seed: int = SEED
    bounds: Bounds | None = None  # of the question whether one bot is better
    games: int = 20_000  # after which that question is given up
    drawn: tuple[str, ...] = ()  # the field of the first round; empty before it
    pairs_on: Callable[[range], int] = len  # how many pairs two bots play on some sheets
    is_older: bool = False  # whether an older arena began the tournament, whose rules for rounds it keeps


NextRound = Callable[
    [Sequence[str], Sequence[Sequence[Meeting]], Mapping[str, Rating], Settings], list[Pairing]
]


def _no_notes(settings: Settings, ratings: Mapping[str, Rating]) -> list[str]:
    return []


def _no_words(field: Sequence[str], rounds: Sequence[Sequence[Meeting]], settings: Settings) -> str:
    return ""


def _keep_nothing(settings: Settings) -> dict[str, float]:
    return {}


class Format(NamedTuple):
    """One format: its function, and all that others need to know of it."""

    next_round: NextRound
    is_by_results: bool = False  # whether its next round depends on the results of complete ones
    takes_ratings: bool = False  # whether its next round, or its notes, depend on what is known of strengths
    keys: tuple[str, ...] = ()  # of [tournament] in a tournament file, for this format alone
    who: str = "those who meet"  # plays from each opening, for people
    is_by_sheet: bool = False  # whether two bots play a sheet at a time, and not a whole meeting
    is_by_field: bool = False  # whether all games follow from who takes part
    has_bracket: bool = False
    too_late: str = ""  # what to do for a bot that is in no round, for people
    is_in_files: bool = True  # whether a tournament file may ask for it
    takes_all_openings: bool = False
    notes: Callable[[Settings, Mapping[str, Rating]], list[str]] = _no_notes  # when it is over, for people
    standing: Callable[[Sequence[str], Sequence[Sequence[Meeting]], Settings], str] = _no_words  # for people
    kept: Callable[[Settings], dict[str, float]] = _keep_nothing  # what the log keeps of its settings


def name_of(bot: str) -> str:
    """Return the name of a bot, whichever version of it this is."""
    return bot.partition("@")[0]
