"""What is shown of a run: the leaderboard as text, and the files beside its log.

No number stands alone. Ratings have intervals, accuracy has the number of graded moves, and the notes under a
table say how much was played, how many games are copies, and what cannot be trusted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from arena.field import Grading
from arena.log.door import explain_errors
from arena.plaintext import for_markdown
from arena.referee.row import GAME_COLUMNS
from arena.reports.drawing import drawing
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
    from arena.reports.text import FOR_PEOPLE, leaderboard, sentences

    frame = run.standings(by, variant, without_forfeits)
    if format in FOR_PEOPLE and by != "side":
        frame = _with_chances(run, frame, variant or OVERALL, without_forfeits)
    text = leaderboard(frame, run.bots, format, width)
    if format not in ("table", "markdown"):
        return text
    said = sentences(notes(run, by, variant, without_forfeits), format, width)
    return "\n\n".join([text, *_bracket(run, format, width), said])


def _with_chances(run: Run, frame: pd.DataFrame, part: str, without_forfeits: bool) -> pd.DataFrame:
    """Return standings with the probability that each bot is truly better than the next, if rated."""
    if run.bracket is not None and part == OVERALL and "variant" not in frame:
        return frame
    ratings = run.ratings(without_forfeits).set_index(["part", "bot"])["over_next"].astype("float64")
    parts = frame["variant"] if "variant" in frame else [part] * len(frame)
    chances = [ratings.get(key, float("nan")) for key in zip(parts, frame["bot"], strict=True)]
    longer = frame.copy()
    longer.insert(list(frame.columns).index("high") + 1, "over_next", chances)
    return longer


def _bracket(run: Run, format: str, width: int | None) -> list[str]:
    from arena.reports.text import fence, sentences

    if run.bracket is None:
        return []
    text = drawing(run.bracket)
    if width is not None and max(map(len, text.splitlines()), default=0) > width:
        where = f"the bracket is too wide for this screen; it is in {run.folder / 'standings.md'}"
        return [sentences([where], format)]
    return [fence(text) if format == "markdown" else text]


def notes(run: Run, by: str = "overall", variant: str = "", without_forfeits: bool = False) -> list[str]:
    """Return what to say under a table: how much was played, and what to know before trusting it."""
    from arena.reports.text import say_hidden

    lines = _extent(run, variant)
    if by != "side":  # which has no ratings
        lines += [*_ratings(run, by, variant, without_forfeits), *_unfit(run, variant)]
    return lines if variant else [*lines, *say_hidden(len(run.hidden)), *_passing(run)]


def _extent(run: Run, variant: str) -> list[str]:
    from arena.reports.text import notes, played_again

    counts = run.counts
    if variant:
        return notes(counts[counts["variant"] == run.variant_name(variant)], run.bots)
    with run.log() as log:
        lines = notes(counts, run.bots, run.missing, log.voids, run.distinct)
    return [*lines, *run.audited, *played_again(*run.replays)]


def _ratings(run: Run, by: str, variant: str, without_forfeits: bool) -> list[str]:
    from arena.reports.text import explain_ratings

    ratings = run.ratings(without_forfeits)
    of_part = ratings[ratings["part"] == (variant or OVERALL)]
    is_by_bracket = run.bracket is not None and by == "overall" and not variant
    lines = explain_ratings(of_part, [] if variant else run.cycles, has_chances=not is_by_bracket)
    return [*lines, *(["forfeited games are left out of the ratings"] if without_forfeits else [])]


def _unfit(run: Run, variant: str) -> Iterator[str]:
    for name in run.variants:
        if name in run.degenerate and variant in ("", name):
            why = run.degenerate[name].removeprefix("degenerate: ")
            yield f"{name} is degenerate and left out of ratings: {why}"


def _passing(run: Run) -> Iterator[str]:
    from arena.reports.text import say_passed

    grading: Grading | None = run.field.grading
    if grading is not None:
        yield say_passed(run.passing(grading), *grading)


def write_tables(run: Run) -> None:
    """Write the files beside the log: they say what it says, for spreadsheets and people."""
    from arena.reports.files import write_games, write_tables
    from arena.standings import tables

    frames = {
        "standings": run.standings(),
        "ratings": run.ratings(),
        "crosstable": run.crosstable(),
        "forfeits": tables.forfeits(run.counts),
        "blunders": tables.blunders(run.grades),
    }
    if run.field.grading is not None:
        frames["grades"] = run.passing(run.field.grading)
    with explain_errors(run.folder), run.log() as log:
        write_games(run.folder / "games.csv", run.leave_out_hidden(log.games()), GAME_COLUMNS)
        markdown = f"# {for_markdown(run.field.name)}\n\n{leaderboard(run, format='markdown')}"
        write_tables(run.folder, frames, run.standings("variant"), markdown)
        if "grades" not in frames:  # nobody is graded any more
            (run.folder / "grades.csv").unlink(missing_ok=True)
