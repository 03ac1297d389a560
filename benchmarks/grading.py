"""What grading costs: every move of 100,000 finished games on the five rule books against perfect play.

Random bots come to as many different positions as any. Aim: under 10 s on one core, and less on more.
"""

import sys
import tempfile
import time
from pathlib import Path

import arena
from arena.log.cache import CACHE
from arena.results.grading import grade
from arena.results.run import Run

BOT = "import random\ndef move(position):\n    return random.choice(position.legal_moves)\n"


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for bot in "abcd":
            (folder / f"{bot}.py").write_text(f"{BOT}# {bot}\n")
        repeats = max(1, round(games / (6 * 2 * 5 * 16)))
        config = folder / "bench.toml"
        config.write_text(
            f'[tournament]\nopenings = 16\nrepeats = {repeats}\nisolation = "trusted"\n'
            '[[bots]]\npath = "*.py"\n'
        )
        run = arena.run(config)
        count = len(run.games())
        for workers, words in ((1, "in one process"), (0, "in a process for each core")):
            (run.folder / CACHE).unlink()
            begun = time.perf_counter()
            grade(run.folder, lambda done, of: None, workers)
            print(f"{count:,} games graded in {time.perf_counter() - begun:.1f} s {words}")
        graded = int(Run(run.folder).evidence["graded"].sum())
        print(f"{graded:,} moves could have thrown a win away")
        begun = time.perf_counter()
        Run(run.folder).standings()
        print(f"standings with a warm cache: {time.perf_counter() - begun:.2f} s")


if __name__ == "__main__":
    main()
