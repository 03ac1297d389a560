"""The ledger for people: where each bot's wins came from, and where it threw wins away."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from arena.errors import UserError
from arena.reports.columns import SPARE_LEDGER, explain_shown
from arena.results.run import Run
from arena.standings import OVERALL

SUM = "wins = won_starts + gifts - thrown"
LEGEND = [
    "held: of the starts that were won, the share that was won; taken: of those that were lost",
    "gifts: wins that opponents threw away; thrown: wins that it threw away itself",
]
UNJUDGED = "unjudged: games that could not be solved from their start, in which it stood winning after that"
NO_SIDES = "a ledger is not split by side: leave out --by side"


def show_ledger(
    run: Run, by: str = "overall", variant: str = "", format: str = "table", width: int | None = None
) -> str:
    """Return the ledger as text: overall, of one variant, or of each."""
    from arena.reports.text import FOR_PEOPLE, render, sentences, show

    if by == "side":
        raise UserError(NO_SIDES)
    frame = _choose(run, by, variant)
    if format not in FOR_PEOPLE:
        return render(frame, format)
    arranged = _arrange(frame, run.throws(), run.unrated)
    text = show(arranged, format, width, SPARE_LEDGER, "ledger.csv has everything")
    if format not in ("table", "markdown"):
        return text
    lines = explain_shown(_explain(frame, run.unrated), arranged.columns, text.partition("\n")[0])
    return f"{text}\n\n{sentences(lines, format, width)}"


def _choose(run: Run, by: str, variant: str) -> pd.DataFrame:
    """Return the rows of the ledger that were asked for."""
    ledger = run.ledger()
    if variant:
        return ledger[ledger["variant"] == run.variant_name(variant)]
    return ledger[(ledger["variant"] != OVERALL) == (by == "variant")]


def _arrange(frame: pd.DataFrame, throws: pd.DataFrame, unrated: Sequence[str]) -> pd.DataFrame:
    """Return the ledger for people, with the plies at which each bot threw most wins away."""
    overall = throws[~throws["variant"].isin(list(unrated))].assign(variant=OVERALL)
    both = pd.concat([overall, throws])
    keys = list(zip(frame["bot"], frame["variant"], strict=True))
    plies = [_name_plies(both[(both["bot"] == bot) & (both["variant"] == name)]) for bot, name in keys]
    gone = ["variant"] * (frame["variant"].nunique() < 2) + ["unjudged"] * (not frame["unjudged"].any())
    shown = frame.copy()
    shown["mostly at ply"] = plies
    return shown.drop(columns=gone)


def _name_plies(throws: pd.DataFrame) -> str | None:
    """Return the three plies with most throws, such as `3, 5, 4`."""
    sums = throws.groupby("ply")["thrown"].sum().sort_values(ascending=False, kind="stable")
    return ", ".join(map(str, sums.index[:3])) or None


def _explain(frame: pd.DataFrame, unrated: Sequence[str]) -> list[str]:
    has_unjudged = bool(frame["unjudged"].any())
    is_overall = bool((frame["variant"] == OVERALL).any())
    left_out = [f"left out, because nobody can be ranked there: {', '.join(unrated)}"] if unrated else []
    lines = [SUM + " + unjudged" * has_unjudged, *LEGEND, *([UNJUDGED] if has_unjudged else [])]
    return lines + left_out * is_overall
