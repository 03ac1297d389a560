"""What to know before results are trusted: games that were played again, and bots that did not repeat one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from arena.log.archive import kept_variant
from arena.log.audits import case_against, evidence
from arena.log.reading import Log


def find_replays(log: Log, games: Mapping[str, int]) -> tuple[int, list[str]]:
    """Return how many games were played again, and whose more often than chance explains.

    `games` are how many each bot has played.
    """
    from arena.standings.replays import more_than_chance

    again = log.replays()
    second_chances = Counter(bot for _, bot, is_forfeited in again if bot and not is_forfeited)
    return len({game for game, *_ in again}), more_than_chance(second_chances, games)


def find_cases(log: Log, bots: Collection[str], versions: Mapping[str, str]) -> list[str]:
    """Return what the audits found against some bots, on variants of these versions, a sentence each."""
    cases = [case for bot, case in evidence(log).items() if bot in bots]
    shown = [(case, case.logged.variant) for case in cases if case.logged.variant in versions]
    return [case_against(case, kept_variant(log, name, versions[name])) for case, name in shown]
