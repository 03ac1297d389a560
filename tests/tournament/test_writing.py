"""What workers hand back, on its way into the log."""

from typing import Any

from arena.executors.unit import Finished, Replay
from arena.tournament.evidence import Faults
from arena.tournament.watch import Watch
from arena.tournament.writing import Writing


class Written:
    """A log that only remembers what it was told to write."""

    def __init__(self):
        self.replays = []

    def write_replays(self, replays, run):
        self.replays += [(*replay, run) for replay in replays]


def test_every_replay_is_written_once_and_with_its_run(tmp_path):
    """What was played again is committed with the games, and not a second time with the next ones."""
    log: Any = Written()
    no_plan: Any = None
    writing = Writing(log, no_plan, Watch(), Faults(tmp_path), 7)
    some = [Replay(f"{n:016x}", "grid-lock", "a", "b", "a", "raised ValueError") for n in range(3)]
    writing.take(Finished([], [], [], some[:2]))
    writing.commit()
    writing.take(Finished([], [], [], some[2:]))
    writing.commit()
    writing.commit()
    assert log.replays == [(*replay, 7) for replay in some]
