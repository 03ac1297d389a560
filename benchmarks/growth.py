"""What grows with the field and with the games: time, memory, and the log. Writes `benchmarks/RESULTS.md`.

    python -m benchmarks.growth               # 10, 100 and 1,000 bots, then a million games; half an hour
    python -m benchmarks.growth --games 20000 --bots 10 100 --whole 50000

Sandboxed bots that move at random. For each field the first games of its plan are played and timed, from the
first one that is committed on, and the run is then stopped by Ctrl-C. Then a million games are played to the
end, with grades, tables and page. Memory is the most that the coordinator, and any other process of ours, had
resident at once; bots are left out.
"""

import argparse
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks.whole import COMMAND, SHORT, TEXTS, adopt_orphans, be_usual, write_section

FIELDS = {10: 378, 100: 4, 1000: 1}
"""By the number of bots: repeats, so that the plan has a hundred thousand games and more.

All have one opening, the empty one: otherwise the games of the largest field would be longer than others.
"""


def write_tournament(folder, bots, openings, repeats):
    """Write a tournament of random bots; return its file."""
    for number in range(bots):
        (folder / f"bot{number:04}.py").write_text(f"{TEXTS['random']}# {number}\n")
    config = folder / "growth.toml"
    config.write_text(
        f"[tournament]\nvariants = {list(SHORT)}\nopenings = {openings}\nrepeats = {repeats}\n"
        '[[bots]]\npath = "bot*.py"\n'
    )
    return config


class Run:
    """A run that is watched from outside."""

    def __init__(self, config, *options):
        command = [str(COMMAND), "run", str(config), "--quiet", "--no-audit", *options]
        self._log = config.parent / "results" / "growth" / "games.sqlite"
        self.begun = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.most = [0.0, 0.0]  # MiB of the coordinator, and of the largest of its other processes

    @property
    def games(self):
        """How many games are committed."""
        try:
            with sqlite3.connect(f"file:{self._log}?mode=ro", uri=True, timeout=30) as log:
                return log.execute("SELECT max(rowid) FROM games").fetchone()[0] or 0
        except sqlite3.OperationalError:
            return 0  # it is not there yet

    def look(self):
        """Note how much memory its processes have."""
        own = self.process.pid
        found = {pid: resident(pid) for pid in (own, *ours_below(own))}
        self.most = [max(self.most[0], found.pop(own)), max(self.most[1], *found.values(), 0.0)]

    def wait_for(self, games):
        """Return the seconds from the first committed game to this many, and how many games that were."""
        while not (first := self.games):
            time.sleep(0.02)
        begun = time.monotonic()
        while (played := self.games) < games and self.process.poll() is None:
            self.look()
            time.sleep(0.1)
        return time.monotonic() - begun, played - first

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()


def ours_below(pid):
    """Return the fork server and its children: workers, and whoever grades; no template and no bot."""
    try:
        servers = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [
            *servers,
            *(c for s in servers for c in Path(f"/proc/{s}/task/{s}/children").read_text().split()),
        ]
    except OSError:
        return []


def resident(pid):
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def measure_field(bots, games):
    """Return a row: seconds before the first game, games per second, and memory early and late."""
    with tempfile.TemporaryDirectory() as name:
        run = Run(write_tournament(Path(name), bots, 1, FIELDS[bots]), "--no-report")
        seconds, some = run.wait_for(games // 4)
        before, early = time.monotonic() - run.begun - seconds, list(run.most)
        later, more = run.wait_for(games)
        late = list(run.most)
        run.stop()
    rate = (some + more) / (seconds + later)
    memory = [f"{one:.0f} / {other:.0f}" for one, other in zip(early, late, strict=True)]
    return [f"{bots:,}", f"{before:.1f}", f"{rate:,.0f}", *memory]


def measure_whole(games):
    """Return lines about so many games from beginning to end."""
    bots = 100
    openings = max(1, round(games / (bots * (bots - 1) * len(SHORT))))
    with tempfile.TemporaryDirectory() as name:
        config = write_tournament(Path(name), bots, openings, 1)
        run = Run(config)
        while run.process.poll() is None:
            run.look()
            time.sleep(0.2)
        seconds = time.monotonic() - run.begun
        played = run.games
        folder = config.parent / "results" / "growth"
        log, page = ((folder / file).stat().st_size for file in ("games.sqlite", "report.html"))
    return [
        f"{played:,} games of {bots} bots from beginning to end, with grades, tables and page: "
        f"{seconds:.0f} s, {seconds / played * 1e6:.0f} µs a game (exit code {run.process.returncode}). "
        f"The coordinator had {run.most[0]:.0f} MiB at most, the largest other process {run.most[1]:.0f}. "
        f"The log has {log / played:.0f} bytes a game, the page {page / 1e6:.1f} MB in all."
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--bots", type=int, nargs="*", default=list(FIELDS), choices=list(FIELDS))
    parser.add_argument(
        "--whole", type=int, default=1_000_000, help="games from beginning to end; 0 for none"
    )
    parser.add_argument("--print", action="store_true", help="write no file")
    options = parser.parse_args()
    adopt_orphans()
    be_usual()
    heads = ["bots", "s before the first game", "games per second"]
    heads += [
        f"MiB of {who}, after a quarter / all" for who in ("the coordinator", "the largest other process")
    ]
    lines = [f"| {' | '.join(heads)} |", "|" + "--:|" * len(heads)]
    for bots in options.bots:
        lines.append(f"| {' | '.join(measure_field(bots, options.games))} |")
        print(lines[-1], flush=True)
    lines += ["", f"Over the first {options.games:,} games of the plan, with as many workers as cores.", ""]
    lines += measure_whole(options.whole) if options.whole else []
    print("\n".join(lines))
    if not options.print:
        write_section("Growth", lines)


if __name__ == "__main__":
    main()
