"""Run folders from an enemy, at random: all of them in the soak, which has ten thousand."""

import os

import pytest

from arena.executors.worker import Worker
from arena.tournament import rerun
from tests.fuzz.folders import Stage, share_a_worker

FOLDERS = int(os.environ.get("ARENA_FOLDERS", "1"))


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """A place with honest tournaments in it, and a sandbox that all folders share."""
    shared = share_a_worker()
    yield Stage(tmp_path_factory.mktemp("fuzz") / "stage")
    rerun.Worker = Worker  # type: ignore[attr-defined] # what it had imported
    Worker.close(shared)


@pytest.mark.long
def test_whatever_is_in_a_folder_all_that_happens_is_a_sentence(stage):
    """No write outside, no code run, no traceback, nothing above five seconds, no table without support."""
    for number in range(FOLDERS):
        assert stage.complaints(number) == []
