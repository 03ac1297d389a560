"""What goes over the network to a worker of a cluster and back, as bytes.

A worker trusts the coordinator, which may send it any Python object. The coordinator trusts nobody: what
comes back is JSON, and every game in it must be one that this worker was asked for, once, and must have
gone as the rules allow. Bots travel as source and hash; a worker that has one is not sent it again.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from arena.bots.source import Source
from arena.executors.unit import Finished, Replay, Spoilt, Unit
from arena.log.sound import fault_of
from arena.referee.game import GameRecord
from arena.referee.possible import find_wrong_game
from arena.referee.record import read_record
from arena.referee.row import GameRow

Bot = tuple[str, str]
"""The name and the version of a bot."""

LONGEST = 1 << 20
"""The most characters of a text about a game, such as a traceback."""


class Lie(Exception):  # noqa: N818 - it is somebody else's
    """A worker has sent something that cannot be: its one argument says what."""


class Missing(Exception):  # noqa: N818 - nothing is wrong
    """A worker has not got the source of a bot, because it was started again."""


def pack_unit(unit: Unit, known: Iterable[Bot] = ()) -> bytes:
    """Return a unit as it is sent to a worker that knows some bots already."""
    columns, _, *rest = unit.pack()
    named = [((bot.name, bot.version), bot) for bot in unit.bots]
    new = {bot: source for bot, source in named if bot not in set(known)}
    return pickle.dumps((columns, [bot for bot, _ in named], new, rest))


def unpack_unit(data: bytes, known: dict[Bot, Source]) -> Unit:
    """Return what the coordinator has packed, and remember its bots; Missing if one is not known."""
    columns, bots, new, rest = pickle.loads(data)  # from our own coordinator
    for (name, version), source in new.items():
        if (source.name, source.version) != (name, version):
            raise ValueError(f"the source of {name} is not what its hash says")
        known[name, version] = source
    if not known.keys() >= set(bots):
        raise Missing
    return Unit.unpack(columns, tuple(known[bot] for bot in bots), *rest)


def pack_games(found: Finished) -> dict[str, Any]:
    """Return games as a worker sends them back, for JSON."""
    return {
        "rows": found.rows,
        "records": [game._replace(ending=game.ending.value) for game in found.remarkable],  # type: ignore[arg-type]
        "spoilt": [(spoilt.spec.game, spoilt.reason) for spoilt in found.spoilt],
        "replays": found.replays,
    }


def unpack_parts(reply: Mapping[str, Any], units: Sequence[Unit]) -> list[Finished]:
    """Return what a worker sent back for some units, of which it may have left out the last; Lie as below."""
    told = reply.get("units")
    if not isinstance(told, list) or len(told) > len(units) or not all(isinstance(one, dict) for one in told):
        raise Lie("it cannot be read")
    return [unpack_games(one, unit) for one, unit in zip(told, units, strict=False)]


def unpack_games(reply: Mapping[str, Any], unit: Unit) -> Finished:
    """Return the games that a worker sent back for a unit; Lie unless they may be what it was asked for.

    Some may be missing: a unit may be cut anywhere, and somebody else may be asked for the rest.
    """
    try:
        return _unpack(reply, unit)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Lie(f"it cannot be read: {error}") from None


def _unpack(reply: Mapping[str, Any], unit: Unit) -> Finished:
    specs = {spec.game: spec for spec in unit.specs}
    rows = [GameRow(*row) for row in reply["rows"]]
    spoilt = [Spoilt(specs[game], _text(reason)) for game, reason in reply["spoilt"]]
    back = [*(row.game for row in rows), *(one.spec.game for one in spoilt)]
    asked = [spec.game for spec in unit.specs]  # a trial may be there twice
    if back != asked and not Counter(back) <= Counter(asked):
        raise Lie("it is not games that were to be played, each once")
    for row in rows:
        is_trial = specs[row.game].moves_asked > 0  # which is never written down
        fault = (None if is_trial else fault_of(row)) or find_wrong_game(row, specs[row.game])
        if unit.isolation == "sandboxed" != row.isolation:
            fault = "it was not played in a sandbox"
        if fault is not None:
            raise Lie(f"game {row.game}: {fault}")
    by_id = {row.game: row for row in rows}
    records = [_record(values, by_id) for values in reply["records"]]
    replays = [Replay(*map(_text, values)) for values in reply["replays"]]
    if not specs.keys() >= {replay.game for replay in replays}:
        raise Lie("it tells of games that nobody asked for")
    return Finished(rows, records, spoilt, replays)


def _record(values: list[Any], rows: Mapping[str, GameRow]) -> GameRecord:
    """Return what is remarkable about a game; Lie if the game is another one."""
    record = read_record(values)
    _text(record.evidence)
    _text(record.printed)
    if record.row() != rows[record.game]:
        raise Lie(f"game {record.game}: it is told of in two ways")
    return record


def _text(found: object) -> str:
    if not isinstance(found, str) or len(found) > LONGEST:
        raise Lie("a text is missing, or too long")
    return found


def write_reply(**told: object) -> bytes:
    """Return a reply as bytes."""
    return json.dumps(told).encode()


def read_reply(data: object) -> dict[str, Any]:
    """Return what a worker replied; Lie if that is not what workers of ours write."""
    try:
        found = json.loads(data)  # type: ignore[arg-type]
    except (TypeError, ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Lie("it cannot be read")
    return found
