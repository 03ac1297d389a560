"""What is known of each variant, in words: who wins with perfect play, and whether it can rank anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arena.log.archive import kept_variant
from arena.log.cache import remember
from arena.solver.health import health

if TYPE_CHECKING:
    from arena.results.run import Run


class VariantLine(NamedTuple):
    """A variant and what is known of it."""

    variant: str
    perfect_play: str
    lengths: str
    by_chance: str
    verdict: str


def tell_variants(run: Run) -> list[VariantLine]:
    """Return what is known of the variants that are shown; it is computed once."""
    name = f"health of {' '.join(run.variants)}"
    return [VariantLine(*line) for line in remember(run.folder, name, lambda: _look(run))]


def _look(run: Run) -> list[list[str]]:
    found = []
    with run.log() as log:
        for name, version in run.field.variants:
            if name in run.variants:
                known = health(kept_variant(log, name, version))
                found.append([name, known.perfect_play, known.lengths, known.by_chance, known.verdict])
    return found
