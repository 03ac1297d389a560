"""What users feel: the whole command from outside, and where its time goes. Writes `benchmarks/RESULTS.md`.

    python -m benchmarks.whole                # three rounds, half an hour on two quiet cores
    python -m benchmarks.whole --rounds 1 --only random --share 0.1

`arena run` is started as a process and timed with a stop-watch, from its first instruction to its end: with
log, grades and tables, and without audit and page, which have lines of their own. CPU is that of the command
and of every process that it has started. Each round runs every case once, so that a busy moment is in all of
them; the best round counts. In the same rounds stands the limit: a loop in one process that plays random
moves on the same boards, seeds before every move and checks every move, and does nothing else.

The budget says where the CPU of a game goes (`sampler`). Audit and page are differences between commands.
"""

import argparse
import ctypes
import json
import os
import platform
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import arena
from benchmarks import sampler

ROOT = Path(__file__).parent.parent
RESULTS = Path(__file__).parent / "RESULTS.md"
COMMAND = Path(sys.executable).parent / "arena"
BARE = ("--no-audit", "--no-report")
"""Options that leave out what has a line of its own."""

BOTS = 16
SHORT = ("blockade-5x5", "grid-block", "blockade-line")
LONG = ("snort:grid-8x8", "col:ring-64")
TEXTS = {
    "random": "import random\ndef move(position):\n    return random.choice(position.legal_moves)\n",
    "first-legal": "def move(position):\n    return position.legal_moves[0]\n",
    "thinking": (
        "def move(position):\n    total = 0\n    for number in range(12_000):\n        total += number & 3\n"
        "    return position.legal_moves[total % len(position.legal_moves)]\n"
    ),
}
"""A thinking bot takes about half a millisecond for a move."""


class Case(NamedTuple):
    """A command that is timed."""

    bots: str
    length: str
    isolation: str
    workers: int
    openings: int
    repeats: int = 1

    @property
    def variants(self):
        return SHORT if self.length == "short" else LONG


class Cost(NamedTuple):
    """What a command took."""

    wall: float
    cpu: float
    games: int
    moves: int


def cases(share):
    """Return every kind of command, with so many openings that it takes some seconds."""
    found = []
    for bots in TEXTS:
        for length, openings in (("short", 20), ("long", 10)):
            fewer = openings / 5 if bots == "thinking" else openings
            for isolation in ("sandboxed", "trusted"):
                for workers in (1, 2):
                    found.append(Case(bots, length, isolation, workers, max(1, round(fewer * share))))
    return found


def write_tournament(folder, case):
    """Write a tournament; return its file."""
    for number in range(BOTS):
        (folder / f"bot{number:02}.py").write_text(f"{TEXTS[case.bots]}# {number}\n")
    config = folder / "bench.toml"
    config.write_text(
        f"[tournament]\nvariants = {list(case.variants)}\nopenings = {case.openings}\n"
        f"repeats = {case.repeats}\n"
        f'isolation = "{case.isolation}"\n[[bots]]\npath = "bot*.py"\n'
    )
    return config


def be_usual():
    """Let commands find their byte code, as they do for users, whatever this process was told."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def adopt_orphans():
    """Become the parent of processes that a command leaves behind, so that their CPU is counted too."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def run(command):
    """Run a command and wait for all its processes; return wall and CPU seconds."""
    before = _used()
    begun = time.perf_counter()
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    wall = time.perf_counter() - begun
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        return wall, _used() - before


def _used():
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def measure(case, *options, program=(COMMAND,)):
    """Run a tournament from nothing; return what it cost."""
    with tempfile.TemporaryDirectory() as name:
        config = write_tournament(Path(name), case)
        wall, cpu = run([*program, "run", config, "--quiet", "--workers", case.workers, *options])
        with sqlite3.connect(Path(name) / "results/bench/games.sqlite") as log:
            games, moves = log.execute("SELECT COUNT(*), SUM(plies - opening_plies) FROM games").fetchone()
        log.close()
        return Cost(wall, cpu, games, moves)


def limit(names, seconds=0.5):
    """Return µs per move of a loop that seeds, asks and checks, with random moves, and keeps the moves."""
    starts = [arena.variant(name).start() for name in names]
    moves = games = 0
    begun = time.process_time()
    while (taken := time.process_time() - begun) < seconds:
        for _ in range(100):
            games += 1
            moves += seeded_game(starts[games % len(starts)], games)
    return taken / moves * 1e6


def seeded_game(position, number):
    """Play one game as the limit does; return its number of moves."""
    begun = len(position.history)
    while not position.is_over:
        random.seed(number << 13 | len(position.history))
        position = position.play(random.choice(position.legal_moves))
    return len(position.history) - begun


def sample(case):
    """Return the CPU of every part of a tournament in µs a game, and its cost."""
    with tempfile.TemporaryDirectory() as name:
        program = (sys.executable, "-m", "benchmarks.sampler", name)
        cost = measure(case, *BARE, program=program)
        parts = _sum_samples(Path(name))
    rest = cost.cpu - parts.total()
    if case.isolation == "sandboxed":
        inside = _sample_inside(case, cost.games)
        parts += inside
        rest -= inside.total()
        parts[sampler.BOT_START] += max(0.0, rest)
    else:
        parts[sampler.START] += max(0.0, rest)  # the fork server, and ends of processes
    return Counter({part: seconds / cost.games * 1e6 for part, seconds in parts.items()}), cost


def time_playing(case):
    """Return the µs per move of playing alone, without grades, by a watch around the conductor."""
    with tempfile.TemporaryDirectory() as name:
        program = (sys.executable, "-m", "benchmarks.sampler", "--no-samples", name)
        cost = measure(case, *BARE, "--no-grades", program=program)
        return float((Path(name) / "playing").read_text()) / cost.moves * 1e6


def _sum_samples(folder):
    return sum((Counter(json.loads(file.read_text())) for file in folder.glob("*.json")), Counter())


def _sample_inside(case, games):
    """Return the CPU of both bots' ends of the line in all games."""
    with tempfile.TemporaryDirectory() as name:
        bot = Path(name) / "arena-worker-bot.py"  # a name that the sampler knows
        bot.write_text(TEXTS[case.bots])
        run([sys.executable, "-m", "benchmarks.inside", name, bot, games, *case.variants])
        return _sum_samples(Path(name))


def take_rounds(rounds, wanted, show):
    """Return the costs by case, and the limits by length, of all rounds."""
    costs = {case: [] for case in wanted}
    limits = {"short": [], "long": []}
    for number in range(rounds):
        for length, names in (("short", SHORT), ("long", LONG)):
            limits[length].append(limit(names))
        for case in wanted:
            costs[case].append(measure(case, *BARE))
            show(f"round {number + 1}: {' '.join(map(str, case))}: {costs[case][-1]}")
    return costs, limits


def commands_table(costs, limits):
    """Return the lines of the table of commands, and the limits below it."""
    heads = ["bots", "games", "isolation", "workers", "games played", "wall s", "CPU s"]
    heads += ["µs per move, wall", "µs per move, CPU"]
    lines = [_row(heads), "|---|---|---|" + "--:|" * 6]
    for case, found in costs.items():
        wall, cpu = min(cost.wall for cost in found), min(cost.cpu for cost in found)
        games, moves = found[0].games, found[0].moves
        per_move = (f"{seconds / moves * 1e6:.1f}" for seconds in (wall, cpu))
        lines.append(_row([*case[:4], f"{games:,}", f"{wall:.2f}", f"{cpu:.2f}", *per_move]))
    short, long = (min(limits[length]) for length in ("short", "long"))
    return [*lines, "", f"The limit: {short:.1f} µs per move in short games, {long:.1f} in long ones."]


def _row(cells):
    return f"| {' | '.join(map(str, cells))} |"


def budget_table(wanted, rounds, least, show):
    """Return the table of parts, and what playing alone costs beside the limit."""
    columns, notes = {}, []
    for case in wanted:
        sampled = [sample(case) for _ in range(rounds)]
        title = f"{case.bots}, {case.length}, {case.isolation}"
        columns[title] = min((parts for parts, _ in sampled), key=Counter.total)
        cost = sampled[0][1]
        playing = min(time_playing(case) for _ in range(rounds))
        ratio = f", {playing / least[case.length]:.1f} times the limit" if case.bots == "random" else ""
        length = f"{cost.moves / cost.games:.1f} moves a game"
        notes.append(f"- {title}: {length}; while playing {playing:.1f} µs per move{ratio}")
        show(f"budget of {title}")
    parts = [part for part in sampler.ALL if any(column[part] >= 0.05 for column in columns.values())]
    lines = [_row(["µs of CPU a game", *columns]), "|---|" + "--:|" * len(columns)]
    lines += [_row([part, *(f"{column[part]:.1f}" for column in columns.values())]) for part in parts]
    lines.append(_row(["**all**", *(f"{column.total():.0f}" for column in columns.values())]))
    return [*lines, "", *notes]


def beside(case, rounds):
    """Return lines for what a command also does: the audit and the page."""
    ways = {"bare": BARE, "The audit": ("--no-report",), "The page": ("--no-audit",)}
    costs = {name: [] for name in ways}
    for _ in range(rounds):
        for name, options in ways.items():
            costs[name].append(measure(case, *options))
    wall, cpu = ({name: min(map(of, found)) for name, found in costs.items()} for of in (_wall, _cpu))
    title = f"{costs['bare'][0].games:,} games ({case.bots}, {case.length}, {case.isolation})"
    return [
        f"- {name} of {title}: wall {wall[name] - wall['bare']:.2f} s, CPU {cpu[name] - cpu['bare']:.2f} s."
        for name in list(ways)[1:]
    ]


SPIN = "import time\nx = 0\nwhile True:\n    x += 1\n"
WORK = "import time\nx = 0\nfor n in range(20_000_000):\n    x += n & 3\n"


def two_workers(share):
    """Return lines about how much faster two workers are than one, and what two cores allow here."""
    rows = [_row(["bots", "one worker, s", "two workers, s", "ratio"]), "|---|--:|--:|--:|"]
    for bots, openings in (("thinking", 20), ("random", 40)):
        case = Case(bots, "short", "sandboxed", 1, max(1, round(openings * share)))
        one, two = _best_in_turn(lambda count, case=case: measure(case._replace(workers=count), *BARE).wall)
        rows.append(_row([bots, f"{one:.1f}", f"{two:.1f}", f"{one / two:.2f}"]))
    alone, beside = _best_in_turn(lambda count: spin(count - 1))
    bound = f"two busy loops, each on its own core, do {2 * alone / beside:.2f} times the work of one"
    return [*rows, "", f"The bound: {bound} on this machine. Best of two, in turn."]


def _best_in_turn(seconds):
    """Return the least seconds with one and with two workers, measured in turn."""
    found = [(seconds(1), seconds(2)) for _ in range(2)]
    return map(min, zip(*found, strict=True))


def spin(others):
    """Return the seconds that some work takes while so many processes are busy on other cores."""
    cores = sorted(os.sched_getaffinity(0))
    busy = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(others)]
    for number, process in enumerate(busy):
        os.sched_setaffinity(process.pid, {cores[(number + 1) % len(cores)]})
    try:
        command = ["taskset", "-c", str(cores[0]), sys.executable, "-c", WORK]
        return min(_timed(command) for _ in range(3))
    finally:
        for process in busy:
            process.kill()
            process.wait()


def _timed(command):
    begun = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - begun


def _wall(cost):
    return cost.wall


def _cpu(cost):
    return cost.cpu


def machine():
    """Return what kind of machine this is; not its name."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    cores, model = len(os.sched_getaffinity(0)), (models or [platform.machine()])[0]
    return f"{cores} cores of {model}, {platform.system()}, Python {platform.python_version()}"


def commit():
    try:
        asked = ["git", "describe", "--always", "--dirty", "--abbrev=10"]
        return subprocess.run(asked, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return f"version {arena.__version__}"


def write_section(title, lines, own_load=1.5):
    """Write a section of RESULTS.md anew, and leave the others as they are.

    `own_load` is what the benchmark itself adds to a machine whose cores are all busy.
    """
    head = [
        "# What arena costs",
        "",
        "Written by `python -m benchmarks.whole`, "
        "and by `peers`, `growth`, `cluster`, `coordinator` and `serve` beside it.",
        "",
    ]
    text = RESULTS.read_text() if RESULTS.exists() else "\n".join(head)
    before, _, rest = text.partition(f"\n## {title}\n")
    after = rest[rest.index("\n## ") :] if "\n## " in rest else ""
    load = os.getloadavg()[0]
    made = f"Commit {commit()}, {machine()}, load {load:.1f} at the end."
    if load > len(os.sched_getaffinity(0)) + own_load:
        made += " Others used the machine: compare CPU, and believe no wall time."
    RESULTS.write_text("\n".join([before.rstrip("\n"), "", f"## {title}", "", made, "", *lines, ""]) + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--share", type=float, default=1.0, help="of the games")
    parser.add_argument("--only", default="", help="cases that have this word")
    parser.add_argument("--print", action="store_true", help="write no file")
    options = parser.parse_args()
    adopt_orphans()
    be_usual()

    def show(line):
        print(line, file=sys.stderr, flush=True)

    wanted = [case for case in cases(options.share) if options.only in " ".join(map(str, case))]
    costs, limits = take_rounds(options.rounds, wanted, show)
    commands = commands_table(costs, limits)
    least = {length: min(found) for length, found in limits.items()}
    one = [case for case in wanted if case.workers == 1]
    budget = budget_table(one, options.rounds, least, show)
    budget += ["", *beside(next(case for case in one if case.isolation == "sandboxed"), options.rounds)]
    print("\n".join([*commands, "", *budget]))
    if not options.print:
        write_section("The whole command", commands)
        write_section("The budget of a game", budget)
    workers = two_workers(options.share)
    print("\n".join(workers))
    if not options.print:
        write_section("Two workers", workers)


if __name__ == "__main__":
    main()
