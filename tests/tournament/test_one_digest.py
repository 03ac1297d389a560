"""One digest: the same result for any number of workers, any isolation, any units, and after any kill."""

import os
import random
import signal
import time
from contextlib import closing

import pytest

import arena
from arena.log.reading import Log
from arena.results.verify import mistakes
from arena.tournament import conductor
from tests.executors import clusters
from tests.hosts.processes import gone_within
from tests.tournament import field
from tests.tournament.small import just_play

VARIANTS = ["blockade-5x5", "grid-block", "snort:hex-3x3"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tournament of bots that can be repeated, one of them with module globals and one with chance."""
    made = tmp_path_factory.mktemp("digest")
    field.write(made, field.GOOD, variants=VARIANTS, openings=2, repeats=2)
    return made


@pytest.fixture(scope="module")
def expected(folder):
    """The digest as one worker in this process gives it, sandboxed."""
    return digest(folder, "expected")


def digest(folder, results, **options):
    config, place = folder / "configs" / "cup.toml", folder / results
    run = just_play(config, results=place, audit=False, **options)
    assert len(run.games()) == 6 * 3 * 2 * 2 * 2
    assert set(run.games()["ending"]) == {"no-moves"}
    return run.digest()


@pytest.mark.parametrize(
    ("workers", "isolation"),
    [
        (3, "trusted"),
        (2, "sandboxed"),
        *(pytest.param(workers, "trusted", marks=pytest.mark.long) for workers in (1, 2, 5)),
        *(pytest.param(workers, "sandboxed", marks=pytest.mark.long) for workers in (1, 3, 5)),
    ],
)
def test_any_number_of_workers_and_either_isolation_give_one_digest(folder, expected, workers, isolation):
    """Who plays what on how many processes is nobody's business."""
    options = {"executor": "local", "workers": workers, "isolation": isolation}
    assert digest(folder, f"{workers}-{isolation}", **options) == expected


@pytest.mark.long
def test_a_run_that_moves_to_a_cluster_and_back_comes_to_one_digest(tmp_path):
    """Each executor plays what the others have not played yet."""
    ways = [{"executor": "local", "workers": 1}, {"executor": "dask", "cluster": clusters.shared()}, {}]
    for openings, options in enumerate(ways, 1):
        config = field.write(tmp_path, field.GOOD, variants=VARIANTS, openings=openings)
        moved = just_play(config, results=tmp_path / "moved", **options)
    whole = just_play(config, results=tmp_path / "whole")
    assert moved.digest() == whole.digest()
    assert len(whole.games()) == 6 * 3 * 2 * 3


@pytest.mark.long
def test_numpys_chance_is_the_same_trusted_and_sandboxed(tmp_path):
    """Its module of chance is loaded late, and is seeded all the same."""
    chance = "import numpy as np\ndef move(position):\n    return np.random.choice(position.legal_moves)\n"
    early = "import numpy as np\nluck = np.random.randint(1000)\n" + field.GLOBALS.replace(
        "luck = random.random()", ""
    )
    bots = {"dice": chance, "early": early.replace("luck * 1000", "luck"), "first": field.FIRST}
    config = field.write(tmp_path, bots, variants=["blockade-5x5"], openings=1)
    runs = [
        just_play(config, results=tmp_path / isolation, isolation=isolation, executor="local", workers=1)
        for isolation in ("trusted", "sandboxed")
    ]
    assert len({run.digest() for run in runs}) == 1
    assert [run.unrepeatable for run in runs] == [[]] * 2


@pytest.mark.parametrize("size", [1, *(pytest.param(size, marks=pytest.mark.long) for size in (7, 256))])
def test_any_size_of_units_gives_one_digest(folder, expected, size, monkeypatch):
    """A unit may be cut anywhere."""
    monkeypatch.setattr(conductor, "MOST_IN_UNIT", size)
    assert digest(folder, f"units-{size}", executor="local", workers=2) == expected


@pytest.fixture(scope="module")
def slow_folder(tmp_path_factory):
    """A tournament that takes a few seconds, so that it can be killed in the middle."""
    made = tmp_path_factory.mktemp("killed")
    slow = field.SLOW.format(seconds=0.004)
    field.write(made, field.GOOD | {"slow": slow}, variants=["blockade-5x5", "blockade-line"], openings=4)
    return made


@pytest.fixture(scope="module")
def undisturbed(slow_folder):
    """The digest of a run that nobody disturbs."""
    config, place = slow_folder / "configs" / "cup.toml", slow_folder / "undisturbed"
    return just_play(config, results=place, audit=False).digest()


@pytest.mark.parametrize("number", range(int(os.environ.get("ARENA_KILLS", "1"))))
def test_a_run_that_is_killed_goes_on_to_the_same_digest(slow_folder, undisturbed, number):
    """Kill -9 of the coordinator, a worker or a bot at a random moment; nothing committed is lost."""
    chance = random.Random(number)
    results = slow_folder / f"killed-{number}"
    run = field.started("run", "configs/cup.toml", "--results", results, "--workers", 2, cwd=slow_folder)
    seen = field.wait_for_games(results / "cup", 1)
    time.sleep(chance.uniform(0, 0.8))
    committed = set(seen) | set(field.rows(results / "cup"))
    everyone = [run.pid, *field.workers(run.pid), *field.bots(run.pid)]
    victims = {0: [run.pid], 1: field.workers(run.pid), 2: field.bots(run.pid)}[number % 3]
    if victims:
        field.kill(chance.choice(victims))
    run.communicate(timeout=60)
    assert run.returncode == (-signal.SIGKILL if number % 3 == 0 else 0)
    assert gone_within(1, *everyone)
    assert set(field.rows(results / "cup")) >= committed
    assert wrong(results / "cup") == []
    again = field.arena("run", "configs/cup.toml", "--results", results, "--no-audit", cwd=slow_folder)
    assert again.returncode == 0, again.stderr
    assert set(field.rows(results / "cup")) >= committed
    assert arena.Run(results / "cup").digest() == undisturbed
    assert wrong(results / "cup") == []


def wrong(folder):
    """What `arena verify` would complain about."""
    with closing(Log(folder)) as log:
        return list(mistakes(log))
