"""The pages by which a bot is handed in: the form, what happens to it, and its author's own page.

A page that says what happens is sent piece by piece: `begin_receipt` returns what is before its lines and
what is behind them, and every line is drawn by itself. Words and steps are those of `arena check`.
"""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import quote

import arena
from arena.checking.check import Step
from arena.pages.evidence import Kind
from arena.pages.live import say_time
from arena.pages.rendering import render, render_part

_CUT = "<!-- what happens -->"
HEARTBEAT = (
    '<li class="beat" hidden>The connection was lost before the end: <a href="submit">My bot</a> shows what '
    "became of it.</li>\n"
)
"""Tells readers, and whoever is between us and them, that the line is not dead.

It takes the place of the one before. Its sentence is seen when no other has come for a while, and the page
has not come to its end. Styles do that, so it works without a script. Refused: a script that sees how the
page ends. Without it the pages work everywhere, and a connection that dies without a word does not end.
"""


class Handed(NamedTuple):
    """An upload as its author's page shows it; the number counts the author's own."""

    number: int
    version: str
    received_at: float
    state: str
    steps: tuple[Step, ...]

    @property
    def received(self) -> str:
        """When it was received, to the minute."""
        return say_time(self.received_at)


class Mine(NamedTuple):
    """An author's page: the bot's place, what was handed in, the newest first, and its forfeits."""

    name: str
    place: str
    handed: list[Handed]
    forfeits: list[Kind]
    trouble: str = ""  # why forfeits cannot be read, if they cannot
    has_games: bool = False  # then it has a page of its own


def make_form(tournament: str, why_not: str = "", said: str = "") -> str:
    """Return the page with the forms; `said` is why something that was sent is not taken."""
    title = f"Hand in a bot: {tournament}"
    return _make("submit.html.j2", tournament, {"title": title, "why_not": why_not, "said": said})


def begin_receipt(tournament: str, name: str, filename: str, version: str) -> tuple[str, str]:
    """Return the beginning and the end of the page about an upload that was received."""
    values = {"title": f"{name}: received", "name": name, "filename": filename, "version": version[:12]}
    before, _, behind = _make("receipt.html.j2", tournament, values).partition(_CUT)
    return before, behind


def draw_step(number: int, step: Step) -> str:
    """Return a step of a check, whose last one has what the bot printed."""
    return render_part("step.html.j2", {"number": number, "step": step})


def draw_line(sentence: str, kind: str = "") -> str:
    """Return a line about what happens; `kind` is `good` or `failed` if it is a verdict.

    It is `bad` if something else went wrong, and `now` if the next line takes its place.
    """
    return render_part("happening.html.j2", {"sentence": sentence, "kind": kind})


def make_mine(tournament: str, mine: Mine) -> str:
    """Return the page of a bot for its author."""
    return _make("mine.html.j2", tournament, {"title": f"{mine.name} in {tournament}", "mine": mine})


def _make(template: str, tournament: str, values: dict[str, Any]) -> str:
    place = {"tournament": tournament, "run": f"../{quote(tournament, safe='')}"}
    return render(template, {**place, **values, "arena_version": arena.__version__}, is_live=True)
