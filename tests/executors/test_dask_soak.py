"""A cluster to which everything happens: workers are killed at random, and the scheduler once."""

import random
import time

import pytest

from tests.executors import clusters
from tests.tournament import field

SECONDS = 600
BOTS = {
    "chance": field.CHANCE,
    "first": field.FIRST,
    "globals": field.GLOBALS,
    "slow": field.SLOW.format(seconds=0.01),
    "slower": field.SLOW.format(seconds=0.02),
}
PLAYED = "SELECT count(*), count(DISTINCT game) FROM games"


class Cloud:
    """A scheduler and workers that can be killed and started again, always at the same address."""

    def __init__(self, workers):
        self._scheduler, self.address = clusters.start_scheduler()
        self._workers = [clusters.start_worker(self.address) for _ in range(workers)]
        self.kills = 0

    def kill_one(self):
        """Kill one of the workers, and let another take its place."""
        clusters.end(self._workers.pop(random.randrange(len(self._workers))))
        self._workers.append(clusters.start_worker(self.address))
        self.kills += 1

    def kill_scheduler(self):
        clusters.end(self._scheduler)

    def start_again(self):
        """Start a scheduler at the same address, and as many workers as there were."""
        count = len(self._workers)
        self.close()
        self._scheduler, address = clusters.start_scheduler(self.address.rpartition(":")[2])
        assert address == self.address
        self._workers = [clusters.start_worker(self.address) for _ in range(count)]

    def close(self):
        for process in (self._scheduler, *self._workers):
            clusters.end(process)


def harm(cloud, going, until):
    """Kill workers at random times until something is so, or the run has ended."""
    deadline = time.monotonic() + SECONDS
    while not until() and going.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(random.uniform(1, 6))
        cloud.kill_one()


def played(folder):
    """How many games are in the log."""
    found = field.rows(folder, "SELECT max(rowid) FROM games")
    return (found[0][0] or 0) if found else 0


@pytest.mark.long
@pytest.mark.timeout(3 * SECONDS)
def test_a_run_survives_workers_and_a_scheduler_that_are_killed(tmp_path):
    """All games once, and the digest of a serial run; the same command goes on after the scheduler has died."""
    field.write(tmp_path, BOTS, variants=["blockade-5x5", "grid-block"], openings=20)
    folder, command = tmp_path / "results" / "cup", ["run", "configs/cup.toml", "--no-grades", "--no-report"]
    cloud = Cloud(3)
    try:
        on_cluster = [*command, "--scheduler", cloud.address]
        going = field.started(*on_cluster, cwd=tmp_path)
        harm(cloud, going, lambda: played(folder) > 250)
        cloud.kill_scheduler()
        errors = going.communicate(timeout=SECONDS)[1]
        assert (going.returncode, "Traceback" in errors) == (1, False), errors
        assert "does not answer any more; finished games are kept, and the same command goes on" in errors
        before = set(field.rows(folder))
        assert 250 < len(before) < 800

        cloud.start_again()
        going = field.started(*on_cluster, cwd=tmp_path)
        harm(cloud, going, lambda: False)
        errors = going.communicate(timeout=SECONDS)[1]
        assert going.returncode == 0, errors
        assert cloud.kills > 5
    finally:
        cloud.close()
    assert before < set(field.rows(folder))
    assert field.rows(folder, PLAYED) == [(800, 800)]
    alone = field.arena(*command, "--executor", "serial", "--results", "alone", "--no-audit", cwd=tmp_path)
    assert alone.returncode == 0, alone.stderr
    digests = {field.arena("digest", name, cwd=tmp_path).stdout for name in ("results/cup", "alone/cup")}
    assert len(digests) == 1
