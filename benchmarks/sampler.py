"""Where the CPU of a command goes: a sampling profiler for arena's own processes.

    python -m benchmarks.sampler FOLDER run configs/x.toml ...    # as `arena run ...`; samples go to FOLDER
    python -m benchmarks.sampler --no-samples FOLDER run ...      # only the watch

A timer of CPU (ITIMER_PROF) interrupts the coordinator and every worker some hundred times a second. Each
sample counts for the CPU since the last one, and goes to the part of the innermost frame that `PARTS` knows.
So it costs 1 %, and changes nothing that it measures. Bots in their sandbox are not sampled: what they use is
the rest of the command's CPU, which `whole` divides by playing their end of the line in one process.

The file also says how long games were played, by a watch around the conductor.
"""

import json
import os
import signal
import sys
import time
from collections import Counter
from pathlib import Path

FOLDER = "ARENA_SAMPLES"
SECONDS = 0.004
TICKS = 25  # between two writings: a grading process may be killed at any time

START, BOT_START, BEGIN, REQUEST = "start of the command", "start of bots", "start of a game", "request"
BOT, SEEDING, JUDGING, NOTING, RECORD = "bot", "seeding", "judging", "noting", "record"
HAND_OVER, PLAN, LOG, GRADING, TABLES = "hand-over", "ids and plan", "log", "grading", "tables"
OTHER = "other"
ALL = (START, PLAN, BOT_START, BEGIN, REQUEST, BOT, SEEDING, JUDGING, NOTING, RECORD)
ALL += (HAND_OVER, LOG, GRADING, TABLES, OTHER)

PARTS = (
    ("<frozen importlib", "", START),
    ("arena-worker-", "", BOT),
    ("inside/seeding.py", "", SEEDING),
    ("hosts/confined.py", "", BOT_START),
    ("hosts/opening.py", "", BOT_START),
    ("sandbox/", "", BOT_START),
    ("hosts/line.py", "__init__ close _end_process", BOT_START),
    ("hosts/sandboxed.py", "_ensure close", BOT_START),
    ("hosts/sandboxed.py", "begin begin_many forget_many", BEGIN),
    ("hosts/trusted.py", "begin close finish take give_back", BEGIN),
    ("hosts/batch.py", "__init__ _games", BEGIN),
    ("hosts/play.py", "_begin play_surely", BEGIN),
    ("inside/program.py", "begin leave player_of", BEGIN),
    ("inside/runner.py", "_game _games _begin _begin_game _forget _drop", BEGIN),
    ("inside/runner.py", "_load", BOT_START),
    ("inside/runner.py", "", REQUEST),
    ("hosts/trusted.py", "ask _answer _watch", REQUEST),
    ("hosts/sandboxed.py", "ask ask_many", REQUEST),
    ("referee/judge.py", "", JUDGING),
    ("hosts/batch.py", "_turn _claim play", JUDGING),
    ("hosts/play.py", "play", JUDGING),
    ("referee/record.py", "", RECORD),
    ("hosts/batch.py", "_record", RECORD),
    ("executors/unit.py", "hand_back", RECORD),
    ("executors/worker.py", "begin ask _note _play_one", NOTING),
    ("executors/worker.py", "_hosts host _folder close", BOT_START),
    ("executors/", "", HAND_OVER),
    ("tournament/preflight.py", "", BOT_START),
    ("tournament/writing.py", "", LOG),
    ("log/writing.py", "", LOG),
    ("plan/", "", PLAN),
    ("tournament/conductor.py", "_units _missing __init__", PLAN),
    ("results/grading.py", "", GRADING),
    ("results/graders.py", "", GRADING),
    ("reports/", "", TABLES),
    ("standings/", "", TABLES),
    ("results/", "", TABLES),
    ("cli/", "", START),
    ("config/", "", START),
)
"""A file, functions in it (all if none is named), and the part that they belong to; the first that fits."""


class Sampler:
    """Adds up the CPU of this process by part."""

    def __init__(self, folder):
        self._file = Path(folder) / f"{os.getpid()}.json"
        self._sums = Counter()
        self._known = {}
        self._ticks = 0
        self._last = time.process_time()
        signal.signal(signal.SIGPROF, self._tick)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, SECONDS)

    def _tick(self, signum, frame):
        self._add(self._part_of(frame))
        self._ticks += 1
        if self._ticks % TICKS == 0:
            self.write()

    def _add(self, part):
        now = time.process_time()
        self._sums[part] += now - self._last
        self._last = now

    def _part_of(self, frame):
        while frame is not None:
            code = frame.f_code
            if code not in self._known:
                self._known[code] = part_of(code.co_filename, code.co_name)
            if self._known[code]:
                return self._known[code]
            frame = frame.f_back
        return OTHER

    def write(self):
        self._file.write_text(json.dumps(self._sums))

    def end(self, part=OTHER):
        """Stop sampling; what was used since the last sample goes to a part."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        self._add(part)
        self.write()


def part_of(file, function):
    """Return the part that a function belongs to, or nothing."""
    for place, functions, part in PARTS:
        if place in file and (not functions or function in functions.split()):
            return part
    return ""


def sample_children():
    """Sample every process that is forked from this one, as workers are from the fork server."""
    os.register_at_fork(after_in_child=lambda: Sampler(os.environ[FOLDER]))


def timed(play, folder):
    """Return the conductor's `_play_missing`, with a stop-watch around it."""

    def measured(*arguments):
        begun = time.monotonic()
        play(*arguments)
        (Path(folder) / "playing").write_text(str(time.monotonic() - begun))

    return measured


def watch(folder, *arguments):
    """Run a command with a watch around the conductor."""
    from arena.cli import main as command
    from arena.tournament.conductor import Conductor

    Conductor._play_missing = timed(Conductor._play_missing, folder)
    sys.argv = ["arena", *arguments]
    command()


def main(folder, *arguments):
    os.environ[FOLDER] = folder
    sampler = Sampler(folder)
    from arena.executors.hand import CONTEXT

    CONTEXT.set_forkserver_preload(["arena.executors.hand", "benchmarks.sampler"])
    try:
        watch(folder, *arguments)
    finally:
        sampler.end(START)


if __name__ == "__main__":
    watch(*sys.argv[2:]) if sys.argv[1] == "--no-samples" else main(*sys.argv[1:])
elif FOLDER in os.environ:
    sample_children()
