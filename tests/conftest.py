"""What holds for all tests: nothing of this user's own is read or written; and which of them are the quick ones.

`--quick` leaves out what took long when it was last measured (`durations.json`, written by `--measure`), but
for a few that keep it real: a sandboxed run on two workers, a kill with its digest, a hostile bot of each kind.
Who shares a fixture that took long is left out with it, and so is whatever wants a browser: whichever test comes
first would pay for its start. So does the first test of a worker that runs a command (`warm`), and a few apart from
those in tests/cli are left out. So is what measures clocks, and must run alone.
"""

import json
import os
import re
import tempfile
from collections import defaultdict
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import settings

# The key that signs caches lies in the user's configuration folder: tests, and what they start, have one apart.
CONFIGURATION = tempfile.TemporaryDirectory(prefix="arena-tests-")
os.environ["XDG_CONFIG_HOME"] = CONFIGURATION.name

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
APART = re.compile(
    r"tests/browser/|tests/game/test_dialogues.py|tests/test_docs.py::test_the_(tournament|variant)_file"
)
"""What wants a browser, and what runs commands beside others that run none."""

_took: defaultdict[str, float] = defaultdict(float)
_set_up: defaultdict[str, float] = defaultdict(float)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the short form, and the measuring that it rests on."""
    parser.addoption("--quick", action="store_true", help="the short form of the tests, under a minute")
    parser.addoption("--measure", action="store_true", help="write down how long each test takes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what takes long, if only the short form is asked for."""
    if config.getoption("--quick"):
        from tests.hostile.stage import hostile_bots

        of_kind = {bot.kind: f"::test_a_hostile_bot_is_contained[{bot.name}]" for bot in hostile_bots()}
        measured = json.loads(DURATIONS.read_text())
        slow = {place for i in items if _function(i.nodeid) in measured["set up"] for place in _shared_by(i)}
        kept = tuple(of_kind.values())
        left_out = [
            item
            for item in items
            if (_is_long(item, measured["run"]) or slow.intersection(_shared_by(item)))
            and not _is_kept(item.nodeid, kept)
        ]
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def _is_long(item: pytest.Item, long: Collection[str]) -> bool:
    is_alone = item.get_closest_marker("alone") is not None
    return is_alone or _function(item.nodeid) in long or APART.match(item.nodeid) is not None


def _shared_by(item: pytest.Item) -> set[tuple[str, str]]:
    """Return the fixtures that a test shares with others of its file."""
    known = getattr(item, "_fixtureinfo").name2fixturedefs  # noqa: B009 - pytest has no other way
    shared = {name for name, found in known.items() if found[-1].scope == "module"}
    return {(item.nodeid.partition("::")[0], name) for name in shared}


def _is_kept(name: str, endings: tuple[str, ...]) -> bool:
    return KEPT.search(name) is not None or name.endswith(endings)


def _function(name: str) -> str:
    return name.partition("[")[0]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what the cases of a test take, apart from what they share."""
    took = _set_up if report.when == "setup" else _took
    took[_function(report.nodeid)] += report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Write down what took long, in the process that has heard of all tests."""
    if session.config.getoption("--measure") and not hasattr(session.config, "workerinput"):
        long = {"set up": _choose_long(_set_up), "run": _choose_long(_took)}
        DURATIONS.write_text(json.dumps(long, indent=0) + "\n")


def _choose_long(took: dict[str, float]) -> dict[str, float]:
    return {name: round(seconds, 1) for name, seconds in sorted(took.items()) if seconds >= LONG}
