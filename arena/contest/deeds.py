"""What organisers have done to a contest, in order. How it stands follows from that, and is never stored."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from arena.contest.database import Database

PAUSE, RESUME, WITHDRAW, READMIT = "pause", "resume", "withdraw", "readmit"
CLOSE, REOPEN = "close", "reopen"
"""Of each two the last word counts."""

SET_ASIDE = "set aside"
"""The deed by which a game is played again; its subject is the game's id."""


class Deed(NamedTuple):
    """What an organiser has done, to whom and why."""

    at: float
    who: str
    what: str
    subject: str
    reason: str


class Standing(NamedTuple):
    """What follows from the deeds of a contest."""

    is_paused: bool
    is_closed: bool
    withdrawn: frozenset[str]
    """The names of the bots that were taken out and not let in again."""


def stand_after(deeds: Sequence[Deed]) -> Standing:
    """Return how a contest stands after all that was done to it."""
    words = [deed.what for deed in deeds]
    of_bots = {deed.subject: deed.what for deed in deeds if deed.what in (WITHDRAW, READMIT)}
    withdrawn = frozenset(name for name, what in of_bots.items() if what == WITHDRAW)
    return Standing(_is_last(words, PAUSE, RESUME), _is_last(words, CLOSE, REOPEN), withdrawn)


def say_withdrawn(deeds: Sequence[Deed], name: str) -> str:
    """Return that a bot was withdrawn, and the organiser's reason if one was given; nothing if it was not."""
    last = [deed for deed in deeds if deed.subject == name and deed.what in (WITHDRAW, READMIT)][-1:]
    reasons = [deed.reason for deed in last if deed.what == WITHDRAW]
    return "".join(f"was withdrawn by the organiser: {reason}".rstrip(": ") for reason in reasons)


def _is_last(words: Sequence[str], one: str, other: str) -> bool:
    return [word for word in words if word in (one, other)][-1:] == [one]


class DeedBook(Database):
    """The part of a book that has the deeds."""

    def note_deed(
        self,
        tournament: str,
        who: str,
        what: str,
        subject: str = "",
        reason: str = "",
        at: float | None = None,
    ) -> None:
        """Write down what an organiser has done."""
        row = (tournament, time.time() if at is None else at, who, what, subject, reason)
        with self._change():
            asked = "INSERT INTO deeds (tournament, at, who, what, subject, reason) VALUES (?, ?, ?, ?, ?, ?)"
            self._ask(asked, *row)

    def deeds(self, tournament: str) -> list[Deed]:
        """Return what organisers have done in a tournament, the oldest first."""
        asked = "SELECT at, who, what, subject, reason FROM deeds WHERE tournament = ? ORDER BY id"
        return [Deed(*row) for row in self._ask(asked, tournament)]

    def standing(self, tournament: str) -> Standing:
        """Return how a tournament stands after all that organisers have done."""
        return stand_after(self.deeds(tournament))
