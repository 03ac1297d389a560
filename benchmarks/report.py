"""What the page of a run costs: its bytes, and the seconds of making it beside those of grading its games.

    python -m benchmarks.report             # all sizes
    python -m benchmarks.report 20 10000    # one of them: bots and games

Random bots on three rule books throw away more than any others, so that the page has most to say of them. A
hundred bots play at least 9,900 games, so there is no line of a hundred with a thousand. The page is made by
a process of its own, from a run whose standings are printed already, as after `arena run`. Seconds are
those of CPU, the least of three, and the first, which finds the worst blunders. Aims: at most 1 MB, and about
1 s, for 20 bots and 10,000 games.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import arena
from arena.results.grading import grade

BOT = "import random\ndef move(position):\n    return random.choice(position.legal_moves)\n"
VARIANTS = ("blockade-5x5", "grid-block", "blockade-line")
SIZES = [(bots, games) for bots in (5, 20, 100) for games in (1_000, 10_000, 100_000) if bots <= games / 20]

MAKE = """
import sys, time
from arena.reports.showing import leaderboard
from arena.results.run import Run
run = Run(sys.argv[1])
leaderboard(run)
begun = time.process_time()
from arena.pages.report import write_report
file = write_report(run)
print(time.process_time() - begun, file.stat().st_size)
"""


def play(folder, bots, games):
    """Play about so many games; return the run, without grades."""
    for number in range(bots):
        (folder / f"random_{number:02}.py").write_text(f"{BOT}# {number}\n")
    pairings = bots * (bots - 1) // 2
    units = max(1, round(games / (2 * pairings)))  # variants, openings, repeats
    variants = VARIANTS[: min(units, len(VARIANTS))]
    openings = max(1, min(16, units // len(variants)))
    repeats = max(1, round(units / len(variants) / openings))
    config = folder / "bench.toml"
    config.write_text(
        f"[tournament]\nvariants = {list(variants)}\nopenings = {openings}\nrepeats = {repeats}\n"
        'isolation = "trusted"\n[[bots]]\npath = "*.py"\n'
    )
    return arena.run(config, audit=False, grades=False, progress=False)


def make(folder):
    """Return the CPU seconds of making a page, and its bytes."""
    done = subprocess.run([sys.executable, "-c", MAKE, folder], check=True, capture_output=True, text=True)
    seconds, size = done.stdout.split()
    return float(seconds), int(size)


def measure(bots, games):
    """Show what a page of that size costs."""
    with tempfile.TemporaryDirectory() as name:
        run = play(Path(name), bots, games)
        begun = time.process_time()
        grade(run.folder, lambda done, of: None, 1)
        graded = time.process_time() - begun
        pages = [make(run.folder) for _ in range(3)]
        first, (best, size) = pages[0][0], min(pages)
        with run.log() as log:
            played = log.played
    print(
        f"{bots:3} bots, {played:7,} games: {size / 1000:7,.0f} kB, made in {best:5.2f} s, the first time in "
        f"{first:5.2f} s: {best / graded:5.2f} and {first / graded:5.2f} of the {graded:5.2f} s of grading",
        flush=True,
    )


def main():
    asked = [int(word) for word in sys.argv[1:3]]
    for bots, games in [tuple(asked)] if asked else SIZES:
        measure(bots, games)


if __name__ == "__main__":
    main()
