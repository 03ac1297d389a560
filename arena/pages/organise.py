"""The organiser's view of a contest: how it goes, who has entered, what was done, and what can be done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import arena
from arena.pages.live import say_time
from arena.pages.rendering import render

MOST_ROWS = 10
"""So many lines of a list are shown at once; the older ones are folded."""


class Entrant(NamedTuple):
    """A bot that has entered, or had."""

    name: str
    version: str
    since: str
    is_withdrawn: bool


class Row(NamedTuple):
    """A line about an upload or a deed: when, who, what, and a few words more."""

    when: str
    who: str
    what: str
    subject: str = ""
    reason: str = ""


class Rows(NamedTuple):
    """Lines of a list, the newest first: some at once, older ones folded, and how many are left out."""

    shown: Sequence[Row]
    folded: Sequence[Row]
    left_out: int


class Count(NamedTuple):
    """What was handed in, in numbers."""

    uploads: int
    last_day: int
    failed: int
    idle: list[str]  # who has a token, and no bot that plays


class Organised(NamedTuple):
    """What the page shows to an organiser; it has their token in it, for the next deed."""

    token: str
    said: str  # what was just done, or why not
    words: str
    trouble: str
    is_paused: bool
    is_closed: bool
    waiting: int
    own: list[str]  # the bots of the tournament file
    entrants: list[Entrant]
    handed: Count
    uploads: Rows
    deeds: Rows
    notes: list[str]


def make_row(at: float, who: str, what: str, subject: str = "", reason: str = "") -> Row:
    """Return a line with its time in words."""
    return Row(f"{say_time(at)} UTC", who, what, subject, reason)


def fold(rows: Sequence[Row], most: int) -> Rows:
    """Return a list, the newest line first, of which so many are told; the oldest line comes first here."""
    told = rows[::-1][:most]
    return Rows(told[:MOST_ROWS], told[MOST_ROWS:], len(rows) - len(told))


def make_organise(
    name: str, address: str, shown: Organised | None, make_id: Callable[[], str], refusal: str = ""
) -> str:
    """Return the page; without anything to show it only asks for the token, and says why it was refused.

    `make_id` is asked for an id of each form.
    """
    values = {"title": f"Organise {name}", "name": name, "address": address, "shown": shown}
    return render(
        "organise.html.j2",
        {**values, "make_id": make_id, "refusal": refusal, "arena_version": arena.__version__},
        is_live=True,
    )
