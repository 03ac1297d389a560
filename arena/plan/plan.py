"""The plan: which games make up a tournament. A game's id is a hash of everything that identifies it.

The plan is a pure function of the tournament and of the rounds that its log has frozen; a run plays the games
of the plan that are not in the log yet. The id covers everything that can change the result: variant, bots,
opening, repeat, seed and limits. So a game is never played twice, and an edited bot never inherits the
results of its old version.

The games of a round come in sweeps. In a sweep every pairing plays a few sheets, both sides in turn. The
first sweep is a single sheet, and each later one is as long as all before it, up to the size of a unit. So a
run that is stopped early leaves a balanced table, and later sweeps give workers as much as they can use. What
takes but seconds is put together (`tournament.stretches`).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from arena.formats.meeting import Pairing, name_of
from arena.game import Variant
from arena.game.definition import define
from arena.log.reading import PlannedGame
from arena.referee.game import ID_FORMAT, GameSpec, Limits
from arena.referee.row import write_cells
from arena.solver.openings import Opening

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

MOST_IN_UNIT = 256

Identifier = Callable[[str, int], str]
"""From the cells of an opening and the repeat to the id of a game."""


class Sheets(NamedTuple):
    """What a meeting is played on: sheet after sheet, each an opening of every variant with sides swapped.

    A whole meeting has every opening of the tournament, each as often as it is repeated. Further sheets, as
    in deciders, have the next openings; when there are no more, the same ones again with other seeds.
    """

    openings: int
    repeats: int

    @property
    def in_meeting(self) -> int:
        """How many sheets a whole meeting has."""
        return self.openings * self.repeats

    def slot(self, sheet: int, available: int) -> tuple[int, int] | None:
        """Return the repeat and the opening of a sheet on a variant; None if it has too few openings."""
        meeting, within = divmod(sheet, self.in_meeting)
        repeat, number = divmod(within, self.openings)
        number += meeting * self.openings
        if number < available:
            return repeat, number
        if not meeting or not available:
            return None
        return repeat + self.repeats * (number // available), number % available


class Plan:
    """The games of a tournament, round by round.

    `versions` are the bots' full hashes by name, those of old versions by `name@version`; `openings` those of
    each variant, as many as are needed; bots that `keep_solver` have it in spite of the limits.
    """

    def __init__(
        self,
        variants: Sequence[Variant],
        openings: dict[str, list[Opening]],
        versions: dict[str, str],
        rounds: Sequence[Sequence[Pairing]],
        sheets: Sheets,
        seed: int,
        limits: Limits,
        id_format: int = ID_FORMAT,
        keep_solver: Collection[str] = (),
    ) -> None:
        self.variants = {variant.name: variant for variant in variants}
        self.openings = openings
        self.versions = versions
        self.rounds = rounds
        self.sheets = sheets
        self.seed = seed
        self.limits = limits
        self.id_format = id_format
        self.keep_solver = frozenset(keep_solver) if not limits.solver else frozenset()
        self._common = {name: common_part(v, seed, limits, id_format) for name, v in self.variants.items()}
        self._sides = {
            bot: Side(name_of(bot), full, self._keeps(bot)).write() for bot, full in versions.items()
        }

    @property
    def distinct_openings(self) -> int:
        """How many openings there are on all variants."""
        return sum(map(len, self.openings.values()))

    @property
    def pairings(self) -> int:
        """How many pairings there are in all rounds."""
        return sum(map(len, self.rounds))

    @property
    def distinct_games(self) -> int:
        """How many games differ in more than their seeds."""
        return self._count(is_distinct=True)

    @property
    def count(self) -> int:
        """How many games there are."""
        return self._count(is_distinct=False)

    def _count(self, is_distinct: bool) -> int:
        stretches = Counter((pairing.start, pairing.sheets) for some in self.rounds for pairing in some)
        return 2 * sum(
            times * self.pairs_on(range(start, start + count), is_distinct)
            for (start, count), times in stretches.items()
        )

    def pairs_on(self, sheets: range, is_distinct: bool = False) -> int:
        """Return how many pairs two bots play on some sheets; one of each opening if `is_distinct`."""
        found = 0
        for opened in self.openings.values():
            slots = [slot for sheet in sheets if (slot := self.sheets.slot(sheet, len(opened))) is not None]
            found += len({number for _, number in slots}) if is_distinct else len(slots)
        return found

    @property
    def openings_needed(self) -> int:
        """How many openings of each variant are needed to play all rounds without repeating any."""
        last = max((pairing.start + pairing.sheets for some in self.rounds for pairing in some), default=0)
        meetings = -(-last // max(1, self.sheets.in_meeting))
        return meetings * self.sheets.openings

    def replace(
        self,
        rounds: Sequence[Sequence[Pairing]] | None = None,
        openings: dict[str, list[Opening]] | None = None,
    ) -> Plan:
        """Return a plan with other rounds or openings."""
        plan = Plan(
            list(self.variants.values()),
            openings or self.openings,
            self.versions,
            self.rounds if rounds is None else rounds,
            self.sheets,
            self.seed,
            self.limits,
            self.id_format,
            self.keep_solver,
        )
        if plan.openings is self.openings:
            plan._made_from = self._made_from  # the hash of all but the rounds is then the same
        return plan

    def games(self) -> Iterator[PlannedGame]:
        """Yield all games in the order in which they are best played."""
        for pairings in self.rounds:
            yield from self.games_of_round(pairings)

    def games_of_round(self, pairings: Sequence[Pairing]) -> Iterator[PlannedGame]:
        """Yield the games of one round."""
        for some in self._sweeps(max((pairing.sheets for pairing in pairings), default=0)):
            for one, other, start, count in pairings:
                yield from self._of_pairing((one, other), [start + n for n in some if n < count])

    def _of_pairing(self, pairing: tuple[str, str], sheets: Sequence[int]) -> Iterator[PlannedGame]:
        for name, opened in self.openings.items():
            both = [(self._identifier(name, *sides), sides) for sides in (pairing, pairing[::-1])]
            for sheet in sheets:
                slot = self.sheets.slot(sheet, len(opened))
                if slot is not None:
                    repeat, number = slot
                    cells = write_cells(opened[number].cells)
                    for ident, (first, second) in both:
                        yield PlannedGame(ident(cells, repeat), name, number, repeat, first, second, cells)

    def _sweeps(self, count: int) -> Iterator[range]:
        """Yield `count` sheets in sweeps: one, one more, two more, four more ... up to the size of a unit."""
        longest = max(1, MOST_IN_UNIT // (2 * max(1, len(self.variants))))
        done = 0
        while done < count:
            length = min(max(1, done), longest, count - done)
            yield range(done, done + length)
            done += length

    def spec(self, planned: PlannedGame) -> GameSpec:
        """Return the game to be played."""
        return GameSpec(
            planned.game,
            self.variants[planned.variant],
            name_of(planned.first),
            name_of(planned.second),
            self.versions[planned.first],
            self.versions[planned.second],
            self.openings[planned.variant][planned.opening].cells,
            self.seed,
            self.limits,
            planned.opening,
            planned.repeat,
            self.id_format,
            keep_solver=(self._keeps(planned.first), self._keeps(planned.second)),
        )

    def _keeps(self, bot: str) -> bool:
        return bool(self.keep_solver) and name_of(bot) in self.keep_solver

    def game_id(self, variant: str, first: str, second: str, cells: str, repeat: int) -> str:
        """Return the id of one game."""
        return self._identifier(variant, first, second)(cells, repeat)

    def fingerprint(self) -> str:
        """Return a hash that is equal for equal plans, so that an unchanged plan is not written again."""
        return hashlib.sha256(f"{self._made_from}{json.dumps(self.rounds)}".encode()).hexdigest()

    @cached_property
    def _made_from(self) -> str:
        """A hash of everything but the rounds, of which there may be many."""
        parts = {
            "format": self.id_format,
            "variants": {name: define(variant) for name, variant in self.variants.items()},
            "openings": {name: [cells for cells, _ in opened] for name, opened in self.openings.items()},
            "versions": self.versions,
            "sheets": self.sheets,
            "seed": self.seed,
            "limits": limits_text(self.limits, self.id_format),
        }
        if self.keep_solver:
            parts["keep_solver"] = sorted(self.keep_solver)
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _identifier(self, variant: str, first: str, second: str) -> Identifier:
        """Return the function that makes the ids of all games of two bots on a variant."""
        return _extend(self._common[variant], self._sides[first], self._sides[second])


def common_part(variant: Variant, seed: int, limits: Limits, id_format: int) -> Hash:
    """Return the hash of what the ids of all games on a variant have in common."""
    head = f"arena game {id_format}", variant.name, define(variant), seed
    text = "".join(f"{part}\n" for part in (*head, limits_text(limits, id_format)))
    return hashlib.sha256(text.encode())


class Side(NamedTuple):
    """A bot as ids cover it: name, full hash, and whether it has the solver in spite of the limits."""

    name: str
    version: str
    keeps_solver: bool = False

    def write(self) -> bytes:
        """Return what goes into the hash."""
        return f"{self.name} {self.version}{' solver' * self.keeps_solver}\n".encode()


def identifier(common: Hash, first: Side, second: Side) -> Identifier:
    """Return the function from an opening's cells and the repeat to the id."""
    return _extend(common, first.write(), second.write())


def _extend(common: Hash, first: bytes, second: bytes) -> Identifier:
    """Return the function of two bots; a thousand have three million of them, each for a few games."""
    start = common.copy()
    start.update(first + second)

    def ident(cells: str, repeat: int) -> str:
        digest = start.copy()
        digest.update(f"{cells}\n{repeat}".encode())
        return digest.hexdigest()[:16]

    return ident


def limits_text(limits: Limits, id_format: int) -> str:
    """Return limits as ids cover them, by their names; 1 and 1.0 are the same limit."""
    values = limits.by_key()
    if id_format < 3:
        return " ".join(str(float(value)) for value in values.values())
    return " ".join(f"{name}={float(value)}" for name, value in sorted(values.items()))
