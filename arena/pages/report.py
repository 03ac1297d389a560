"""`report.html`: all that a run has to say, in one file that opens from disk with the network off.

The page says what the tables say. Sources of bots, tracebacks and what bots printed are never in it; secret
variants only after the end, as everywhere. The tournament file, which has the seed, is in it after the end.

Refused: a page that fetches its data or its charts, and charts drawn by a script: the page must be whole when
printed, mailed, and opened in ten years.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import arena
from arena.errors import UserError
from arena.files import is_plain_file, write_anew
from arena.pages.bots import MOST_BOTS, list_forfeits, name_folder, read_pages, show_bots
from arena.pages.charts import chart_cpu, chart_ledger, chart_lengths, chart_meetings, chart_ratings
from arena.pages.headline import say_headline, say_more
from arena.pages.played import read_played
from arena.pages.rendering import render
from arena.pages.standings import fold_standings, list_standings
from arena.pages.variants import tell_variants
from arena.reports.drawing import LONGEST_NAMES, drawing
from arena.reports.showing import notes

if TYPE_CHECKING:
    import pandas as pd

    from arena.results.run import Run

NAME = "report.html"
LONGEST_CONFIG = 20_000
"""So many letters of a tournament file are shown."""


def write_report(run: Run, path: Path | None = None) -> Path:
    """Write the page of a run, by default into its folder; return the file. OSError if that fails.

    In a run folder, which may be somebody else's, a link is replaced. Where the user says, only a plain file
    is: to move a file to /dev/null would take the device from the whole machine.
    """
    file = run.folder / NAME if path is None else path
    if path is not None and os.path.lexists(path) and not is_plain_file(path):
        raise UserError(f"{path}: this is not a plain file, and is not replaced; name another --output")
    with write_anew(file) as out:  # a wrong place is found out at once
        out.write(make_report(run))
    return file


def make_report(run: Run) -> str:
    """Return the page of a run."""
    standings = run.standings()
    bots = standings["bot"].tolist()
    values = {
        "name": run.field.name,
        "headline": say_headline(run),
        "more": say_more(run),
        "facts": _list_facts(run, len(bots)),
        "commands": _list_commands(run),
        "anchors": {bot: f"bot-{number}" for number, bot in enumerate(bots[:MOST_BOTS], 1)},
        "standings": list_standings(run),
        "by_variant": fold_standings(run, "variant"),
        "by_side": fold_standings(run, "side"),
        "bracket": "" if run.bracket is None else drawing(run.bracket, LONGEST_NAMES[1]),
        **_chart(run, standings),
        **_tell(run, bots),
        "arena_version": arena.__version__,
    }
    return render("report.html.j2", values)


def _chart(run: Run, standings: pd.DataFrame) -> dict[str, Any]:
    played = read_played(run)
    return {
        "ratings": chart_ratings(standings),
        "ledger": chart_ledger(run.ledger()),
        "meetings": chart_meetings(run.crosstable()),
        "lengths": chart_lengths(played.lengths),
        "cpu": chart_cpu(standings, played.fullest, run.field.limits),
        "limits": run.field.limits,
    }


def _tell(run: Run, bots: list[str]) -> dict[str, Any]:
    pages = read_pages(run, bots)
    with run.log() as log:
        config = log.config()[:LONGEST_CONFIG] if run.is_over else ""
    return {
        "variants": tell_variants(run),
        "notes": notes(run),
        "forfeits": list(list_forfeits(run, pages)),
        "bots": show_bots(run, pages),
        "left_out": len(bots) - len(pages),
        "config": config,
    }


def _list_facts(run: Run, bots: int) -> list[tuple[str, str]]:
    with run.log() as log:
        played_at = log.played_at
    games, missing = int(run.counts["games"].sum()), run.missing
    limits = run.field.limits
    still = f", {missing:,} still to be played" if missing else ""
    return [
        ("Format", run.field.format),
        ("Bots", f"{bots:,}"),
        ("Variants", f"{len(run.variants):,}"),
        ("Games", f"{games:,}, {run.distinct:,} distinct{still}"),
        ("Played", played_at.replace("T", " ")[:16] + " UTC" if played_at else "not yet"),
        ("Limits", f"{limits['move_seconds']:g} s of CPU a move, {limits['game_seconds']:g} s a game"),
        ("Digest", run.digest()),
    ]


def _list_commands(run: Run) -> list[str]:
    """Return what to type to play it all again."""
    typed = name_folder(run)
    return [
        f"arena export {typed} again",
        f"arena run again/configs/{run.field.name}.toml",
        f"arena verify {typed}",
    ]
