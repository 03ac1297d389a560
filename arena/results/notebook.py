"""A run as a notebook shows it: its name, how much was played, and its standings.

Names of bots and folders are strangers' text, and a notebook runs what is in HTML: all of it is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from arena.plaintext import for_html

if TYPE_CHECKING:
    import pandas as pd

    from arena.results.run import Run

SHOWN = {
    "rank": 0,
    "bot": 0,
    "games": 0,
    "wins": 0,
    "score": 3,
    "rating": 0,
    "low": 0,
    "high": 0,
    "accuracy": 3,
}
"""The columns of the standings that a notebook shows, and with how many decimals; `standings()` has all."""


def show_run(run: Run) -> str:
    """Return a run as HTML."""
    played, missing = int(run.counts["games"].sum()), run.missing
    state = f"{played:,} games played" + f", {missing:,} to play" * bool(missing)
    about = f"<p><b>{for_html(run.field.name)}</b>: {state}, in {for_html(str(run.folder))}</p>"
    return about + show_table(run.standings())


def show_table(standings: pd.DataFrame) -> str:
    """Return the shown columns of standings as an HTML table."""
    columns = [[_cell(value, SHOWN[name]) for value in standings[name]] for name in SHOWN]
    rows = [_row("th", SHOWN), *(_row("td", row) for row in zip(*columns, strict=True))]
    return f"<table>{''.join(rows)}</table>"


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def _cell(value: Any, decimals: int) -> str:
    import pandas as pd

    if pd.isna(value):
        return ""
    return f"{value:.{decimals}f}" if isinstance(value, float) else for_html(str(value))
