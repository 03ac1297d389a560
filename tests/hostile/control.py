"""Runs a bot without a sandbox, as somebody careless would, and looks whether its attack succeeds."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tests.hostile.stage import Hostile, Stage, hostile_bots, is_cheated

VARIANT = "grid-lock"
MOST_SECONDS = 30
MOST_MEMORY = 2 << 30
MOST_PROCESSES = 4096
MOST_WRITTEN = 1 << 30

# A careless runner: a parent that only waits, as a referee would, and its child with the bot inside.
RUNNER = f"""
import ctypes, os, resource, signal, sys
bot = os.fork()
if bot:
    os.waitpid(bot, 0)
    os._exit(0)
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
for limit, most in (
    (resource.RLIMIT_AS, {MOST_MEMORY}),
    (resource.RLIMIT_NPROC, {MOST_PROCESSES}),
    (resource.RLIMIT_FSIZE, {MOST_WRITTEN}),
    (resource.RLIMIT_CORE, 0),
):
    hard = resource.getrlimit(limit)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(limit, (most, most))

import arena
from arena.inside.program import Clock, Program, answer
from arena.referee import Ending, Game, Limits, Reply, judge

variant = arena.variant("{VARIANT}")
player = Program(sys.argv[1]).begin(Game(variant, 0, 17, Limits()))
position, winner, moves = variant.start(), None, []
for ply in range(3):
    move = answer(player, position, Clock(1.0, 10.0))
    position, outcome = judge(position, Reply(move), Limits(), 0.0)
    if outcome is not None:
        assert outcome.ending is Ending.NO_MOVES, outcome
        winner = outcome.winner
    moves.append(move)
    if winner is not None:
        break
print("result", *moves, "winner", winner)
"""

CONTROLS = [bot for bot in hostile_bots() if bot.control]


def failed(bot: Hostile, afterwards: float = 2) -> str:
    """Try an attack; return what was seen instead of its proof, or nothing if it succeeded.

    `afterwards` is for how many seconds after the bot's end its proof may still come to light.
    """
    with Stage() as stage, unconfined(stage, stage.write(bot.name)) as run:
        seen = wait_for_proof(run, bot.proof, afterwards)
        if bot.proof in seen:
            return ""
        return f"{bot.attack}\nseen: {seen or 'nothing'}\nprinted:\n{run.printed[-2000:]}"


class Run:
    """A bot that runs unconfined, in a process group of its own."""

    def __init__(self, stage: Stage, path: Path, empty: IO[bytes], output: IO[bytes]) -> None:
        self._stage = stage
        self._output = output
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-c", RUNNER, path],
            stdin=empty,  # no device, whose mode a bot of root's could change for everybody
            stdout=self._output,
            stderr=subprocess.STDOUT,
            pass_fds=stage.inheritable,
            start_new_session=True,
        )

    @property
    def printed(self) -> str:
        """What it has printed so far, its errors included."""
        size = os.fstat(self._output.fileno()).st_size
        return os.pread(self._output.fileno(), size, 0).decode(errors="replace")

    def seen(self) -> set[str]:
        """The proofs seen so far, with those that only the one who runs the bot can see."""
        printed = self.printed
        proofs = self._stage.observed(printed)
        if self.signal_of_referee():
            proofs.add("victim")
        result = re.search(r"^result ([\d ]*)winner (\w+)$", printed, re.M)
        if result:
            moves = [int(cell) for cell in result[1].split()]
            if is_cheated(VARIANT, moves, None if result[2] == "None" else int(result[2])):
                proofs.add("cheated")
        return proofs

    def signal_of_referee(self) -> int:
        """The signal by which the stand-in for the referee was ended, or 0."""
        ended = self._ended()
        return ended.si_status if ended is not None and ended.si_code == os.CLD_KILLED else 0

    def is_over(self) -> bool:
        """Whether the stand-in for the referee has ended."""
        return self._ended() is not None

    def _ended(self) -> os.waitid_result | None:
        """How it ended; it is not reaped, so that its group's number stays its own."""
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)

    def end(self) -> None:
        """Kill what is left of its group."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def unconfined(stage: Stage, path: Path) -> Iterator[Run]:
    """Run a bot as it would be run by somebody who has no sandbox."""
    with tempfile.TemporaryFile() as empty, tempfile.TemporaryFile() as output:
        run = Run(stage, path, empty, output)
        try:
            yield run
        finally:
            run.end()


def wait_for_proof(run: Run, proof: str, afterwards: float) -> set[str]:
    """Return what is seen as soon as the proof is; or some seconds after the bot's end; or at the limit."""
    limit = time.monotonic() + MOST_SECONDS
    ended = False
    while True:
        seen = run.seen()
        if proof in seen or time.monotonic() > limit:
            return seen
        if run.is_over() and not ended:
            ended, limit = True, min(limit, time.monotonic() + afterwards)
        time.sleep(0.02)
