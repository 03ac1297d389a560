"""The sandboxed host: bots play, and whatever they do wrong costs them their game and nothing else."""

import hashlib
import os
import resource
import signal
import tempfile
import time
from pathlib import Path

import pytest

import arena
from arena.bots.source import Source
from arena.inside import wire
from arena.library import play_game
from arena.referee import Ending, Game, GameSpec, Limits
from arena.sandbox.template import Template
from tests.hosts.games import FIRST_LEGAL, QUICK, game
from tests.hosts.processes import alive, gone_within


@pytest.mark.parametrize(
    "variant",
    [
        *("blockade-4x4", "blockade-5x5", "grid-block", "snort:hex-4x4"),
        pytest.param("col:grid-64x64", marks=pytest.mark.long),
    ],
)
def test_a_sandboxed_game_is_the_game_that_the_same_bots_play_in_this_process(bot, variant):
    """The sandbox changes nothing about a game, on boards of any size."""
    record = game(bot(FIRST_LEGAL), bot(FIRST_LEGAL), variant, limits=Limits())

    def first_legal(position):
        return position.legal_moves[0]

    assert record.moves == play_game(arena.variant(variant), first_legal, first_legal).moves
    assert (record.ending, record.detail, record.isolation) == (Ending.NO_MOVES, "", "sandboxed")


def test_after_an_odd_opening_side_1_is_asked_first(bot):
    """The opening is made for both sides, and the bots see it in the history."""
    tell = "def move(position):\n    print(position.to_move, *position.history)\n    return position.legal_moves[0]\n"
    first, second = bot(tell), bot(tell)
    record = game(first, second, "blockade-line", opening=(6,))
    assert second.printed.splitlines()[0] == "1 6"
    assert first.printed.splitlines()[0] == "0 6 0"
    assert record.moves[0] == 6
    assert record.opening_plies == 1


@pytest.mark.parametrize(
    ("text", "ending", "words"),
    [
        ("def move(position):\n    return None\n", "garbage", "answered None, which is not a number"),
        ("def move(position):\n    return 'a'\n", "garbage", "answered 'a', which is not a number"),
        ("def move(position):\n    return True\n", "garbage", "answered True, which is not a number"),
        ("def move(position):\n    return [1]\n", "garbage", "answered [1], which is not a number"),
        ("def move(position):\n    return 1.0\n", "garbage", "answered 1.0, which is not a whole number"),
        ("def move(position):\n    return 'x' * 10**6\n", "garbage", "answered 'xxxxx"),
        ("def move(position):\n    return 99\n", "illegal", "claimed cell 99"),
        ("def move(position):\n    return -1\n", "illegal", "answered -1"),
        ("def move(position):\n    return 10**30\n", "illegal", "answered 1000000"),
        ("def move(position):\n    return 1 << 100_000\n", "illegal", "answered 0x10000"),
        ("def move(position):\n    return 65536\n", "illegal", "answered 65536"),
        ("def move(position):\n    1 / 0\n", "crash", "raised ZeroDivisionError: division by zero"),
        ("def move(position):\n    raise SystemExit(0)\n", "crash", "called sys.exit"),
        ("def move(position):\n    raise KeyboardInterrupt\n", "crash", "raised KeyboardInterrupt"),
        ("def move(position):\n    move(position)\n", "crash", "raised RecursionError"),
        ("import os\ndef move(position):\n    os._exit(7)\n", "crash", "exit code 7"),
        ("def move(position):\n    return bytearray(10**9)\n", "memory", "raised MemoryError"),
        (
            "def move(position):\n    while True: pass\n",
            "timeout",
            "s of CPU without an answer, and may use 0.2 s",
        ),
        ("def move(position):\n    return sum(range(10**12))\n", "timeout", "s of CPU without an answer"),
        ("import time\ndef move(position):\n    time.sleep(60)\n", "timeout", "s asleep without an answer"),
        ("1 / 0\n", "no-start", "raised ZeroDivisionError: division by zero while it was loaded"),
        ("def move(position:\n", "no-start", "raised SyntaxError"),
        ("import nonexistent_module\n", "no-start", "raised ModuleNotFoundError: No module named"),
        ("", "no-start", "it has no function `move`"),
        ("move = 3\n", "no-start", "it has no function `move`"),
        ("def move():\n    return 0\n", "no-start", "`move` must take a position"),
        ("def move(position, depth):\n    return 0\n", "no-start", "`move` must take a position"),
        ("while True: pass\n", "no-start", "s of CPU without an answer, and may use 1 s"),
        ("import os\nos._exit(0)\n", "no-start", "exit code 0"),
        ("class Bot:\n    pass\n", "no-start", "it has no function `move`"),
        (
            "class Bot:\n    def __init__(self, game):\n        1 / 0\n",
            "no-start",
            "raised ZeroDivisionError",
        ),
    ],
)
def test_a_bot_that_fails_loses_its_game_with_the_reason(bot, text, ending, words):
    """Each kind of failure has its ending and a sentence; the opponent wins, and then plays on."""
    opponent = bot(FIRST_LEGAL)
    record = game(bot(text), opponent)
    assert (record.winner, str(record.ending)) == ("two", ending)
    assert words in record.detail
    assert game(opponent, bot(FIRST_LEGAL)).ending is Ending.NO_MOVES


@pytest.mark.parametrize(
    "text",
    [
        "def move(position, depth=3):\n    return position.legal_moves[0]\n",
        "def move(position, clock):\n    assert clock.move_seconds == 0.2\n    return position.legal_moves[0]\n",
        "def move(position, *, clock):\n    assert 0 < clock.game_seconds_left <= 2\n    return position.legal_moves[0]\n",
        "def move(*anything):\n    return anything[0].legal_moves[0]\n",
        "move = lambda position: position.legal_moves[0]\n",
        "class Bot:\n    def move(self, position):\n        return position.legal_moves[0]\n",
        "class Bot:\n    def __init__(self, game):\n        self.side = game.side\n"
        "    def move(self, position):\n        assert position.to_move == self.side\n"
        "        return position.legal_moves[0]\n",
        "class Bot:\n    def move(self, position, clock):\n        return position.legal_moves[0]\n",
        "class Bot:\n    @staticmethod\n    def move(position):\n        return position.legal_moves[0]\n",
        "class Cell(int):\n    pass\ndef move(position):\n    return Cell(position.legal_moves[0])\n",
        "class Cell:\n    def __index__(self):\n        return 0\ndef move(position):\n"
        "    return position.legal_moves[Cell()]\n",
        "from dataclasses import dataclass\n@dataclass\nclass Note:\n    cell: int\n"
        "def move(position):\n    return Note(position.legal_moves[0]).cell\n",
    ],
)
def test_a_bot_may_be_written_in_any_of_these_ways(bot, text):
    """Functions and classes, with or without clock and game, and anything that Python takes as a number."""
    record = game(bot(text), bot(text))
    assert (record.ending, record.detail) == (Ending.NO_MOVES, "")


def test_a_folder_may_bring_helpers(bot):
    """Modules beside bot.py can be imported."""
    helped = "import helper\ndef move(position):\n    return helper.choose(position)\n"
    helper = "def choose(position):\n    return position.legal_moves[-1]\n"
    assert game(bot(helped, helper=helper), bot(FIRST_LEGAL)).moves[0] == 15


def test_every_game_starts_from_the_state_just_after_import(bot):
    """Globals of the bot and of its helpers are those after import, however many games came before."""
    text = (
        "import helper\nplayed = []\ndef move(position):\n    played.append(1)\n    helper.played.append(1)\n"
        "    print(len(played), len(helper.played))\n    return position.legal_moves[0]\n"
    )
    counting = bot(text, helper="played = []\n")
    for _ in range(3):
        game(counting, bot(FIRST_LEGAL), "blockade-line")
        assert counting.printed.splitlines() == ["1 1", "2 2", "3 3", "4 4"]


def test_what_a_bot_leaves_behind_never_costs_it_a_later_game(bot):
    """A body that works only once in a process, or that hangs when its game is dropped, plays every game."""
    once = "import sys\nassert not hasattr(sys, 'seen')\nsys.seen = 1\n" + FIRST_LEGAL
    hangs = (
        "def wait():\n    try:\n        yield\n    finally:\n        while True: pass\nw = wait(); next(w)\n"
        + FIRST_LEGAL
    )
    for text in (once, hangs):
        host, opponent = bot(text), bot(FIRST_LEGAL)
        endings = [game(host, opponent, limits=QUICK._replace(start_seconds=0.2)).ending for _ in range(3)]
        assert endings == [Ending.NO_MOVES] * 3


def test_an_illegal_move_in_the_bots_own_look_ahead_is_its_crash(bot):
    """The author sees the line that tried it."""
    record = game(bot("def move(position):\n    return position.play(99)\n"), bot(FIRST_LEGAL))
    assert record.ending is Ending.CRASH
    assert "raised IllegalMove: 99 is not a cell" in record.detail
    assert 'File "bot.py", line 2, in move' in record.evidence


@pytest.mark.alone
def test_drips_quicker_than_our_glances_are_seen_too(bot):
    """A bot that spins while it sends a long reply byte by byte is caught at its CPU limit."""
    drip = (
        "import os, struct, time\ndef move(position):\n    os.write(4, b'12345678' + struct.pack('<BI', 2, 16000))\n"
        "    while True:\n        end = time.perf_counter() + 0.008\n        while time.perf_counter() < end: pass\n"
        "        os.write(4, b'x')\n"
    )
    begun = time.monotonic()
    record = game(bot(drip), bot(FIRST_LEGAL))
    assert record.ending is Ending.TIMEOUT
    assert time.monotonic() - begun < 5


def test_shared_memory_cannot_be_hoarded(bot):
    """Memory that is let go without being freed would belong to nobody: it cannot be had."""
    hoard = (
        "import mmap\ndef move(position):\n    try:\n        mmap.mmap(-1, 1 << 20)\n"
        "    except OSError as error:\n        print('refused', error.errno)\n    return position.legal_moves[0]\n"
    )
    host = bot(hoard)
    assert game(host, bot(FIRST_LEGAL)).ending is Ending.NO_MOVES
    assert host.printed.startswith("refused 1\n")


def test_address_space_is_limited(bot):
    """Maps that would cost the kernel tables and the bot nothing cannot be had without end."""
    wide = (
        "import mmap\ndef move(position):\n    kept = []\n    try:\n        for _ in range(100):\n"
        "            kept.append(mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ))\n"
        "    except (OSError, MemoryError):\n        pass\n    print(len(kept))\n    return position.legal_moves[0]\n"
    )
    host = bot(wide)
    assert game(host, bot(FIRST_LEGAL)).ending is Ending.NO_MOVES
    assert int(host.printed.splitlines()[0]) < 4


def test_a_bot_that_closes_its_pipe_has_crashed_by_itself(bot):
    """That is no signal of a stranger's, and earns no second game."""
    host = bot("import os, time\ndef move(position):\n    os.close(4)\n    time.sleep(9)\n")
    record = game(host, bot(FIRST_LEGAL))
    assert (record.ending, host.by_signal) == (Ending.CRASH, False)
    assert "closed the pipe" in record.detail


@pytest.mark.parametrize(
    "text",
    [
        "class Base:\n    def __init__(self, game):\n        self.side = game.side\nclass Bot(Base):\n"
        "    def move(self, position):\n        return position.legal_moves[self.side * 0]\n",
        "class Bot:\n    def __init__(self, *args):\n        self.game = args[0]\n"
        "    def move(self, position):\n        return position.legal_moves[0]\n",
    ],
)
def test_a_constructor_may_be_inherited_or_take_anything(bot, text):
    """The game is given wherever there is a place for it."""
    assert game(bot(text), bot(FIRST_LEGAL)).ending is Ending.NO_MOVES


def test_a_template_lives_on_after_a_fork_that_failed(template, bot, monkeypatch):
    """Whatever a failed start leaves behind is undone: the next bot starts."""
    from arena.hosts.line import Line
    from arena.sandbox.template import TemplateLost

    with pytest.raises(TemplateLost):
        Line(template, 128, folder="/nonexistent/folder", solver=True)
    assert game(bot(FIRST_LEGAL), bot(FIRST_LEGAL)).ending is Ending.NO_MOVES


def test_chance_is_seeded_before_every_move_from_the_bots_own_seed(bot):
    """The same game gives the same random moves, whenever `random` is imported; another game gives others."""
    early = "import random\ndef move(position):\n    return random.choice(position.legal_moves)\n"
    late = "def move(position):\n    import random\n    return random.choice(position.legal_moves)\n"
    records = [game(bot(text), bot(text), "blockade-5x5").moves for text in (early, late, early)]
    assert records[0] == records[1] == records[2]
    again = bot(early)
    assert game(again, again, "blockade-5x5", game="another").moves != records[0]

    import random

    def trusted(position):
        return random.choice(position.legal_moves)

    seeds = [
        GameSpec("0123456789abcdef", arena.variant("grid-lock"), "", "", "v1", "v2").bot_seed(s)
        for s in (0, 1)
    ]
    assert seeds[0] != seeds[1]
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_what_a_bot_prints_is_kept_and_never_mistaken_for_a_move(bot):
    """Printing on both streams is harmless; up to 64 KiB of a game are kept."""
    chatty = bot(
        "import sys\ndef move(position):\n    print('thinking', 3)\n    print('aside', file=sys.stderr)\n"
        "    print('x' * 50_000)\n    return position.legal_moves[0]\n"
    )
    record = game(chatty, bot(FIRST_LEGAL))
    assert record.ending is Ending.NO_MOVES
    assert chatty.printed.startswith("thinking 3\naside\nxxx")
    assert len(chatty.printed) == 64 * 1024


def test_a_traceback_is_cut_to_the_bots_own_frames(bot):
    """An author sees own lines and nothing of ours."""
    text = "def helper(position):\n    return position.nothing\n\ndef move(position):\n    return helper(position)\n"
    evidence = game(bot(text), bot(FIRST_LEGAL)).evidence
    assert 'File "bot.py", line 5, in move' in evidence
    assert 'File "bot.py", line 2, in helper' in evidence
    assert "AttributeError: 'Position' object has no attribute 'nothing'" in evidence
    assert "arena" not in evidence
    assert "/" not in evidence


def test_of_a_long_traceback_the_end_is_kept(bot):
    """There stands what was raised; what called it is cut off first."""
    steps = "".join(f"def step{n}():\n    return step{n + 1}()  # {'x' * 40}\n" for n in range(200))
    text = (
        f"{steps}def step200():\n    raise ValueError('the end')\ndef move(position):\n    return step0()\n"
    )
    evidence = game(bot(text), bot(FIRST_LEGAL)).evidence
    assert evidence.endswith("ValueError: the end")
    assert "in step199" in evidence
    assert "in step0\n" not in evidence
    assert len(evidence) <= 8000


@pytest.mark.alone
def test_limits_of_a_move_are_in_cpu_and_exact(bot):
    """A bot that answers, but over its CPU limit, loses; one below it does not."""
    burn = (
        "import time\ndef move(position):\n    end = time.process_time() + {}\n"
        "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
    )
    over = game(bot(burn.format(0.5)), bot(FIRST_LEGAL))
    assert (over.ending, over.winner) == (Ending.TIMEOUT, "two")
    under = game(bot(burn.format(0.12)), bot(FIRST_LEGAL))
    assert under.ending is Ending.NO_MOVES
    assert 0.15 <= under.first_cpu_seconds < 0.4  # some is forgiven where the machine stands still


def test_the_limit_of_a_game_is_the_sum_of_its_moves(bot):
    """Moves within their limit can still use up the game's."""
    burn = (
        "import time\ndef move(position):\n    end = time.process_time() + 0.15\n"
        "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
    )
    record = game(bot(burn), bot(FIRST_LEGAL), "blockade-5x5", limits=QUICK._replace(game_seconds=0.4))
    assert (record.ending, record.winner) == (Ending.TIMEOUT, "two")


def test_cpu_used_between_moves_is_charged_to_the_next(bot):
    """A signal handler that computes while the opponent thinks pays for it."""
    ponder = (
        "import signal, time\ndef think(*_):\n    end = time.process_time() + 0.6\n"
        "    while time.process_time() < end: pass\nsignal.signal(signal.SIGALRM, think)\n"
        "def move(position):\n    signal.setitimer(signal.ITIMER_REAL, 0.02)\n    return position.legal_moves[0]\n"
    )
    slow = (
        "import time\ndef move(position):\n    end = time.process_time() + 0.1\n"
        "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
    )
    record = game(bot(ponder), bot(slow))
    assert (record.ending, record.winner) == (Ending.TIMEOUT, "two")


def test_the_record_has_what_a_bot_used_that_was_ended(bot):
    """Its CPU, and the seconds until its end, which are no fewer."""
    spin = "def move(position):\n    while True: pass\n"
    record = game(bot(spin), bot(FIRST_LEGAL))
    assert record.ending is Ending.TIMEOUT
    assert 0.2 <= record.first_cpu_seconds <= record.first_wall_seconds < 10
    assert record.second_cpu_seconds == record.second_wall_seconds == 0


def test_resident_memory_is_limited(bot):
    """Memory that grows over many moves is found out, not only one large request."""
    hoard = "kept = []\ndef move(position):\n    kept.append(b'x' * (15 << 20))\n    return position.legal_moves[0]\n"
    record = game(bot(hoard), bot(FIRST_LEGAL), "snort:grid-8x8", limits=Limits(memory_mib=128))
    assert (record.ending, record.winner) == (Ending.MEMORY, "two")
    assert "of resident memory" in record.detail  # seen from outside, before the kernel's own limit


def test_a_game_is_played_under_its_own_limits(bot):
    """A process that was started under others ends, however wide those were."""
    hoard = "def move(position):\n    kept = b'x' * (150 << 20)\n    return position.legal_moves[0]\n"
    host, wide = bot(hoard), Limits(memory_mib=512)
    assert game(host, bot(FIRST_LEGAL), limits=wide).ending is Ending.NO_MOVES
    assert game(host, bot(FIRST_LEGAL), limits=wide._replace(memory_mib=128)).ending is Ending.MEMORY
    assert game(host, bot(FIRST_LEGAL), limits=wide).ending is Ending.NO_MOVES


def test_no_process_is_left_when_a_host_is_closed(bot):
    """Closing ends the bot at once, also while it is stopped."""
    host = bot(FIRST_LEGAL)
    host.begin(Game(arena.variant("grid-lock"), 0, 1, QUICK))
    pid = host.pid
    os.kill(pid, signal.SIGSTOP)
    host.close()
    assert gone_within(1, pid)


def test_bots_end_with_the_template_and_the_template_with_its_worker(tmp_path):
    """kill -9 of the template or of the worker leaves no process and no file after a second."""
    for victim in ("template", "worker"):
        program = (
            "import arena, sys, time\nfrom arena.sandbox.template import Template\n"
            "from arena.hosts.sandboxed import SandboxedHost\nfrom arena.bots.source import Source\n"
            "from arena.referee import Game, Limits\nt = Template()\n"
            f"s = Source('b', 'bot.py', {{'bot.py': {FIRST_LEGAL.encode()!r}}})\n"
            "hosts = [SandboxedHost(s, t) for _ in range(2)]\n"
            "for h in hosts: h.begin(Game(arena.variant('grid-lock'), 0, 1, Limits()))\n"
            "print(t.pid, *[h.pid for h in hosts], flush=True)\ntime.sleep(60)\n"
        )
        import subprocess
        import sys

        worker = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        assert worker.stdout is not None
        template_pid, *bots = map(int, worker.stdout.readline().split())
        assert all(map(alive, [template_pid, *bots]))
        os.kill(template_pid if victim == "template" else worker.pid, signal.SIGKILL)
        assert gone_within(1, *bots), victim
        worker.kill()
        worker.wait()
        assert gone_within(1, template_pid)
        worker.stdout.close()
        # A worker that was killed could not tidy up; the next template does.
        left = set(Path(tempfile.gettempdir()).glob(f"arena-{worker.pid}-*"))
        next_one = Template()
        assert next_one.walls.is_enough
        next_one.close()
        assert not [folder for folder in left if folder.exists()]


def test_a_lost_template_is_replaced(bot, tmp_path):
    """The next game after kill -9 of the template is played by a new one."""
    own = Template()
    try:
        from arena.hosts.sandboxed import SandboxedHost

        source = Source("b", "bot.py", {"bot.py": FIRST_LEGAL.encode()})
        first, second = SandboxedHost(source, own), SandboxedHost(source, own)
        assert game(first, second).ending is Ending.NO_MOVES
        os.kill(own.pid, signal.SIGKILL)
        time.sleep(0.1)
        first.close()
        second.close()
        assert game(first, second).ending is Ending.NO_MOVES
    finally:
        own.close()


def test_the_bots_process_has_imported_the_kernel_and_little_else(bot):
    """Nothing of ours that a stranger could use, and nothing heavy."""
    nosy = bot(
        "import sys\ndef move(position):\n    print(*sys.modules)\n    return position.legal_moves[0]\n"
    )
    game(nosy, bot(FIRST_LEGAL))
    loaded = {name.partition(".")[0] for name in nosy.printed.split()}
    assert loaded & {"pandas", "numpy", "typer", "rich", "pydantic", "multiprocess", "sqlite3"} == set()
    assert not {name for name in nosy.printed.split() if name.startswith("arena.cli")}


def test_the_bots_environment_holds_nothing_of_ours(bot, monkeypatch):
    """Neither variables nor open files of the worker reach a bot."""
    nosy = bot(
        "import os\ndef move(position):\n    print(sorted(os.environ))\n"
        "    print([fd for fd in range(64) if is_open(fd)])\n    return position.legal_moves[0]\n"
        "def is_open(fd):\n    try:\n        os.fstat(fd)\n    except OSError:\n        return False\n    return True\n"
    )
    game(nosy, bot(FIRST_LEGAL))
    variables, descriptors = nosy.printed.splitlines()[:2]
    assert "HOME" not in variables
    assert "PYTHONHASHSEED" in variables
    assert descriptors == "[0, 1, 2, 3, 4]"


def test_a_runner_knows_the_rule_books_by_what_a_host_sends():
    """Else every bot would make them anew, at 0.4 ms of its start."""
    import subprocess
    import sys

    program = (
        "import hashlib\nfrom arena.inside.runner import Runner\n"
        "print(*[hashlib.sha256(data).hexdigest() for data in Runner(3, 4)._rule_books])"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    books = [arena.variant(name) for name in arena.game.RULE_BOOKS]
    assert all(book.board.symmetries for book in books)  # looking at them must not change what is sent
    sent = [wire.pickle_variant(book) for book in books]
    assert [hashlib.sha256(data).hexdigest() for data in sent] == told.split()


@pytest.mark.parametrize("nonce", ["bytes(8)", "b'\\xff' * 8"])
def test_a_reply_without_the_nonce_of_its_request_is_no_move(bot, nonce):
    """Written before the bot has thought, it would cost it next to nothing; it is garbage."""
    early = (
        "import os, struct, time\ndef move(position):\n"
        f"    os.write(4, struct.pack('<8sBIH', {nonce}, 0, 2, position.legal_moves[0]))\n"
        "    end = time.process_time() + 0.1\n    while time.process_time() < end: pass\n"
    )
    record = game(bot(early), bot(FIRST_LEGAL))
    assert (record.ending, record.winner, record.plies) == (Ending.GARBAGE, "two", 0)


LIMITED = ("DATA", "AS", "STACK", "FSIZE", "CORE", "NOFILE", "MEMLOCK", "MSGQUEUE", "NPROC")
MIB = 1024 * 1024


def limits_told(printed):
    """What a bot has printed of its limits, soft and hard, by name."""
    return {name: (int(soft), int(hard)) for name, soft, hard in map(str.split, printed.splitlines())}


def allowed(**wanted):
    """Limits as they are set: both the same, and never above what this process has itself."""
    hards = {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1] for name in wanted}
    most = {name: value if hards[name] == -1 else min(value, hards[name]) for name, value in wanted.items()}
    return {name: (value, value) for name, value in most.items()}


FIXED = {"STACK": 64 * MIB, "FSIZE": 0, "CORE": 0, "NOFILE": 64, "MEMLOCK": 0, "MSGQUEUE": 0}


def test_a_bot_finds_every_limit_that_is_set(bot):
    """Seen from inside, where they hold: memory by the tournament's limit, and the rest as it is for all."""
    tells = (
        f"import resource\nfor name in {LIMITED}:\n"
        "    print(name, *resource.getrlimit(getattr(resource, 'RLIMIT_' + name)))\n" + FIRST_LEGAL
    )
    host = bot(tells)
    assert game(host, bot(FIRST_LEGAL), limits=QUICK).ending is Ending.NO_MOVES
    wanted = {"DATA": (128 + 64) * MIB, "AS": (128 + 2048) * MIB, "NPROC": 1}
    assert limits_told(host.printed) == allowed(**FIXED, **wanted)


@pytest.mark.parametrize(("share", "ending"), [(0.98, Ending.NO_MOVES), (1.02, Ending.MEMORY)])
def test_a_mebibyte_is_1024_times_1024_bytes(bot, share, ending):
    """98 % of the limit plays, 102 % loses; what the interpreter itself needs is counted."""
    fill = (
        "import resource, time\nkept = []\ndef move(position):\n"
        "    if not kept:\n"
        "        used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024\n"
        f"        kept.append(b'x' * (int(128 * 1024 * 1024 * {share}) - used))\n"
        "    end = time.process_time() + 0.05\n    while time.process_time() < end: pass\n"
        "    return position.legal_moves[0]\n"
    )
    host = bot(fill)
    record = game(host, bot(FIRST_LEGAL), limits=QUICK._replace(move_seconds=1.0))  # pages cost CPU
    assert record.ending is ending, record.detail
    if ending is Ending.NO_MOVES:
        assert host.peak_memory_mib == pytest.approx(128 * share, abs=1)


def test_the_folders_of_other_bots_are_not_there(bot, template):
    """Not even to be asked about by `stat`; its own is there."""
    if not template.walls.namespaces:
        pytest.skip("without namespaces a bot may ask of any path whether it is there")
    opponent = bot(FIRST_LEGAL)
    assert opponent.begin(Game(arena.variant("grid-lock"), 1, 1, QUICK)) is None
    assert os.path.exists(opponent._folder)
    looks = (
        f"import os\nfor place in ({opponent._folder!r}, '/bot'):\n"
        "    print(os.path.exists(place), os.path.lexists(place + '/bot.py'))\n" + FIRST_LEGAL
    )
    host = bot(looks)
    assert game(host, opponent).ending is Ending.NO_MOVES
    assert host.printed.splitlines() == ["False False", "True True"]
