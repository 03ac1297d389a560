"""Games that are spoilt: once more, then a loss or a void, and never a wrong result."""

import os
import random
import signal
import threading
import time
from itertools import permutations

import pytest

import arena
from arena.bots.source import Source
from arena.errors import Void
from arena.hosts.batch import MOST_MIB, Dropped, play_batch
from arena.hosts.play import play, play_surely
from arena.hosts.sandboxed import SandboxedHost
from arena.referee import Ending, Failure, GameSpec, Reply
from arena.sandbox.template import Template
from tests.hosts.games import FIRST_LEGAL, QUICK
from tests.hosts.processes import gone_within

SPEC = GameSpec("0123456789abcdef", arena.variant("grid-lock"), "one", "two", "v1", "v2", limits=QUICK)


class Scripted:
    """A host that does what it is told, game by game: a failure by signal, a void, or first-legal moves."""

    isolation = "sandboxed"
    printed = ""
    takes_clock = False

    def __init__(self, *script):
        self.script = list(script)
        self.by_signal = False
        self.closed = 0

    def begin(self, game):
        self.by_signal = False
        self.now = self.script.pop(0) if self.script else "plays"
        if self.now == "void":
            raise Void("the template has ended")

    def ask(self, position, game_seconds_left):
        if self.now == "signal":
            self.by_signal = True
            return Reply(-1, failure=Failure(Ending.CRASH, "its process was ended by signal 9"))
        return Reply(position.legal_moves[0])

    def finish(self, outcome):
        pass

    def close(self):
        self.closed += 1


def test_a_signal_once_is_played_again_in_fresh_processes():
    """A bot killed from outside loses nothing: the game is played once more."""
    host = Scripted("signal")
    record = play_surely(SPEC, host, Scripted())
    assert record.ending is Ending.NO_MOVES
    assert host.closed == 1
    assert record.again == ("one", "its process was ended by signal 9 at ply 1")


def test_a_signal_twice_is_the_bots_loss():
    """Otherwise a losing bot could crash its way to a replay."""
    record = play_surely(SPEC, Scripted("signal", "signal"), Scripted())
    assert (record.ending, record.winner) == (Ending.CRASH, "two")
    assert record.again == ("one", "its process was ended by signal 9 at ply 1")


def test_our_own_fault_once_is_played_again_and_twice_is_void():
    """A void has no winner and is nobody's loss."""
    record = play_surely(SPEC, Scripted("void"), Scripted())
    assert (record.ending, record.again) == (Ending.NO_MOVES, ("", "the template has ended"))
    assert play_surely(SPEC, Scripted(), Scripted()).again is None
    with pytest.raises(Void, match="the template has ended; before that one its process was ended by signal"):
        play_surely(SPEC, Scripted("signal", "void"), Scripted())
    with pytest.raises(Void):
        play_surely(SPEC, Scripted("void", "void"), Scripted())


@pytest.mark.long
def test_kill_9_of_bots_and_template_at_random_moments_never_decides_a_game_wrongly():
    """Over games with kills in between, every record is the game that nobody disturbed, or void."""
    burn = (
        "import time\ndef move(position):\n    end = time.process_time() + 0.01\n"
        "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
    )
    source = Source("b", "bot.py", {"bot.py": burn.encode()})
    template = Template()
    first, second = SandboxedHost(source, template), SandboxedHost(source, template)
    undisturbed = play_surely(SPEC, first, second).moves
    chance = random.Random(5)
    kills, voids, wrong, stop = [], 0, 0, threading.Event()

    def killer():
        while not stop.is_set():
            time.sleep(chance.uniform(0.02, 0.2))
            victims = [
                pid for pid in (first.pid, second.pid, template._process and template._process.pid) if pid
            ]
            if victims:
                pid = chance.choice(victims)
                try:
                    os.kill(pid, signal.SIGKILL)
                    kills.append(pid)
                except ProcessLookupError:
                    pass

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        for _ in range(40):
            try:
                record = play_surely(SPEC, first, second)
            except Void:
                voids += 1
                continue
            # Two kills in one game are, by the contract, the loss of the bot that was being asked.
            is_loss_by_two_kills = record.ending is Ending.CRASH and "signal 9" in record.detail
            wrong += (
                record.moves != undisturbed
                and not is_loss_by_two_kills
                and record.ending is not Ending.NO_START
            )
    finally:
        stop.set()
        thread.join()
        pids = [pid for pid in (first.pid, second.pid) if pid]
        first.close()
        second.close()
        template.close()
    assert wrong == 0
    assert len(kills) >= 5
    assert gone_within(1, *pids)


def test_the_records_of_a_batch_are_those_of_single_games(bot):
    """Lockstep changes nothing: moves, winners and endings are the same, for bots with chance and memory too."""

    remembering = (
        "import random\nseen = []\nclass Bot:\n    def __init__(self, game):\n        self.game = game\n"
        "    def move(self, position):\n        seen.append(position.history)\n"
        "        return random.choice(position.legal_moves) if len(seen) % 2 else position.legal_moves[-1]\n"
    )
    hosts = {"one": bot(remembering), "two": bot(FIRST_LEGAL)}
    names = ["blockade-5x5", "grid-lock", "snort:hex-4x4"]
    specs = []
    for number in range(40):
        sides = ("one", "two") if number % 2 else ("two", "one")
        opening = (number % 9,) if number % 3 == 0 else ()
        specs.append(
            GameSpec(
                f"{number:016x}", arena.variant(names[number % 3]), *sides, *sides, opening, limits=QUICK
            )
        )
    batch = play_batch(specs, hosts)
    single = [play(spec, hosts[spec.first], hosts[spec.second]) for spec in specs]
    assert isinstance(batch, list)
    same = ("game", "winner", "ending", "moves", "detail", "opening_plies", "isolation")
    assert [[getattr(r, name) for name in same] for r in batch] == [
        [getattr(r, name) for name in same] for r in single
    ]


def among(names, count=2):
    """Games of every two of some bots, on either side."""
    meetings = [pair for pair in permutations(names, 2) for _ in range(count)]
    return [
        SPEC._replace(
            game=f"{n:016x}", first=one, second=other, first_version=one, second_version=other, seed=n
        )
        for n, (one, other) in enumerate(meetings)
    ]


def test_many_bots_in_one_batch_play_as_in_single_games(bot):
    """Whom a bot meets in other games changes nothing; each knows only its own."""
    chance = "import random\ndef move(position):\n    return random.choice(position.legal_moves)\n"
    texts = [FIRST_LEGAL, chance, chance + "#\n", FIRST_LEGAL.replace("[0]", "[-1]")]
    hosts = {f"bot{number}": bot(text) for number, text in enumerate(texts)}
    specs = among(hosts)
    batch = play_batch(specs, hosts)
    single = [play(spec, hosts[spec.first], hosts[spec.second]) for spec in specs]
    assert isinstance(batch, list)
    assert [(r.game, r.winner, r.moves) for r in batch] == [(r.game, r.winner, r.moves) for r in single]


def test_a_bot_that_needs_much_memory_is_not_played_among_many(bot):
    """All of a batch are alive at once: three of them may not have what two may."""
    large = f"{FIRST_LEGAL}kept = [bytearray(b'x') * (1 << 20) for _ in range({MOST_MIB + 30})]\n"
    hosts = {"large": bot(large), "one": bot(FIRST_LEGAL), "two": bot(FIRST_LEGAL)}
    limits = QUICK._replace(move_seconds=5.0, start_seconds=5.0, memory_mib=1024)
    specs = [spec._replace(limits=limits) for spec in among(hosts, 1)]
    reason = f"had more than {MOST_MIB} MiB of its own in a batch of 6 games between 3 bots"
    assert play_batch(specs, hosts) == Dropped("large", reason, is_lasting=True)
    two = {name: hosts[name] for name in ("large", "one")}
    own = [spec for spec in specs if {spec.first, spec.second} == set(two)]
    assert isinstance(play_batch(own, two), list)


def test_a_batch_charges_every_side_its_own_time(bot):
    """The slow bot has used the CPU, whichever side it plays; each game has its share."""
    hosts = {"slow": bot(BURN.format(0.003)), "fast": bot(FIRST_LEGAL)}
    specs = [
        SPEC._replace(game=f"{n:016x}", first=first, second=second)
        for n, (first, second) in enumerate([("slow", "fast"), ("fast", "slow")] * 4)
    ]
    records = play_batch(specs, hosts)
    assert isinstance(records, list)
    for record in records:
        seconds = {record.first: record.first_cpu_seconds, record.second: record.second_cpu_seconds}
        moves = len(record.moves) // 2
        assert 0.0025 * moves <= seconds["slow"]  # a little is forgiven where the machine stands still
        assert seconds["fast"] < 0.003
        assert min(record.first_wall_seconds, record.second_wall_seconds) > 0


BURN = (
    "import time\ndef move(position):\n    e = time.process_time() + {}\n"
    "    while time.process_time() < e: pass\n    return position.legal_moves[0]\n"
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "def move(position):\n    return 99\n",
            ("claimed cell 99, which is not legal in a batch of 20 games", False),
        ),
        (
            "def move(position):\n    return {0: 0}[len(position.history)]\n",
            ("raised KeyError: 2 in a batch of 20 games", False),
        ),
        ("def move(position, clock):\n    return position.legal_moves[0]\n", ("", True)),
        (BURN.format(0.02), ("a batch of 20 games took more time than one move may", True)),
        (BURN.format(0.3), ("a batch of 20 games took more time than one move may", True)),
        ("1 / 0\n", ("", False)),  # nobody was asked, so no game is played again
        (
            "import os\ndef move(position):\n    os._exit(1)\n",
            ("ended its process with exit code 1 in a batch of 20 games", False),
        ),
    ],
)
def test_a_batch_that_is_not_plain_proves_nothing(bot, text, why):
    """Failures, clocks and CPU above the limit of one move send every game to be played by itself, afresh."""

    hosts = {"one": bot(text), "two": bot(FIRST_LEGAL)}
    specs = [
        GameSpec(f"{n:016x}", arena.variant("grid-lock"), "one", "two", "v1", "v2", limits=QUICK)
        for n in range(20)
    ]
    dropped = play_batch(specs, hosts)
    assert isinstance(dropped, Dropped)
    assert (dropped.bot, dropped.reason, dropped.is_lasting) == ("one", *why)
    assert [host.pid for host in hosts.values()] == [None, None]
    assert play_surely(specs[0], hosts["one"], hosts["two"]).winner in ("one", "two")


@pytest.mark.parametrize("use", ["while time.process_time() < e: pass", "time.sleep(0.6)"])
def test_a_batch_that_took_longer_than_a_game_may_proves_nothing(bot, use):
    """Each turn is within the limit of a move, and they are not within that of a game; sleep counts as well."""
    text = f"import time\ndef move(position):\n    e = time.process_time() + 0.15\n    {use}\n"
    hosts = {"one": bot(f"{text}    return position.legal_moves[0]\n"), "two": bot(FIRST_LEGAL)}
    limits = QUICK._replace(move_seconds=2.0, game_seconds=0.1)
    dropped = play_batch([SPEC._replace(limits=limits)], hosts)
    assert dropped == Dropped("one", "a batch of 1 games took more time than one game may", is_lasting=True)


def test_a_bot_that_floods_its_answers_does_not_hang_a_batch(bot):
    """More bytes than were asked for end the batch at once."""

    flood = "import os\nwhile True:\n    os.write(4, bytes(60_000))\n"
    hosts = {"one": bot(flood), "two": bot(FIRST_LEGAL)}
    specs = [SPEC._replace(game=f"{n:016x}") for n in range(8)]
    begun = time.monotonic()
    assert isinstance(play_batch(specs, hosts), Dropped)
    assert play_surely(specs[0], hosts["one"], hosts["two"]).winner == "two"
    assert time.monotonic() - begun < 10


def test_a_template_that_is_killed_during_a_batch_is_a_void_and_no_crash(bot):
    """The batch ends with Void or nothing; the games are then played one at a time."""

    burn = (
        "import time\ndef move(position):\n    end = time.process_time() + 0.002\n"
        "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
    )
    own = Template()
    source = Source("b", "bot.py", {"bot.py": burn.encode()})
    hosts = {name: SandboxedHost(source, own) for name in ("one", "two")}
    specs = [SPEC._replace(game=f"{n:016x}", limits=QUICK._replace(move_seconds=5.0)) for n in range(40)]
    killer = threading.Timer(0.3, lambda: os.kill(own.pid, signal.SIGKILL))
    try:
        assert own.walls.is_enough
        killer.start()
        try:
            outcome = [play_batch(specs, hosts) for _ in range(4)]
        except Void:
            outcome = [Dropped("", "")]
        assert any(isinstance(batch, Dropped) for batch in outcome)
        assert play_surely(specs[0], hosts["one"], hosts["two"]).ending is Ending.NO_MOVES
    finally:
        killer.cancel()
        for host in hosts.values():
            host.close()
        own.close()
