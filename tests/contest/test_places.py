"""Where a bot stands, for its author."""

import time
from contextlib import closing

import pytest

from arena.bots.source import Source
from arena.contest.aim import Aim
from arena.contest.book import Book
from arena.contest.deeds import PAUSE, READMIT, RESUME, WITHDRAW
from arena.contest.places import Places
from arena.errors import Refused
from arena.log.reading import Log
from tests.tournament.field import FIRST
from tests.tournament.small import change, play_games

FIELD = {name: f"# {name}\n{FIRST}" for name in ("anna", "bert")}
SWISS = {"format": "swiss", "rounds": 1, "variants": ["snort:line-9"], "openings": 1}

SECRET_FIELD = '[field]\nsecret = ["kayles:line-7"]\n'


def enter(book, name, text=FIRST):
    """Hand in a bot, and let it pass; return the number of its upload."""
    upload = book.receive("cup", name, Source(name, "bot.py", {"bot.py": text.encode()}), time.time())
    book.note_verdict(upload.id, [], True)
    return upload.id


def test_who_came_after_the_last_round_has_no_rank(tmp_path):
    """Its author reads that it has played no games, and what the organiser can do."""
    play_games(tmp_path, FIELD, **SWISS)
    run = play_games(tmp_path, FIELD | {"late": FIRST}, **SWISS)
    with closing(Book(tmp_path)) as book:
        uploads = tuple(enter(book, name) for name in ("anna", "bert", "late"))
        places = Places(run.folder, book, "cup")
        places.settle(Aim(uploads, 0, False, False, ()))
        assert places.find("late") == (
            "late has played no games, and no round is left; ask the organiser: more `rounds` let it play",
            True,
        )
        assert [places.find(name).sentence for name in FIELD] == ["anna is 1st of 3", "bert is 1st of 3"]


def test_games_on_secret_variants_are_not_counted_before_the_end(tmp_path):
    """An author reads as many games as the table has, and cannot tell how many others there are."""
    run = play_games(tmp_path, FIELD, variants=["snort:line-9"], openings=1, limits=SECRET_FIELD)
    with closing(Book(tmp_path)) as book:
        enter(book, "anna", FIELD["anna"])
        assert Places(run.folder, book, "cup").find("anna").sentence == "anna has played 4 of 4 games"
        change(run, "DELETE FROM games WHERE game = (SELECT game FROM games WHERE variant = 'kayles:line-7')")
        assert Places(run.folder, book, "cup").find("anna").sentence == "anna has played 2 of 2 games"


def test_who_waits_in_a_paused_contest_is_told_so(tmp_path):
    """Before the first game and between games; no longer when it is resumed."""
    with closing(Book(tmp_path)) as book:
        places = Places(tmp_path / "results" / "cup", book, "cup")
        enter(book, "anna", FIELD["anna"])
        book.note_deed("cup", "teacher", PAUSE)
        paused = "the organiser has paused the contest"
        assert places.find("anna") == (f"anna waits for its games: {paused}", False)
        run = play_games(tmp_path, FIELD, **SWISS)
        playing = Places(run.folder, book, "cup")
        assert playing.find("anna") == (f"anna has played 2 of 2 games: {paused}", False)
        book.note_deed("cup", "teacher", RESUME)
        assert places.find("anna") == ("anna waits for its games", False)


def test_who_was_withdrawn_reads_the_reason(tmp_path):
    """Where the bot stands, and when the next one is handed in; no longer when it is let in again."""
    with closing(Book(tmp_path)) as book:
        places = Places(tmp_path / "results" / "cup", book, "cup")
        enter(book, "anna", FIELD["anna"])
        book.note_deed("cup", "teacher", WITHDRAW, "anna")
        assert places.find("anna") == ("anna was withdrawn by the organiser", True)
        book.note_deed("cup", "teacher", WITHDRAW, "anna", "plays for another class")
        said = "anna was withdrawn by the organiser: plays for another class"
        assert places.find("anna") == (said, True)
        with pytest.raises(Refused, match=f"^{said}; ask there$"):
            enter(book, "anna")
        book.note_deed("cup", "teacher", READMIT, "anna")
        assert places.find("anna") == ("anna waits for its games", False)


def test_many_who_follow_their_bots_have_the_games_counted_once(tmp_path, monkeypatch):
    """A class does so on the evening of the deadline."""
    run, opened = play_games(tmp_path, FIELD, **SWISS), []

    def open_log(folder):
        opened.append(folder)
        return Log(folder)

    monkeypatch.setattr("arena.contest.places.Log", open_log)
    monkeypatch.setattr("arena.contest.places.SHARED_SECONDS", 1000.0)
    with closing(Book(tmp_path)) as book:
        for name, text in FIELD.items():
            enter(book, name, text)
        places = Places(run.folder, book, "cup")
        assert [places.find(name) for name in [*FIELD] * 10] == [
            (f"{name} has played 2 of 2 games", False) for name in [*FIELD] * 10
        ]
    assert len(opened) == 1
