"""The plan: every game once, by a name that covers what can change its result and nothing else."""

import re
from collections import Counter
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.meeting import Pairing
from arena.formats.round_robin import every_two
from arena.game import Variant, variant
from arena.game.definition import define
from arena.plan.plan import MOST_IN_UNIT, Plan, Sheets, limits_text
from arena.referee.game import Limits
from arena.referee.row import write_cells
from arena.solver.openings import Opening, openings

NAMES = ["alice", "bob", "carol", "dave", "erin", "frank", "grace"]
VARIANTS = ["blockade-5x5", "snort:line-9", "kayles:line-1", "col:grid-3x3"]


def version(name):
    return (name.encode().hex() * 32)[:64]


def plan(variants=("blockade-5x5", "snort:line-9"), count=4, names=("alice", "bob", "carol"), **changes):
    """A plan of a round robin; `changes` replace what a Plan is made from."""
    chosen = [variant(name) if isinstance(name, str) else name for name in variants]
    seed = changes.get("seed", 8721)
    sheets = Sheets(count, changes.pop("repeats", 1))
    pairings = changes.pop("pairings", every_two(sorted(names)))
    if "openings" not in changes:
        changes["openings"] = {v.name: openings(v, define(v), seed, count) for v in chosen}
    parts = {
        "versions": {name: version(name) for name in names},
        "rounds": [[Pairing(one, other, 0, sheets.in_meeting) for one, other in pairings]],
        "sheets": sheets,
        "seed": seed,
        "limits": Limits(),
    }
    parts |= changes
    parts["openings"] = {
        name: [_opening(cells) for cells in some] for name, some in parts["openings"].items()
    }
    return Plan(chosen, **parts)


def _opening(cells):
    return cells if isinstance(cells, Opening) else Opening(cells, None)


def pairs(made):
    """The pairs of bots that meet."""
    return [pairing[:2] for pairing in made.rounds[0]]


def ids(made):
    return {game.game for game in made.games()}


plans = st.builds(
    plan,
    st.lists(st.sampled_from(VARIANTS), min_size=1, unique=True),
    st.integers(1, 11),
    st.integers(2, 7).map(lambda count: NAMES[:count]),
    repeats=st.integers(1, 5),
)


@settings(deadline=None, max_examples=40)
@given(plans)
def test_the_counts_are_those_of_the_games(made):
    """Games, distinct games and distinct openings are counted without listing them, and rightly."""
    games = list(made.games())
    assert made.count == len(games)
    assert made.distinct_games == len({(g.variant, g.cells, g.first, g.second) for g in games})
    assert made.distinct_openings == len({(g.variant, g.cells) for g in games})
    assert made.distinct_openings == len({(g.variant, g.opening) for g in games})


@settings(deadline=None, max_examples=40)
@given(plans)
def test_every_game_has_an_id_of_its_own(made):
    """An id is 16 hex digits, no two games share one, and it can be made anew from the game's parts."""
    games = list(made.games())
    assert len(ids(made)) == len(games)
    for game in games:
        assert re.fullmatch("[0-9a-f]{16}", game.game)
        assert made.game_id(game.variant, game.first, game.second, game.cells, game.repeat) == game.game


@settings(deadline=None, max_examples=40)
@given(plans)
def test_every_two_bots_play_each_opening_on_both_sides_equally_often(made):
    """Two bots meet on every opening of every variant once for each repeat with either of them first."""
    met = Counter((g.variant, g.opening, g.first, g.second) for g in made.games())
    expected = {
        (name, number, *sides)
        for name, opened in made.openings.items()
        for number in range(len(opened))
        for pair in combinations(made.versions, 2)
        for sides in (pair, pair[::-1])
    }
    assert met == Counter(dict.fromkeys(expected, made.sheets.repeats))


@settings(deadline=None, max_examples=20)
@given(plans)
def test_a_game_is_specified_as_it_is_planned(made):
    """What is to be played says what the plan's line says, with full hashes, seed and limits."""
    for game in made.games():
        spec = made.spec(game)
        assert (spec.game, spec.variant.name, spec.first, spec.second) == (
            game.game,
            game.variant,
            game.first,
            game.second,
        )
        assert (spec.first_version, spec.second_version) == (version(game.first), version(game.second))
        assert (write_cells(spec.opening), spec.opening_number, spec.repeat) == (
            game.cells,
            game.opening,
            game.repeat,
        )
        assert (spec.seed, spec.limits) == (made.seed, made.limits)


# What an id covers: each of these, changed alone.
ONE = {"variants": ["snort:line-9"], "names": ["alice", "bob"], "openings": {"snort:line-9": [(3, 5)]}}
NINE = variant("snort:line-9")
OTHER_RULE = Variant(NINE.name, "col", NINE.board, NINE.notation.style, NINE.book)
OTHER_LOOK = Variant(NINE.name, NINE.rule, NINE.board, NINE.notation.style._replace(first=1), NINE.book)
OTHER_PROSE = Variant(NINE.name, NINE.rule, NINE.board, NINE.notation.style, NINE.book._replace(title="Nine"))
RENAMED = Variant("nine", NINE.rule, NINE.board, NINE.notation.style, NINE.book)
CHANGES: dict[str, dict[str, Any]] = {
    "nothing": {},
    "variant's name": {"variants": [RENAMED], "openings": {"nine": [(3, 5)]}},
    "variant's rule": {"variants": [OTHER_RULE]},
    "variant's look": {"variants": [OTHER_LOOK]},
    "first bot's name": {
        "names": ["alicia", "bob"],
        "versions": {"alicia": version("alice"), "bob": version("bob")},
    },
    "first bot's version": {"versions": {"alice": version("alice")[:-1] + "0", "bob": version("bob")}},
    "second bot's version": {"versions": {"alice": version("alice"), "bob": version("bob")[:-1] + "0"}},
    "versions the other way round": {"versions": {"alice": version("bob"), "bob": version("alice")}},
    "an opening of other cells": {"openings": {"snort:line-9": [(3, 6)]}},
    "an opening in another order": {"openings": {"snort:line-9": [(5, 3)]}},
    "a longer opening": {"openings": {"snort:line-9": [(3, 5, 7)]}},
    "cells that are written alike": {"openings": {"snort:line-9": [(35,)]}},
    "no opening": {"openings": {"snort:line-9": [()]}},
    "seed": {"seed": 8722},
    "move_seconds": {"limits": Limits(move_seconds=1.5)},
    "game_seconds": {"limits": Limits(game_seconds=11)},
    "start_seconds": {"limits": Limits(start_seconds=6)},
    "memory_mib": {"limits": Limits(memory_mib=513)},
    "two limits exchanged": {"limits": Limits(start_seconds=10.0, game_seconds=5.0)},
}


def test_an_id_covers_whatever_can_change_the_result():
    """Variant, definition, names, versions, sides, opening, repeat, seed and limits: each makes another game."""
    found = {what: ids(plan(**(ONE | change))) for what, change in CHANGES.items()}
    found["a repeat"] = ids(plan(**ONE, repeats=2)) - found["nothing"]
    assert all(len(games) == 2 for games in found.values())  # one for either side
    every = [game for games in found.values() for game in games]
    assert len(set(every)) == len(every)


def test_an_id_covers_nothing_else():
    """Prose, the order of the bots, variants and pairings, and the opening's number make no other game."""
    one = ids(plan(**ONE))
    assert ids(plan(**(ONE | {"variants": [OTHER_PROSE]}))) == one
    assert ids(plan(**(ONE | {"names": ["bob", "alice"], "pairings": [("bob", "alice")]}))) == one
    assert ids(plan(**(ONE | {"openings": {"snort:line-9": [(), (1,), (3, 5)]}}))) > one
    assert ids(plan(VARIANTS)) == ids(plan(VARIANTS[::-1]))


@pytest.mark.parametrize(
    ("fewer", "more"),
    [
        ({"names": NAMES[:3]}, {"names": NAMES[:4]}),
        ({"names": NAMES[1:3]}, {"names": NAMES}),
        ({"count": 3}, {"count": 9}),
        ({"count": 1, "repeats": 2}, {"count": 2, "repeats": 2}),
        ({"repeats": 1}, {"repeats": 4}),
        ({"variants": VARIANTS[1:2]}, {"variants": VARIANTS}),
    ],
)
def test_a_larger_tournament_keeps_all_games_of_the_smaller(fewer, more):
    """One more bot, opening, repeat or variant adds games, and every game there was keeps its id."""
    assert ids(plan(**fewer)) < ids(plan(**more))


def test_an_edited_bot_takes_its_own_games_with_it_only():
    """Another version of a bot makes other games of its own, and leaves those of all others."""
    before = plan(names=NAMES[:4])
    after = plan(names=NAMES[:4], versions=before.versions | {"bob": version("robert")})
    kept = {g.game for g in before.games() if "bob" not in (g.first, g.second)}
    assert ids(before) & ids(after) == kept


def test_limits_of_the_same_value_are_the_same_limits():
    """1 and 1.0 seconds, or 512 and 512.0 MiB, give the same games."""
    whole = Limits(1, 10, 5, 512)
    broken = Limits(1.0, 10.0, 5.0, 512.0)  # type: ignore[arg-type] # as a file may have it
    assert ids(plan(limits=whole)) == ids(plan(limits=broken)) == ids(plan())


def test_the_format_of_ids_stays_as_it_is():
    """An id names a game for ever: any change of this one makes every game of the past another game."""
    made = plan(**ONE)
    assert made.game_id("snort:line-9", "alice", "bob", "3 5", 0) == "f922c547bc554d0c"
    assert plan(**ONE, id_format=2).game_id("snort:line-9", "alice", "bob", "3 5", 0) == "807fb1cfac1bac9b"


def test_a_limit_that_limits_nothing_is_in_no_id():
    """Limits are hashed by their names, whatever their order; `solver = true` is as if it were not there."""
    ids = [
        plan(**ONE, limits=limits).game_id("snort:line-9", "alice", "bob", "3 5", 0)
        for limits in (Limits(), Limits(solver=True), Limits(solver=False))
    ]
    assert ids[0] == ids[1] != ids[2]
    assert limits_text(Limits(move_seconds=5.0, start_seconds=1.0), 3) != limits_text(Limits(), 3)


def sweeps(made):
    """The games of a plan, cut wherever the pairings begin anew; with two bots they never seem to."""
    numbers = {frozenset(pair): number for number, pair in enumerate(pairs(made))}
    cut, last = [], len(numbers)
    for game in made.games():
        number = numbers[frozenset((game.first, game.second))]
        if number < last:
            cut.append([])
        last = number
        cut[-1].append(game)
    return cut


def undrawn(names, count):
    """So many openings of each variant, no two alike; to draw and to solve them would take seconds."""
    return {name: list(combinations(range(45), 2))[:count] for name in names}


def test_sweeps_double_until_they_fill_a_unit():
    """A sweep has one opening, one more, then as many as all before it, up to what a worker takes at once."""
    made = plan(["snort:grid-9x9"], 700, openings=undrawn(["snort:grid-9x9"], 700))
    assert [len(sweep) // 6 for sweep in sweeps(made)] == [1, 1, 2, 4, 8, 16, 32, 64, 128, 128, 128, 128, 60]
    names = [f"snort:grid-{size}x9" for size in range(5, 15)]
    made = plan(names, 40, repeats=2, openings=undrawn(names, 40))
    assert [len(sweep) // 60 for sweep in sweeps(made)] == [1, 1, 2, 4, 8, *[12] * 5, 4]


@settings(deadline=None, max_examples=40)
@given(plans.filter(lambda made: len(made.versions) > 2))
def test_a_run_that_stops_after_a_sweep_leaves_a_balanced_table(made):
    """After every sweep all pairings have played the same openings, each with both bots first."""
    played = {frozenset(pair): Counter() for pair in pairs(made)}
    firsts = Counter()
    for sweep in sweeps(made):
        for game in sweep:
            played[frozenset((game.first, game.second))][game.variant, game.opening, game.repeat] += 1
            firsts.update({game.first: 1, game.second: -1})
        assert len({frozenset(met.items()) for met in played.values()}) == 1
        assert all(count == 2 for met in played.values() for count in met.values())
        assert set(firsts.values()) == {0}


@settings(deadline=None, max_examples=40)
@given(plans.filter(lambda made: len(made.versions) > 2))
def test_a_run_that_stops_anywhere_leaves_an_almost_balanced_table(made):
    """No bot is ever ahead of another by more than two pairings of the sweep, each of one unit at most."""
    played = Counter(dict.fromkeys(made.versions, 0))
    for sweep in sweeps(made):
        of_pairing = len(sweep) // made.pairings
        assert of_pairing <= MOST_IN_UNIT
        for game in sweep:
            played.update((game.first, game.second))
            assert max(played.values()) - min(played.values()) <= 2 * of_pairing


def test_sides_take_turns():
    """Any two games of a pairing that stand together are one opening with sides swapped."""
    games = list(plan(VARIANTS, 9, NAMES[:5], repeats=3).games())
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.first, one.second) == (other.second, other.first)
        assert one[1:4] == other[1:4]


def test_there_may_be_no_games_at_all():
    """Without pairings there are no games, and without openings neither."""
    for made in (plan(pairings=[]), plan(openings={}), plan(repeats=0), plan([])):
        assert (list(made.games()), made.count) == ([], 0)


stretches = st.builds(Sheets, st.integers(1, 5), st.integers(1, 3))


@given(stretches, st.integers(0, 12))
def test_no_sheet_is_like_another(sheets, available):
    """A whole meeting has every opening that there is as often as it is repeated; then come others, for ever."""
    slots = [sheets.slot(sheet, available) for sheet in range(6 * sheets.in_meeting)]
    found = [slot for slot in slots if slot is not None]
    assert len(set(found)) == len(found)
    first = min(sheets.openings, available)
    assert set(slots[: sheets.in_meeting]) - {None} == set(product(range(sheets.repeats), range(first)))
    assert None not in slots[sheets.in_meeting :] or not available
    assert all(number < available for _, number in found)


@given(stretches, st.integers(1, 12), st.integers(0, 12))
def test_openings_that_are_drawn_later_change_no_sheet(sheets, available, more):
    """As long as there are as many as the sheets need, it does not matter how many there are."""
    for sheet in range(sheets.in_meeting * (available // sheets.openings)):
        repeat, number = sheets.slot(sheet, available)
        assert sheets.slot(sheet, available + more) == (repeat, number)
        assert repeat < sheets.repeats


@settings(deadline=None, max_examples=40)
@given(plans, st.lists(st.tuples(st.integers(0, 20), st.integers(1, 9)), min_size=1, max_size=4))
def test_rounds_are_counted_without_listing_their_games(made, cuts):
    """Games, pairs and distinct openings of any stretch of sheets, in round after round."""
    one, other = list(made.versions)[:2]
    longer = made.replace(rounds=[[Pairing(one, other, *cut)] for cut in cuts])
    assert longer.count == len(list(longer.games())) == sum(2 * longer.pairs_on(_range(cut)) for cut in cuts)
    assert longer.pairings == len(cuts)
    for pairings, cut in zip(longer.rounds, cuts, strict=True):
        games = list(longer.games_of_round(pairings))
        assert len(ids(longer.replace(rounds=[pairings]))) == len(games) == 2 * longer.pairs_on(_range(cut))
        assert longer.pairs_on(_range(cut), True) == len({(g.variant, g.opening) for g in games})
    assert longer.openings_needed > max((game.opening for game in longer.games()), default=-1)


def _range(cut):
    start, count = cut
    return range(start, start + count)


@pytest.mark.parametrize(
    ("repeats", "last", "needed"), [(1, 1, 4), (1, 4, 4), (1, 5, 8), (2, 8, 4), (2, 9, 8), (3, 36, 12)]
)
def test_whole_meetings_are_drawn_for(repeats, last, needed):
    """So many openings of each variant let all rounds be played without repeating any more than is asked."""
    names, rounds = ["snort:grid-9x9"], [[Pairing("alice", "bob", last - 1, 1)]]
    made = plan(names, repeats=repeats, rounds=rounds, openings=undrawn(names, 4))
    assert made.openings_needed == needed
    assert made.replace(rounds=[]).openings_needed == 0


def test_an_old_version_plays_under_its_name():
    """The plan tells it apart as `name@version`; the game is one of the bot's, with the old one's hash."""
    now = plan(**ONE)
    old = plan(**(ONE | {"versions": {"alice": version("old"), "bob": version("bob")}}))
    versions = now.versions | {"alice@old": version("old")}
    both = plan(**(ONE | {"versions": versions, "pairings": [("alice", "bob"), ("alice@old", "bob")]}))
    assert ids(both) == ids(now) | ids(old)
    specs = {(spec.first, spec.first_version) for spec in map(both.spec, both.games())}
    assert specs == {("alice", version("alice")), ("alice", version("old")), ("bob", version("bob"))}


FINGERPRINTED: dict[str, dict[str, Any]] = {
    "more openings": {"count": 5},
    "fewer openings": {"count": 3},
    "another bot": {"names": NAMES[:4]},
    "one bot less": {"names": NAMES[:2]},
    "another version": {"versions": {name: version(name + "2") for name in NAMES[:3]}},
    "repeats": {"repeats": 2},
    "seed alone": {"seed": 1, "openings": plan().openings},
    "limits": {"limits": Limits(move_seconds=2.0)},
    "another variant": {"variants": ["blockade-5x5", "snort:line-10"]},
    "one variant less": {"variants": ["blockade-5x5"]},
    "another definition": {"variants": ["blockade-5x5", OTHER_RULE], "openings": plan().openings},
    "another order": {"variants": ["snort:line-9", "blockade-5x5"]},
    "other pairings": {"pairings": [("alice", "bob"), ("alice", "carol"), ("bob", "carol")][:2]},
}


@pytest.mark.parametrize("what", FINGERPRINTED)
def test_the_fingerprint_changes_with_the_games(what):
    """Plans with other games, or in another order, have other fingerprints."""
    changed = plan(**FINGERPRINTED[what])
    assert list(changed.games()) != list(plan().games())
    assert changed.fingerprint() != plan().fingerprint()


def test_the_fingerprint_stays_while_the_games_do():
    """The same plan made twice, or with another prose of its rule book, has one fingerprint."""
    again = plan(["blockade-5x5", OTHER_PROSE])
    assert list(again.games()) == list(plan().games())
    assert again.fingerprint() == plan().fingerprint()
