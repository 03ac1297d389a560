"""Finding a run by what people type: a folder, a name in `results/`, or nothing, which is the newest."""

import os
import shutil
from contextlib import closing

import pytest

from arena.errors import UserError
from arena.log.reading import LOG
from arena.log.writing import Store
from arena.results.finding import find_run
from tests.tournament.small import play_games


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Two runs; the log of `cup` is the newer one."""
    run = play_games(tmp_path_factory.mktemp("runs"), variants=["snort:line-4"], openings=1)
    shutil.copytree(run.folder, run.folder.with_name("old"))
    _date(run.folder.with_name("old"), 1_000)
    _date(run.folder, 2_000)
    return run.folder.parent


def _date(folder, seconds):
    for file in folder.iterdir():
        os.utime(file, (seconds, seconds))


def test_a_run_is_found_by_its_name_or_its_folder(results):
    """A name is looked for in `results/`; a folder may lie anywhere."""
    assert find_run("old", results).folder == results / "old"
    assert find_run(str(results / "old"), results / "nowhere").folder == results / "old"


def test_a_name_that_is_none_is_told_with_those_that_are(results):
    """What is near is offered; what is a folder without a log is said to be that."""
    with pytest.raises(UserError, match=r"there is no run 'cupp' .*; did you mean 'cup'"):
        find_run("cupp", results)
    with pytest.raises(UserError, match=r"there is no run 'x' .*; there are cup, old"):
        find_run("x", results)
    with pytest.raises(UserError, match=f"there is no {LOG} in it"):
        find_run(str(results), results)
    with pytest.raises(UserError, match="there is no run in"):
        find_run(None, results / "nowhere")


def test_the_newest_is_the_one_that_was_written_last(results):
    """Also while it is written, when what is new lies beside its log still."""
    assert find_run(None, results).folder == results / "cup"
    with closing(Store(results / "old")) as store:
        store.write_fact("a", "b")
        os.utime(results / "old" / LOG, (1_000, 1_000))  # which is not written to before the run ends
        assert find_run(None, results).folder == results / "old"
