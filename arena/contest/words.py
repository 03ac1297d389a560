"""What a contest says of itself, and why it does not play. Pure."""

from __future__ import annotations

from collections.abc import Sequence
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
CLOSED_AND_PAUSED = (
    "Closed, and paused by the organiser: what is missing is played, and all is shown, when it is resumed."
)
CLOSED_AND_CHECKING = f"{CLOSED} What was handed in before is still being checked."
CLOSED_AND_PLAYED = "Closed, and all games are played."
UNDERWAY = "What was said last is being done at this moment. Look again."
OUR_FAULT = "Nothing is played at the moment: arena has made a mistake. It tries again."


class Status(NamedTuple):
    """What a contest says: to everybody, and what is wrong to the organiser alone."""

    words: str = ""
    trouble: str = ""
    deeds: int = 0  # so many deeds of the organiser were known when the words were said
    is_closed: bool = False  # after these deeds


def say_why_not(aim: Aim, bots: int, format: str, has_games: bool) -> str:
    """Return why nothing is played now; nothing if it is. `has_games` if there is a log already."""
    if aim.is_paused:
        return CLOSED_AND_PAUSED if aim.is_closed else PAUSED
    if bots < 2:
        few = ONE_BOT if bots else NO_BOT
        return f"{CLOSED} " * aim.is_closed + (TOO_FEW if has_games else few)
    is_too_late_after_the_first = bool(FORMATS[format].too_late)
    if is_too_late_after_the_first and not (aim.is_last or has_games):
        return CLOSED_AND_CHECKING if aim.is_closed else DRAWN_ONCE
    return ""


def say_how(aim: Aim, is_played: bool) -> str:
    """Return what is said while all goes well: during a sitting, and when all is played."""
    if aim.is_checking:
        return CLOSED_AND_CHECKING
    if aim.is_closed:
        return CLOSED_AND_PLAYED if is_played else CLOSED
    return ALL_PLAYED if is_played else ""


def say_twice(names: Sequence[str]) -> str:
    """Return what is wrong where bots of the tournament file are called as some that were handed in."""
    if not names:
        return ""
    return (
        f"What was handed in as {', '.join(names)} does not play: the tournament file has a bot of this name."
    )


def say_spoilt(count: int) -> str:
    """Return that so many games could not be played, through no fault of a bot."""
    games = "1 game was" if count == 1 else f"{count:,} games were"
    return f"{games} spoilt by this machine, and will be played again. All others are played."
