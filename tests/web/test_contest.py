"""A contest that a server hosts: bots come while it plays, the organiser has the last word, and nothing is lost."""

import io
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from arena.contest.book import Book
from arena.contest.words import ALL_PLAYED, CLOSED_AND_PLAYED, DRAWN_ONCE, NO_BOT, ONE_BOT, PAUSED, TOO_FEW
from arena.log.writing import Store
from arena.results.run import Run
from arena.web.feed import RELOAD_SECONDS
from tests.web.contests import (
    FILE,
    SECRET,
    SEED,
    bot,
    entered_names,
    hand_in,
    is_played,
    make_contest,
    play_elsewhere,
    post,
    standings,
    submit,
    wait_for,
    wait_for_words,
    wait_until_played,
)
from tests.web.server import Server

ORGANISE = "/runs/cup/organise"
FORM = {"content_type": "application/x-www-form-urlencoded"}


class Hosted:
    """A contest with a server, its book, and an organiser."""

    def __init__(self, folder):
        self.base, self.folder = folder, folder / "results" / "cup"
        self.config = make_contest(folder)
        self.book = Book(folder)
        self.token = self.book.make_token("teacher", "organiser")
        self.server = Server(folder, "cup.toml", "--workers", "2")
        self.warned = []  # what the terminal must have said in the end, in parts

    def do(self, deed="look", **more):
        """Do something as the organiser; return the page."""
        got = post(self.server, ORGANISE, token=self.token, deed=deed, **more)
        assert got.status == 200
        return got.text

    def names(self):
        """Who is in the field."""
        return {"first", *(source.name for source in self.book.entered("cup"))}

    def wait(self):
        """Wait until all games of the field are played, and that is said."""
        wait_until_played(self.folder, self.names())
        wait_for_words(self.server, ALL_PLAYED, token=self.token)


@pytest.fixture(scope="module")
def hosted(tmp_path_factory):
    """A contest whose file has one bot, and to which two were handed in; every test leaves it as it was."""
    made = Hosted(tmp_path_factory.mktemp("hosted"))
    with made.server:
        for source in (bot("anna", 1), bot("bert", 2)):
            token = made.book.make_token(source.name)
            assert submit(made.server, token, source).startswith("200")
        wait_for(lambda: made.names() == {"first", "anna", "bert"})
        made.wait()
        yield made
        code, complaints, seconds = made.server.stop()
        assert code == 130
        assert len(complaints.splitlines()) == len(made.warned), "each is said once"
        for line, words in zip(complaints.splitlines(), made.warned, strict=True):
            assert re.match(r"arena: \d{4}-\d\d-\d\d \d\d:\d\d: ", line)
            assert words in line
        assert seconds < 4


def test_a_contest_begins_when_there_are_two_bots(tmp_path):
    """Before that it says what it waits for, on its page and in the list; and Ctrl-C ends it at once."""
    make_contest(tmp_path, own=())
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml") as server:
        page = wait_for_words(server, NO_BOT, "/runs/cup")
        assert server.ask("/runs/cup").headers["refresh"] == str(RELOAD_SECONDS)
        for place in ("submit", "mine", "organise"):
            assert f'href="cup/{place}"' in page
            assert server.ask(f"/runs/cup/{place}").status == 200
        assert NO_BOT in server.ask("/").text
        hand_in(book, bot("anna"))
        wait_for_words(server, ONE_BOT, "/runs/cup")
        assert server.stop()[:2] == (130, "")


def test_a_contest_whose_first_plan_is_not_made_yet_says_where_bots_are_handed_in(tmp_path):
    """Its page looks again by itself until there is something to see, and no page with a form does."""
    make_contest(tmp_path, own=())
    with closing(Store(tmp_path / "results" / "cup")):
        pass
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml") as server:
        got = server.ask("/runs/cup")
        assert (got.status, got.headers.get("refresh")) == (200, str(RELOAD_SECONDS))
        for place in ("submit", "mine", "organise"):
            assert f'href="cup/{place}"' in got.text
            assert "refresh" not in server.ask(f"/runs/cup/{place}").headers
        for number, name in enumerate(("anna", "bert")):
            hand_in(book, bot(name, number))
        wait_for(lambda: "refresh" not in server.ask("/runs/cup").headers)
        assert 'data-events="cup/events"' in server.ask("/runs/cup").text
        assert server.stop()[:2] == (130, "")


@pytest.mark.long
def test_a_bracket_is_drawn_when_the_contest_is_closed(tmp_path):
    """Whoever comes later than that cannot be drawn, so everybody who has come by then is."""
    make_contest(tmp_path, FILE.replace("openings = 2", 'openings = 2\nformat = "knock-out"'))
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml") as server:
        token = book.make_token("teacher", "organiser")
        hand_in(book, bot("anna", 1))
        wait_for_words(server, DRAWN_ONCE, token=token)
        hand_in(book, bot("bert", 2))
        wait_for(lambda: entered_names(book) == ["anna", "bert"])
        post(server, ORGANISE, token=token, deed="close")
        wait_for_words(server, CLOSED_AND_PLAYED, token=token)
    run = Run(tmp_path / "results" / "cup")
    assert set(run.standings()["bot"]) == {"first", "anna", "bert"}
    assert set(run.games()["first"]) | set(run.games()["second"]) == {"first", "anna", "bert"}


def test_what_is_secret_stays_so_though_all_games_are_played(hosted):
    """Neither a page nor a file beside the log has the secret variant, the seed, or what is sealed."""
    assert is_played(hosted.folder, hosted.names())
    with closing(hosted.server.news("cup")) as news:
        news.next()
        sent = str(news.state)
    for text in (hosted.server.ask("/runs/cup").text, hosted.server.ask("/").text, sent, hosted.do()):
        assert "kayles" not in text
        assert str(SEED) not in text
    assert "kayles" not in "".join(file.read_text() for file in hosted.folder.glob("*.csv"))


@pytest.mark.parametrize("token", ["", "wrong", "anna's"])
def test_nobody_organises_without_an_organisers_token(hosted, token):
    """Neither strangers nor participants; and what they would have done is not done."""
    if token == "anna's":
        token = hosted.book.make_token("anna", replace=True)
    for path in (ORGANISE, "/runs/cup/export"):
        got = post(hosted.server, path, token=token, deed="close")
        assert got.status == 403
        assert "This is not the token of an organiser, or it was revoked." in got.text
        assert "anna" not in got.text
    assert not hosted.book.standing("cup").is_closed


def test_a_token_is_in_no_page_that_is_kept(hosted):
    """It is given back for the next deed, and no cache may keep it."""
    got = post(hosted.server, ORGANISE, token=hosted.token)
    assert "no-store" in got.headers["cache-control"]
    assert hosted.token not in hosted.server.ask(ORGANISE).text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "null", "sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
        {"origin": "https://evil.example", "sec_fetch_site": "same-origin"},
    ],
)
def test_a_page_elsewhere_cannot_organise(hosted, headers):
    """A browser says where a form comes from."""
    got = hosted.server.ask(ORGANISE, "POST", f"token={hosted.token}&deed=close".encode(), **FORM, **headers)
    assert got.status == 403
    assert "not this server" in got.text
    assert not hosted.book.standing("cup").is_closed


def test_a_contest_that_is_paused_plays_nothing_until_it_is_resumed(hosted):
    """Bots may enter meanwhile."""
    before = hosted.names()
    assert "Paused." in hosted.do("pause")
    wait_for_words(hosted.server, f"<b>{PAUSED}", "/runs/cup")
    assert "It is so already." in hosted.do("pause")
    hand_in(hosted.book, bot("carl", 3))
    wait_for(lambda: "carl" in entered_names(hosted.book))
    assert is_played(hosted.folder, before), "the field is still the old one"
    hosted.do("resume")
    hosted.wait()


def test_a_bot_that_is_withdrawn_leaves_the_table_and_may_come_back(hosted):
    """Its games are kept, so nothing is played again when it does."""
    before = Run(hosted.folder).digest()
    assert "Withdrawn." in hosted.do("withdraw", subject="anna", reason="copied from bert")
    wait_until_played(hosted.folder, hosted.names())
    assert "anna" not in hosted.names()
    assert "No bot of the name nobody has entered." in hosted.do("withdraw", subject="nobody")
    assert "<td>copied from bert</td>" in hosted.do("readmit", subject="anna")
    hosted.wait()
    assert Run(hosted.folder).digest() == before


def replaced(folder):
    with closing(sqlite3.connect(folder / "games.sqlite")) as log:
        return log.execute("SELECT game, why FROM replaced").fetchall()


def test_a_game_that_is_set_aside_is_kept_with_the_reason_and_played_again(hosted):
    """Once for each deed."""
    game = Run(hosted.folder).games()["game"].iloc[0]
    assert "Say why" in hosted.do("set aside", subject=game)
    assert "There is no game zz" in hosted.do("set aside", subject="zz", reason="why")
    assert "will be played again" in hosted.do("set aside", subject=game, reason="the power failed")
    wait_for(lambda: replaced(hosted.folder), "the game is set aside")
    hosted.wait()
    assert replaced(hosted.folder) == [(game, "set aside by teacher: the power failed")]
    assert Run(hosted.folder).game(game)


def test_a_form_that_is_sent_twice_is_done_once(hosted):
    """Whoever loads the answer to a deed anew sends the deed again, and does not mean it."""
    ids = re.findall('name="once" value="([^"]+)"', hosted.do())
    assert len(set(ids)) == len(ids) > 3, "each form has its own"
    game = Run(hosted.folder).games()["game"].iloc[-1]
    form = {"deed": "set aside", "subject": game, "reason": "the fan was loud", "once": ids[0]}
    before = len(replaced(hosted.folder))
    assert "Say why" in hosted.do(**form | {"reason": ""}), "what is refused may be sent again"
    assert "will be played again" in hosted.do(**form)
    wait_for(lambda: len(replaced(hosted.folder)) == before + 1, "the game is set aside")
    hosted.wait()
    deeds = len(hosted.book.deeds("cup"))
    assert "This was done already" in hosted.do(**form)
    assert len(hosted.book.deeds("cup")) == deeds
    assert "There is no game zz" in hosted.do(**form | {"subject": "zz"}), "another word is another deed"


def test_a_game_that_is_not_in_the_plan_cannot_be_set_aside(hosted):
    """It counts for nothing, and would not be played again."""
    games = Run(hosted.folder).games()
    game = games[games["first"].eq("anna")]["game"].iloc[0]
    hosted.do("withdraw", subject="anna")
    wait_until_played(hosted.folder, hosted.names())
    page = hosted.do("set aside", subject=game[:12], reason="the power failed")
    assert f"{game[:12]} is not in the plan" in page
    hosted.do("readmit", subject="anna")
    hosted.wait()


def test_everything_can_be_downloaded(hosted, tmp_path):
    """A folder that runs, as `arena export` writes it, secret variants included; and the tables and games."""
    hosted.wait()
    got = post(hosted.server, "/runs/cup/export", token=hosted.token)
    assert got.headers["content-type"] == "application/zip"
    zipfile.ZipFile(io.BytesIO(got.body)).extractall(tmp_path)
    assert SECRET in (tmp_path / "cup" / "configs" / "cup.toml").read_text()
    found = {path.name.removesuffix(".py") for path in (tmp_path / "cup" / "bots").iterdir()}
    assert found == hosted.names()
    standings = (tmp_path / "cup-tables" / "standings.csv").read_text()
    assert all(f",{name}," in standings for name in hosted.names())
    assert (tmp_path / "cup-tables" / "games.csv").stat().st_size > 100


def test_a_file_with_a_mistake_is_said_to_the_organiser_and_play_goes_on(hosted):
    """What the file said before is what counts, and readers learn nothing of it; the terminal says it too."""
    hosted.warned.append("cup.toml:3: not valid TOML")
    good = hosted.config.read_text()
    hosted.config.write_text(good.replace("openings = 2", "openings = many"))
    try:
        page = wait_for_words(hosted.server, "as it was, because it cannot be read", token=hosted.token)
        assert "cup.toml:3: not valid TOML" in page
        assert str(hosted.base) not in page
        assert "cup.toml" not in hosted.server.ask("/runs/cup").text
    finally:
        hosted.config.write_text(good)
    wait_for(lambda: "cannot be read" not in hosted.do())


@pytest.mark.long
def test_a_folder_that_cannot_be_written_is_said_and_tried_again(hosted):
    """Here because somebody else has its lock; a full disk and a read-only folder come the same way."""
    hosted.warned.append("nothing is played at the moment: ")
    hosted.wait()
    with closing(Store(hosted.folder)):
        hand_in(hosted.book, bot("dora", 4))
        page = wait_for_words(
            hosted.server, "Nothing is played at the moment: cup: another run", token=hosted.token
        )
        assert str(hosted.base) not in page
    hosted.wait()
    assert "dora" in hosted.names()


@pytest.mark.long
def test_a_full_disk_is_said_and_all_goes_on_when_there_is_room(tmp_path):
    """Neither an upload nor a sitting that finds no room is taken for done, and what was there before stays."""
    apart = [shutil.which("unshare") or "false", "--mount"]
    if os.geteuid() != 0 or subprocess.run([*apart, "true"], check=False).returncode:
        pytest.skip("only root can mount a small disk, and this needs `unshare`")
    program = [*apart, sys.executable, "-m", "tests.web.full_disk", str(tmp_path)]
    found = subprocess.run(program, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_closing_it_shows_everything_and_opening_it_hides_what_comes(hosted):
    """The variant, the file with its seed; and no more bots are taken."""
    hosted.do("close", reason="the term is over")
    wait_for_words(hosted.server, CLOSED_AND_PLAYED, token=hosted.token)
    assert Run(hosted.folder).is_over
    assert str(SEED) in wait_for_words(hosted.server, SECRET, "/runs/cup")
    assert SECRET in (hosted.folder / "games.csv").read_text()
    hosted.do("reopen")
    wait_for(lambda: not Run(hosted.folder).is_over)
    page = hosted.do()
    for word in ("teacher", "close", "reopen", "the term is over"):
        assert f"<td>{word}</td>" in page
    hosted.wait()


def test_closing_it_shows_everything_when_too_few_are_left_to_play(hosted):
    """No sitting comes any more that could write down that it is closed."""
    others = hosted.names() - {"first"}
    for name in others:
        hosted.do("withdraw", subject=name)
    wait_for_words(hosted.server, TOO_FEW, token=hosted.token)
    wait_for(
        lambda: SECRET not in hosted.server.ask("/runs/cup").text, "it was shown when it was closed before"
    )
    hosted.do("close")
    wait_for_words(hosted.server, SECRET, "/runs/cup")
    wait_for(lambda: SECRET in (hosted.folder / "games.csv").read_text())
    for name in others:
        hosted.do("readmit", subject=name)
    hosted.do("reopen")
    hosted.wait()


@pytest.mark.parametrize("kills", [1, pytest.param(20, marks=pytest.mark.long)])
def test_kill_9_during_uploads_and_games_loses_nothing(tmp_path, kills):
    """Digest and table are those of a run of the same field that nobody disturbed."""
    folder = tmp_path / "cup"
    make_contest(folder)
    field = [bot(f"bot-{number}", number) for number in range(2 if kills < 10 else 8)]
    with closing(Book(folder)) as book:
        for kill in range(kills):
            with Server(folder, "cup.toml", "--workers", "2") as server:
                for source in field[kill * len(field) // kills : (kill + 1) * len(field) // kills]:
                    assert submit(server, book.make_token(source.name), source).startswith("200")
                time.sleep(kill * 7 % 10 / 5)
                os.kill(server.process.pid, signal.SIGKILL)
        names = ["first", *(source.name for source in field)]
        with Server(folder, "cup.toml", "--workers", "2") as server:
            wait_until_played(folder / "results" / "cup", names)
            token = book.make_token("teacher", "organiser")
            wait_for_words(server, ALL_PLAYED, token=token)
            post(server, ORGANISE, token=token, deed="close")
            wait_for_words(server, CLOSED_AND_PLAYED, token=token)
        assert entered_names(book) == names[1:]
    alone = play_elsewhere(tmp_path / "alone", FILE, ["first"], field)
    run = Run(folder / "results" / "cup")
    assert run.digest() == alone.digest()
    assert standings(run.folder).equals(standings(alone.folder))


@pytest.mark.long
def test_thirty_bots_at_once_are_checked_and_played_in_order(tmp_path):
    """The evening of the deadline: nothing is lost, and nothing is played twice."""
    make_contest(tmp_path)
    field = [bot(f"bot-{number:02}", number) for number in range(30)]
    with closing(Book(tmp_path)) as book, Server(tmp_path, "cup.toml", "--workers", "2") as server:
        tokens = book.make_tokens([source.name for source in field])

        def send(source):
            while not submit(server, tokens[source.name], source).startswith("200"):
                time.sleep(0.5)  # so many at once are asked to come back

        with ThreadPoolExecutor(30) as students:
            list(students.map(send, field))
        wait_for(lambda: len(entered_names(book)) == 30, seconds=600)
        assert [upload.name for upload in book.uploads("cup")] == entered_names(book)
        assert sorted(entered_names(book)) == sorted(tokens)
        wait_for(
            lambda: is_played(tmp_path / "results" / "cup", ["first", *entered_names(book)]), seconds=600
        )
        assert server.process.poll() is None
    run = Run(tmp_path / "results" / "cup")
    with closing(sqlite3.connect(run.folder / "games.sqlite")) as log:
        assert log.execute("SELECT COUNT(*) FROM replaced").fetchone() == (0,)
    alone = play_elsewhere(tmp_path / "alone", FILE, ["first"], field)
    assert run.digest() == alone.digest()
