"""A table as text, in each of the formats that a command offers.

There are two kinds of readers. People get `table`, `markdown`, `html` and `latex`: rounded numbers, no empty
columns, and a mark on bots that cannot be repeated. Scripts get `csv` and `json`: every column, plain names,
and numbers that nobody rounded to be read: those of `csv` are exact, those of `json` have up to 6 decimals,
because a page of fifteen digits each is what people then look at.

Names and details are strangers' text: every cell, heading and sentence goes through the function of its
format in `arena.plaintext`; JSON has its own escapes, and keeps texts exactly. A name such as `007` or `1e5`
stays a name. Nothing is coloured.

Refused: LaTeX by pandas, which needs jinja2, or by tabulate, which gives an empty table no columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from arena.plaintext import for_csv, for_html, for_json, for_latex, for_lines, for_markdown, for_terminal
from arena.reports.asjson import is_empty
from arena.reports.columns import DETAIL, NAMES, SPARE, choose_columns
from arena.reports.screen import Table, draw, lay_out, wrap_line
from arena.standings.tables import forfeits

DECIMALS = {"rating": 0, "low": 0, "high": 0, "points": 1}
"""How many decimals people see in a column of fractions, if not 3."""

_SCALE = "rating: Elo scale, 400 points are odds of 10:1; 95 %: the interval of the number before it"
_CHANCE = "over_next: how likely it is that a bot is truly better than the next one"

MOST_CYCLES = 5
"""The most circles of bots that are named."""

MOST_NAMED = 5
"""The most bots that a sentence names."""

FOR_PEOPLE = frozenset({"table", "markdown", "html", "latex"})
"""The formats that are read by people."""


def render(frame: pd.DataFrame, format: str) -> str:
    """Return a table as text in one of the FORMATS, without a newline at its end."""
    return FORMATS[format](frame)


def leaderboard(
    frame: pd.DataFrame,
    bots: pd.DataFrame,
    format: str,
    width: int | None = None,
    points: Mapping[str, float] | None = None,
) -> str:
    """Return standings as text; people see `~` behind the names of bots that cannot be repeated.

    A table that is wider than the screen loses its least important columns, and says so. `points` are those
    of a Swiss.
    """
    if format not in FOR_PEOPLE:
        return render(frame, format)
    return show(for_people(frame, bots, points), format, width, SPARE, "standings.csv has everything")


def for_people(
    frame: pd.DataFrame, bots: pd.DataFrame, points: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """Return standings as people see them: the columns that say something, and `~` behind some names."""
    return _mark(choose_columns(frame, points), bots)


def show(
    frame: pd.DataFrame,
    format: str,
    width: int | None,
    spare: Sequence[str] = (),
    whole: str = "a pipe gets everything",
) -> str:
    """Return a table as text in one of the FORMATS, on a screen within its width.

    `spare` are the columns to leave out there, the least important first; `whole` says where they are found.
    """
    if format != "table" or width is None:
        return render(frame, format)
    page = lay_cells(frame, for_terminal)
    return lay_out(page._replace(names=NAMES, below=DETAIL, spare=spare, whole=whole), width)


def notes(
    counts: pd.DataFrame, bots: pd.DataFrame, missing: int = 0, voids: int = 0, distinct: int | None = None
) -> list[str]:
    """Return what to say under a table: how much was played, and what to know before trusting it.

    `missing` games are planned and not in the log; `voids` are those that were spoilt by our own fault;
    `distinct` is how many games are not the same as another, up to the board's symmetry.
    """
    games = int(counts["games"].sum())
    return [
        _extent(counts, bots, games, distinct),
        *say_forfeits(counts),
        *(["~ cannot be repeated exactly"] if len(_unrepeatable(bots)) else []),
        *_isolation(counts),
        *_missing(missing, games + missing),
        *_void(voids),
    ]


def sentences(lines: Iterable[str], format: str, width: int | None = None) -> str:
    """Return the notes under a table for people: paragraphs in Markdown, else lines of at most `width`."""
    if format == "markdown":
        return "\n\n".join(map(for_markdown, lines))
    shown = map(for_terminal, lines)
    return "\n".join(wrap_line(line, width) for line in shown)


def fence(text: str) -> str:
    """Return a drawing as a fenced block of Markdown; no line of the drawing can end the block."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{for_lines(text)}\n{fence}"


def lay_cells(frame: pd.DataFrame, escape: Callable[[str], str]) -> Table:
    """Return a table with its texts made harmless for the format that `escape` belongs to."""
    columns = [(str(name), column.dtype, column.tolist()) for name, column in frame.items()]
    # An empty table says nothing about its columns: all are shown.
    shown = [found for found in columns if not len(frame) or not all(map(is_empty, found[2]))]
    return Table(
        [escape(name) for name, _, _ in shown],
        list(zip(*(_cells(*column, escape) for column in shown), strict=True)),
        ["right" if pd.api.types.is_numeric_dtype(dtype) else "left" for _, dtype, _ in shown],
    )


def _cells(name: str, dtype: Any, values: list[Any], escape: Callable[[str], str]) -> list[str]:
    if pd.api.types.is_float_dtype(dtype):
        decimals = DECIMALS.get(name, 3)
        return ["" if is_empty(value) else f"{value:.{decimals}f}" for value in values]
    return ["" if is_empty(value) else escape(str(value)) for value in values]


def _table(frame: pd.DataFrame) -> str:
    return draw(lay_cells(frame, for_terminal))


def _markdown(frame: pd.DataFrame) -> str:
    return draw(lay_cells(frame, for_markdown), "pipe")


def _html(frame: pd.DataFrame) -> str:
    return draw(lay_cells(frame, for_html), "unsafehtml")  # `html` would escape once more


def _latex(frame: pd.DataFrame) -> str:
    page = lay_cells(frame, for_latex)
    first, *rows = [" & ".join(row) + r" \\" for row in (page.headings, *page.rows)]
    letters = "".join(side[0] for side in page.alignments)
    start = [rf"\begin{{tabular}}{{{letters}}}", r"\toprule", first, r"\midrule"]
    return "\n".join([*start, *rows, r"\bottomrule", r"\end{tabular}"])


def _csv(frame: pd.DataFrame) -> str:
    return _with_texts(frame, for_csv).to_csv(index=False, lineterminator="\n").removesuffix("\n")


def _with_texts(frame: pd.DataFrame, escape: Callable[[object], object]) -> pd.DataFrame:
    """Return a table with its texts made harmless, and its numbers as they are."""
    harmless = frame.copy(deep=False)
    for number in range(frame.shape[1]):
        column = frame.iloc[:, number]
        if not pd.api.types.is_numeric_dtype(column):
            harmless.isetitem(number, pd.array([escape(cell) for cell in column.tolist()], dtype=object))
    harmless.columns = pd.Index(list(map(escape, frame.columns)))
    return harmless


def _json(frame: pd.DataFrame) -> str:
    """Return a list with a line for each record; empty cells are null, fractions have up to 6 decimals."""
    if frame.empty:
        return "[]"
    frame = _with_texts(frame, for_json)
    lines = frame.to_json(orient="records", lines=True, double_precision=6).rstrip("\n")
    lines = lines.replace("\x7f", r"\u007f")  # the one control character that pandas leaves as it is
    return "[\n" + lines.replace("\n", ",\n") + "\n]"


FORMATS: dict[str, Callable[[pd.DataFrame], str]] = {
    "table": _table,
    "markdown": _markdown,
    "csv": _csv,
    "json": _json,
    "html": _html,
    "latex": _latex,
}
"""What a table can be rendered as, by name."""


def _mark(frame: pd.DataFrame, bots: pd.DataFrame) -> pd.DataFrame:
    names = frame["bot"]
    return frame.assign(bot=names.mask(names.isin(_unrepeatable(bots)), names + " ~"))


def _unrepeatable(bots: pd.DataFrame) -> pd.Series[str]:
    return bots.loc[~bots["is_repeatable"].astype(bool), "bot"]


def _extent(counts: pd.DataFrame, bots: pd.DataFrame, games: int, distinct: int | None) -> str:
    if not games:
        return f"no games yet between {_number(len(bots), 'bot')}"
    variants = _number(counts["variant"].nunique(), "variant")
    differing = "" if distinct is None else f", {distinct:,} distinct,"
    return f"{_number(games, 'game')}{differing} between {_number(len(bots), 'bot')} on {variants}"


def explain_ratings(ratings: pd.DataFrame, cycles: Sequence[Sequence[str]]) -> list[str]:
    """Return how to read ratings, and who beat whom in a circle, which no rating can show."""
    if ratings.empty:
        return []
    scale = [_SCALE, *_say_widening(ratings["widening"]), _CHANCE]
    named = [f"in a circle: {' beats '.join([*cycle, cycle[0]])}" for cycle in cycles[:MOST_CYCLES]]
    more = len(cycles) - MOST_CYCLES
    return [*scale, *named, *([f"and {_number(more, 'circle')} more"] if more > 0 else [])]


def _say_widening(widening: pd.Series[float]) -> list[str]:
    """Return how much wider intervals are because bots repeat themselves, where that is worth a word."""
    usual = float(widening.median())
    if not usual >= 1.05:
        return []
    return [f"bots repeat their strengths on the same openings: intervals are widened x {usual:.1f}"]


def played_again(games: Mapping[str, int], named: Sequence[str]) -> list[str]:
    """Return how many games were played again because of whom, and who is named for it.

    `games` are those that each bot has spoilt by a failure; under no name those that no bot has.
    """
    failed = {bot: count for bot, count in sorted(games.items(), key=lambda item: -item[1]) if bot}
    lines = []
    if failed:
        whose = [f"{bot} {count:,}" for bot, count in failed.items()][:MOST_NAMED]
        more = f" and {len(failed) - MOST_NAMED} more" if len(failed) > MOST_NAMED else ""
        lines.append(
            _say_again(sum(failed.values()), f"a bot failed in a batch of them: {', '.join(whose)}{more}")
        )
    if games.get(""):
        lines.append(
            _say_again(games[""], "a batch of them took long, or was lost: see `replays` in the log")
        )
    return [
        *lines,
        *(f"{bot}: its games had to be played again more often than chance explains" for bot in named),
    ]


def _say_again(games: int, why: str) -> str:
    verb = "was" if games == 1 else "were"
    return f"{_number(games, 'game')} {verb} played again, which counts, because {why}"


def say_ungraded(games: int) -> list[str]:
    """Return a sentence if some games have no grades yet."""
    if not games:
        return []
    return [f"{_number(games, 'game')} {_is(games)} not graded yet: accuracy and ledger are without them"]


def say_hidden(variants: int, when: str = "when all games are played") -> list[str]:
    """Return a sentence if some variants are played but not shown yet; `when` they will be."""
    if not variants:
        return []
    return [f"{_number(variants, 'secret variant')} {_is(variants)} shown {when}"]


def say_passed(table: pd.DataFrame, bosses: Sequence[str], by: str, pass_mark: float) -> str:
    """Return how many bots pass, against whom and by what, and for how many that is not sure."""
    passed, unsure = int((table["passed"] == "yes").sum()), int((table["is_sure"] == "no").sum())
    verb = "passes" if passed == 1 else "pass"
    mark = f"{by} at least {pass_mark:g} against {', '.join(bosses)}"
    unknown = int(table["passed"].isna().sum())
    doubt = f"; {_number(unsure, 'verdict')} {_is(unsure)} not sure{_say_more(table)}" if unsure else ""
    absent = f"; no verdict for {_number(unknown, 'more bot')}" if unknown else ""
    return (
        f"{passed:,} of {_number(len(table) - unknown, 'bot')} {verb} ({mark}){doubt}{absent}: see grades.csv"
    )


def _say_more(table: pd.DataFrame) -> str:
    """Return how many more openings would settle the verdicts that are not sure, the fewest first."""
    unsure = table[table["is_sure"] == "no"].dropna(subset="more_openings").sort_values("more_openings")
    each = zip(unsure["bot"], unsure["more_openings"], strict=True)
    named = [f"{bot} some {more:,}" for bot, more in each][:MOST_NAMED]
    if not named:
        return ""
    return f" (more openings of each variant would settle it, if there are so many: {', '.join(named)})"


def say_forfeits(counts: pd.DataFrame) -> list[str]:
    """Return a sentence for each bot that forfeited, those that did so most often first."""
    lost = forfeits(counts)
    if lost.empty:
        return []
    by_kind = lost.groupby(["bot", "ending"])["games"].sum().reset_index()
    by_kind["total"] = by_kind.groupby("bot")["games"].transform("sum")
    by_kind = by_kind.sort_values(["total", "bot", "games", "ending"], ascending=[False, True, False, True])
    return [
        f"{bot} forfeited {_number(int(kinds['games'].sum()), 'game')}: "
        + ", ".join(_list_counts(kinds, "ending"))
        for bot, kinds in by_kind.groupby("bot", sort=False)
    ]


def _isolation(counts: pd.DataFrame) -> list[str]:
    """Return how many games were played with which isolation, unless all of them were sandboxed."""
    by_level = counts.groupby("isolation")["games"].sum().reset_index()
    if (by_level["isolation"] == "sandboxed").all():
        return []
    first = f"{_number(int(by_level['games'].iloc[0]), 'game')} {by_level['isolation'].iloc[0]}"
    return [", ".join([first, *_list_counts(by_level[1:], "isolation")])]


def _list_counts(sums: pd.DataFrame, column: str) -> list[str]:
    return [f"{games:,} {word}" for games, word in zip(sums["games"], sums[column], strict=True)]


def _missing(missing: int, planned: int) -> list[str]:
    if not missing:
        return []
    return [f"{missing:,} of {_number(planned, 'game')} {_is(missing)} still to be played"]


def _void(voids: int) -> list[str]:
    if not voids:
        return []
    they = "it does" if voids == 1 else "they do"
    return [f"{_number(voids, 'game')} {_is(voids)} void, spoilt by arena itself: {they} not count"]


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"
