"""A contest between its sittings: what could not be played is tried again, and no name is there twice."""

import sqlite3
from contextlib import closing

import pytest

from arena.bots.source import Source
from arena.contest.aim import Aim
from arena.contest.deeds import CLOSE
from arena.contest.playing import SPOILT_SECONDS, Contest
from arena.contest.words import ALL_PLAYED
from arena.errors import StoreError
from arena.plan.outlook import Options
from tests.contest.test_places import enter
from tests.tournament.field import FIRST
from tests.tournament.small import play_games

AIM = Aim((), 0, False, False, ())
SPOIL = """
INSERT INTO voids SELECT game, variant, first, second, '', '', 1 FROM games LIMIT 1;
DELETE FROM games WHERE game IN (SELECT game FROM voids);
"""


@pytest.fixture
def contest(tmp_path):
    """A contest all of whose games are played."""
    run = play_games(tmp_path, {"anna": FIRST, "ben": f"# ben\n{FIRST}"}, variants=["snort:line-9"])
    config = tmp_path / "cup.toml"
    config.write_text('[tournament]\nvariants = ["snort:line-9"]\n[[bots]]\npath = "bots/*.py"\n')
    made = Contest(config, Options(results=run.folder.parent, name=run.folder.name))
    yield made
    made.close()


def test_a_contest_has_one_host(contest):
    """Two would take each other's log away, in turn; another contest of the folder has another one."""
    config = contest.book.file.parent.parent / "cup.toml"
    with pytest.raises(StoreError, match=r"contests/cup: another `arena serve` \(process \d+\) hosts this"):
        Contest(config, Options(name="cup"))
    Contest(config, Options(name="another")).close()
    contest.close()
    Contest(config, Options(name="cup")).close()


def test_what_this_machine_has_spoilt_is_said_and_tried_again(contest, monkeypatch):
    """After half a minute, then a minute, and so on; and all is played only when all is played."""
    monkeypatch.setattr("arena.contest.playing.sit", lambda *_: True)  # it has given up games, as it may
    with closing(sqlite3.connect(contest.folder / "games.sqlite")) as database, database:
        database.executescript(SPOIL)
    waited = []
    monkeypatch.setattr(contest._lookout, "wait", lambda aim, seconds=None: waited.append(seconds))
    for _ in range(3):
        contest._go_on()
        assert contest.status.words.startswith("1 game was spoilt by this machine")
    assert waited == [SPOILT_SECONDS, 2 * SPOILT_SECONDS, 4 * SPOILT_SECONDS]


def test_nothing_is_tried_again_when_all_is_played(contest, monkeypatch):
    """It waits until somebody hands in a bot."""
    monkeypatch.setattr("arena.contest.playing.sit", lambda *_: True)
    assert contest._sit(AIM)
    assert (contest.status.words, contest._rest) == (ALL_PLAYED, None)


def test_of_two_bots_of_one_name_the_files_plays(contest):
    """However it is spelt; the organiser reads that the other one does not."""
    enter(contest.book, "Anna")
    names = [bot.name for bot in contest._read_field().bots]
    assert names == ["anna", "ben"]
    assert contest.status.trouble.startswith("What was handed in as Anna does not play")


def test_what_waits_for_its_check_when_it_is_closed_is_waited_for(contest):
    """Nothing is shown before that, and a download then lacks nobody."""
    upload = contest.book.receive("cup", "late", Source("late", "bot.py", {"bot.py": b"x"}), 1.0)
    contest.book.note_deed("cup", "teacher", CLOSE)
    aim = contest._sight.look()
    assert (aim.is_closed, aim.is_last) == (True, False)
    contest.book.note_verdict(upload.id, [], False)
    assert contest._sight.look().is_last
