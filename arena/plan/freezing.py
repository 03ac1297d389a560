"""The plan on its way into the log, with everything that is needed to understand its games.

It is written before anything is played: variants, openings and bots as they are now, and the games that
count. Openings and rounds that are already frozen in the log stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.bots.source import Source
from arena.config.reading import Tournament
from arena.field import Field
from arena.formats import FORMATS
from arena.formats.meeting import Pairing
from arena.game.definition import define, short
from arena.log import archive
from arena.log.writing import Store
from arena.plan.outlook import degenerate, make_plan, with_openings
from arena.plan.plan import Plan
from arena.plan.rounds import freeze, series_of


def write_plan(store: Store, tournament: Tournament) -> Plan:
    """Make the plan of a tournament the one that counts, and return it."""
    plan = make_plan(tournament, store)
    for variant in plan.variants.values():
        archive.keep_variant(store, variant)
    _keep_openings(store, plan)
    for bot in tournament.bots:
        archive.keep_bot(store, bot)
    has_rounds = not FORMATS[tournament.format].is_by_field
    store.write_plan(plan.fingerprint(), _field(tournament, plan).write(), plan.games(), has_rounds)
    return plan


def write_round(store: Store, tournament: Tournament, plan: Plan, pairings: Sequence[Pairing]) -> Plan:
    """Freeze one more round, whose games count from now on, and return the longer plan."""
    longer = with_openings(plan.replace(rounds=[*plan.rounds, pairings]), tournament, store)
    if longer.openings is not plan.openings:
        _keep_openings(store, longer)
    freeze(store, tournament, longer)
    return longer


def read_sources(store: Store, tournament: Tournament, plan: Plan) -> dict[str, Source]:
    """Return the bots by name, and the old versions that play rounds that were planned for them."""
    sources = {bot.name: bot for bot in tournament.bots}
    for old in plan.versions.keys() - sources.keys():
        name, _, version = old.partition("@")
        sources[old] = archive.kept_bot(store, name, version)
    return sources


def _keep_openings(store: Store, plan: Plan) -> None:
    for name, variant in plan.variants.items():
        archive.keep_openings(store, variant, plan.seed, plan.openings[name])


def _field(tournament: Tournament, plan: Plan) -> Field:
    return Field(
        name=tournament.name,
        variants=[(name, short(define(variant))) for name, variant in plan.variants.items()],
        bots={bot.name: bot.version for bot in tournament.bots},
        openings=tournament.openings,
        repeats=tournament.repeats,
        seed=plan.seed,
        limits=plan.limits.by_key(),
        isolation=tournament.isolation,
        degenerate=degenerate(plan),
        format=tournament.format,
        secret=tournament.secret,
        grading=tournament.grading,
        series=series_of(tournament, plan.id_format),
        keep_solver=tuple(sorted(plan.keep_solver)),
        settings=FORMATS[tournament.format].kept(tournament.settings),
    )
