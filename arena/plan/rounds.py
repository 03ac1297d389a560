"""Rounds: the pairings that are frozen in the log, and what the next ones are.

A format sees only complete rounds, so the order in which games arrive never matters, and a run that was
killed goes on with the round that it was playing. A planned round is frozen with the versions of its bots: if
one of them is edited, its old version still plays that round, from the source in the log, and the new version
joins the next round as a new bot.

Rounds belong to a series: the format, the variants, openings, seed and limits that they were played with. A
change of one of these begins a new series; games that both series have are not played again.
"""

from __future__ import annotations

import hashlib
import json
import operator
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from arena.config.reading import Tournament
from arena.field import MOST_BOTS, read_json
from arena.formats import FORMATS
from arena.formats.meeting import Meeting, Pairing, Rating, Settings, name_of
from arena.game.definition import define
from arena.log.door import wrong
from arena.log.reading import RESULT_COLUMNS, Log, PlannedGame
from arena.log.writing import Store
from arena.plan.plan import Plan, limits_text
from arena.referee.game import Row

IN_ROUNDS = frozenset(name for name, format in FORMATS.items() if format.is_by_results)
"""The formats whose rounds are frozen one after the other."""


def series_of(tournament: Tournament, id_format: int) -> str:
    """Return what rounds must have in common to be rounds of one tournament."""
    limits = tournament.limits
    parts = (
        tournament.format,
        sorted((variant.name, define(variant)) for variant in tournament.variants),
        (tournament.openings, tournament.repeats, tournament.seed),
        [*map(float, limits.by_key().values())] if id_format < 3 else limits_text(limits, id_format),
    )
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def frozen_rounds(
    log: Log, series: str, bots: Mapping[str, str]
) -> tuple[list[list[Pairing]], dict[str, str]]:
    """Return the rounds that were planned, and the full hashes of old versions that take part in them.

    `bots` are the full hashes of the current bots.
    """
    current = {name: full[:12] for name, full in bots.items()}
    rounds: defaultdict[int, list[Pairing]] = defaultdict(list)
    for number, one, one_version, other, other_version, start, sheets in log.rounds(series):
        met = [
            name if current.get(name) == version else f"{name}@{version}"
            for name, version in ((one, one_version), (other, other_version))
        ]
        rounds[number].append(Pairing(met[0], met[1], start, sheets))
    planned = [rounds[number] for number in sorted(rounds)]
    old = _old_versions(log, planned)
    for bot in _bots(planned):
        if bot not in bots and bot not in old:
            raise wrong(log.folder, f"its rounds have a bot {bot} whose source is not in it")
    return planned, old


def _old_versions(log: Log, rounds: Iterable[Iterable[Pairing]]) -> dict[str, str]:
    kept = {f"{name}@{version}": full for name, version, full in log.bots()}
    return {bot: kept[bot] for bot in sorted(_bots(rounds) & kept.keys())}


def _bots(rounds: Iterable[Iterable[Pairing]]) -> set[str]:
    return {bot for pairings in rounds for pairing in pairings for bot in (pairing.one, pairing.other)}


def freeze(store: Store, tournament: Tournament, plan: Plan) -> None:
    """Write down the last round of a plan, whose games count from now on."""
    pairings, number = plan.rounds[-1], len(plan.rounds)
    series = series_of(tournament, plan.id_format)
    if number == 1:
        store.write_fact(f"drawn {series}", json.dumps([bot.name for bot in tournament.bots]))
    rows = [
        (series, number, *_find_version(plan, one), *_find_version(plan, other), start, count)
        for one, other, start, count in pairings
    ]
    store.write_round(rows, plan.fingerprint(), plan.games_of_round(pairings))


def _find_version(plan: Plan, bot: str) -> tuple[str, str]:
    return name_of(bot), plan.versions[bot][:12]


def read_first_field(log: Log, series: str) -> tuple[str, ...]:
    """Return the bots that were there when the first round was planned; none before that."""
    names = read_json(log.fact(f"drawn {series}"))
    first = [row for row in log.rounds(series) if row[0] == 1]
    if not isinstance(names, list):
        if first:
            raise wrong(log.folder, "it does not say who was there when its first round was drawn")
        return ()
    met = {name for _, one, _, other, *_ in first for name in (one, other)}
    if len(names) > MOST_BOTS or len(set(map(str, names))) != len(names) or not met <= set(map(str, names)):
        raise wrong(log.folder, "who was there when its first round was drawn is not as arena writes it")
    return tuple(map(str, names))


class Course:
    """How a tournament has gone: its complete rounds, each taken from the log once."""

    def __init__(self, log: Log, degenerate: Collection[str]) -> None:
        self._log = log
        self._degenerate = degenerate
        self.rounds: list[list[Meeting]] = []
        self.results: list[Row] = []  # rows of RESULT_COLUMNS, without degenerate variants

    def follow(self, plan: Plan) -> None:
        """Take the rounds of a plan that were completed since the last call."""
        for pairings in plan.rounds[len(self.rounds) :]:
            games = list(plan.games_of_round(pairings))
            winners = [self._log.winner(planned.game) for planned in games]
            if None in winners:
                return
            is_won = [winner == name_of(game.first) for game, winner in zip(games, winners, strict=True)]
            self.results += self._rows(games, is_won)
            self.rounds.append(list(_meetings(pairings, games, is_won)))

    def _rows(self, games: Sequence[PlannedGame], is_won: Sequence[bool]) -> Iterator[Row]:
        for game, won in zip(games, is_won, strict=True):
            if game.variant not in self._degenerate:
                mover = len(game.cells.split()) % 2
                yield game.variant, game.opening, game.first, game.second, mover, int(won), 1

    def first_field(self, series: str) -> tuple[str, ...]:
        """Return the bots that were there when the first round was planned."""
        return read_first_field(self._log, series)

    @property
    def is_older(self) -> bool:
        """Whether the folder was begun with older rules for rounds, and openings told apart by stones."""
        return self._log.drawing < 2

    def ratings(self) -> dict[str, Rating]:
        """Return the ratings of the bots so far."""
        import pandas as pd

        from arena.standings.ratings import rate

        table = rate(pd.DataFrame(self.results, columns=RESULT_COLUMNS)).table
        columns = (table[name] for name in ("bot", "rating", "low", "high"))
        return {bot: Rating(*numbers) for bot, *numbers in zip(*columns, strict=True)}


def _meetings(
    pairings: Sequence[Pairing], games: Sequence[PlannedGame], is_won: Sequence[bool]
) -> Iterator[Meeting]:
    """Yield how the pairings of a round went."""
    found: defaultdict[frozenset[str], list[tuple[PlannedGame, bool]]] = defaultdict(list)
    for game, won in zip(games, is_won, strict=True):
        found[frozenset((game.first, game.second))].append((game, won))
    for one, other, start, sheets in pairings:
        pairs = _pairs(one, found[frozenset((one, other))])
        yield Meeting(one, other, start, sheets, sum(pairs) / (2 * len(pairs)), pairs)


def _pairs(one: str, played: list[tuple[PlannedGame, bool]]) -> tuple[int, ...]:
    """Return how many games of each pair `one` won, in the order of the openings."""
    ordered = sorted(played, key=lambda part: part[0].opening)  # both games of a pair stay together
    wins = [won == (game.first == one) for game, won in ordered]
    return tuple(map(operator.add, wins[::2], wins[1::2]))


def next_round(tournament: Tournament, plan: Plan, course: Course | None) -> list[Pairing]:
    """Return the pairings that follow the complete rounds of a course; none if it is over.

    Without a course, which needs a log, nothing was played yet.
    """
    format, field = FORMATS[tournament.format], _field(tournament)
    settings = _settings(tournament, plan)
    if course is None or not course.rounds:
        return format.next_round(field, [], {}, settings)
    drawn = course.first_field(series_of(tournament, plan.id_format))
    settings = settings._replace(drawn=drawn, is_older=course.is_older)
    ratings = course.ratings() if format.takes_ratings else {}
    return format.next_round(field, course.rounds, ratings, settings)


def say_standing(tournament: Tournament, plan: Plan, course: Course) -> str:
    """Return how a tournament stands in a few words, where its format has any."""
    format = FORMATS[tournament.format]
    return format.standing(_field(tournament), course.rounds, _settings(tournament, plan))


def _field(tournament: Tournament) -> list[str]:
    return [bot.name for bot in tournament.bots]


def _settings(tournament: Tournament, plan: Plan) -> Settings:
    """Return the settings of a format, including those that follow from the plan."""
    return tournament.settings._replace(sheets=plan.sheets.in_meeting, pairs_on=plan.pairs_on)


def closing_notes(tournament: Tournament, course: Course) -> list[str]:
    """Return what a format has to say when it is over."""
    format, field = FORMATS[tournament.format], _field(tournament)
    ratings = course.ratings() if format.takes_ratings else {}
    settings = tournament.settings._replace(is_older=course.is_older)
    return format.notes(settings, {bot: ratings[bot] for bot in field if bot in ratings})
