"""`report.html`: all that a run has to say, in one file that opens from disk with the network off.

The page says what the tables say. Sources of bots are never in it; tracebacks and what bots printed, which
quote them, only if they are passed in; secret variants only after the end, as everywhere. The tournament
file, which has the seed, is in it after the end.

A run that is anonymous has no names to tell, and nothing that would need its folder is said: no command, no
digest. Its bracket is left out: seeds are the order of the tournament file, which often is that of the names.

Refused: a page that fetches its data or its charts, and charts drawn by a script: the page must be whole when
printed, mailed, and opened in ten years.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import arena
from arena.errors import UserError
from arena.files import is_plain_file, write_anew
from arena.pages.bots import (
    MOST_BOTS,
    count_forfeits,
    list_forfeits,
    name_folder,
    read_pages,
    show_bots,
)
from arena.pages.bracket import draw_bracket
from arena.pages.charts import chart_cpu, chart_ledger, chart_lengths, chart_meetings, chart_ratings
from arena.pages.headline import say_headline, say_more
from arena.pages.path import chart_path
from arena.pages.played import read_played
from arena.pages.rendering import render
from arena.pages.replay import show_games
from arena.pages.rounds import chart_ladder, chart_swiss
from arena.pages.standings import view_all, view_parts
from arena.pages.variants import tell_variants
from arena.reports.drawing import LONGEST_NAMES, drawing
from arena.reports.showing import notes
from arena.results.earlier import read_earlier

if TYPE_CHECKING:
    from arena.pages.live import Live
    from arena.results.run import Run

NAME, NAMELESS = "report.html", "report-anonymous.html"
NOTHING: Mapping[str, str] = MappingProxyType({})
LONGEST_CONFIG = 20_000
"""So many letters of a tournament file are shown."""


def write_report(run: Run, path: Path | None = None, printed: Mapping[str, str] = NOTHING) -> Path:
    """Write the page of a run, by default into its folder; return the file. OSError if that fails.

    In a run folder, which may be somebody else's, a link is replaced. Where the user says, only a plain file
    is: to move a file to /dev/null would take the device from the whole machine.
    """
    if path is None:
        return _write(run.folder / NAME, make_report(run, printed))
    if os.path.lexists(path) and not is_plain_file(path):
        raise UserError(f"{path}: this is not a plain file, and is not replaced; name another --output")
    with write_anew(path) as out:  # a wrong place is found out at once
        out.write(make_report(run, printed))
    return path


def _write(file: Path, text: str) -> Path:
    with write_anew(file) as out:
        out.write(text)
    return file


def make_report(run: Run, printed: Mapping[str, str] = NOTHING, live: Live | None = None) -> str:
    """Return the page of a run; `printed` is what is told of forfeits beyond their sentences, by game.

    `live` is what a page has more that comes from a server.
    """
    bots, charts = run.standings()["bot"].tolist(), chart_all(run)
    values = {
        "name": run.field.name,
        **tell_head(run, charts["path"].verdict if charts["path"] else "", live is None or run.is_over),
        **tell_standings(run, live.home if live else ""),
        "printed": printed,
        **charts,
        **_tell(run, bots, printed),
        "arena_version": arena.__version__,
        "live": live,
    }
    return render("report.html.j2", values, is_live=live is not None)


def tell_head(run: Run, verdict: str, has_digest: bool) -> dict[str, Any]:
    """Return what stands at the head of the page; `verdict` is that of a sequential test.

    The digest, and how many games are distinct, take as long as all the rest.
    """
    return {
        "name": run.field.name,
        "headline": say_headline(run, verdict),
        "more": say_more(run),
        "facts": _list_facts(run, has_digest),
        "commands": _list_commands(run),
    }


def tell_standings(run: Run, home: str = "") -> dict[str, Any]:
    """Return the values of the standings; `home` is the address of a page that comes from a server.

    The parts of the bots are numbered in the order of the field, so that a table leads to them whatever the
    ranks were when they were written. From a server every bot has a page of its own, and it leads there.
    """
    shown, earlier = run.standings()["bot"].tolist()[:MOST_BOTS], read_earlier(run)
    numbers = {bot: number for number, bot in enumerate(run.field.bots, 1)}
    places = {bot: numbers.get(bot, len(numbers) + number) for number, bot in enumerate(shown, 1)}
    anchors = {bot: f"bot-{number}" for bot, number in places.items()}
    own = {bot: f"{home}/bots/{quote(bot, safe='')}" for bot in run.field.bots}
    return {
        "anchors": anchors,
        "links": own if home else {bot: f"#{anchor}" for bot, anchor in anchors.items()},
        "earlier": earlier,
        "has_unrated": bool(run.unrated),
        "standings": view_all(run, earlier),
        "by_variant": view_parts(run, "variant"),
        "by_side": view_parts(run, "side"),
    }


def chart_all(run: Run) -> dict[str, Any]:
    """Return the values of all charts by name."""
    standings, played = run.standings(), read_played(run)
    bracket = None if run.is_anonymous else run.bracket
    return {
        "ratings": chart_ratings(standings),
        "ledger": chart_ledger(run.ledger()),
        "meetings": chart_meetings(run.crosstable()),
        "lengths": chart_lengths(played.lengths),
        "cpu": chart_cpu(standings, played.fullest, run.field.limits),
        "limits": run.field.limits,
        "forfeit_kinds": count_forfeits(run, standings["bot"].tolist()),
        "bracket": None if bracket is None else draw_bracket(bracket),
        "bracket_text": "" if bracket is None else drawing(bracket, LONGEST_NAMES[1]),
        "swiss": chart_swiss(run),
        "ladder": chart_ladder(run),
        "path": chart_path(run),
    }


def _tell(run: Run, bots: list[str], printed: Mapping[str, str]) -> dict[str, Any]:
    pages = read_pages(run, bots)
    forfeits = list(list_forfeits(run, pages))
    shown = {each.game for each in forfeits} | {blunder.game for page in pages for blunder in page.blunders}
    with run.log() as log:
        config = log.config()[:LONGEST_CONFIG] if run.is_over else ""
    return {
        "variants": tell_variants(run),
        "notes": notes(run),
        "forfeits": forfeits,
        "replay": show_games(run, shown, printed),
        "bots": show_bots(run, pages),
        "left_out": len(bots) - len(pages),
        "config": config,
    }


def _list_facts(run: Run, has_digest: bool) -> list[tuple[str, str]]:
    with run.log() as log:
        played_at = log.played_at
    games, missing = int(run.counts["games"].sum()), run.missing
    limits = run.field.limits
    distinct = f", {run.distinct:,} distinct" if has_digest else ""
    still = f", {missing:,} still to be played" if missing else ""
    return [
        ("Format", run.field.format),
        ("Bots", f"{len(run.standings()):,}"),
        ("Variants", f"{len(run.variants):,}"),
        ("Games", f"{games:,}{distinct}{still}"),
        ("Played", played_at.replace("T", " ")[:16] + " UTC" if games else "not yet"),
        ("Limits", f"{limits['move_seconds']:g} s of CPU a move, {limits['game_seconds']:g} s a game"),
        *([("Digest", run.digest())] if has_digest and games and not run.is_anonymous else []),
    ]


def _list_commands(run: Run) -> list[str]:
    """Return what to type to play it all again; nothing if the reader cannot have the folder, or not yet."""
    if run.is_anonymous or run.hidden:
        return []
    typed = name_folder(run)
    return [
        f"arena export {typed} again",
        f"arena run again/configs/{run.field.name}.toml",
        f"arena verify {typed}",
    ]
