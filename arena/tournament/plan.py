"""The plan: which games make up a tournament, each with a name that is a hash of all that identifies it.

The plan is a pure function of the tournament; a run plays the games of the plan that are not in the log yet.
A game's id covers whatever can change its result: variant, bots, opening, repeat, seed and limits. So a game
is never played twice, and an edited bot never inherits the results of its old self.

Games come in sweeps. In a sweep every pairing plays a few openings on all variants, both sides in turn; the
first sweep is a single opening and each later one as long as all before it, up to what a unit holds. So a run
that is stopped early leaves a balanced table, and later sweeps hand workers as much as they can use.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from arena.game import Variant
from arena.referee.game import GameSpec, Limits
from arena.solver.openings import Opening
from arena.tournament.definition import define

ID_FORMAT = 2
"""The version of the ids' format; a change of it makes every game another game."""

MOST_IN_UNIT = 256


Identifier = Callable[[str, int], str]


class Planned(NamedTuple):
    """One game of the plan, as the log keeps it."""

    game: str
    variant: str
    opening: int
    repeat: int
    first: str
    second: str
    cells: str  # of the opening


class Plan:
    """The games of a tournament: `versions` are the bots' full hashes by name, the openings by variant."""

    def __init__(
        self,
        variants: Sequence[Variant],
        openings: dict[str, list[Opening]],
        versions: dict[str, str],
        pairings: Sequence[tuple[str, str]],
        repeats: int,
        seed: int,
        limits: Limits,
    ) -> None:
        self.variants = {variant.name: variant for variant in variants}
        self.openings = openings
        self.versions = versions
        self.pairings = pairings
        self.repeats = repeats
        self.seed = seed
        self.limits = limits
        self._common = {name: common_part(v, seed, limits) for name, v in self.variants.items()}
        self._identifiers: dict[tuple[str, str, str], Identifier] = {}

    @property
    def distinct_openings(self) -> int:
        """How many openings there are on all variants."""
        return sum(map(len, self.openings.values()))

    @property
    def distinct_games(self) -> int:
        """How many games differ in more than their seeds."""
        return 2 * len(self.pairings) * self.distinct_openings

    @property
    def count(self) -> int:
        """How many games there are."""
        return self.distinct_games * self.repeats

    def games(self) -> Iterator[Planned]:
        """Yield all games in the order in which they are best played."""
        for slots in self._sweeps():
            for pairing in self.pairings:
                yield from self._of_pairing(pairing, slots)

    def _of_pairing(self, pairing: tuple[str, str], slots: Sequence[tuple[int, int]]) -> Iterator[Planned]:
        for name, opened in self.openings.items():
            both = [(self._identifier(name, *sides), sides) for sides in (pairing, pairing[::-1])]
            for repeat, number in slots:
                if number < len(opened):
                    cells = spaced(opened[number].cells)
                    for ident, (first, second) in both:
                        yield Planned(ident(cells, repeat), name, number, repeat, first, second, cells)

    def _sweeps(self) -> Iterator[list[tuple[int, int]]]:
        """Yield (repeat, opening) in sweeps: one, one more, two more, four more ... up to a unit's worth."""
        most = max(map(len, self.openings.values()), default=0)
        slots = ((repeat, number) for repeat in range(self.repeats) for number in range(most))
        longest = max(1, MOST_IN_UNIT // (2 * max(1, len(self.variants))))
        sweep: list[tuple[int, int]] = []
        length, done = 1, 0
        for slot in slots:
            sweep.append(slot)
            if len(sweep) == length:
                yield sweep
                done += length
                length, sweep = min(done, longest), []
        if sweep:
            yield sweep

    def spec(self, planned: Planned) -> GameSpec:
        """Return the game to be played."""
        return GameSpec(
            planned.game,
            self.variants[planned.variant],
            planned.first,
            planned.second,
            self.versions[planned.first],
            self.versions[planned.second],
            self.openings[planned.variant][planned.opening].cells,
            self.seed,
            self.limits,
            planned.opening,
            planned.repeat,
        )

    def game_id(self, variant: str, first: str, second: str, cells: str, repeat: int) -> str:
        """Return the id of one game."""
        return self._identifier(variant, first, second)(cells, repeat)

    def fingerprint(self) -> str:
        """Return a hash that is equal for equal plans, so that one that is written need not be again."""
        parts = {
            "format": ID_FORMAT,
            "variants": {name: define(variant) for name, variant in self.variants.items()},
            "openings": {name: [cells for cells, _ in opened] for name, opened in self.openings.items()},
            "versions": self.versions,
            "pairings": self.pairings,
            "repeats": self.repeats,
            "seed": self.seed,
            "limits": _exact(self.limits),
        }
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def _identifier(self, variant: str, first: str, second: str) -> Identifier:
        """Return what makes the ids of all games of two bots on a variant, which are mostly hashed alike."""
        made = self._identifiers.get((variant, first, second))
        if made is None:
            sides = (first, self.versions[first]), (second, self.versions[second])
            made = self._identifiers[variant, first, second] = identifier(self._common[variant], *sides)
        return made


def common_part(variant: Variant, seed: int, limits: Limits) -> str:
    """Return what the ids of all games on a variant cover alike."""
    parts = (f"arena game {ID_FORMAT}", variant.name, define(variant), seed, _exact(limits))
    return "".join(f"{part}\n" for part in parts)


def identifier(common: str, first: tuple[str, str], second: tuple[str, str]) -> Identifier:
    """Return the function from an opening's cells and the repeat to the id; bots are name and full hash."""
    sides = "".join(f"{name} {version}\n" for name, version in (first, second))
    start = hashlib.sha256((common + sides).encode())

    def ident(cells: str, repeat: int) -> str:
        digest = start.copy()
        digest.update(f"{cells}\n{repeat}".encode())
        return digest.hexdigest()[:16]

    return ident


def spaced(cells: Sequence[int]) -> str:
    """Return cells as the log writes them: numbers with blanks between."""
    return " ".join(map(str, cells))


def _exact(limits: Limits) -> str:
    """Return limits as text; 1 and 1.0 are the same limit."""
    return " ".join(str(float(value)) for value in limits)
