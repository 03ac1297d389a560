"""What is said of whole runs: how one ended, what it would do, whether it is sound, how two differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from typing import Any

from arena.plan.outlook import Outlook, degenerate
from arena.referee.row import GameRow
from arena.reports.versus import say_verdict
from arena.results.compare import Difference, Merged
from arena.results.run import Run
from arena.standings.sprt import State
from arena.standings.tables import meetings

Answer = dict[str, Any]


def tell_run(run: Run, page: Path | None) -> Answer:
    """Return how a run stands, with its standings; `page` is the file to look at, if it was written."""
    standings = run.standings()
    with run.log() as log:
        voids = log.voids
    return {
        "run": run.field.name,
        "folder": run.folder,
        "report": page,
        "games": int(run.counts["games"].sum()),
        "missing": run.missing,
        "voids": voids,
        "forfeits": int(standings["forfeits"].sum()),
        "standings": standings.to_dict("records"),
    }


def tell_crosstable(run: Run) -> list[Answer]:
    """Return how each bot did against each that it has met, both in the order of the standings."""
    bots = run.standings()["bot"].tolist()
    met = {
        (row["bot"], row["opponent"]): row for row in meetings(run.counts).reset_index().to_dict("records")
    }
    return [
        {"bot": bot, "opponents": [_tell_meeting(met[bot, other]) for other in bots if (bot, other) in met]}
        for bot in bots
    ]


def _tell_meeting(met: Mapping[Hashable, Any]) -> Answer:
    keys = ("opponent", "games", "wins", "games_first", "wins_first", "games_second", "wins_second")
    return {key: met[key] for key in keys} | {"score": met["wins"] / met["games"]}


def tell_outlook(outlook: Outlook) -> Answer:
    """Return what a run would do; secret variants are counted, and nothing more is said of them."""
    tournament, plan = outlook.tournament, outlook.plan
    return {
        "run": tournament.name,
        "folder": outlook.folder,
        "format": tournament.format,
        "isolation": tournament.isolation,
        "bots": [bot.name for bot in tournament.bots],
        "games": plan.count,
        "distinct_games": plan.distinct_games,
        "played": outlook.played,
        "to_play": plan.count - outlook.played,
        "pairings": plan.pairings,
        "rounds": len(plan.rounds),
        "has_more_rounds": outlook.has_more,
        "variants": list(_variants(outlook)),
        "secret_variants": len(tournament.secret),
        "notices": tournament.notices,
    }


def _variants(outlook: Outlook) -> Iterable[Answer]:
    plan, unfit = outlook.plan, degenerate(outlook.plan)
    for name, opened in plan.openings.items():
        if name not in outlook.tournament.secret:
            verdicts = [opening.is_won for opening in opened]
            won, lost = verdicts.count(True), verdicts.count(False)
            counts = {"openings": len(opened), "won": won, "lost": lost}
            yield {"variant": name, **counts, "why_degenerate": unfit.get(name)}


def tell_digest(run: Run) -> Answer:
    """Return the digest of a run, and how far it can be relied on."""
    with run.log() as log:
        played, planned = log.played, log.planned
    digest = run.digest()
    unrepeatable = run.unrepeatable
    return {
        "folder": run.folder,
        "digest": digest,
        "games": played,
        "missing": planned - played,
        "unrepeatable": unrepeatable,
    }


Faults = list[tuple[str, str]]


def tell_verified(run: Run, games: int, wrong: Faults, beside: Faults, unchecked: list[str]) -> Answer:
    """Return what was found wrong in the games of a run, and beside them."""
    return {
        "folder": run.folder,
        "games": games,
        "sound": not wrong and not beside,
        "wrong": [{"what": what, "why": why} for what, why in [*wrong, *beside]],
        "not_checked": unchecked,
    }


def tell_difference(one: Run, other: Run, found: Iterable[Difference]) -> Answer:
    """Return what differs between two runs; games on secret variants are counted only."""
    hidden = one.hidden | other.hidden
    only, games, differing = [0, 0], [], 0
    for each in found:
        if each.one is None or each.other is None:
            only[each.one is None] += 1
            continue
        differing += 1
        if each.one.variant not in hidden:
            games.append(_compare(each.one, each.other))
    return {
        "first": one.folder,
        "second": other.folder,
        "same": not differing and not any(only),
        "only_in_first": only[0],
        "only_in_second": only[1],
        "differing": differing,
        "games": games,
    }


def _compare(one: GameRow, other: GameRow) -> Answer:
    both = {"game": one.game, "variant": one.variant, "first": one.first, "second": one.second}
    results = [{"winner": row.winner, "ending": row.ending, "moves": row.cells} for row in (one, other)]
    return both | {"in_first": results[0], "in_second": results[1]}


def tell_merged(into: Run, merged: Merged) -> Answer:
    """Return what a merge did."""
    return {"folder": into.folder, **merged._asdict()}


def tell_versus(run: Run, state: State, games: int, page: Path | None) -> Answer:
    """Return the answer of a test, the estimate at its end, and what it rests on."""
    one, other = run.field.bots
    lost, split, won = state.counts
    points, low, high = state.difference if state.pairs else (None, None, None)
    forfeits = run.standings().set_index("bot")["forfeits"]
    return {
        "first": one,
        "second": other,
        "folder": run.folder,
        "report": page,
        "variants": run.variants,
        "games": 2 * state.pairs,
        "pairs": state.pairs,
        "won": won,
        "split": split,
        "lost": lost,
        "score": state.at_end.score,
        "points": points,
        "points_low": low,
        "points_high": high,
        "verdict": state.verdict.value,
        "answer": say_verdict(run, state, state.bounds, games),
        "log_likelihood_ratio": state.llr,
        "ends_below": state.bounds.lower,
        "ends_above": state.bounds.upper,
        "first_forfeits": forfeits[one],
        "second_forfeits": forfeits[other],
    }
