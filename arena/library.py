"""What Python users call for one game: whoever may sit at the board, in this process.

A bot is whatever a user has at hand: a function, a `Bot` object or class, the name of a bot in `bots/`, a
file or a folder. What is none of these is the caller's mistake, and said at once. What a bot does wrong is
its own: it loses, and the record says why.
"""

from __future__ import annotations

import os
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
    chosen = variant if isinstance(variant, Variant) else find_variant(variant)
    one, other = _sit("first", first), _sit("second", second)
    names = (one.name, other.name) if one.name != other.name else (f"{one.name}-1", f"{other.name}-2")
    versions = one.version or names[0], other.version or names[1]
    spec = GameSpec("in-process", chosen, *names, *versions, tuple(opening), seed, limits)
    return play(spec, one.host, other.host)


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
