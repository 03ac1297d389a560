"""The contract of executors: every game comes back once and right, whoever plays it and whatever dies."""

import importlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import closing
from itertools import chain, combinations
from pathlib import Path

import pytest

import arena
from arena.bots.source import Source
from arena.errors import Void
from arena.executors import EXECUTORS, dask
from arena.executors.local import LocalExecutor
from arena.executors.unit import Manner, Replay, Unit, replay
from arena.executors.worker import FIRST_SHARE
from arena.hosts.batch import play_batch
from arena.leftovers import name_after_us
from arena.referee import Ending, GameSpec, Limits
from arena.referee.row import GAME_COLUMNS
from tests.executors import clusters
from tests.hosts.games import FIRST_LEGAL
from tests.hosts.processes import gone_within

LIMITS = Limits(move_seconds=0.3, game_seconds=5.0, start_seconds=1.0, memory_mib=128)
CHANCE = "import random\nseen = []\ndef move(position):\n    seen.append(1)\n    return random.choice(position.legal_moves)\n"
SLOW = (
    "import time\ndef move(position):\n    end = time.process_time() + 0.005\n"
    "    while time.process_time() < end: pass\n    return position.legal_moves[0]\n"
)
SLEEPY = "import time\ndef move(position):\n    time.sleep(0.1)\n    return position.legal_moves[0]\n"
# What takes a process with it, or cannot be interrupted in it, on the game whose first move is cell 5; how often
# the bot gets that far: only after a signal that may have come from outside is the game played once more.
DEADLY = {
    "leaves": ("os._exit(3)", Ending.CRASH, "ply 2: ended its process with exit code 3", 1),
    "faults": ("ctypes.string_at(0)", Ending.CRASH, "ended by signal 11 (Segmentation fault)", 1),
    "aborts": ("os.abort()", Ending.CRASH, "ended by signal 6 (Aborted)", 1),
    "kills": ("os.kill(os.getpid(), 9)", Ending.CRASH, "ended by signal 9 (Killed)", 2),
    "terminates": ("os.kill(os.getpid(), 15)", Ending.CRASH, "ended by signal 15 (Terminated)", 2),
    "hangs in C": ("sum(range(10**12))", Ending.TIMEOUT, "gave no answer within 0.3 s of CPU", 1),
}


def source(name, text):
    return Source(name, "bot.py", {"bot.py": text.encode()})


def units(first, second, count=40, size=7, isolation="sandboxed"):
    """Games on three variants with openings, cut into units."""
    names = ["grid-lock", "blockade-5x5", "snort:hex-3x3"]
    specs = []
    for number in range(count):
        sides = (first, second) if number % 2 else (second, first)
        opening = (number % 9,) if number % 4 == 0 else ()
        variant = arena.variant(names[number % 3])
        specs.append(
            GameSpec(
                f"{number:016x}",
                variant,
                sides[0].name,
                sides[1].name,
                sides[0].version,
                sides[1].version,
                opening,
                limits=LIMITS,
            )
        )
    return [Unit(tuple(specs[at : at + size]), (first, second), isolation) for at in range(0, count, size)]


def executor(name, **options):
    if name == "dask":
        options = {"cluster": clusters.shared(), "is_sandboxed": True}
    module, _, cls = EXECUTORS[name].partition(":")
    return getattr(importlib.import_module(module), cls)(**options)


def together(games):
    """Everything that an executor gave back, as one list of rows and one of spoilt games."""
    rows, spoilt = [], []
    for some in games:
        rows += some.rows
        spoilt += some.spoilt
    return rows, spoilt


def results(rows):
    """Winner, ending and moves by id."""
    columns = [GAME_COLUMNS.index(name) for name in ("winner", "ending", "moves")]
    return {row[0]: tuple(row[column] for column in columns) for row in rows}


def played(made, units):
    """All games by id, each exactly once, and the executor closed."""
    try:
        rows, spoilt = together(made.play(units))
    finally:
        made.close()
    assert not spoilt
    assert len(results(rows)) == len(rows) == sum(len(unit.specs) for unit in units)
    return results(rows)


@pytest.fixture(scope="module")
def expected():
    """The games as one worker in this process plays them, sandboxed."""
    return played(executor("serial"), units(source("chance", CHANCE), source("first", FIRST_LEGAL)))


@pytest.mark.parametrize("isolation", ["trusted", "sandboxed"])
@pytest.mark.parametrize(
    ("name", "workers"),
    [
        ("serial", 1),
        pytest.param("local", 1, marks=pytest.mark.long),
        ("local", 2),
        pytest.param("local", 3, marks=pytest.mark.long),
        ("dask", 2),
    ],
)
@pytest.mark.parametrize("size", [*(pytest.param(size, marks=pytest.mark.long) for size in (1, 7)), 40])
def test_every_executor_plays_the_same_games(name, workers, size, isolation, expected):
    """Whatever the executor, the number of workers, the size of units and the isolation."""
    made = executor(name, workers=workers)
    assert (
        played(made, units(source("chance", CHANCE), source("first", FIRST_LEGAL), 40, size, isolation))
        == expected
    )


@pytest.mark.parametrize("name", EXECUTORS)
def test_units_are_taken_only_when_there_is_somebody_to_play_them(name, monkeypatch):
    """There may be any number of units: no more of them exist than are played now and next."""
    monkeypatch.setattr(dask, "MOST_UNITS", 1)  # otherwise that is several for each worker
    made, taken, done = executor(name, workers=2), [], 0

    def counted():
        for unit in units(source("a", FIRST_LEGAL), source("b", FIRST_LEGAL), 30, 1, "trusted"):
            taken.append(unit)
            assert len(taken) - done <= 5  # one ahead for each worker
            yield unit

    try:
        for games in made.play(counted()):
            done += games.games
    finally:
        made.close()
    assert done == len(taken) == 30


@pytest.fixture(scope="module")
def slowly():
    """Sixty games of a bot that thinks, as they come out in this process."""
    return played(executor("serial"), slow_units(60, "trusted"))


def slow_units(size, isolation="sandboxed"):
    return units(source("slow", SLOW), source("first", FIRST_LEGAL), 60, size, isolation)


@pytest.mark.parametrize("name", EXECUTORS)
@pytest.mark.parametrize("isolation", [pytest.param("trusted", marks=pytest.mark.long), "sandboxed"])
def test_no_game_is_begun_after_stop(name, isolation, slowly):
    """What is being played may be finished; whatever comes back is right."""
    made = executor(name, workers=2)
    rows = []
    try:
        for games in made.play(slow_units(20, isolation)):
            rows += games.rows
            if rows:
                made.stop()
    finally:
        made.close()
    assert 0 < len(rows) < 60
    assert results(rows).items() <= slowly.items()


def test_a_long_unit_is_shared_by_those_who_are_free(monkeypatch):
    """What is left after two seconds goes to another worker: each game still comes once."""
    slow = source("slow", SLEEPY)
    wanted = units(slow, source("first", FIRST_LEGAL), 12, 12)
    made = LocalExecutor(workers=2)
    busy = set()
    rows = []
    try:
        for games in made.play(wanted):
            rows += games.rows
            busy |= {hand.pid for hand in made._workers if not hand.is_idle}
    finally:
        made.close()
    assert len(results(rows)) == len(rows) == 12
    assert len(busy) == 2


def test_every_executor_is_in_these_tests():
    """A new executor gets its tests free."""
    assert set(EXECUTORS) == {"serial", "local", "dask"}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] if name in ("faults", "aborts", "terminates") else [])
        for name in DEADLY
    ],
)
def test_a_trusted_bot_that_dies_or_hangs_costs_only_its_game(name, tmp_path):
    """It loses that game, with the moves so far, and every other game of the unit is played."""
    statement, ending, detail, times = DEADLY[name]
    bad = source(
        "bad",
        "import ctypes, os\ndef move(position):\n"
        "    if position.history[0] == 5 and position.to_move == 1 and len(position.history) == 1:\n"
        f"        open({str(tmp_path / 'log')!r}, 'a').write('x')\n        {statement}\n"
        "    return position.legal_moves[0]\n",
    )
    good = source("good", FIRST_LEGAL)
    variant = arena.variant("grid-lock")
    specs = [
        GameSpec(f"{n:016x}", variant, "good", "bad", good.version, bad.version, (n,), limits=LIMITS)
        for n in range(10)
    ]
    made = LocalExecutor(workers=1)
    try:
        found = list(made.play([Unit(tuple(specs), (good, bad), "trusted")]))
    finally:
        made.close()
    rows, spoilt = together(found)
    games = results(rows)
    assert (len(rows), len(games), spoilt) == (10, 10, [])
    assert games.pop(f"{5:016x}") == ("good", str(ending), "5")
    assert {ending for _, ending, _ in games.values()} == {"no-moves"}
    assert detail in next(row[GAME_COLUMNS.index("detail")] for row in rows if row[0] == f"{5:016x}")
    assert len((tmp_path / "log").read_text()) == times + 1  # the first time among others
    again = {(trace.game, trace.bot, trace.reason) for games in found for trace in games.replays}
    lost = "the worker process ended"
    own = {trace for trace in again if trace[0] == f"{5:016x}" and trace[2] != lost}
    assert {(bot, reason) for _, bot, reason in own} == (
        {("bad", f"its process was {detail} at ply 2")} if times == 2 else set()
    )
    assert {(bot, reason) for _, bot, reason in again - own} == {("", lost)}
    assert all(game < f"{FIRST_SHARE:016x}" for game, _, _ in again - own)


def test_a_trusted_bot_that_dies_at_import_does_not_start(tmp_path):
    """Whoever cannot even begin forfeits as no-start, at once."""
    text = f"import os\nopen({str(tmp_path / 'log')!r}, 'a').write('x')\nos._exit(0)\n"
    bad, good = source("bad", text), source("good", FIRST_LEGAL)
    specs = [
        GameSpec(f"{n:016x}", arena.variant("grid-lock"), "good", "bad", "g", "b", limits=LIMITS)
        for n in range(2)
    ]
    games = played(LocalExecutor(workers=1), [Unit(tuple(specs), (good, bad), "trusted")])
    assert {(winner, ending) for winner, ending, _ in games.values()} == {("good", "no-start")}
    assert len((tmp_path / "log").read_text()) == 3  # the first time in both at once


def test_kill_9_of_workers_at_random_moments_loses_nothing_and_leaves_nothing(slowly):
    """Games come back as if nobody had been killed; no worker, template or bot is left after a second."""
    made = LocalExecutor(workers=2)
    chance, stop, kills = random.Random(3), threading.Event(), []

    def killer():
        while not stop.is_set() and len(kills) < 3:
            time.sleep(chance.uniform(0.3, 0.6))
            victim = chance.choice(made.pids)
            try:
                os.kill(victim, signal.SIGKILL)
                kills.append(victim)
            except ProcessLookupError:
                pass

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        rows, spoilt = together(made.play(slow_units(10)))
    finally:
        stop.set()
        thread.join()
        pids = made.pids
        made.close()
    assert len({*results(rows), *(game.spec.game for game in spoilt)}) == len(rows) + len(spoilt) == 60
    assert results(rows).items() <= slowly.items()
    assert kills
    assert gone_within(1, *pids, *kills)


REMEMBERS = (
    "import sys\ndef move(position):\n    seen = sys.__dict__.setdefault('seen', [])\n    seen.append(1)\n"
    "    if len(seen) > 20:\n        return position.legal_moves[-1]\n"  # it has been here before
    "    if len(position.history) >= 2:\n        sys.seen += [1] * 20\n        raise ValueError('no')\n"
    "    return position.legal_moves[0]\n"
)


def test_a_bot_remembers_nothing_of_a_batch_that_it_has_spoilt():
    """The games are played again in fresh processes: it knows no answer of the opponent's."""
    bad, good = source("bad", REMEMBERS), source("good", FIRST_LEGAL)
    variant = arena.variant("blockade-5x5")
    specs = [
        GameSpec(f"{n:016x}", variant, "bad", "good", bad.version, good.version, limits=LIMITS)
        for n in range(8)
    ]
    made = executor("serial")
    try:
        found = list(made.play([Unit(tuple(specs), (bad, good), "sandboxed")]))
    finally:
        made.close()
    rows, spoilt = together(found)
    assert results(rows)[f"{0:016x}"][:2] == ("good", "crash")
    reason = "raised ValueError: no in a batch of 8 games"
    traces = [Replay(spec.game, "blockade-5x5", "bad", "good", "bad", reason) for spec in specs]
    assert [trace for games in found for trace in games.replays] == traces
    assert (sum(games.games for games in found), spoilt) == (8, [])


def crowd(bots, size=100):
    """Games of every two of some bots, cut into units of several pairings."""
    pairs = [unit.specs for one, other in combinations(bots, 2) for unit in units(one, other, 6, 6)]
    specs = [spec._replace(game=f"{n:016x}") for n, spec in enumerate(chain.from_iterable(pairs))]
    return [Unit(tuple(specs[at : at + size]), tuple(bots), "sandboxed") for at in range(0, len(specs), size)]


@pytest.mark.parametrize("name", EXECUTORS)
def test_a_bot_that_fails_among_many_costs_only_its_own_games(name):
    """The others are played together without it, to the same end; it is found out once."""
    bad = source(
        "bad", "def move(position):\n    return [position.legal_moves[0], 99][len(position.history) > 3]\n"
    )
    good = [source(f"good{number}", FIRST_LEGAL + f"# {number}\n") for number in range(4)]
    wanted = crowd([*good, bad], 20)
    alone = played(executor(name, workers=1), [of(wanted, pair) for pair in combinations([*good, bad], 2)])
    made = executor(name, workers=1)
    try:
        found = list(made.play(wanted))
    finally:
        made.close()
    rows, spoilt = together(found)
    assert results(rows) == alone
    assert not spoilt
    assert {row.ending for row in rows if "bad" in (row.first, row.second)} > {"illegal"}
    traces = [trace for games in found for trace in games.replays]
    assert {trace.bot for trace in traces} == {"bad"}
    workers = 2 if name == "dask" else 1
    assert len(traces) <= 20 * workers  # those of the one batch that it spoilt, with each worker


def of(units, pair):
    """The games of two bots in some units, as a unit of their own."""
    names = {bot.name for bot in pair}
    specs = [spec for unit in units for spec in unit.specs if {spec.first, spec.second} == names]
    return units[0]._replace(specs=tuple(specs), bots=pair)


@pytest.mark.parametrize(
    "text", [SLOW.replace("0.005", "0.06"), FIRST_LEGAL.replace("position)", "position, clock)", 1)]
)
def test_a_bot_that_cannot_be_played_in_lockstep_is_found_out_once(text, monkeypatch):
    """Not in every unit anew: what it has cost to find out would be spent for nothing."""
    from arena.executors import worker

    batches = []
    monkeypatch.setattr(worker, "play_batch", lambda *given: batches.append(1) or play_batch(*given))
    bad, good = source("bad", text), source("good", FIRST_LEGAL)
    played(executor("serial"), units(bad, good, 12, 6))
    assert len(batches) == 1


@pytest.mark.parametrize(("text", "most"), [(FIRST_LEGAL, 200), (SLOW, 8)])
def test_every_game_that_a_worker_took_with_it_leaves_a_trace(text, most):
    """A whole batch, or a single game and what was not handed back yet: all that is played again, and no more."""
    a, b = source("a", text), source("b", FIRST_LEGAL)
    wanted = units(a, b, most, most)
    made = LocalExecutor(workers=1)
    status = made._workers[0]._status

    def kill():
        while not status.in_play:
            pass
        os.kill(pid, signal.SIGSTOP)
        while not Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].startswith(" T"):
            pass
        begun_then.append(status.game + status.in_play)
        os.kill(pid, signal.SIGKILL)

    pid, begun_then = made.pids[0], []
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        found = list(made.play(wanted))
    finally:
        killer.join()
        made.close()
    (lost,) = (number for number, games in enumerate(found) if games.replays)
    handed_back = sum(games.games for games in found[:lost])
    begun = wanted[0].specs[handed_back : begun_then[0]]
    assert begun
    assert found[lost].replays == [replay(spec, "", "the worker process ended") for spec in begun]
    assert sum(games.games for games in found) == most


def test_a_worker_killed_while_idle_is_replaced():
    """Whoever dies between two units is found out when the next one is given."""
    made = LocalExecutor(workers=1)
    wanted = units(source("a", FIRST_LEGAL), source("b", FIRST_LEGAL), 6, 3)
    first = together(made.play(wanted[:1]))
    os.kill(made.pids[0], signal.SIGKILL)
    time.sleep(0.2)
    second = together(made.play(wanted[1:]))
    made.close()
    assert [len(first[0]), len(second[0])] == [3, 3]
    assert not first[1] + second[1]


def test_a_users_mistake_in_a_worker_is_a_users_mistake_here():
    """It is not a void, and not played again and again."""
    command = Source("c", "", {}, ("./c",))
    spec = GameSpec("0" * 16, arena.variant("grid-lock"), "c", "b", "c", "b", limits=LIMITS)
    made = LocalExecutor(workers=1)
    try:
        with pytest.raises(arena.UserError, match="a command is always sandboxed"):
            list(made.play([Unit((spec,), (command, source("b", FIRST_LEGAL)), "trusted")]))
    finally:
        made.close()


def test_no_process_is_left_after_close():
    """Workers, templates and bots all end."""
    made = LocalExecutor(workers=2)
    list(made.play(units(source("a", FIRST_LEGAL), source("b", FIRST_LEGAL), 20, 5)))
    children = [
        int(entry)
        for entry in os.listdir("/proc")
        if entry.isdigit() and _is_template_of(int(entry), made.pids)
    ]
    assert children
    made.close()
    assert gone_within(1, *made.pids, *children)


def test_a_script_without_a_main_guard_is_not_run_again(tmp_path):
    """Workers import nothing of the caller's: people write scripts as they like."""
    script = tmp_path / "script.py"
    script.write_text(
        "print('once')\nimport arena\nfrom arena.executors.local import LocalExecutor\n"
        "from arena.executors.unit import Unit\nfrom arena.bots.source import Source\nfrom arena.referee import GameSpec\n"
        f"a, b = (Source(n, 'bot.py', {{'bot.py': {FIRST_LEGAL.encode()!r}}}) for n in 'ab')\n"
        "spec = GameSpec('0' * 16, arena.variant('grid-lock'), 'a', 'b', a.version, b.version)\n"
        "e = LocalExecutor(workers=2)\nprint(sum(x.games for x in e.play([Unit((spec,), (a, b), 'sandboxed')])))\ne.close()\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("once\n1\n", "", 0)


def test_ctrl_c_while_the_fork_server_starts_is_not_its_business():
    """It imports what workers need, and would end with a traceback on the user's terminal."""
    script = (
        "import os, signal\nfrom multiprocess import forkserver\nfrom arena.executors.hand import CONTEXT, start_server\n"
        "start_server()\nos.kill(forkserver._forkserver._forkserver_pid, signal.SIGINT)\n"
        "process = CONTEXT.Process(target=print, args=('alive',))\nprocess.start()\nprocess.join()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.stdout, done.stderr, done.returncode) == ("alive\n", "", 0)


def test_a_worker_that_cannot_start_is_our_fault_and_said_at_once(monkeypatch):
    """No endless replacing of what cannot live."""
    from arena.executors import hand

    monkeypatch.setattr(hand, "_work", _dies)
    bots = source("a", FIRST_LEGAL), source("b", FIRST_LEGAL)
    with closing(LocalExecutor(workers=1)) as made, pytest.raises(Void, match="could not be started"):
        list(made.play(units(*bots, count=1)))


def _dies(pipe, board, core):
    raise SystemExit(3)


def _is_template_of(pid, workers):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return int(stat.read().rpartition(")")[2].split()[1]) in workers
    except OSError:
        return False


@pytest.mark.parametrize("isolation", ["trusted", pytest.param("sandboxed", marks=pytest.mark.long)])
def test_what_a_killed_worker_leaves_is_removed(isolation):
    """By the executor that replaces or ends it: nobody else may ever come."""
    made = LocalExecutor(workers=1)
    folders, pids, victim = [], made.pids, made.pids[0]

    def left(pid):
        return list(Path(tempfile.gettempdir()).glob(f"arena-{pid}-*"))

    def kill():
        while not folders:
            folders.extend(left(victim))
        time.sleep(0.1)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    rows = []
    try:
        for games in made.play(units(source("slow", SLOW), source("first", FIRST_LEGAL), 40, 40, isolation)):
            rows += games.rows
            pids = [*{*pids, *made.pids}]
    finally:
        killer.join()
        made.close()
    assert (len(rows), len(pids)) == (40, 2)
    assert folders
    assert [place for pid in pids for place in left(pid)] == []


def test_a_trusted_run_removes_what_the_dead_of_earlier_runs_left(tmp_path, monkeypatch):
    """What is ours and belongs to nobody alive; not what others have put there under such a name."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    temporary = tmp_path
    dead, kept = 2**22 + 1, temporary / "kept"  # no process has such a number
    kind = name_after_us("trusted").split("-", 2)[2]
    (kept / "data").mkdir(parents=True)
    for name in (f"arena-{dead}-{kind}a", f"arena-{dead}-{kind}b", f"arena-{os.getpid()}-{kind}c"):
        (temporary / name / "inside").mkdir(parents=True)
    (temporary / f"arena-{dead}-{kind}link").symlink_to(kept)
    (temporary / f"arena-{dead}-{kind}file").write_text("")
    foreign = temporary / f"arena-{dead}-{kind}foreign"
    foreign.mkdir()
    if os.geteuid() == 0:
        os.chown(foreign, 65534, 65534)
    played(executor("serial"), units(source("a", FIRST_LEGAL), source("b", FIRST_LEGAL), 2, 2, "trusted"))
    left = {place.name.removeprefix("arena-") for place in temporary.glob("arena-*")}
    expected = {f"{os.getpid()}-{kind}c", f"{dead}-{kind}link", f"{dead}-{kind}file"}
    assert left == expected | ({f"{dead}-{kind}foreign"} if os.geteuid() == 0 else set())
    assert (kept / "data").is_dir()


# Remembers in `sys`, which survives its body being executed anew, how many games there were.
LEARNER = (
    "import sys\ngames = sys.games = getattr(sys, 'games', -1) + 1\n\n\n"
    "def move(position):\n    return position.legal_moves[games % len(position.legal_moves)]\n"
)


@pytest.mark.parametrize("manner", [Manner.FRESH, Manner.AUDIT])
def test_where_every_game_is_fresh_nothing_is_learned_from_one_to_the_next(manner):
    """State outside of the bot's own body lasts as long as its process does, and no longer."""
    learner, good = source("learner", LEARNER), source("good", FIRST_LEGAL)
    spec = units(learner, good, 1)[0].specs[0]
    unit = Unit(
        tuple(spec._replace(game=f"{number:016x}") for number in range(6)), (learner, good), "sandboxed"
    )
    assert len(moves_of(unit)) > 1
    assert len(moves_of(unit._replace(manner=manner))) == 1


def test_the_helpers_of_one_game_are_not_those_of_another():
    """A folder's modules are imported anew for each game, also by a bot that imports them while it is asked."""
    main = "def move(position):\n    import helper\n    helper.moves += 1\n"
    main += "    return position.legal_moves[helper.moves % len(position.legal_moves)]\n"
    folder = Source("folder", "bot.py", {"bot.py": main.encode(), "helper.py": b"moves = 0\n"})
    good = source("good", FIRST_LEGAL)
    spec = units(folder, good, 2)[0].specs[1]
    specs = tuple(spec._replace(game=f"{number:016x}") for number in range(6))
    assert len(moves_of(Unit(specs, (folder, good), "sandboxed"))) == 1


def moves_of(unit):
    """The different games that come of a unit of the same game again and again."""
    made = executor("serial")
    try:
        return {row.moves for games in made.play([unit]) for row in games.rows}
    finally:
        made.close()
