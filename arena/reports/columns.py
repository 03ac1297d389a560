"""Standings as people see them: fewer columns than scripts get, and each interval in one of its own.

Beside every number stands how sure it is: `score 95 %` is the interval of the score, and so on. `chance` is
what random moves would have kept of the same wins. On a narrow screen the least important columns are left
out, and that is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import pandas as pd

INTERVALS = {
    "score": ("score_low", "score_high", 3),
    "rating": ("low", "high", 0),
    "accuracy": ("accuracy_low", "accuracy_high", 3),
}
"""Which columns are the interval of which, and how many decimals people see."""

FOR_SCRIPTS = ["losses", "unrated", "gifts", "thrown", "repeatable"]
"""Columns that people find elsewhere: in the notes, in the ledger, or as a mark."""

SPARE = ["version", "cpu_ms_per_move", "wins", "wins_second", "wins_first", "taken", "held", "graded"]
SPARE += ["games", "over_next", "score 95 %", "forfeits", "chance", "accuracy 95 %", "accuracy"]
"""Columns that are left out on a narrow screen, the least important first."""

SPARE_LEDGER = ["mostly at ply", "taken", "held", "lost_starts", "unjudged", "games"]
SPARE_GAMES = ["opening", "plies", "ending", "variant", "thrown_away"]
SPARE_FORFEITS = ["opening", "plies", "thrown_away", "variant", "ending"]
"""The same of the ledger, and of lists of games: whose forfeits have a sentence below them."""

NAMES = frozenset({"bot", "opponent", "variant", "first", "second", "winner"})
"""Columns of names: long ones lose their middle on a narrow screen."""

DETAIL = "detail"
"""The column of sentences, which stand below their rows on a narrow screen."""


def choose_columns(frame: pd.DataFrame, points: Mapping[str, float] | None = None) -> pd.DataFrame:
    """Return standings with the columns that people see; `points` are those of a Swiss."""
    shown = frame.drop(columns=FOR_SCRIPTS, errors="ignore")
    for name, (low, high, decimals) in INTERVALS.items():
        if low not in frame:
            continue
        ends = zip(frame[low], frame[high], strict=True)
        interval = [None if pd.isna(a) else f"{a:.{decimals}f}-{b:.{decimals}f}" for a, b in ends]
        shown = shown.drop(columns=[low, high])
        shown.insert(list(shown.columns).index(name) + 1, f"{name} 95 %", interval)
    if points:
        shown.insert(list(shown.columns).index("bot") + 1, "points", frame["bot"].map(points))
    return shown


def explain_columns(frame: pd.DataFrame) -> list[str]:
    """Return how to read accuracy and what follows it, if there is any."""
    if frame["accuracy"].isna().all():
        return []
    return [
        "accuracy: of the moves that could throw a win away, the share that kept it; chance: of random moves",
        "held: of the starts that were won, the share that was won; taken: of those that were lost",
    ]


def explain_shown(lines: Iterable[str], columns: Collection[str], headings: str) -> list[str]:
    """Return a legend without what explains columns that are not on this screen.

    A line such as `held: ...; taken: ...` explains two of `columns`; `headings` is the line above the table.
    """
    shown = ("; ".join(_keep_shown(line.split("; "), columns, headings)) for line in lines)
    return [line for line in shown if line]


def _keep_shown(parts: Sequence[str], columns: Collection[str], headings: str) -> list[str]:
    named = [(part, part.partition(":")[0]) for part in parts]
    return [part for part, name in named if name not in columns or name in headings.split()]
