"""A run in the pages of a server: the report as it is, and the parts of it that move while a run goes on.

The parts are drawn by the templates of the report. A browser puts them in the place of the old ones, and
computes nothing. What reads the whole log and is of use only in the end, such as the digest, is said then.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

import arena
from arena.pages.headline import say_headline
from arena.pages.path import chart_path
from arena.pages.rendering import render, render_part
from arena.pages.report import make_report, tell_head, tell_standings
from arena.pages.standings import View
from arena.referee.endings import Ending
from arena.referee.row import GameRow
from arena.reports.screen import say_duration
from arena.results.progress import Progress, read_progress
from arena.results.run import Run


class Finished(NamedTuple):
    """One of the last games."""

    winner: str
    loser: str
    variant: str
    forfeit: str  # its ending, if it is one


class Hosted(NamedTuple):
    """What a page says of a contest that its server hosts."""

    address: str  # of its pages, as a part of an address
    words: str
    playing: tuple[tuple[str, str, str], ...]  # games: two bots and a variant
    waiting: int  # uploads that are not checked yet
    is_open: bool = True  # bots can be handed in


class Now(NamedTuple):
    """The strip at the top of a live page."""

    played: int
    planned: int
    is_over: bool
    is_open: bool
    pace: str
    latest: list[Finished]
    hosted: Hosted | None = None


class Live(NamedTuple):
    """What a page has more that comes from a server: what it knew when it was made, and where more is.

    `home` is the address of the page itself, as seen from beside it.
    """

    home: str
    games: int
    now: Now

    @property
    def events(self) -> str:
        """Where its news are."""
        return f"{self.home}/events"


class Tables(NamedTuple):
    """The parts of a page that follow from the standings, as HTML; tables by group and name of their view."""

    header: str
    reading: str
    tables: dict[str, str]
    games: int  # that they rest on


class Listed(NamedTuple):
    """A run in the list of runs; without numbers if it cannot be read, or not yet."""

    name: str
    address: str
    changed_at: float
    is_moving: bool
    headline: str
    bots: int = 0
    played: int = 0
    planned: int = 0
    is_hosted: bool = False

    @property
    def changed(self) -> str:
        """When it was last changed, to the minute."""
        return say_time(self.changed_at)


def say_time(seconds: float) -> str:
    """Return a time of day with its date, to the minute, in UTC."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M}"


def tell_now(
    progress: Progress,
    per_second: float | None,
    changed_at: float,
    is_quiet: bool,
    hosted: Hosted | None = None,
) -> Now:
    """Return what the strip says; `per_second` is None until it is known."""
    pace = _say_pace(progress, per_second, changed_at, is_quiet)
    latest = [_tell_game(row) for row in progress.latest]
    return Now(progress.played, progress.planned, progress.is_over, progress.is_open, pace, latest, hosted)


def _say_pace(progress: Progress, per_second: float | None, changed_at: float, is_quiet: bool) -> str:
    if progress.is_over:
        return "done"
    if progress.is_waiting:
        return "all games so far have been played"
    if is_quiet:
        return f"nothing has happened since {say_time(changed_at)} UTC"
    if not per_second:
        return "going on"
    left = say_duration((progress.planned - progress.played) / per_second)
    rate = f"{per_second:,.0f}" if per_second >= 10 else f"{per_second:.2g}"
    return f"{rate} games a second, about {left} left{' in this round' * progress.is_open}"


def _tell_game(row: GameRow) -> Finished:
    loser = row.second if row.winner == row.first else row.first
    forfeit = "" if row.ending == Ending.NO_MOVES else row.ending
    return Finished(row.winner, loser, row.variant, forfeit)


def draw_strip(now: Now) -> str:
    """Return the strip as HTML."""
    return render_part("strip.html.j2", {"live": {"now": now}})


def draw_tables(run: Run, home: str) -> Tables:
    """Return the parts of the page that follow from the standings; `home` is the address of the page."""
    path = chart_path(run)
    values = tell_standings(run, home)
    header = render_part("header.html.j2", tell_head(run, path.verdict if path else "", run.is_over))
    groups = {"": [values["standings"]], "By variant": values["by_variant"], "By side": values["by_side"]}
    tables = {
        f"{group}/{view.name}": _draw_view(view, values["links"])
        for group, views in groups.items()
        for view in views
    }
    return Tables(header, render_part("reading.html.j2", values), tables, count_games(run))


def _draw_view(view: View, links: dict[str, str]) -> str:
    return render_part("view.html.j2", {"view": view, "links": links})


def count_games(run: Run) -> int:
    """Return how many games the standings of a run rest on."""
    return int(run.counts["games"].sum())


def make_live_page(run: Run, home: str, now: Now) -> str:
    """Return the page of a run for a server; `home` is its address, as seen from beside it."""
    return make_report(run, live=Live(home, count_games(run), now))


def list_run(run: Run, address: str, changed_at: float, is_moving: bool) -> Listed:
    """Return a run as it stands in the list of runs."""
    progress, path = read_progress(run), chart_path(run)
    headline = f"{say_headline(run, path.verdict if path else '')}."
    still = is_moving and not progress.is_over
    counts = len(run.standings()), progress.played, progress.planned
    return Listed(run.folder.name, address, changed_at, still, headline, *counts)


def make_waiting(title: str, hosted: Hosted) -> str:
    """Return the page of a contest that has not begun: what it waits for, and where bots are handed in."""
    return _make("waiting.html.j2", {"title": title, "hosted": hosted})


def make_index(runs: list[Listed]) -> str:
    """Return the page from which a run is chosen."""
    return _make("index.html.j2", {"title": "Runs", "runs": runs})


def make_notice(title: str, sentence: str, home: str = "") -> str:
    """Return a page that says one thing, and perhaps where all runs are."""
    return _make("notice.html.j2", {"title": title, "sentence": sentence, "home": home})


def _make(template: str, values: dict[str, Any]) -> str:
    return render(template, {**values, "arena_version": arena.__version__}, is_live=True)
