"""What holds for all tests: nothing of this user's own is read or written; and which of them are the quick ones.

`--quick` leaves out what took long when it was last measured (`durations.json`, written by `--measure`), but
for a few that keep it real: a sandboxed run on two workers, a kill with its digest, a hostile bot of each kind.
Whatever wants a browser is left out too: whichever test comes first would pay for its start.
"""

import json
import os
import re
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

# The key that signs caches lies in the user's configuration folder: tests, and what they start, have one apart.
os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="arena-tests-")

# How long an example takes says more about this machine, which is busy, than about what is tested.
settings.register_profile("arena", deadline=None)
settings.load_profile("arena")

DURATIONS = Path(__file__).parent / "durations.json"
LONG = 0.45
"""Seconds of a test function, all its cases together, from which on the quick form leaves it out."""

KEPT = re.compile(
    r"test_one_digest.py::test_any_number_of_workers_and_either_isolation_give_one_digest\[2-sandboxed|"
    r"test_one_digest.py::test_a_run_that_is_killed_goes_on_to_the_same_digest\[0|"
    r"test_run.py::test_a_newcomer_gets_from_an_empty_folder_to_a_table"
)
_took: defaultdict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the short form, and the measuring that it rests on."""
    parser.addoption("--quick", action="store_true", help="the short form of the tests, under a minute")
    parser.addoption("--measure", action="store_true", help="write down how long each test takes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, if only the short form is asked for."""
    if config.getoption("--quick"):
        from tests.hostile.stage import hostile_bots

        of_kind = {bot.kind: f"::test_a_hostile_bot_is_contained[{bot.name}]" for bot in hostile_bots()}
        long = {name for name, seconds in json.loads(DURATIONS.read_text()).items() if seconds >= LONG}
        kept = tuple(of_kind.values())
        left_out = [i for i in items if _is_long(i.nodeid, long) and not _is_kept(i.nodeid, kept)]
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def _is_long(name: str, long: set[str]) -> bool:
    return _function(name) in long or name.startswith("tests/browser/")


def _is_kept(name: str, endings: tuple[str, ...]) -> bool:
    return KEPT.search(name) is not None or name.endswith(endings)


def _function(name: str) -> str:
    return name.partition("[")[0]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what the cases of a test take."""
    _took[_function(report.nodeid)] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down what took long, in the process that has heard of all tests."""
    if session.config.getoption("--measure") and not hasattr(session.config, "workerinput"):
        long = {name: round(seconds, 1) for name, seconds in sorted(_took.items()) if seconds >= LONG}
        DURATIONS.write_text(json.dumps(long, indent=0) + "\n")
