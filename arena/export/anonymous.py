"""A run under other names, so that a page of it can be published without telling who did what.

It is a copy of the log in which every bot has a number for a name. All that a page says comes from a log, so
a page of the copy cannot say a name: there is nothing to replace in texts, and nothing to forget. The copy
has only what is listed here: no source, no version, no sentence about a forfeit (which may quote a bot), no
tournament file. It is in a folder that nobody else can read, and is deleted at the end.

Numbers follow the standings. Nothing in the copy is in the order of the true names, which a class list gives
away: bots and plan are in the order of the numbers. The ids of games are those that these names would
have had, with hashes made from the numbers: a true id is a hash over names and sources, and whoever has a
bot's source could tell by it which games are that bot's.

What remains: a person who knows how a bot plays can recognise its moves, and its author certainly can.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from arena.field import Field, Grading
from arena.files import is_plain_file, write_anew
from arena.leftovers import name_after_us
from arena.log import audits
from arena.log.archive import keep_openings, keep_variant, kept_openings, kept_variant
from arena.log.cache import CACHE
from arena.log.inventory import CONTEST, OPEN
from arena.log.reading import Log, PlannedGame
from arena.log.writing import Store
from arena.plan.plan import Plan, Sheets
from arena.plan.rounds import read_first_field
from arena.referee.game import Limits
from arena.results.run import Run

OTHER_NAME = {"versus": "versus"}
"""Formats whose runs are named after their bots, and what such a run is called instead."""

WHEN = "1970-01-01T00:00:00Z"
"""What stands for a time that nobody reads."""


class Numbers(NamedTuple):
    """The names and the full hashes that bots have instead of their own."""

    names: dict[str, str]
    hashes: dict[tuple[str, str], str]  # by true name and version

    def rename(self, bot: str) -> str:
        """Return the number of a bot, or of `name@version`, which is an old version of one."""
        name, at, version = bot.partition("@")
        return f"{self.names[name]}@{self.hashes[name, version][:12]}" if at else self.names[name]


@contextmanager
def open_anonymous(run: Run) -> Iterator[tuple[Run, dict[str, str]]]:
    """Give a copy of a run under other names, and the key: the true names by the others."""
    with TemporaryDirectory(prefix=name_after_us("anonymous")) as place:
        folder = Path(place)
        with run.log() as log:
            numbers = _number(log, run)
            if is_plain_file(run.folder / CACHE):  # grades belong to moves, whoever made them
                shutil.copyfile(run.folder / CACHE, folder / CACHE)
            with closing(Store(folder)) as store:
                _copy(run, log, store, numbers)
        copy = Run(folder, run.is_whole, is_anonymous=True)
        yield copy, {number: name for name, number in numbers.names.items() if name in run.field.bots}


def _number(log: Log, run: Run) -> Numbers:
    """Return numbers for all bots that a log has: those of the field by rank, then those that have left."""
    stored, standings = log.bots(), run.standings()
    # Equal bots, and those that have left, are in the order of their hashes: that of the names would tell.
    ranks = sorted(
        zip(standings["rank"], map(run.field.bots.get, standings["bot"]), standings["bot"], strict=True)
    )
    left = sorted((full, name) for name, _, full in stored if name not in run.field.bots)
    order = dict.fromkeys([*(name for _, _, name in ranks), *(name for _, name in left)])
    digits = len(str(len(order)))
    names = {name: f"bot-{number:0{digits}}" for number, name in enumerate(order, 1)}
    hashes = {
        (name, version): sha256(f"{names[name]} {number}".encode()).hexdigest()
        for number, (name, version, _) in enumerate(sorted(stored, key=lambda bot: (names[bot[0]], bot[2])))
    }
    return Numbers(names, hashes)


def _copy(run: Run, log: Log, store: Store, numbers: Numbers) -> None:
    field = _rename_field(run.field, numbers)
    store.write_fact("id format", str(log.id_format))
    store.write_fact("drawing", str(log.drawing))
    _copy_bots(log, store, numbers)
    for name, version in run.field.variants:
        variant = kept_variant(log, name, version)
        keep_variant(store, variant)
        keep_openings(store, variant, field.seed, kept_openings(log, variant, field.seed))
    ids = _copy_plan(log, store, field, numbers)
    _copy_rounds(log, store, field, numbers)
    _copy_games(log, store, numbers, ids)
    _copy_doubts(log, store, numbers, ids)
    limits = json.dumps(field.limits)
    store.insert("runs", [(1, WHEN, log.played_at, "", limits, *[""] * 4, field.isolation, "", "", 0)])
    if run.is_over:
        store.write_fact("over", store.fact("plan"))
    if log.is_open:
        store.write_fact(CONTEST, OPEN)
    store.settle()


def _rename_field(field: Field, numbers: Numbers) -> Field:
    # A test asks whether its first bot is better than its second, so these two stay as they are.
    order = list(field.bots) if field.format == "versus" else sorted(field.bots, key=numbers.rename)
    hashes = {numbers.names[name]: numbers.hashes[name, field.bots[name][:12]] for name in order}
    grading = field.grading
    return field._replace(
        name=OTHER_NAME.get(field.format, field.name),
        bots=hashes,
        grading=None if grading is None else _rename_grading(grading, numbers),
        keep_solver=tuple(sorted(map(numbers.rename, field.keep_solver))),
    )


def _rename_grading(grading: Grading, numbers: Numbers) -> Grading:
    return grading._replace(bosses=tuple(sorted(map(numbers.rename, grading.bosses))))


def _copy_bots(log: Log, store: Store, numbers: Numbers) -> None:
    unrepeatable = set(log.unrepeatable())
    rows = []
    for name, version, full in log.bots():
        other, is_repeatable = numbers.hashes[name, version], (name, full) not in unrepeatable
        rows.append((numbers.names[name], other[:12], other, "bot.py", "[]", "", int(is_repeatable)))
    store.insert("bots", sorted(rows))


def _copy_plan(log: Log, store: Store, field: Field, numbers: Numbers) -> dict[str, str]:
    """Write the plan in the order of the numbers; return the new ids of its games by the true ones."""
    variants = [kept_variant(store, *named) for named in field.variants]
    versions = field.bots | {f"{name}@{version}": full for name, version, full in store.bots()}
    made = Plan(
        variants,
        {},
        versions,
        (),
        Sheets(1, 1),
        field.seed,
        Limits(**field.limits),  # type: ignore[arg-type]
        store.id_format,
        field.keep_solver,
    )
    ids, games = {}, []
    for planned in log.planned_games():
        first, second = map(numbers.rename, (planned.first, planned.second))
        other = made.game_id(planned.variant, first, second, planned.cells, planned.repeat)
        ids[planned.game] = other
        games.append(planned._replace(game=other, first=first, second=second))
    store.write_plan("anonymous", field.write(), sorted(games, key=_order))
    return ids


def _order(game: PlannedGame) -> tuple[str, str, str, int, int]:
    return game.variant, game.first, game.second, game.opening, game.repeat


def _copy_rounds(log: Log, store: Store, field: Field, numbers: Numbers) -> None:
    if not field.series:
        return
    drawn = read_first_field(log, field.series)
    store.write_fact(f"drawn {field.series}", json.dumps([numbers.names[name] for name in drawn]))
    store.insert("rounds", [_rename_pairing(field.series, row, numbers) for row in log.rounds(field.series)])


def _rename_pairing(series: str, row: tuple[object, ...], numbers: Numbers) -> tuple[object, ...]:
    number, one, one_version, other, other_version, *sheets = map(str, row)
    both = [
        part
        for name, version in ((one, one_version), (other, other_version))
        for part in (numbers.names[name], numbers.hashes[name, version][:12])
    ]
    return (series, int(number), *both, *map(int, sheets))


def _copy_games(log: Log, store: Store, numbers: Numbers, ids: Mapping[str, str]) -> None:
    store.write(
        game._replace(
            game=ids[game.game],
            first=numbers.names[game.first],
            second=numbers.names[game.second],
            first_version=numbers.hashes[game.first, game.first_version][:12],
            second_version=numbers.hashes[game.second, game.second_version][:12],
            winner=numbers.names[game.winner],
            detail="",
        )
        for game in log.games()
    )


def _copy_doubts(log: Log, store: Store, numbers: Numbers, ids: Mapping[str, str]) -> None:
    """Copy what to know before results are trusted: voids, games played again, what audits found."""
    for game in log.void_games():
        store.write_void(ids[game], "", "", "", "", 1)
    again = [
        (ids[game], "", "", "", bot and numbers.names.get(bot, ""), "") for game, bot, _ in log.replays()
    ]
    store.write_replays(again, 1)
    cases = [case.again for case in audits.evidence(log).values() if case.again.game in ids]
    audits.write(
        store, [case._replace(game=ids[case.game], bot=numbers.rename(case.bot)) for case in cases], 1
    )


def write_key(key: Mapping[str, str], beside: Path) -> Path:
    """Write who is who into `<name>-key.csv` beside a page, for its owner alone; return the file."""
    file = beside.with_name(f"{beside.stem}-key.csv")
    with write_anew(file, is_private=True) as out:
        out.write("".join(f"{number},{name}\n" for number, name in [("bot", "name"), *key.items()]))
    return file
