"""Grading while games are played: the same grades as afterwards, and nobody waits for them."""

import os
import signal
import time

import pytest

import arena
from arena.log.cache import CACHE
from arena.results import alongside
from arena.results.alongside import Alongside
from arena.results.grading import count_graded
from arena.results.run import Run
from tests.tournament import field
from tests.tournament.field import CHANCE, FIRST, LAST

VARIANTS = ["grid-lock", "col:ring-7", "kayles:line-40"]
LARGE = "kayles:line-40"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A run without grades, with small boards and one that is not."""
    folder = tmp_path_factory.mktemp("alongside")
    config = field.write(
        folder, {"chance": CHANCE, "first": FIRST, "last": LAST}, variants=VARIANTS, openings=4
    )
    return arena.run(config, executor="serial", audit=False, grades=False)


@pytest.fixture
def rows(played, monkeypatch):
    """Its games, and a process for each run however few there are; no cache."""
    monkeypatch.setattr(alongside, "FEWEST", 1)
    (played.folder / CACHE).unlink(missing_ok=True)
    with played.log() as log:
        return list(log.games())


def standings(played):
    return Run(played.folder).standings().to_csv()


def test_what_is_graded_alongside_is_what_is_graded_afterwards(played, rows):
    """All games on small boards are graded when it ends, and tables are the same in both ways."""
    with Alongside(played.folder) as process:
        for at in range(0, len(rows), 5):
            process.take(rows[at : at + 5])
    small = sum(row.variant != LARGE for row in rows)
    assert count_graded(played.folder) == small
    found = standings(played)
    (played.folder / CACHE).unlink()
    assert count_graded(played.folder) == 0
    assert standings(played) == found


def test_nobody_waits_for_a_slow_one(played, rows, monkeypatch):
    """Taking games takes no time, however long it has to grade; what it cannot take is left for later."""
    monkeypatch.setattr(alongside, "MOST_WAITING", 10)
    with Alongside(played.folder) as process:
        process.take(rows[:1])
        os.kill(process._process.pid, signal.SIGSTOP)
        begun = time.monotonic()
        for row in rows:
            process.take([row])
        assert time.monotonic() - begun < 5
        assert len(process._waiting) == 10
        os.kill(process._process.pid, signal.SIGCONT)
    assert 0 < count_graded(played.folder) < sum(row.variant != LARGE for row in rows)


@pytest.mark.long
def test_one_that_is_lost_costs_only_time(played, rows):
    """The rest is graded afterwards, to the same tables."""
    with Alongside(played.folder) as process:
        process.take(rows[:10])
        os.kill(process._process.pid, signal.SIGKILL)
        process._process.join()
        process.take(rows[10:20])
        process.take(rows[20:])
    found = standings(played)
    (played.folder / CACHE).unlink()
    assert standings(played) == found


def test_it_ends_with_a_run_that_is_stopped(played, rows):
    """After Ctrl-C nothing goes on."""
    process = Alongside(played.folder)
    process.take(rows)
    process.__exit__(KeyboardInterrupt)
    assert process._process.exitcode is not None


def test_a_few_games_need_no_process(played):
    """It would take longer to start than to grade them."""
    with played.log() as log, Alongside(played.folder) as process:
        process.take(list(log.games()))
        assert process._process is None


def test_a_run_grades_while_it_plays(tmp_path, monkeypatch):
    """When the games are over, nothing is left to grade."""
    monkeypatch.setattr(alongside, "FEWEST", 1)
    seen = []
    end = Alongside._end
    monkeypatch.setattr(Alongside, "_end", lambda self: end(self) or seen.append(count_graded(self._folder)))
    config = field.write(tmp_path, {"chance": CHANCE, "first": FIRST}, variants=["grid-lock"], openings=4)
    run = arena.run(config, workers=1, audit=False)
    assert seen == [len(run.games())] != [0]
