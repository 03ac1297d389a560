"""What a contest says of itself, and why it does not play. Pure."""

from __future__ import annotations

from typing import NamedTuple

from arena.contest.aim import Aim
from arena.formats import FORMATS

NO_BOT = "No bot has entered yet. Games begin when there are two."
ONE_BOT = "Only one bot has entered yet. Games begin when there are two."
DRAWN_ONCE = "Games begin when the organiser closes the contest: who comes later than that cannot be drawn."
TOO_FEW = "Fewer than two bots are left, so nothing is played. The table is that of the last games."
PAUSED = "Paused by the organiser: nothing is played at the moment."
ALL_PLAYED = "All games are played. New bots can be handed in at any time."
CLOSED = "Closed: no more bots are taken."
CLOSED_AND_PLAYED = "Closed, and all games are played."
OUR_FAULT = "Nothing is played at the moment: arena has made a mistake. It tries again."


class Status(NamedTuple):
    """What a contest says: to everybody, and what is wrong to the organiser alone."""

    words: str = ""
    trouble: str = ""


def say_why_not(aim: Aim, bots: int, format: str, has_games: bool) -> str:
    """Return why nothing is played now; nothing if it is. `has_games` if there is a log already."""
    if aim.is_paused:
        return PAUSED
    if bots < 2:
        return TOO_FEW if has_games else ONE_BOT if bots else NO_BOT
    return DRAWN_ONCE if FORMATS[format].has_bracket and not (aim.is_closed or has_games) else ""
