"""What Python users call for one game: whoever may sit at the board, in this process.

A bot is whatever a user has at hand: a function, a `Bot` object or class, the name of a bot in `bots/`, a
file or a folder. What is none of these is the caller's mistake, and said at once. What a bot does wrong is
its own: it loses, and the record says why.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from arena.bots.finding import read_bot
from arena.errors import UserError, printable
from arena.game import Variant
from arena.game import variant as find_variant
from arena.hosts.opening import program_at
from arena.hosts.play import play
from arena.hosts.trusted import TrustedHost
from arena.inside.program import BotFault
from arena.referee.game import DEFAULT_LIMITS, SEED, GameRecord, GameSpec, Limits

BOT = "a function, a Bot object or class, the name of a bot, or the path of its file or folder"


def play_game(
    variant: Variant | str | os.PathLike[str],
    first: object,
    second: object,
    *,
    opening: tuple[int, ...] = (),
    seed: int = SEED,
    limits: Limits = DEFAULT_LIMITS,
) -> GameRecord:
    """Play one game in this process and return its record; UserError if one of the two is no bot.

    A bot is a function, a `Bot` object or class, a name or a path; names are looked for in `bots/`.
    """
    chosen, cells = find_variant(variant), _read_opening(opening)
    _check_numbers(seed, limits)
    one, other = _sit("first", first), _sit("second", second)
    names = (one.name, other.name) if one.name != other.name else (f"{one.name}-1", f"{other.name}-2")
    versions = one.version or names[0], other.version or names[1]
    spec = GameSpec("in-process", chosen, *names, *versions, cells, seed, limits)
    return play(spec, one.host, other.host)


def _read_opening(opening: object) -> tuple[int, ...]:
    if isinstance(opening, Iterable) and not isinstance(opening, str | bytes):
        return tuple(opening)
    raise UserError(f"opening: {printable(repr(opening), 80)} is no list of cells, such as (12, 3)")


def _check_numbers(seed: object, limits: object) -> None:
    if not hasattr(seed, "__index__"):
        raise UserError(f"seed: {printable(repr(seed), 80)} is no whole number")
    if not isinstance(limits, Limits):
        raise UserError(f"limits: {printable(repr(limits), 80)} is no arena.Limits(move_seconds=1.0, ...)")
    for key, value in limits._asdict().items():
        if key != "solver" and not (isinstance(value, int | float) and value > 0):
            raise UserError(f"limits: {key}: {printable(repr(value), 80)} is no number above 0")


class _Seat(NamedTuple):
    """A bot at the board; what is no file has no version."""

    name: str
    version: str
    host: TrustedHost


def _sit(place: str, bot: object) -> _Seat:
    if isinstance(bot, str | os.PathLike):
        return _sit_file(place, os.fspath(bot))
    if not isinstance(bot, type) and not callable(getattr(bot, "move", bot)):
        raise UserError(f"{place}: {printable(repr(bot), 80)} is no bot; a bot is {BOT}")
    name = getattr(bot, "__name__", None) or type(bot).__name__
    return _Seat(str(name), "", TrustedHost(bot))


def _sit_file(place: str, text: str) -> _Seat:
    try:
        source, path = read_bot(text, Path())
    except UserError as error:
        raise UserError(f"{place}: {error}") from None
    try:
        return _Seat(source.name, source.version, TrustedHost(program_at(path)))
    except BotFault as fault:
        return _Seat(source.name, source.version, TrustedHost(_never_starting(fault)))


def _never_starting(fault: BotFault) -> type:
    """Return the class of a bot that cannot even be compiled: it forfeits when a game begins."""

    class Bot:
        def __init__(self) -> None:
            raise fault

    return Bot
