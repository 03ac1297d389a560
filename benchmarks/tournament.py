"""What a tournament costs beside its games: coordinator, log, memory, and what a second worker brings.

    python -m benchmarks.tournament            # some 100,000 games a line
    python -m benchmarks.tournament 1000000    # the run of a million games, alone

Trusted bots that answer at once, on small boards, are the hardest case: a game then costs as little as it
can, and all else weighs most. Aims: ids, plan and log together at most 20 µs of coordinator CPU a game;
two workers at least 1.2 times one, and 1.8 times where a game costs 200 µs and more; memory at the end within
100 MB of that after 10,000 games; the leaderboard of a million games within 5 s.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from arena.config.reading import read_tournament
from arena.log.writing import Store
from arena.plan.outlook import Options
from arena.tournament.conductor import Conductor
from arena.tournament.watch import Watch

BOTS = 4
VARIANTS = ("grid-lock", "grid-block", "blockade-line")
OPENINGS = 50
FIRST = "def move(position):\n    return position.legal_moves[0]\n"
# Burns CPU in small steps, so that a game of some four moves of either bot costs about so many microseconds.
SLOW = (
    "from time import perf_counter\n"
    "def move(position):\n"
    "    end = perf_counter() + {seconds}\n"
    "    while perf_counter() < end: pass\n"
    "    return position.legal_moves[0]\n"
)


def folder(base, games, move_seconds):
    """Write a tournament of about so many games; return its file."""
    text = SLOW.format(seconds=move_seconds) if move_seconds else FIRST
    for name in "abcd"[:BOTS]:
        (base / f"{name}.py").write_text(text + f"# {name}\n")
    pairings = BOTS * (BOTS - 1) // 2
    repeats = max(1, round(games / (2 * pairings * OPENINGS * len(VARIANTS))))
    config = base / "bench.toml"
    config.write_text(
        f"[tournament]\nvariants = {list(VARIANTS)}\nopenings = {OPENINGS}\nrepeats = {repeats}\n"
        'isolation = "trusted"\n[[bots]]\npath = "*.py"\n'
    )
    return config


class Writing:
    """The CPU that goes into writing the log, by a watch around `Store.write`."""

    def __enter__(self):
        self.seconds, self._write = 0.0, Store.write
        Store.write = self._timed(Store.write)
        return self

    def __exit__(self, *_):
        Store.write = self._write

    def _timed(self, write):
        def timed(store, games):
            begun = time.process_time()
            write(store, games)
            self.seconds += time.process_time() - begun

        return timed


class Meter(Watch):
    """Remembers when games came, and how large this process was after ten thousand."""

    def __init__(self):
        self.games = 0
        self.first = self.last = None
        self.memory_early = 0

    def played(self, rows):
        now = time.perf_counter(), time.process_time()
        self.first = self.first or (*now, len(rows)) if rows else self.first
        self.games += len(rows)
        self.last = now
        if self.games >= 10_000 and not self.memory_early:
            self.memory_early = resident_mib()


def resident_mib():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def measure(games, workers, move_seconds):
    """Run a tournament; return what it cost."""
    with tempfile.TemporaryDirectory() as name:
        config = folder(Path(name), games, move_seconds)
        meter, begun, options = Meter(), time.process_time(), Options(workers=workers)
        with Writing() as writing, Conductor(read_tournament(config), options, meter) as conductor:
            planned = time.process_time() - begun
            conductor.play()
        seconds, cpu = (after - before for after, before in zip(meter.last, meter.first[:2], strict=True))
        counted = meter.games - meter.first[2]
        found = {
            "games": meter.games,
            "per_second": counted / seconds,
            "plan": planned / meter.games * 1e6,
            "log": writing.seconds / meter.games * 1e6,
            "rest": cpu / counted * 1e6 - writing.seconds / meter.games * 1e6,
            "early": meter.memory_early,
            "late": resident_mib(),
        }
        found["leaderboard"] = leaderboard_seconds(Path(name) / "results" / "bench")
        return found


def leaderboard_seconds(run):
    """Return the seconds that `arena leaderboard` takes as a command, the better of two."""
    command = [Path(sys.executable).parent / "arena", "leaderboard", run]
    times = []
    for _ in range(2):
        begun = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - begun)
    return min(times)


def show(title, found):
    parts = [
        f"{title:24} {found['games']:>9,} games, {found['per_second']:>7,.0f} a second",
        f"coordinator's CPU a game: {found['plan']:4.1f} µs ids and plan, {found['log']:4.1f} µs log, "
        f"{found['rest']:4.1f} µs to hand out and take back",
        f"memory {found['early']:.0f} -> {found['late']:.0f} MiB",
        f"leaderboard {found['leaderboard']:.2f} s",
    ]
    print("; ".join(parts), flush=True)


def scaling(games):
    """Show one worker beside two, for games that cost little and games that cost more."""
    for title, move_seconds in (("at once", 0), ("30 µs a move", 30e-6), ("200 µs a move", 200e-6)):
        rates = []
        for workers in (1, 2):
            found = measure(games if move_seconds < 1e-4 else games // 4, workers, move_seconds)
            show(f"{title}, {workers} worker{'s' * (workers > 1)}", found)
            rates.append(found["per_second"])
        game = 1e6 / rates[0]
        print(
            f"{'':28} a game costs {game:.0f} µs; two workers play {rates[1] / rates[0]:.2f} times as much\n"
        )


def main():
    if len(sys.argv) > 1:
        show("2 workers", measure(int(sys.argv[1]), 2, 0))
    else:
        scaling(100_000)


if __name__ == "__main__":
    main()
