"""What looking on costs: readers of a live page beside a run. Writes its section of `benchmarks/RESULTS.md`.

    python -m benchmarks.serve                  # 200 readers, three rounds, some five minutes
    python -m benchmarks.serve --readers 50 --rounds 1 --print
    python -m benchmarks.serve --only playing   # readers who play and solve as much as they can (`hungry`)

A run of bots that think, on two workers, is timed from outside, alone and beside `arena serve` with readers,
in turn; medians count. How much slower it is, is the ratio within a round, since a machine is now faster and
now slower; the order within a round changes from one to the next. Readers are sockets of one other process,
which takes what comes and looks at none of it; its own CPU is told apart, because readers usually have
machines of their own. Aims: the server takes at most 15 % of one core, and the run at most 10 % longer.
"""

import argparse
import os
import re
import selectors
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

from benchmarks import whole
from benchmarks.hungry import OVER, PLAYERS, SOLVERS, Hungry, middle

MOST_CPU, MOST_SLOWER = 0.15, 0.10
"""The aims."""

CASE = whole.Case("thinking", "short", "sandboxed", 2, 8)
REQUEST = b"GET /runs/bench/events HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: %s\r\n\r\n"


class Cost(NamedTuple):
    """What one run took, and who looked on: seconds, CPU of the server and of the readers, what was sent."""

    wall: float
    server: float = 0.0
    readers: float = 0.0
    updates: float = 0.0
    megabytes: float = 0.0
    resident: float = 0.0


class Meal(NamedTuple):
    """What one run took beside readers who play and solve, and what they had of it."""

    wall: float
    server: float = 0.0
    readers: float = 0.0
    games: float = 0.0
    begin: float = 0.0
    move: float = 0.0
    solved: float = 0.0
    solution: float = 0.0
    forfeits: int = 0


class Readers:
    """Many readers in one thread, which take what comes."""

    def __init__(self, port, count, encoding):
        self._selector, self._done = selectors.DefaultSelector(), Event()
        self.cpu, self.chunks, self.bytes = 0.0, 0, 0
        for _ in range(count):
            line = socket.create_connection(("127.0.0.1", port))
            line.sendall(REQUEST % encoding)
            line.setblocking(False)
            self._selector.register(line, selectors.EVENT_READ)
        self._count = count
        self._thread = Thread(target=self._read)
        self._thread.start()

    def _read(self):
        begun, room = time.thread_time(), bytearray(1 << 18)
        while not self._done.is_set():
            for key, _ in self._selector.select(0.5):
                took = key.fileobj.recv_into(room)
                self.chunks += took > 0
                self.bytes += took
                if not took:
                    self._selector.unregister(key.fileobj)
        self.cpu = time.thread_time() - begun

    def stop(self):
        self._done.set()
        self._thread.join()
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()

    @property
    def updates(self):
        return self.chunks / self._count


def start(folder):
    """Start a server; return its process and its port."""
    command = [str(whole.COMMAND), "serve", "--port", "0", "--results", "results"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    found = re.search(r":(\d+)/", process.stdout.readline())
    return process, int(found[1])


def used(pid):
    """Return the CPU seconds of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    """Return the megabytes that a process has in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def play(folder, case):
    """Start a run from nothing."""
    config = whole.write_tournament(folder, case)
    command = [whole.COMMAND, "run", config, "--quiet", "--workers", case.workers, *whole.BARE]
    return subprocess.Popen(list(map(str, command)), cwd=folder, stdout=subprocess.DEVNULL)


def alone(case):
    """Return what a run takes that nobody looks at."""
    with tempfile.TemporaryDirectory() as name:
        begun = time.perf_counter()
        assert play(Path(name), case).wait() == 0
        return Cost(time.perf_counter() - begun)


def watched(case, count, encoding):
    """Return what a run takes beside a server with readers, and what they take, while it goes on."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server, port = start(folder)
        begun = time.perf_counter()
        run = play(folder, case)
        while not (folder / "results/bench/games.sqlite").exists():
            time.sleep(0.05)
        before, joined = used(server.pid), time.perf_counter()
        readers = Readers(port, count, encoding)
        assert run.wait() == 0
        ended = time.perf_counter()
        cpu, memory = used(server.pid) - before, resident(server.pid)
        readers.stop()
        server.send_signal(signal.SIGINT)
        server.communicate()
        seconds = ended - joined
        return Cost(
            ended - begun,
            cpu / seconds,
            readers.cpu / seconds,
            readers.updates / seconds,
            readers.bytes / count / 1e6,
            memory,
        )


def fed(case):
    """Return what a run takes beside readers who play and solve as much as they can."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server, port = start(folder)
        begun = time.perf_counter()
        run = play(folder, case)
        while not (folder / "results/bench/games.sqlite").exists():
            time.sleep(0.05)
        before, joined = used(server.pid), time.perf_counter()
        readers = Hungry(port, "bench")
        assert run.wait() == 0
        ended = time.perf_counter()
        cpu = used(server.pid) - before
        readers.stop()
        server.send_signal(signal.SIGINT)
        server.communicate()
        readers.join()
        seconds = ended - joined
        return Meal(
            ended - begun,
            cpu / seconds,
            readers.cpu / seconds,
            len(readers.endings) / seconds,
            middle(readers.begun),
            middle(readers.moves),
            len(readers.solved) / seconds,
            middle(readers.solved),
            count_forfeits(folder) + sum(ending != OVER for ending in readers.endings),
        )


def count_forfeits(folder):
    """Return how many games of the run were not played to their end."""
    with sqlite3.connect(folder / "results/bench/games.sqlite") as log:
        [[found]] = log.execute("SELECT COUNT(*) FROM games WHERE ending != ?", [OVER])
    log.close()
    return found


def playing_table(costs, games):
    """Return the lines of the section about readers who play and solve."""
    quiet, found = costs["alone"], costs["beside"]
    slower, meal = compare(quiet, found), Meal(*map(statistics.median, zip(*found, strict=True)))
    is_reached = statistics.median(slower) <= MOST_SLOWER
    return [
        f"The same run of {games:,} games, alone and beside `arena serve` with {PLAYERS} readers who begin "
        f"games and move at once, and {SOLVERS} who have the positions of whole games judged, each time from "
        f"another address: all places for games and solvers are taken. Medians of {len(found)} rounds.",
        "",
        "| who plays | wall s | slower (rounds) | server, share of a core | readers' own | games a second "
        "| s to begin one | s to a bot's answer | solved a second | s to a solution | forfeits |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        f"| nobody, no server | {statistics.median(each.wall for each in quiet):.1f} | | | | | | | | | |",
        f"| as many as can | {meal.wall:.1f} | {statistics.median(slower):+.1%} ({min(slower):+.1%} to "
        f"{max(slower):+.1%}) "
        f"| {meal.server:.1%} | {meal.readers:.1%} | {meal.games:.2f} | {meal.begin:.1f} | {meal.move:.2f} "
        f"| {meal.solved:.2f} | {meal.solution:.1f} | {sum(each.forfeits for each in found)} |",
        "",
        f"- play at most {MOST_SLOWER:.0%} slower: {'yes' if is_reached else 'NO'}",
    ]


def table(costs, games):
    """Return the lines of the section."""
    quiet = statistics.median(cost.wall for cost in costs["alone"])
    lines = [
        f"A run of {games:,} games of 16 bots that think, sandboxed, on two workers; medians of "
        f"{len(costs['alone'])} rounds, in each of which the run was played alone and beside readers. The "
        "strip is new about every second, and tables as often as their share of a core allows.",
        "",
        "| who looks on | wall s | slower (rounds) | server, share of a core | readers' own "
        "| updates a second | MB to each | server MB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
        f"| nobody, no server | {quiet:.1f} | | | | | | |",
    ]
    for name, found in list(costs.items())[1:]:
        middle, slower = middle_of(found), compare(costs["alone"], found)
        lines.append(
            f"| {name} | {middle.wall:.1f} | {statistics.median(slower):+.1%} ({min(slower):+.1%} to "
            f"{max(slower):+.1%}) | {middle.server:.1%} | {middle.readers:.1%} | {middle.updates:.2f} "
            f"| {middle.megabytes:.2f} | {middle.resident:.0f} |"
        )
    return [*lines, "", *judge(costs)]


def middle_of(found):
    """Return the median of each number."""
    return Cost(*map(statistics.median, zip(*found, strict=True)))


def compare(alone, found):
    """Return by how much longer the run took in each round than alone in the same round."""
    return [watched.wall / quiet.wall - 1 for quiet, watched in zip(alone, found, strict=True)]


def judge(costs):
    """Return whether each aim is reached, in a line for each kind of reader."""
    for name, found in list(costs.items())[1:]:
        middle, slower = middle_of(found), statistics.median(compare(costs["alone"], found))
        aims = {
            f"at most {MOST_CPU:.0%} of a core": middle.server <= MOST_CPU,
            f"play at most {MOST_SLOWER:.0%} slower": slower <= MOST_SLOWER,
        }
        said = ", ".join(f"{aim}: {'yes' if is_reached else 'NO'}" for aim, is_reached in aims.items())
        yield f"- {name}: {said}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--openings", type=int, default=CASE.openings)
    parser.add_argument("--only", choices=("looking", "playing"), default="")
    parser.add_argument("--print", action="store_true", help="write no file")
    options = parser.parse_args()
    whole.be_usual()
    case = CASE._replace(openings=options.openings)
    games = len(case.variants) * case.openings * whole.BOTS * (whole.BOTS - 1)
    packed, plain = f"{options.readers} readers, compressed", f"{options.readers} readers, plain"
    looking = {
        "alone": lambda: alone(case),
        packed: lambda: watched(case, options.readers, b"gzip"),
        plain: lambda: watched(case, options.readers, b"identity"),
    }
    playing = {"alone": lambda: alone(case), "beside": lambda: fed(case)}
    sections = {
        "looking": ("Looking on", looking, table, 1.5),
        "playing": ("Playing beside a run", playing, playing_table, 8),  # six games and two solvers at once
    }
    for word, (title, ways, draw, own_load) in sections.items():
        if options.only in ("", word):
            lines = draw(take_rounds(ways, options.rounds), games)
            print("\n".join(lines))
            if not options.print:
                whole.write_section(title, lines, own_load)


def take_rounds(ways, rounds):
    """Return what each way costs in each round; the order changes from one to the next."""
    costs = {name: [] for name in ways}
    for number in range(rounds):
        for name in list(ways)[:: -1 if number % 2 else 1]:
            costs[name].append(ways[name]())
        print({name: found[-1] for name, found in costs.items()}, file=sys.stderr, flush=True)
    return costs


if __name__ == "__main__":
    main()
