"""Evidence for forfeits: enough to understand and to repeat, and not more than ten of a kind."""

import json
import shutil

import pytest

import arena
from arena.tournament.evidence import MOST_OF_A_KIND, Faults, evidence, kept_games
from tests.hosts.games import FIRST_LEGAL, QUICK, game
from tests.tournament.small import play_games

FAILS = (
    "def move(position):\n    print('trying', len(position.history))\n    return [][len(position.history)]\n"
)


def test_an_author_sees_what_happened_and_how_to_see_it_again(bot, tmp_path):
    """Position, request, printed text, own traceback and the command are all there."""
    loser = bot(FAILS)
    record = game(bot(FIRST_LEGAL), loser)
    files = evidence(record, arena.variant("grid-lock"), QUICK, "results/cup")
    Faults(tmp_path).keep(record, files)
    place = tmp_path / "faults" / record.game
    told = (place / "what-happened.txt").read_text()
    assert "two lost game 0123456789abcdef on grid-lock by crash." in told
    assert "ply 2: raised IndexError: list index out of range" in told
    assert "first one v1, second two v2; moves: 1\n" in told
    assert "X   -   3   4\n" in told
    assert "arena rerun results/cup 0123456789abcdef\n" in told
    assert (place / "printed.txt").read_text() == "trying 1\n"
    assert 'File "bot.py", line 3, in move' in (place / "traceback.txt").read_text()
    request = json.loads((place / "request.json").read_text())
    assert (request["to_move"], request["history"], request["owners"][0]) == (1, [0], "X")


def test_ten_of_a_kind_are_kept(bot, tmp_path):
    """The eleventh forfeit of the same bot, variant and ending is not written; another kind is."""
    record = game(bot(FAILS), bot(FIRST_LEGAL))
    faults = Faults(tmp_path)
    for number in range(20):
        forfeit = record._replace(game=f"{number:016x}")
        if faults.is_wanted(forfeit):
            faults.keep(forfeit, {"what-happened.txt": ""})
    assert len(list((tmp_path / "faults").iterdir())) == MOST_OF_A_KIND == 10
    assert faults.is_wanted(record._replace(variant="grid-block"))
    assert not faults.is_wanted(record)


CRASHES = "def move(position):\n    raise ValueError('version {}')\n"


def play_crashes(folder, version, openings=6):
    """Play two games from each opening, which `crashes` loses by crashes; return the run."""
    bots = {"first": FIRST_LEGAL, "crashes": CRASHES.format(version)}
    return play_games(folder, bots, variants=["snort:line-9"], openings=openings)


def crashes_kept(run):
    """What is told of each game of which evidence is kept."""
    return {place.name: (place / "traceback.txt").read_text() for place in (run.folder / "faults").iterdir()}


def test_an_edited_bot_has_ten_of_its_own_and_the_disk_no_more(tmp_path):
    """They take the places of those of older versions, as many as they need: a hundred versions fill no disk."""
    for version, own in ((1, 10), (2, 10), (3, 4)):
        run = play_crashes(tmp_path, version, openings=2 if version == 3 else 6)
        told = list(crashes_kept(run).values())
        assert len(told) == MOST_OF_A_KIND
        assert sum(f"version {version}" in text for text in told) == own


def test_what_an_older_version_left_stays_unless_its_place_is_needed(tmp_path):
    """Who edits a bot and plays again still finds what became of it before."""
    before = crashes_kept(play_crashes(tmp_path, 1))
    assert len(crashes_kept(play_crashes(tmp_path, 2, openings=1)).keys() & before.keys()) == 8
    mended = {"first": FIRST_LEGAL, "crashes": FIRST_LEGAL}
    run = play_games(tmp_path, mended, variants=["snort:line-9"], openings=6)
    assert len(crashes_kept(run).keys() & before.keys()) == 8


def test_evidence_that_was_lost_does_not_count(tmp_path):
    """A kill between the log and its evidence costs that game's evidence, and not a place among the ten."""
    run = play_crashes(tmp_path, 1)
    for place in list((run.folder / "faults").iterdir())[:3]:
        shutil.rmtree(place)
    assert len(crashes_kept(play_crashes(tmp_path, 1, openings=8))) == MOST_OF_A_KIND


def test_only_what_arena_wrote_makes_room(bot, tmp_path):
    """A note in a game's folder stays, and a link is neither followed nor counted."""
    record = game(bot(FAILS), bot(FIRST_LEGAL))
    files = dict.fromkeys(("what-happened.txt", "printed.txt"), "text")
    older = [record._replace(game=f"{number:016x}", first_version="0" * 64) for number in range(10)]
    faults = Faults(tmp_path)
    for forfeit in older:
        faults.keep(forfeit, files)
    place, outside = tmp_path / "faults", tmp_path / "outside"
    (place / older[0].game / "note.md").write_text("ask Anna")
    shutil.move(place / older[1].game, outside)
    (place / older[1].game).symlink_to(outside)
    assert kept_games(place) == [forfeit.game for forfeit in older if forfeit != older[1]]
    for number in (20, 21):
        faults.keep(record._replace(game=f"{number:016x}"), files)
    assert [path.name for path in (place / older[0].game).iterdir()] == ["note.md"]
    assert len(list(outside.iterdir())) == len(files)
    place.rename(tmp_path / "elsewhere")
    place.symlink_to(tmp_path / "elsewhere")
    assert kept_games(place) == []


@pytest.mark.parametrize(("moves", "left"), [((), 1.75), ((0,), 1.5)])
def test_the_request_shows_the_clock_of_the_side_that_was_asked(bot, moves, left):
    """Not the opponent's."""
    record = game(bot(FAILS), bot(FAILS))._replace(
        moves=moves, first_cpu_seconds=0.25, second_cpu_seconds=0.5
    )
    files = evidence(record, arena.variant("grid-lock"), QUICK, "results/cup")
    assert json.loads(files["request.json"])["game_seconds_left"] == left
