"""What a run would do, before it does it: its plan and folder, what is already played, what to know first."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.config.entries import from_here
from arena.config.reading import Config, Tournament, read_tournament
from arena.config.shape import unknown_value
from arena.errors import UserError, did_you_mean, printable
from arena.executors import EXECUTORS
from arena.executors.cluster import NOWHERE, Cluster, check_cluster
from arena.formats import FORMATS
from arena.log import archive
from arena.log.reading import LOG, Log
from arena.plan.plan import Plan, Sheets
from arena.plan.rounds import IN_ROUNDS, Course, frozen_rounds, next_round, series_of
from arena.referee.endings import Ending
from arena.referee.game import ID_FORMAT
from arena.solver.health import why_degenerate
from arena.solver.openings import DRAWING, Opening

SECRET = "a secret variant"
"""What a variant is called that is not shown before the end."""


class Options(NamedTuple):
    """What the command line says beside the tournament file."""

    workers: int = 0  # as many as there are cores
    isolation: str | None = None  # as the file says
    executor: str = "local"
    results: Path | None = None  # beside the file's bots
    again: tuple[str, ...] = ()  # endings and bots whose games are played again
    audit: bool = True  # whether a sample of the games is played again, to see whether they come out the same
    grades: bool = True  # whether moves are graded against perfect play
    seed: int | None = None  # as the file says
    name: str | None = None  # as the file says, with the seed after it if one is given
    cluster: Cluster = NOWHERE  # where the executor for a cluster finds it
    is_open: bool | None = None  # whether it is a contest that goes on; None: as the folder says


def read_checked(config: Config, options: Options) -> Tournament:
    """Return the tournament of a file; UserError for mistakes in the file and in the options."""
    _check_options(options)
    tournament = read_tournament(config, isolation=options.isolation, seed=options.seed, name=options.name)
    if len(tournament.bots) < 2:
        raise UserError(
            f"{tournament.title}: a tournament needs two bots; it has only {tournament.bots[0].name}"
        )
    known = [*(ending.value for ending in Ending), *(bot.name for bot in tournament.bots)]
    for word in options.again:
        if word not in known:
            hint = did_you_mean(word, known) or f"; it takes one of {', '.join(known)}"
            raise UserError(f"--again {word}: there is no ending and no bot of that name{hint}")
    return tournament


def _check_options(options: Options) -> None:
    """Check what Python can get wrong; the command line has checked its own."""
    if options.executor not in EXECUTORS:
        raise UserError(f"executor: {unknown_value(str(options.executor), list(EXECUTORS))}")
    if type(options.workers) is not int or options.workers < 0:
        raise UserError("workers: must be a whole number from 1 on, or 0 for as many as there are cores")
    check_cluster(options.cluster)
    if isinstance(options.again, str):
        raise UserError(f"again: must be a tuple of words, such as again=('{printable(options.again)}',)")


def make_plan(tournament: Tournament, log: Log | None) -> Plan:
    """Return the plan of a tournament as far as it is known, including what a log has frozen."""
    opened = _draw_openings(tournament, log, tournament.openings)
    sheets = Sheets(max(map(len, opened.values())), tournament.repeats)
    versions = {bot.name: bot.version for bot in tournament.bots}
    id_format = (log.id_format if log is not None else 0) or ID_FORMAT
    if tournament.format in IN_ROUNDS:
        series = series_of(tournament, id_format)
        rounds, old = frozen_rounds(log, series, versions) if log is not None else ([], {})
    else:
        settings = tournament.settings._replace(sheets=sheets.in_meeting)
        rounds, old = [FORMATS[tournament.format].next_round(list(versions), [], {}, settings)], {}
    made = (rounds, sheets, tournament.seed, tournament.limits, id_format, _keep_solver(tournament, log))
    plan = Plan(tournament.variants, opened, versions | old, *made)
    return with_openings(plan, tournament, log)


def _keep_solver(tournament: Tournament, log: Log | None) -> set[str]:
    """Return the bots that have the solver in spite of the limits; also those that have left since.

    Otherwise the rounds of a bot that has left would be played again, without its solver.
    """
    names = {bot.name for bot in tournament.bots}
    before = log.field().keep_solver if log is not None and log.fact("field") else ()
    return {*tournament.keep_solver, *(set(before) - names)}


def with_openings(plan: Plan, tournament: Tournament, log: Log | None) -> Plan:
    """Return a plan with as many openings as its rounds need, if there are that many.

    Their number is doubled each time, so that many rounds do not draw all of them again each time.
    """
    needed, most = plan.openings_needed, plan.sheets.openings
    while most < needed:
        most *= 2
    if most <= max(map(len, plan.openings.values())):
        return plan
    return plan.replace(openings=_draw_openings(tournament, log, most))


def _draw_openings(tournament: Tournament, log: Log | None, count: int) -> dict[str, list[Opening]]:
    return {v.name: archive.frozen_openings(log, v, tournament.seed, count) for v in tournament.variants}


def fewer_openings(plan: Plan, tournament: Tournament) -> Iterator[str]:
    """Yield a sentence for each variant that has fewer openings than were asked for."""
    if FORMATS[tournament.format].takes_all_openings:
        return
    for name, opened in plan.openings.items():
        if len(opened) < tournament.openings and name in tournament.secret:
            yield f"{SECRET} has fewer openings than {tournament.openings:,}, and all are used"
        elif len(opened) < tournament.openings:
            yield f"{name}: only {len(opened):,} of {tournament.openings:,} openings exist, and all are used"


def say_older_drawing(log: Log) -> Iterator[str]:
    """Yield that a folder draws its openings by an older rule, if it does."""
    if log.drawing < DRAWING:
        yield (
            "its openings are told apart by their stones, as this folder was begun; "
            "a new `name` tells them apart by the positions they leave"
        )


def say_changed(tournament: Tournament, log: Log | None) -> Iterator[str]:
    """Yield why no game that was played counts any more: another seed, or other limits."""
    if log is None or not log.fact("field"):
        return
    field, limits = log.field(), tournament.limits.by_key()
    before = {"seed": field.seed, **field.limits}
    now = {"seed": tournament.seed, **limits}
    changed = [key for key in {**before, **now} if before.get(key) != now.get(key)]
    if changed:
        why = "so these are other games, and all are played"
        yield f"{' and '.join(changed)} changed since the last run, {why}"


def say_undrawn(plan: Plan, format: str) -> Iterator[str]:
    """Yield a sentence for each current bot that is in no round: most were added, or edited, too late."""
    drawn = {bot for pairings in plan.rounds for pairing in pairings for bot in (pairing.one, pairing.other)}
    mend = FORMATS[format].too_late
    for bot in plan.versions:
        if bot not in drawn and "@" not in bot:
            yield f"{bot} in its current version is in no round and has no games{f'; {mend}' * bool(mend)}"


def degenerate(plan: Plan) -> dict[str, str]:
    """Return the variants that are proven to rank nobody, and why: one side wins every game."""
    found = {name: why_degenerate(variant) for name, variant in plan.variants.items()}
    return {name: why for name, why in found.items() if why is not None}


def unfit(degenerate: dict[str, str], secret: Collection[str]) -> list[str]:
    """Return a sentence for each variant that cannot rank anybody."""
    return [
        f"{SECRET} cannot rank anybody" if name in secret else f"{name} cannot rank anybody: {why}"
        for name, why in degenerate.items()
    ]


class Outlook(NamedTuple):
    """What a run would do."""

    tournament: Tournament
    plan: Plan
    folder: Path
    played: int
    has_more: bool  # rounds may follow, which depend on the results of these
    drawing: int  # how openings are told apart
    changed: tuple[str, ...] = ()  # why games that were played do not count any more


def look_ahead(config: Config, options: Options) -> Outlook:
    """Return what a run would do, and write nothing."""
    tournament = read_checked(config, options)
    folder = run_folder(tournament, options)
    if not (folder / LOG).exists():
        return _outlook(tournament, folder, None, set())
    with closing(Log(folder)) as log:
        counted = log.known_games(tournament.isolation)
        known = {game for game, *words in counted if not set(words) & set(options.again)}
        outlook = _outlook(tournament, folder, log, known)
        return outlook._replace(changed=tuple(say_changed(tournament, log)))


def _outlook(tournament: Tournament, folder: Path, log: Log | None, known: set[str]) -> Outlook:
    """Return what a run would do if these games are known; with rounds, at least the next round."""
    plan = make_plan(tournament, log)
    drawing = log.drawing if log is not None else DRAWING
    played = sum(game.game in known for game in plan.games())
    if tournament.format not in IN_ROUNDS:
        return Outlook(tournament, plan, folder, played, False, drawing)
    if played < plan.count:
        return Outlook(tournament, plan, folder, played, True, drawing)
    course = Course(log, degenerate(plan)) if log is not None else None
    if course is not None:
        course.follow(plan)
    pairings = next_round(tournament, plan, course)
    longer = (
        with_openings(plan.replace(rounds=[*plan.rounds, pairings]), tournament, log) if pairings else plan
    )
    played = sum(game.game in known for game in longer.games())
    return Outlook(tournament, longer, folder, played, bool(pairings), drawing)


def run_folder(tournament: Tournament, options: Options) -> Path:
    """Return where the results of a tournament are kept."""
    return (options.results or from_here(tournament.results)) / tournament.name


def changed_meanwhile(tournament: Tournament) -> Iterator[str]:
    """Yield a sentence for the config and for each bot if it was changed during the run."""
    try:
        current = tournament.read_again()
    except UserError:
        yield f"{tournament.title} or its bots were changed during the run, and can no longer be read"
        return
    if current.text != tournament.text:
        yield f"{tournament.title} was changed during the run; run it again to play what is new"
    now = {bot.name: bot.version for bot in current.bots}
    for bot in tournament.bots:
        if now.get(bot.name) != bot.version:
            change = "changed" if bot.name in now else "removed"
            yield f"{bot.name} was {change} during the run; the version from the start was played"
