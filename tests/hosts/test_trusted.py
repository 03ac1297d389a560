"""The trusted host: bots in this process, measured and interrupted, and nothing of ours disturbed."""

import random
import signal
import time

import arena
from arena.hosts.trusted import TrustedHost
from arena.inside.program import Program
from arena.library import play_game
from arena.referee import Ending, Game, Limits
from tests.hostile.texts import TRICKS
from tests.hosts.games import FIRST_LEGAL, QUICK, game

LINE = arena.variant("blockade-line")


def first_legal(position):
    return position.legal_moves[0]


def hangs(position):
    while True:
        pass


def sleeps(position):
    time.sleep(60)


def raises(position):
    raise RuntimeError("broken")


def shouts(position):
    print(TRICKS)
    raise RuntimeError(TRICKS.replace("\n", "") * 9)


def test_what_a_bot_says_is_printable_in_the_record():
    """A detail is one line of at most 300 characters; prints and tracebacks are printable lines."""
    record = play_game(LINE, shouts, first_legal)
    assert record.detail.isprintable()
    assert len(record.detail) == 300
    for text in (record.evidence, record.printed):
        assert r"\x1b[31m" in text
        assert text.replace("\n", "").isprintable()


def test_a_bot_that_hangs_sleeps_or_raises_costs_only_its_game():
    """Loops in Python and sleeps are interrupted, whatever is raised is a crash, and the next game is played."""
    limits = Limits(move_seconds=0.05)
    for bot, ending in ((hangs, Ending.TIMEOUT), (sleeps, Ending.TIMEOUT), (raises, Ending.CRASH)):
        record = play_game(LINE, bot, first_legal, limits=limits)
        assert (record.ending, record.winner) == (ending, "first_legal")
        if ending is Ending.TIMEOUT:
            assert record.detail == "ply 1: gave no move within 1.1 s of wall time, and may use 0.05 s"
    assert play_game(LINE, first_legal, first_legal).ending is Ending.NO_MOVES


def test_the_callers_alarm_is_left_as_it_was():
    """Handler and timer of SIGALRM are the caller's again after a game."""
    heard = []
    before = signal.signal(signal.SIGALRM, lambda *_: heard.append(1))
    timer = signal.setitimer(signal.ITIMER_REAL, 100)
    try:
        play_game(LINE, first_legal, first_legal)
        play_game(LINE, raises, first_legal)
        assert signal.getsignal(signal.SIGALRM) is not None
        assert 50 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100
        signal.raise_signal(signal.SIGALRM)
        assert heard == [1]
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, before)


def test_trusted_games_are_those_that_the_sandbox_plays(bot, tmp_path):
    """The same files give the same games either way: functions, classes, helpers, chance, late imports."""
    texts = {
        "chance": "import random\ndef move(position):\n    return random.choice(position.legal_moves)\n",
        "late": "def move(position):\n    import random\n    return random.choice(position.legal_moves)\n",
        "memory": "seen = []\ndef move(position):\n    seen.append(1)\n    return position.legal_moves[-len(seen) % len(position.legal_moves)]\n",
        "seeded": "class Bot:\n    def __init__(self, game):\n        self.seed = game.seed\n    def move(self, position):\n        return position.legal_moves[self.seed % len(position.legal_moves)]\n",
    }
    for name, text in texts.items():
        file = tmp_path / f"{name}.py"
        file.write_text(text)
        for _ in range(2):
            trusted = game(TrustedHost(Program(str(file))), TrustedHost(Program(str(file))), "blockade-5x5")
            sandboxed = game(bot(text), bot(text), "blockade-5x5")
            assert trusted.moves == sandboxed.moves, name


def test_a_game_is_sandboxed_only_if_both_bots_are(bot):
    """With one of them in our own process the other's walls protect nobody, and the record says trusted."""
    for sides in (
        (first_legal, bot(FIRST_LEGAL)),
        (bot(FIRST_LEGAL), first_legal),
        (first_legal, first_legal),
    ):
        hosts = [TrustedHost(side) if side is first_legal else side for side in sides]
        assert game(*hosts).isolation == "trusted"
    assert game(bot(FIRST_LEGAL), bot(FIRST_LEGAL)).isolation == "sandboxed"


def test_two_folders_may_have_helpers_of_one_name(tmp_path):
    """Each bot imports its own, at import and in the middle of a move, and our own modules stay."""
    hosts = []
    for name, index in (("a", 0), ("b", -1)):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "helper.py").write_text(f"INDEX = {index}\n")
        (folder / "bot.py").write_text(
            "import helper\ndef move(position):\n    import helper as again\n    assert again.INDEX == helper.INDEX\n"
            "    return position.legal_moves[helper.INDEX]\n"
        )
        hosts.append(TrustedHost(Program(str(folder / "bot.py"), str(folder))))
    record = game(hosts[0], hosts[1], "blockade-line")
    assert (record.ending, record.moves[:2]) == (Ending.NO_MOVES, (0, 12))
    assert isinstance(arena.variant("grid-lock").start(), arena.Position)


def test_a_bot_beside_our_own_code_does_not_unload_it(tmp_path, monkeypatch):
    """A single file forgets no module but its own."""
    import sys

    (tmp_path / "mine.py").write_text(FIRST_LEGAL)
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    assert game(TrustedHost(Program("mine.py")), TrustedHost(first_legal)).ending is Ending.NO_MOVES
    assert before <= set(sys.modules)


def test_chance_of_a_callable_is_seeded_as_well():
    """Functions of the caller's own get the same seeding, so that a game can be repeated."""

    def chance(position):
        return random.choice(position.legal_moves)

    games = [play_game(arena.variant("blockade-5x5"), chance, chance, seed=seed).moves for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_what_a_trusted_bot_prints_is_kept(capsys):
    """It does not reach our own output."""
    host = TrustedHost(lambda position: print("hello") or position.legal_moves[0])
    game(host, TrustedHost(first_legal), limits=QUICK)
    assert host.printed == "hello\nhello\n"
    assert capsys.readouterr().out == ""


def test_a_crash_without_a_message_is_a_plain_sentence(tmp_path):
    """Nothing stands between the last word and the full stop that is put behind it."""
    (tmp_path / "quits.py").write_text("import bdb\ndef move(position):\n    raise bdb.BdbQuit\n")
    host = TrustedHost(Program(str(tmp_path / "quits.py")))
    assert host.begin(Game(LINE, 0, 1, Limits())) is None
    failure = host.ask(LINE.start(), 10.0).failure
    host.close()
    assert failure is not None
    assert failure.detail == "raised BdbQuit"
