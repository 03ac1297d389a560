"""The numbers of each chart as plain values, in the order of the standings; templates draw them.

Every number was computed elsewhere (standings, ledger, crosstable); here it only gets its place on a scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from arena.pages.axis import Axis, Tick, round_ticks, span, whole_ticks
from arena.reports.asjson import is_empty
from arena.standings import OVERALL

if TYPE_CHECKING:
    import pandas as pd

MOST_IN_HEAT = 100
"""With more bots than this, the heat map has the first of them."""

MOST_WITH_NUMBERS = 24
"""With more bots than this, the cells of the heat map are small and have no numbers in them."""

FAINTEST = 1e-6
"""The left edge of the chart of CPU, as a share of the limit."""

SHARES_OF_LIMIT = {FAINTEST: "0.0001 %", 1e-5: "", 1e-4: "", 1e-3: "0.1 %", 1e-2: "", 1e-1: "", 1.0: "limit"}
"""What is named below that chart."""


class Interval(NamedTuple):
    """A value with its 95 % interval on a scale; `mark` is something to compare it with."""

    at: float
    low: float
    high: float
    mark: float | None = None


class Bar(NamedTuple):
    """One part of a stacked bar."""

    kind: str
    at: float
    width: float
    games: int


class Line(NamedTuple):
    """A bot's line in a chart: what is drawn, and what is said of it."""

    bot: str
    drawn: Any
    said: str


class Chart(NamedTuple):
    """The lines of a chart, and what is named below it."""

    lines: list[Line]
    ticks: list[Tick]


class Cell(NamedTuple):
    """A cell of the heat map: the score in tenths, what stands in it, and all that is known."""

    level: int
    text: str
    title: str


class Heat(NamedTuple):
    """The heat map: names, and for each a row of cells; None where two have not met."""

    bots: list[str]
    rows: list[list[Cell | None]]
    has_numbers: bool
    left_out: int


def place(
    row: Mapping[Any, Any], name: str, low: str, high: str, axis: Axis, mark: str = ""
) -> Interval | None:
    """Return a number of the standings with its interval on a scale; None if it is empty."""
    if is_empty(row[name]):
        return None
    ends = [row[name] if is_empty(row[end]) else row[end] for end in (low, high)]
    marked = None if not mark or is_empty(row[mark]) else axis.at(row[mark])
    return Interval(axis.at(row[name]), axis.at(ends[0]), axis.at(ends[1]), marked)


def rating_axis(standings: pd.DataFrame) -> Axis:
    """Return the scale on which all intervals of ratings have room."""
    return span([float(value) for name in ("low", "high", "rating") for value in standings[name].dropna()])


def chart_ratings(standings: pd.DataFrame) -> Chart:
    """Return ratings as dots with intervals."""
    axis = rating_axis(standings)
    lines = []
    for row in standings.to_dict("records"):
        drawn = place(row, "rating", "low", "high", axis)
        if drawn is not None:
            lines.append(Line(row["bot"], drawn, f"{row['rating']:.0f}"))
    return Chart(lines, round_ticks(axis) if lines else [])


def chart_ledger(ledger: pd.DataFrame) -> Chart:
    """Return where wins came from: of each bot's games, the shares that were held, taken and thrown away."""
    rows = ledger[ledger["variant"] == OVERALL].to_dict("records")
    lines = [Line(row["bot"], _stack(row), f"{row['wins']:,}/{row['games']:,}") for row in rows]
    return Chart(lines, [Tick(float(at), "" if at % 50 else f"{at} %") for at in (0, 25, 50, 75, 100)])


def _stack(row: Mapping[Any, Any]) -> list[Bar]:
    held = 0 if is_empty(row["held"]) else round(row["held"] * row["won_starts"])
    taken = 0 if is_empty(row["taken"]) else round(row["taken"] * row["lost_starts"])
    parts = {"held": held, "taken": taken, "thrown": row["won_starts"] - held}
    bars, before = [], 0
    for kind, games in parts.items():
        bars.append(Bar(kind, 100 * before / row["games"], 100 * games / row["games"], games))
        before += games
    return [bar for bar in bars if bar.games]


def chart_cpu(standings: pd.DataFrame, fullest: Mapping[str, float], limits: Mapping[str, float]) -> Chart:
    """Return CPU as shares of the limits: of a move on average, and of the game that took most."""
    axis, lines = Axis(FAINTEST, 1.0, is_log=True), []
    for row in standings.to_dict("records"):
        used = row["cpu_ms_per_move"]
        if not is_empty(used):
            of_move = axis.at(used / 1000 / limits["move_seconds"])
            of_game = axis.at(fullest.get(row["bot"], 0.0) / limits["game_seconds"])
            drawn = Interval(of_move, min(of_move, of_game), max(of_move, of_game), of_game)
            lines.append(Line(row["bot"], drawn, f"{used:.2g} ms"))
    return Chart(lines, [Tick(axis.at(value), name) for value, name in SHARES_OF_LIMIT.items()])


def chart_lengths(lengths: Mapping[str, Mapping[int, int]]) -> Chart:
    """Return how many plies games lasted: for each variant its columns, the most frequent length highest."""
    plies = [ply for counted in lengths.values() for ply in counted]
    axis = Axis(min(plies, default=0) - 0.5, max(plies, default=0) + 0.5)
    lines = [Line(name, _columns(counted, axis), _say_lengths(counted)) for name, counted in lengths.items()]
    return Chart(lines, whole_ticks(axis))


def _columns(counted: Mapping[int, int], axis: Axis) -> list[tuple[float, float, float, str]]:
    """Return left edge, width and height of each column, and what it stands for."""
    highest, wide = max(counted.values()), axis.at(axis.low + 1)
    return [
        (axis.at(ply - 0.5), round(wide, 2), round(100 * games / highest, 1), f"{ply} plies: {games:,} games")
        for ply, games in sorted(counted.items())
    ]


def _say_lengths(counted: Mapping[int, int]) -> str:
    low, high = min(counted), max(counted)
    return f"{low} plies" if low == high else f"{low} to {high} plies"


def chart_meetings(crosstable: pd.DataFrame) -> Heat:
    """Return who beat whom as cells; the crosstable has a column of names and then one for each bot."""
    bots: Sequence[str] = crosstable["bot"].tolist()[:MOST_IN_HEAT]
    cells = crosstable.iloc[: len(bots), 1 : 1 + len(bots)].to_numpy().tolist()
    rows = [
        [_cell(cell, bot, other) for cell, other in zip(row, bots, strict=True)]
        for row, bot in zip(cells, bots, strict=True)
    ]
    if not any(cell for row in rows for cell in row):  # nobody has met
        return Heat([], [], False, 0)
    return Heat(list(bots), rows, len(bots) <= MOST_WITH_NUMBERS, len(crosstable) - len(bots))


def _cell(cell: str, bot: str, other: str) -> Cell | None:
    """Return `12/16 (7+5)` as a cell; None if it is empty."""
    won, _, games = cell.partition(" ")[0].partition("/")
    if not games:
        return None
    share = int(won) / int(games)
    return Cell(round(10 * share), f"{100 * share:.0f}", f"{bot} against {other}: {cell}")
