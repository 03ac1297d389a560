"""A run beside a server: everybody sees it go on, however many they are, and it does not notice them."""

import contextlib
import socket
import threading

import pytest

from tests.tournament.field import CHANCE, FIRST, LAST, started, wait_for_games, write
from tests.tournament.small import play_games
from tests.web.server import PATIENCE, News, Server

BUSY = (
    "import random, time\n\n\ndef move(position):\n    end = time.process_time() + 0.004\n"
    "    while time.process_time() < end: pass\n    return random.choice(position.legal_moves)\n"
)
BOTS = {"busy": BUSY, "chance": CHANCE, "first": FIRST, "last": LAST}
READERS = 50


def read(port, found, number):
    """Read news to the end of the run, and note all states on the way."""
    news, states = News(port, "cup", is_packed=number % 2 == 0), []
    while not (news.state.get("isOver") and news.state.get("games") == 192):
        news.next()
        states.append((news.state.get("games"), news.state.get("isOver")))
    found[number] = (states, news.state)
    news.close()


def never_read(port):
    """Ask for news and never take any."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    line.connect(("127.0.0.1", port))
    line.sendall(b"GET /runs/cup/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return line


@pytest.mark.long
def test_fifty_readers_see_a_run_go_on_and_one_that_never_reads_holds_up_nobody(tmp_path):
    """From the first games to the last, each change once; all end with the same page, and Ctrl-C ends it at once."""
    config = write(tmp_path, BOTS, variants=["snort:line-9", "blockade-5x5"], openings=8, isolation="trusted")
    with contextlib.ExitStack() as open_lines, Server(tmp_path) as server:
        playing = started(
            "run", config, "--workers", "1", "--no-audit", "--no-report", "--quiet", cwd=tmp_path
        )
        wait_for_games(tmp_path / "results" / "cup", 1)
        page = server.ask("/runs/cup").text
        open_lines.enter_context(never_read(server.port))
        found = {}
        readers = [
            threading.Thread(target=read, args=(server.port, found, number), daemon=True)
            for number in range(READERS)
        ]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join(PATIENCE)
        assert len(found) == READERS
        assert playing.wait(PATIENCE) == 0
        assert "</html>" in page
        for states, last in found.values():
            games = [games for games, _ in states if games is not None]
            assert games == sorted(games)
            assert len(set(games)) >= 2, "the table has moved"
            assert last["strip"] == found[0][1]["strip"]
            assert last["tables"].keys() == found[0][1]["tables"].keys()
            assert "<b>192</b> of 192 games" in last["strip"]
            assert '<p class="pace">done</p>' in last["strip"]
            assert last["strip"].count("<li>") == 5
        with contextlib.closing(server.news("cup")) as late:
            late.next()
            assert late.state["games"] == 192
            code, complaints, seconds = server.stop()
    assert (code, complaints) == (130, "")
    assert seconds < 2
    playing.communicate()


@pytest.mark.long  # in short it is a test of the browser's
def test_who_comes_back_after_a_restart_is_sent_the_present_state(tmp_path):
    """A browser asks again at the same address; nothing has to be remembered of it."""
    play_games(tmp_path, {"chance": CHANCE, "first": FIRST}, variants=["snort:line-9"], openings=2)
    with Server(tmp_path) as server:
        port, news = server.port, server.news("cup")
        before = until(news, "games")
        assert server.stop()[:2] == (130, "")
        with pytest.raises(EOFError):
            news.next()
        news.close()
    play_games(tmp_path, {"last": LAST}, variants=["snort:line-9"], openings=2)
    with Server(tmp_path, port=port) as server, contextlib.closing(server.news("cup")) as news:
        assert until(news, "games")["games"] == 3 * before["games"]
        assert ">last</a>" in news.state["tables"]["/all games"]


def until(news, part):
    """The state in which some part is known."""
    while part not in news.state:
        news.next()
    return news.state
