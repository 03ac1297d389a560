"""What is known of each variant, in words: who wins with perfect play, and whether it can rank anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from arena.game import Variant
from arena.game.definition import define, short
from arena.log.archive import kept_variant
from arena.log.cache import remember_for_good
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
    """Return what is known of the variants that are shown; it is computed once for each."""
    with run.log() as log:
        shown = [kept_variant(log, name, version) for name, version in run.field.variants]
    return [_tell(run, variant) for variant in shown if variant.name in run.variants]


def _tell(run: Run, variant: Variant) -> VariantLine:
    name = f"health of {variant.name} {short(define(variant))}"
    return VariantLine(*remember_for_good(run.folder, name, lambda: _look(variant)))


def _look(variant: Variant) -> list[str]:
    known = health(variant)
    return [variant.name, known.perfect_play, known.lengths, known.by_chance, known.verdict]
