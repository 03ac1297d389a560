"""Versus: a few pairs at a time, until the test ends, the games are spent, or the openings are."""

import pytest

from arena.formats import FORMATS
from arena.formats.meeting import Meeting, Pairing, Settings
from arena.formats.versus import PAIRS_A_ROUND, pairs_of, read_question
from arena.standings.sprt import Bounds

FIELD = ("one", "two")
FAR = Settings(bounds=Bounds(0, 200), sheets=1000)


def play(outcome, settings, most=500):
    """All rounds of a match in which every pair ends alike; a sheet is a pair unless `pairs_on` says more."""
    rounds = []
    while pairings := FORMATS["versus"].next_round(FIELD, rounds, {}, settings):
        (pairing,) = pairings
        pairs = settings.pairs_on(range(pairing.start, pairing.start + pairing.sheets))
        rounds.append([Meeting(*pairing, outcome / 2, (outcome,) * pairs)])
        assert len(rounds) < most, "it must end"
    return rounds


def cuts(rounds):
    """The stretches of sheets that the rounds were played on."""
    return [(met.start, met.sheets) for some in rounds for met in some]


@pytest.mark.parametrize("outcome", [0, 2])
def test_it_ends_when_one_is_known_to_be_better(outcome):
    """Long before the openings do; rounds follow each other without a gap."""
    rounds = play(outcome, FAR)
    assert cuts(rounds) == [(PAIRS_A_ROUND * number, PAIRS_A_ROUND) for number in range(len(rounds))]
    assert 1 <= len(rounds) < 10


def test_it_ends_when_the_games_are_spent_or_the_openings_are():
    """Never a pair more than was allowed, and the last round is what is left."""
    close = FAR._replace(bounds=Bounds(0, 1))
    assert cuts(play(1, close._replace(games=38))) == [(0, 8), (8, 8), (16, 3)]
    assert cuts(play(1, close._replace(games=39))) == [(0, 8), (8, 8), (16, 3)]
    assert cuts(play(1, close._replace(sheets=10))) == [(0, 8), (8, 2)]


def test_a_sheet_of_many_variants_is_played_whole():
    """A round has one sheet where that is more than eight pairs, and as many as fit where it is less."""
    close = FAR._replace(bounds=Bounds(0, 1), sheets=4)
    assert cuts(play(1, close._replace(pairs_on=lambda sheets: 11 * len(sheets)))) == [
        (n, 1) for n in range(4)
    ]
    assert cuts(play(1, close._replace(pairs_on=lambda sheets: 3 * len(sheets)))) == [(0, 2), (2, 2)]


def test_pairs_are_those_of_the_two_bots_seen_from_the_first():
    """Whoever is named first in a round; the games of an old version are nobody's."""
    rounds = [
        [Meeting("one", "two", 0, 2, 0.625, (2, 1, 0, 2))],
        [Meeting("one@0", "two", 2, 1, 1.0, (2, 2))],
        [Meeting("two", "one", 3, 1, 0.25, (1, 0))],
    ]
    assert pairs_of("one", "two", rounds) == [2, 1, 0, 2, 1, 2]
    assert pairs_of("two", "one", rounds) == [0, 1, 2, 0, 1, 0]
    assert FORMATS["versus"].next_round(FIELD, rounds, {}, FAR) == [Pairing("one", "two", 3, 8)]


def test_how_it_stands_is_said_in_a_few_words():
    """The ratio so far, and where the test ends."""
    words = FORMATS["versus"].standing
    assert words(FIELD, [], FAR) == "log ratio +0.00, ends at -2.94 or +2.94"
    assert words(FIELD, [[Meeting("one", "two", 0, 1, 1.0, (2,))]], FAR) > "log ratio +0.1"


def test_the_log_keeps_what_was_asked_and_reads_it_again():
    """Bounds that make no sense, as a stranger's log may have them, are the default ones."""
    asked = Settings(bounds=Bounds(-5, 25, 0.01, 0.1), games=400)
    kept = FORMATS["versus"].kept(asked)
    assert read_question(kept) == Settings(bounds=asked.bounds, games=400)
    assert read_question(None) == Settings(bounds=Bounds())
    assert read_question(kept | {"low": 30}).bounds == Bounds()
    assert read_question(kept | {"alpha": 0}).bounds == Bounds()
    assert FORMATS["ladder"].kept(Settings(interval_points=120)) == {"interval_points": 120}
    assert FORMATS["swiss"].kept(Settings()) == {}
