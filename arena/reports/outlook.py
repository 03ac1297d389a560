"""What a run would do, in words: `arena run --dry-run`."""

from __future__ import annotations

from collections.abc import Iterator

from arena.formats import FORMATS
from arena.plan.outlook import Outlook, degenerate, fewer_openings, unfit
from arena.solver.openings import count_openings


def say_outlook(outlook: Outlook) -> list[str]:
    """Return what a run would do, line by line."""
    tournament, plan = outlook.tournament, outlook.plan
    return [
        f"{tournament.name}: {plan.count:,} games, {plan.distinct_games:,} of them distinct",
        _say_meetings(outlook),
        f"{plan.distinct_openings:,} distinct openings on {len(plan.variants)} variants",
        *(f"  {line}" for line in _say_balance(outlook)),
        *tournament.notices,
        *outlook.changed,
        *fewer_openings(plan, tournament),
        *unfit(degenerate(plan), tournament.secret),
        f"{outlook.played:,} already played, {plan.count - outlook.played:,} to play",
        f"results in {outlook.folder}/, {tournament.isolation}",
    ]


def _say_meetings(outlook: Outlook) -> str:
    """Return who meets whom, in a sentence."""
    tournament, plan = outlook.tournament, outlook.plan
    format = FORMATS[tournament.format]
    is_whole = not format.is_by_sheet
    repeats = f", {tournament.repeats:,} times each" if tournament.repeats > 1 and is_whole else ""
    met = f"{len(tournament.bots)} bots in {plan.pairings:,} pairing{'s' * (plan.pairings != 1)}"
    if len(plan.rounds) > 1 or outlook.has_more:
        more = ", and perhaps more rounds to come" if outlook.has_more else ""
        met += f" of {len(plan.rounds):,} round{'s' * (len(plan.rounds) != 1)}{more}"
    what = "each opening" if is_whole else "one opening of every variant"
    return f"{met}; {format.who} play {what} twice, sides swapped{repeats}"


def _say_balance(outlook: Outlook) -> Iterator[str]:
    """Yield for each variant how many of its openings are won, lost and unsolved for the side to move."""
    plan, secret = outlook.plan, outlook.tournament.secret
    for name, opened in plan.openings.items():
        if name in secret:
            continue
        won, lost = ([opening.is_won for opening in opened].count(verdict) for verdict in (True, False))
        unsolved = f", {len(opened) - won - lost} not solved" if won + lost < len(opened) else ""
        there = count_openings(plan.variants[name], outlook.drawing)
        of_all = f" of {there:,} there are" if there is not None else ""
        openings = f"{len(opened):,} opening{'s' * (len(opened) != 1)}{of_all}"
        yield f"{name}: {openings}, {won} won and {lost} lost for the side to move{unsolved}"
    if secret:
        yield f"and {len(secret)} secret variant{'s' * (len(secret) != 1)}"
