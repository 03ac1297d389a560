"""How many games a second one coordinator keeps up with. Writes `benchmarks/RESULTS.md`.

    python -m benchmarks.coordinator          # 100 machines with 8 workers each, some minutes
    python -m benchmarks.coordinator --bots 40 --machines 10

Nobody plays here: synthetic workers answer at once with games that the rules allow, made from a few games for
each opening. The coordinator does all that it does in a run: it plans, packs units, reads and checks what
comes back, writes the log and shows progress. Grades and tables come after the games, and are left out.

First the workers are in the coordinator's own process, as many as a hundred machines have, and what they take
is left out: so the time of every part is known. Then a real scheduler and two real worker processes stand
between them. All of them share the cores of this machine, so there the CPU of each process counts: a process
that takes 40 µs of it for a game can serve 25,000 games a second, if it has a core to itself.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from unittest.mock import patch

from arena.executors import crew, dask, remote
from arena.executors.cluster import NOWHERE, Cluster
from arena.executors.parcel import Missing, pack_games, unpack_unit, write_reply
from arena.executors.serial import SerialExecutor
from arena.executors.unit import Finished
from arena.log.writing import Store
from arena.plan.outlook import Options, read_checked
from arena.referee.endings import Ending
from arena.referee.row import GameRow, write_cells
from arena.terminal.watching import watching
from arena.tournament import conductor
from arena.tournament.conductor import MOST_IN_UNIT, Conductor
from benchmarks.whole import ROOT, SHORT, TEXTS, be_usual, limit, write_section

BAR = 20_000
KINDS = 16
"""So many games are made for each opening."""

SMALL = 16
"""Games in a unit of bots that think."""

LABELS = {
    "plan": "the next unit of the plan, with its games' ids",
    "pack": "packing it",
    "read": "reading what comes back (JSON)",
    "check": "checking it against plan and rules",
    "log": "writing the log",
    "progress": "progress",
}


# What a worker answers.


@cache
def make_game(variant, opening, kind):
    """Return the moves of a game and who won it."""
    chance = random.Random(f"{variant.name} {opening} {kind}")
    position = variant.replay(opening)
    while not position.is_over:
        position = position.play(chance.choice(position.legal_moves))
    return write_cells(position.history), len(position.history), position.winner


def make_row(spec, isolation):
    """Return a row for a game that was asked for."""
    moves, plies, winner = make_game(spec.variant, spec.opening, int(spec.game[-1], 16) % KINDS)
    versions = spec.first_version[:12], spec.second_version[:12]
    played = (spec.first, spec.second)[winner], Ending.NO_MOVES.value, "", moves, len(spec.opening), plies
    seconds = 5.97e-05, 0.000154, 0.000121, 0.000816
    names = spec.game, spec.variant.name, spec.opening_number, spec.repeat, spec.first, spec.second
    return GameRow(*names, *versions, *played, isolation, *seconds)


@cache
def alone():
    return SerialExecutor()


def answer(order, known):
    """Return what a worker sends back for some units."""
    try:
        units = [unpack_unit(data, known) for data in order[1]]
    except Missing:  # the unit that brings a bot's source is still on its way to another thread
        return write_reply(missing=True)
    return write_reply(units=[pack_games(make_games(unit)) for unit in units])


def make_games(unit):
    """Return the games of a unit; trials are really played, because much depends on them."""
    if not any(spec.moves_asked for spec in unit.specs):
        return Finished([make_row(spec, unit.isolation) for spec in unit.specs], [], [], [])
    found = Finished([], [], [], [])
    for games in alone().play([unit]):
        found.extend(games)
    return found


def dask_setup(worker):
    """Let a worker of dask answer at once; it calls this when it is started with this file as `--preload`."""
    known = {}
    remote.play = lambda order: answer(order, known)


# Workers in our own process.


class Answer:
    """A future that is done."""

    status = "finished"

    def __init__(self, data):
        self._data = data

    def result(self, timeout):
        return self._data

    def add_done_callback(self, call):
        call(self)

    def cancel(self):
        pass


class Machines:
    """A client of dask whose workers answer at once."""

    status = "running"

    def __init__(self, workers, clock):
        self._workers = {f"tcp://10.0.{n >> 8}.{n & 255}:8786": {"nthreads": 1} for n in range(workers)}
        self._known = {}
        self._clock = clock

    def scheduler_info(self, n_workers):
        return {"workers": self._workers}

    def submit(self, call, argument, **_):
        with self._clock.timing("workers"):
            if call is remote.identify:
                return Answer(write_reply(**remote.versions(), host="synthetic", walls="", why=""))
            return Answer(answer(argument, self._known))

    def close(self, timeout):
        pass


class Clock:
    """Seconds of CPU of this thread by part: so it matters little who else uses the machine."""

    def __init__(self, **pids):
        self.spent = Counter()
        self.units = 0
        self.sent = 0  # bytes
        self.pids = {"coordinator": os.getpid(), **pids}

    def cpu(self):
        """Return the CPU seconds of the processes that are watched."""
        return Counter({name: sum(map(cpu_seconds, listed(pid))) for name, pid in self.pids.items()})

    @contextmanager
    def timing(self, part):
        begun = time.thread_time()
        try:
            yield
        finally:
            self.spent[part] += time.thread_time() - begun

    def counting(self, call):
        """Count the bytes that a call returns or is given first."""

        def counted(*given):
            found = call(*given)
            self.sent += len(found if isinstance(found, bytes) else given[0])
            return found

        return counted

    def around(self, part, call):
        def timed(*given, **named):
            with self.timing(part):
                return call(*given, **named)

        return timed

    def each(self, part, items):
        """Yield items, and count and time how they are made."""
        items = iter(items)
        while True:
            with self.timing(part):
                item = next(items, None)
            if item is None:
                return
            self.units += 1
            yield item


def listed(pids):
    return pids if isinstance(pids, list) else [pids]


def cpu_seconds(pid):
    """Return the CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(clock, watch):
    """Return the patches that let the clock see every part."""
    pack, read = map(clock.counting, (dask.pack_unit, crew.read_reply))
    parts = [
        (dask, "pack_unit", "pack", pack),
        (crew, "read_reply", "read", read),
        (dask, "unpack_parts", "check", dask.unpack_parts),
        (Store, "write_by_machine", "log", Store.write_by_machine),
        (watch, "note_games", "progress", watch.note_games),
    ]
    found = [patch.object(where, name, clock.around(part, call)) for where, name, part, call in parts]
    units, missing = Conductor._units, Conductor._play_missing

    def play_missing(*given):
        clock.spent.clear()  # what came before are trials
        clock.units = clock.sent = 0
        before, begun = clock.cpu(), time.perf_counter()
        with clock.timing("all"):
            missing(*given)
        clock.wall = time.perf_counter() - begun
        clock.used = clock.cpu() - before

    found.append(patch.object(Conductor, "_units", lambda *given: clock.each("plan", units(*given))))
    found.append(patch.object(Conductor, "_play_missing", play_missing))
    return found


# A tournament.


def write_tournament(folder, bots, openings):
    for number in range(bots):
        (folder / f"bot{number:04}.py").write_text(f"{TEXTS['first-legal']}# {number}\n")
    config = folder / "coordinator.toml"
    config.write_text(
        f'[tournament]\nvariants = {list(SHORT)}\nopenings = {openings}\nisolation = "trusted"\n'
        '[[bots]]\npath = "bot*.py"\n'
    )
    return config


def run(bots, openings, clock, cluster=NOWHERE, client=None):
    """Play a tournament with synthetic workers; return how many games, and the bytes of its log."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        options = Options(executor="dask", audit=False, grades=False, cluster=cluster)
        tournament = read_checked(write_tournament(Path(name), bots, openings), options)
        watch = stack.enter_context(watching(False))
        for each in measured(clock, watch):
            stack.enter_context(each)
        if client is not None:
            stack.enter_context(patch.object(crew, "connect", lambda *_: (client, None)))
        with Conductor(tournament, options, watch) as begun:
            begun.play()
            games = begun.played
        size = (Path(name) / "results" / "coordinator" / "games.sqlite").stat().st_size
    return games, size


def measure_alone(bots, openings, workers):
    """Return lines about a coordinator whose workers cost nothing."""
    clock, before = Clock(), limit(SHORT)
    games, size = run(bots, openings, clock, client=Machines(workers, clock))
    pace = (before + limit(SHORT)) / 2
    spent = clock.spent
    net = spent["all"] - spent["workers"]
    known = sum(spent[part] for part in LABELS)
    rows = [(label, spent[part]) for part, label in LABELS.items()] + [
        ("handing out and hearing", net - known)
    ]
    lines = ["| part | µs a game |", "|---|--:|"]
    lines += [f"| {label} | {seconds / games * 1e6:.1f} |" for label, seconds in (*rows, ("**all**", net))]
    wall = clock.wall - spent["workers"]
    told = (
        f"{workers:,} synthetic workers that answer at once, {bots} bots, {games:,} games in "
        f"{clock.units:,} units: "
        f"**{games / net:,.0f} games a second of CPU** (the bar: {BAR:,}), {games / wall:,.0f} of wall time. "
        f"The log has {size / games:.0f} bytes a game, and {clock.sent / games:.0f} go over the network."
    )
    beside = f"The limit of `benchmarks.whole` took {pace:.1f} µs per move before and after it."
    return [told, "", *lines, "", beside]


def measure_dask(bots, openings, most):
    """Return a line about a real scheduler and two real workers that answer at once, by the size of units."""
    base = [sys.executable, "-m", "dask"]
    host = ["--no-dashboard", "--host", "127.0.0.1"]
    started = []
    try:
        scheduler = subprocess.Popen(
            [*base, "scheduler", "--port", "0", *host], stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
        started.append(scheduler)
        address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
        worker = [*base, "worker", address, "--no-nanny", "--nthreads", "8", *host]
        worker += ["--preload", str(Path(__file__))]
        started += [subprocess.Popen(worker, stderr=subprocess.DEVNULL, cwd=ROOT) for _ in range(2)]
        clock = Clock(scheduler=scheduler.pid, workers=[process.pid for process in started[1:]])
        with patch.object(conductor, "MOST_IN_UNIT", most):
            games, _ = run(bots, openings, clock, Cluster(address))
    finally:
        for process in started:
            process.kill()
            process.wait()
    used = {name: seconds / games * 1e6 for name, seconds in clock.used.items()}
    own, of_scheduler = used["coordinator"], used["scheduler"]
    return [
        f"With a scheduler of dask and two processes of synthetic workers on the same machine, {games:,} "
        f"games in {clock.units:,} units: {games / clock.wall:,.0f} games a second. CPU a game: coordinator "
        f"{own:.1f} µs (so {1e6 / own:,.0f} games a second on a core of its own), "
        f"scheduler {of_scheduler:.1f} µs; for a unit {own * games / clock.units / 1000:.1f} and "
        f"{of_scheduler * games / clock.units / 1000:.1f} ms."
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bots", type=int, default=100)
    parser.add_argument("--openings", type=int, default=20)
    parser.add_argument("--machines", type=int, default=100, help="with 8 workers each")
    parser.add_argument("--print", action="store_true", help="write no file")
    options = parser.parse_args()
    be_usual()
    lines = measure_alone(options.bots, options.openings, 8 * options.machines)
    print("\n".join(lines), flush=True)
    for most in (MOST_IN_UNIT, SMALL):
        lines += [
            "",
            *measure_dask(options.bots, max(1, options.openings * most // (4 * MOST_IN_UNIT)), most),
        ]
        print(lines[-1], flush=True)
    if not options.print:
        write_section("The coordinator", lines)


if __name__ == "__main__":
    main()
