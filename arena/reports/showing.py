"""What is shown of a run: the leaderboard as text, and the files beside its log.

No number stands alone. Ratings have intervals, accuracy has the number of graded moves, and the notes under a
table say how much was played, how many games are copies, and what cannot be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.field import Grading
from arena.log.door import explain_errors
from arena.plaintext import for_markdown
from arena.reports.drawing import LONGEST_NAMES, drawing
from arena.reports.screen import fits
from arena.results.run import Run
from arena.standings import OVERALL

if TYPE_CHECKING:
    import pandas as pd


def leaderboard(
    run: Run,
    by: str = "overall",
    variant: str = "",
    format: str = "table",
    without_forfeits: bool = False,
    width: int | None = None,
) -> str:
    """Return standings as text; for people with notes under them, and with the bracket of a knock-out.

    `width` is the width of the screen, if there is one.
    """
    from arena.reports.columns import explain_shown
    from arena.reports.text import for_people, leaderboard, sentences

    frame = run.standings(by, variant, without_forfeits)
    points = run.points if by == "overall" and not variant else None
    if format == "html":
        lines = notes(run, by, variant, without_forfeits)
        return _page(run, for_people(frame, run.bots, points), lines)
    text = leaderboard(frame, run.bots, format, width, points)
    if format not in ("table", "markdown"):
        return text
    lines = notes(run, by, variant, without_forfeits)
    shown = explain_shown(lines, frame.columns, text.partition("\n")[0])
    return "\n\n".join([text, *_bracket(run, format, width), sentences(shown, format, width)])


def _page(run: Run, frame: pd.DataFrame, lines: Sequence[str]) -> str:
    """Return standings as a whole page of HTML, which can be mailed or put on a web server."""
    from arena.reports.page import Code, Lines, Title, show_page

    bracket = [] if run.bracket is None else [Code(drawing(run.bracket))]
    return show_page([Title(run.field.name), frame, *bracket, Lines(lines)], "html")


def _bracket(run: Run, format: str, width: int | None) -> list[str]:
    from arena.reports.text import fence, sentences

    if run.bracket is None:
        return []
    looks = (drawing(run.bracket, longest) for longest in LONGEST_NAMES)
    text = next((look for look in looks if width is None or fits(look, width)), None)
    if text is None:
        where = f"the bracket is too wide for this screen; it is in {run.folder / 'standings.md'}"
        return [sentences([where], format)]
    return [fence(text) if format == "markdown" else text]


def notes(run: Run, by: str = "overall", variant: str = "", without_forfeits: bool = False) -> list[str]:
    """Return what to say under a table: how much was played, and what to know before trusting it."""
    from arena.reports.columns import explain_columns
    from arena.reports.text import say_hidden, say_ungraded

    lines = _extent(run, variant)
    if by != "side":  # which has no ratings
        lines += _ratings(run, variant, without_forfeits)
    lines += [
        *explain_columns(run.standings(by, variant)),
        *say_ungraded(run.ungraded),
        *_unfit(run, variant),
    ]
    return lines if variant else [*lines, *say_hidden(len(run.hidden), run.shown_when), *_passing(run)]


def _extent(run: Run, variant: str) -> list[str]:
    from arena.reports.text import notes, played_again

    counts = run.counts
    if variant:
        return notes(counts[counts["variant"] == run.variant_name(variant)], run.bots)
    with run.log() as log:
        lines = notes(counts, run.bots, run.missing, log.voids, run.distinct)
    return [*lines, *run.audited, *played_again(*run.replays)]


def _ratings(run: Run, variant: str, without_forfeits: bool) -> list[str]:
    from arena.reports.text import explain_ratings

    ratings = run.ratings(without_forfeits)
    of_part = ratings[ratings["part"] == (variant or OVERALL)]
    lines = explain_ratings(of_part, [] if variant else run.cycles)
    return [*lines, *(["forfeited games are left out of the ratings"] if without_forfeits else [])]


def _unfit(run: Run, variant: str) -> Iterator[str]:
    for name in run.variants:
        if name in run.degenerate and variant in ("", name):
            why = run.degenerate[name].removeprefix("degenerate: ")
            games = int(run.counts.loc[run.counts["variant"] == name, "games"].sum())
            left_out = "scores and ratings" if name in run.unrated else "ratings"
            yield f"{name} is degenerate, and its {games:,} games are left out of {left_out}: {why}"


def _passing(run: Run) -> Iterator[str]:
    from arena.reports.text import say_passed

    grading: Grading | None = run.field.grading
    if grading is not None:
        yield say_passed(run.passing(grading), *grading)


def write_tables(run: Run) -> None:
    """Write the files beside the log: they say what it says, for spreadsheets and people."""
    from arena.reports.games_file import writing_games

    with explain_errors(run.folder):
        with writing_games(run):
            _write_summaries(run, run.folder)
        if run.field.grading is None:  # nobody is graded any more
            (run.folder / "grades.csv").unlink(missing_ok=True)


def write_files(run: Run, folder: Path, has_details: bool = True) -> None:
    """Write the tables and the games of a run into a folder, with what is told of forfeits or without."""
    from arena.reports.games_file import write_all_games

    _write_summaries(run, folder)
    write_all_games(run, folder, has_details)


def _write_summaries(run: Run, folder: Path) -> None:
    from arena.reports.files import write_tables
    from arena.standings import tables

    frames = {
        "standings": run.standings(),
        "ratings": run.ratings(),
        "crosstable": run.crosstable(),
        "ledger": run.ledger(),
        "forfeits": tables.forfeits(run.counts),
        "blunders": run.throws(),
    }
    if run.field.grading is not None:
        frames["grades"] = run.passing(run.field.grading)
    markdown = f"# {for_markdown(run.field.name)}\n\n{leaderboard(run, format='markdown')}"
    write_tables(folder, frames, run.standings("variant"), markdown)
