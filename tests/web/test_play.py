"""Games against bots and solved positions over real HTTP, with real children; and readers who mean harm."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest

import arena
from arena.web import opponents
from arena.web.allowance import MOST_ADDRESSES, Allowance
from arena.web.asking import MOST_BYTES, Refused
from arena.web.game import Seating
from arena.web.offers import read_offer
from arena.web.opponents import Games
from tests.tournament.field import CHANCE, FAILING, FIRST, children
from tests.tournament.small import change, play_games
from tests.web.server import PATIENCE, Server, check_served

SECRET = "kayles:line-7"
MARK = "# nobody is to see this line"
ODD = (
    "import time\n\n\ndef move(position):\n    if position.variant.name == 'grid-lock':\n        {deed}\n"
    "    return position.legal_moves[0]\n"
)
"""Plays as it should in its tournament, and does something else on a rule book that is not part of it."""

DEEDS = {
    "illegal": "return 3 if len(position.history) > 2 else 0",
    "timeout": "time.sleep(99)",
    "loop": "while True: pass",
    "crash": "return [][0]",
    "flood": "print('x' * 10**6); raise RuntimeError('now')",
    "garbage": "return 'north'",
}
BOTS = {"first": f"{FIRST}{MARK}\n", "chance": CHANCE, "nostart": FAILING["no-start"]}
BOTS |= {name: ODD.format(deed=deed) for name, deed in DEEDS.items()}
LIMITS = f'[limits]\nmove_seconds = 0.3\ngame_seconds = 3\n[field]\nsecret = ["{SECRET}"]\n'
HARD = "kayles:grid-9x9"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A run with odd bots that is not over, and has a secret variant; and one that is over."""
    folder = tmp_path_factory.mktemp("played")
    going = play_games(folder, BOTS, variants=["snort:line-3"], openings=1, limits=LIMITS)
    change(going, "DELETE FROM games WHERE rowid IN (SELECT rowid FROM games ORDER BY rowid LIMIT 3)")
    for each in (folder / "bots").iterdir():
        each.unlink()
    bots, limits = {"first": FIRST, "chance": CHANCE}, f'[field]\nsecret = ["{SECRET}"]\n'
    play_games(folder, bots, name="over", variants=["snort:line-3", HARD], openings=1, limits=limits)
    return folder


@pytest.fixture(scope="module")
def server(folder):
    """A server that believes to be behind a proxy, so that readers can come from anywhere."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Server(folder, "--public-url", f"http://127.0.0.1:{port}/", port=port) as started:
        yield started
        own = children(started.process.pid)
        assert started.stop()[:2] == (130, "")
        wait_until(lambda: not any(map(is_alive, own)))


class Reader:
    """Somebody with an address of their own."""

    numbers = count(1)

    def __init__(self, server):
        self.server, self.address, self.games = server, f"10.0.0.{next(self.numbers)}", []

    def post(self, path, sent, run="cup", **headers):
        return self.server.post(f"/runs/{run}/{path}", sent, x_forwarded_for=self.address, **headers)

    def begin(self, bot="first", variant="grid-lock", run="cup", **more):
        sent = {"variant": variant, "bot": bot, "player": 1, "starter": 1} | more
        status, told = self.post("play/begin", sent, run)
        self.games.append(told.get("game", ""))
        return status, told

    def move(self, game, ply, cell):
        return self.post("play/move", {"game": game, "ply": ply, "cell": cell})

    def solve(self, variant, moves, run="cup"):
        return self.post("solve/position", {"variant": variant, "moves": moves}, run)

    def children(self):
        return children(self.server.process.pid)


@pytest.fixture
def reader(server):
    """A reader who leaves in the end, and then nobody is there any more."""
    reader = Reader(server)
    yield reader
    for game in reader.games:
        reader.post("play/leave", {"game": game})
    assert reader.children() == []


def is_alive(pid):
    return Path(f"/proc/{pid}").exists()


def wait_until(holds):
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_game_is_played_to_its_end_in_the_words_of_the_rule_book(reader):
    """The server keeps the position, the bot answers from the sandbox; what is closed is refused in words."""
    status, told = reader.begin()
    assert (status, told["moves"], told["side"], told["winner"]) == (200, [], 0, None)
    game = told["game"]
    assert len(game) == 32
    _, told = reader.move(game, 0, 5)
    assert told["moves"] == [5, 3]
    assert told["said"][:2] == ["Player 1 claimed 6.", "first (O) claimed 4."]
    _, refused = reader.move(game, 2, 0)
    assert (refused["refusal"], refused["moves"]) == ("Cell 1 is blocked.", [5, 3])
    assert reader.move(game, 2, 5)[1]["refusal"] == "Cell 6 is already claimed."
    assert reader.move(game, 0, 5)[1]["moves"] == [5, 3], (
        "it was made already, and its page did not hear of it"
    )
    assert reader.move(game, 1, 11)[0] == 409, "that is the bot's"
    assert reader.move(game, 3, 11)[0] == 409
    _, told = reader.move(game, 2, 11)
    assert told["moves"] == [5, 3, 11, 12]
    assert (told["winner"], told["ending"], told["head"]) == (1, "no-moves", "first wins")
    assert told["said"][-1] == "Player 1 has no valid moves and loses the game.\nfirst (O) wins the game!"
    assert reader.children() == []
    assert reader.move(game, 4, 0)[1]["refused"] == "This game is over."
    assert MARK not in json.dumps(told)


def test_the_other_player_may_start_where_the_rule_book_leaves_that_open(reader):
    """Whoever is Player 2 has O; where the book says Player 1, it is Player 1."""
    _, told = reader.begin(player=1, starter=2)
    assert (told["moves"], told["side"]) == ([0], 1)
    assert told["said"][-2].startswith("first (O) claimed")
    _, told = reader.begin(player=2, starter=2, instead=told["game"])
    assert (told["moves"], told["side"]) == ([], 0)
    status, told = reader.begin(variant="blockade-4x4", starter=2)
    assert (status, told["refused"]) == (400, "The rule book of blockade-4x4 says that Player 1 moves first.")
    assert len(reader.children()) == 1


def test_a_game_goes_on_from_its_moves(reader):
    """As after a restart: the moves so far are an opening, and must be possible ones of a game that goes on."""
    _, told = reader.begin(moves=[5, 3, 11])
    assert told["moves"] == [5, 3, 11, 12]
    assert "Player 1 claimed" not in str(told["said"]), "nobody has claimed anything in this game yet"
    for moves in ([5, 5], [5, 0], [16], [-1], ["5"], [5.0], [True], "5", [0] * 17, [5, 3, 11, 12]):
        assert Reader(reader.server).begin(moves=moves)[0] == 400


@pytest.mark.parametrize(
    "bot",
    [
        "crash",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("illegal", "timeout", "loop", "flood", "garbage", "nostart")
        ),
    ],
)
def test_a_bot_that_breaks_a_rule_loses_by_the_words_of_the_log(reader, bot):
    """It sleeps, loops, crashes, floods, answers nonsense or does not start; its child goes with it."""
    ending = {"loop": "timeout", "flood": "crash", "nostart": "no-start"}.get(bot, bot)
    _, told = reader.begin(bot)
    if bot != "nostart":
        _, told = reader.move(told["game"], 0, 15)
    if bot == "illegal":
        _, told = reader.move(told["game"], 2, 2)
    assert (told["winner"], told["ending"], told["head"]) == (0, ending, "You win")
    assert told["said"][-1].startswith(f"{bot} (O) forfeits: {ending}, ")
    assert told["said"][-1].endswith(".\nPlayer 1 wins the game!")
    assert "Traceback" not in str(told)
    assert reader.children() == []


SENT = [
    (b"", 400),
    (b"{", 400),
    (b"[]", 400),
    (b"\xff\xfe", 400),
    (b"[" * 30_000, 400),
    (b'{"a":' * 5_000, 400),
    (b" " * (MOST_BYTES + 1), 413),
    (b"{}", 400),
    ({"variant": 1, "bot": "first", "player": 1, "starter": 1}, 400),
    ({"variant": "x" * 1_000, "bot": "first", "player": 1, "starter": 1}, 400),
    ({"variant": "../../etc/passwd", "bot": "first", "player": 1, "starter": 1}, 404),
    ({"variant": "kayles:grid-64x64", "bot": "first", "player": 1, "starter": 1}, 404),
    ({"variant": "grid-lock", "bot": "../first", "player": 1, "starter": 1}, 404),
    ({"variant": "grid-lock", "bot": "first", "player": 3, "starter": 1}, 400),
    ({"variant": "grid-lock", "bot": "first", "player": True, "starter": 1}, 400),
    ({"variant": "grid-lock", "bot": "first", "player": 1, "starter": 10**400}, 400),
    ({"variant": "grid-lock", "bot": "first", "player": 1, "starter": 1, "instead": ["x"]}, 400),
]


def test_whatever_is_sent_is_answered_by_a_sentence_and_starts_nothing(server):
    """Malformed, nested, too long, of the wrong kind, or about what is not there."""
    got = [Reader(server).post("play/begin", sent) for sent, _ in SENT]
    assert [status for status, _ in got] == [status for _, status in SENT]
    assert all(told["refused"].endswith(".") for _, told in got)
    assert children(server.process.pid) == []


def test_only_pages_of_ours_can_send(reader):
    """Another site cannot let its readers play here, and nothing can be sent to what only shows."""
    sent = {"variant": "grid-lock", "bot": "first", "player": 1, "starter": 1}
    for headers in ({"origin": "https://evil.example"}, {"sec_fetch_site": "cross-site"}, {"origin": "null"}):
        assert reader.post("play/begin", sent, **headers)[0] == 403
    for path in ("play", "solve", "events", "play/end"):
        assert reader.post(path, sent)[0] == 405
    assert reader.post("play/begin", sent, run="none")[0] == 404
    assert reader.server.ask("/runs/cup/play/begin").status == 405
    assert reader.children() == []


def test_nobody_moves_in_a_game_whose_id_they_do_not_know(reader):
    """Guessed ids, ids of other kinds, and what only looks like one."""
    _, told = reader.begin()
    for id in (
        "",
        "0" * 32,
        told["game"][:-1],
        told["game"].upper() + " ",
        "x" * 300,
        None,
        5,
        [told["game"]],
    ):
        assert reader.move(id, 0, 5)[0] in (400, 404)
        reader.post("play/leave", {"game": id})
    assert reader.move(told["game"], 0, 5)[1]["moves"] == [5, 3]


def test_who_begins_as_many_games_as_possible_has_three_and_then_waits(reader):
    """A further one ends none that is being played, and soon there are no more for a while."""
    with ThreadPoolExecutor(8) as pool:
        begun = [task.result() for task in [pool.submit(reader.begin) for _ in range(8)]]
    statuses = Counter(status for status, _ in begun)
    assert statuses == {200: 3, 503: 3, 429: 2}
    assert len(reader.children()) == 3
    assert {told["refused"] for status, told in begun if status == 503} == {opponents.FULL}
    for status, told in begun:
        if status == 200:
            assert reader.move(told["game"], 0, 5)[0] == 200
    assert reader.server.ask("/").status == 200


def test_a_game_whose_reader_has_gone_before_it_began_takes_no_place(server):
    """As when a page is loaded anew while the bot sits down: it never hears of the game, and cannot leave it."""
    sent = json.dumps({"variant": "grid-lock", "bot": "first", "player": 1, "starter": 1})
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as line:
        line.request("POST", "/runs/cup/play/begin", sent, {"x-forwarded-for": Reader(server).address})
        wait_until(lambda: children(server.process.pid))
    wait_until(lambda: not children(server.process.pid))


def test_a_child_steps_back_behind_all_others(reader):
    """A low priority before it has done anything, and the first to be ended if memory runs out; so its bot."""
    assert reader.server.ask("/runs/cup/play").status == 200
    (child,) = reader.children()
    check_priority(child, 13)
    _, told = reader.begin()
    (template,) = children(child)
    for pid in (child, template, *children(template)):
        check_priority(pid)
    reader.move(told["game"], 0, 5)
    for pid in (child, template, *children(template)):
        check_priority(pid)
    assert Path(f"/proc/{child}/oom_score_adj").read_text().strip() == "900"


def check_priority(pid, least=17):
    """Low, and of its session too, where the kernel weighs these first."""
    assert os.getpriority(os.PRIO_PROCESS, pid) >= least
    session = Path(f"/proc/{pid}/autogroup")
    assert not session.exists() or os.geteuid() or int(session.read_text().split()[-1]) >= least


def test_children_end_with_the_server_however_it_ends(folder):
    """Also if it is killed: nobody is there any more who could end them."""
    with Server(folder) as server:
        reader = Reader(server)
        reader.begin()
        (child,) = reader.children()
        own = [child, *children(child)]
        server.stop(signal.SIGKILL)
        wait_until(lambda: not any(map(is_alive, own)))


def test_one_child_is_kept_ready_for_all_who_have_opened_the_page(reader):
    """The next game takes it, so nobody waits for Python to start."""
    for _ in range(3):
        assert reader.server.ask("/runs/cup/play").status == 200
    (ready,) = reader.children()
    assert reader.begin()[0] == 200
    assert reader.children() == [ready]


def test_a_secret_variant_is_neither_offered_nor_played_nor_solved_before_the_end(reader):
    """When the run is over it is offered as any other."""
    page = check_page(reader.server.ask("/runs/cup/solve").text)
    assert SECRET not in page.text
    assert reader.begin(variant=SECRET)[0] == 404
    assert reader.solve(SECRET, [])[0] == 404
    assert reader.solve(SECRET, [], run="over")[0] == 200


def check_page(text):
    """The page is as harmless as any other; its own links lead to this run."""
    return check_served(
        text.replace('"../../"', '"../"')
        .replace('"../cup"', '"../"')
        .replace('href="play"', 'href="../"')
        .replace('href="solve"', 'href="../"')
    )


def test_positions_are_solved_within_a_budget_of_positions(reader):
    """Who wins and by what, as `arena solve` has it; beyond the budget it says so."""
    for variant, moves in (("blockade-5x5", [0, 24]), ("grid-lock", [5]), ("snort:line-3", [])):
        position = arena.variant(variant).replay(moves)
        status, told = reader.solve(variant, moves)
        known = arena.solve(position)
        assert (status, told["winner"], told["winning"]) == (200, known.winner, list(known.winning_moves))
        assert "wins with perfect play" in told["said"]
    told = reader.solve("snort:line-3", [1])[1]
    assert told["said"] == "The game is over: O has no move, X has won."
    for wrong in ([0, 0], [99], "0", [[0]]):
        assert reader.solve("grid-lock", wrong)[0] == 400
    sent = {"variant": "grid-lock", "moves": [5, 3, 11, 12], "winner": 1}
    assert reader.post("solve/game", sent)[1]["verdicts"].split()[-1] == "-"


@pytest.mark.long
def test_what_is_beyond_the_budget_is_said_to_be_unknown(reader):
    """A board that nobody solves in a moment."""
    status, told = reader.solve(HARD, [1], run="over")
    assert (status, told["winner"]) == (200, None)
    assert told["said"] == "Who wins is not known within the budget of 20,000 positions."


def test_both_can_be_switched_off(folder):
    """The page says so, and whoever asks all the same is told."""
    with Server(folder, "--no-play", "--no-solve") as server:
        reader = Reader(server)
        page = server.ask("/runs/cup/play").text
        assert "switched off playing against bots" in page
        assert "switched off solving positions" in page
        assert reader.begin()[0] == 403
        assert reader.solve("grid-lock", [])[0] == 403
        assert reader.children() == []


# What needs no server.


def seat(folder):
    offer = read_offer(folder / "results" / "cup")
    return Seating(offer, offer.find_variant("grid-lock"), offer.find_bot("first"), 1, 1)


@pytest.mark.long
def test_a_game_that_nobody_goes_on_with_ends_by_itself(folder, monkeypatch):
    """Its child is gone, and whoever comes back is told why."""
    monkeypatch.setattr(opponents, "IDLE_SECONDS", 0.05)

    async def play():
        games = Games()
        game = await games.begin(seat(folder), "1.2.3.4", "")
        while game.child is not None:
            await asyncio.sleep(0.01)
        with pytest.raises(Refused, match="nothing has happened"):
            await games.move(game.id, 0, 5)

    asyncio.run(play())


class FakeChild:
    """Starts at once, with what is to be answered, and never moves."""

    def __init__(self, module, answer=("ready", None)):
        self.answer = dict(zip(("state", "failure"), answer, strict=True))

    async def ask(self, question, seconds):
        if "moves" in question:
            await asyncio.Event().wait()  # it thinks for ever
        return self.answer

    def end(self):
        pass


def test_a_few_games_are_played_at_once_and_others_come_back_later(folder, monkeypatch):
    """Six in all, from whatever addresses; or as many as fit into half of the memory."""
    monkeypatch.setattr(opponents, "Child", FakeChild)

    async def play(most):
        games, seating = Games(), seat(folder)
        for number in range(most):
            await games.begin(seating, f"1.2.3.{number}", "")
        with pytest.raises(Refused, match="no more can be begun"):
            await games.begin(seating, "5.6.7.8", "")

    asyncio.run(play(6))
    monkeypatch.setattr(opponents, "_half_the_memory", lambda: 1_100.0)
    asyncio.run(play(2))


def test_only_a_game_with_which_nobody_goes_on_makes_room_for_another_of_its_address(folder, monkeypatch):
    """Readers may share one: they end neither what goes on nor what waits for its bot, but the one idle longest."""
    monkeypatch.setattr(opponents, "Child", FakeChild)
    seating = seat(folder)._replace(opening=(5, 3))

    async def play():
        games = Games()
        thinking, refused, left = [await games.begin(seating, "1.2.3.4", "") for _ in range(3)]
        with pytest.raises(Refused, match="no more can be begun"):
            await games.begin(seating, "1.2.3.4", "")
        own = await games.begin(seating, "1.2.3.4", left.id)
        assert left.why == "left", "a reader has one game"
        monkeypatch.setattr(opponents, "KEPT_SECONDS", 0.0)
        waiting = asyncio.create_task(games.move(thinking.id, 2, 11))
        await asyncio.sleep(0)
        assert (await games.move(refused.id, 2, 0))["refusal"], "whoever is refused is there"
        await games.begin(seating, "1.2.3.4", "")
        assert [game.why for game in (thinking, refused, own)] == ["", "", "replaced"]
        with pytest.raises(Refused, match="Nothing had happened"):
            await games.move(own.id, 2, 11)
        waiting.cancel()

    asyncio.run(play())


def test_without_a_whole_sandbox_nobody_plays(folder, monkeypatch):
    """They are told, in a sentence for readers."""
    monkeypatch.setattr(opponents, "Child", lambda module: FakeChild(module, ("no sandbox", None)))
    with pytest.raises(Refused, match="cannot run them in a sandbox"):
        asyncio.run(Games().begin(seat(folder), "1.2.3.4", ""))


def test_an_allowance_comes_back_with_time_and_belongs_to_one_address():
    """So much at once, so much in a minute; strangers' addresses do not fill the memory."""
    allowance = Allowance(2, 60)
    assert [allowance.take("a", 0) for _ in range(3)] == [True, True, False]
    assert allowance.take("b", 0)
    assert [allowance.take("a", 1.1) for _ in range(2)] == [True, False]
    for number in range(MOST_ADDRESSES + 9):
        allowance.take(str(number), 2)
    assert len(allowance._left) == MOST_ADDRESSES
