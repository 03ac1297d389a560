"""In the sandbox every hostile bot loses its game or plays on harmlessly, and nothing else happens.

Each bot plays two games, one as either side, against a bot that claims the first legal cell; a third game
without it shows that the run goes on. What an ordinary user sees is tried in a process without any
privilege (`as_user.py`), because the tests themselves may well run as root.
"""

import os

import pytest

from arena.sandbox.template import Template
from tests.hostile.contained import contained
from tests.hostile.stage import KINDS, Stage, hostile_bots
from tests.hosts.nobody import as_nobody, ordinary_python

PARTS = pytest.mark.parametrize(
    ("part", "parts"), [(0, 15), *(pytest.param(part, 4, marks=pytest.mark.long) for part in range(4))]
)
"""One bot in fifteen here, some of every kind, and all of them in the soak."""


@pytest.fixture(scope="module")
def template():
    made = Template()
    assert made.walls.is_enough, made.walls
    yield made
    made.close()


BOTS = hostile_bots()
IN_SOAK = BOTS[1::2]
"""Every second one is left to the soak; the others have some of every kind."""


@pytest.mark.parametrize(
    "hostile",
    [pytest.param(bot, id=bot.name, marks=pytest.mark.long if bot in IN_SOAK else ()) for bot in BOTS],
)
def test_a_hostile_bot_is_contained(hostile, template):
    """It loses or plays on; nothing is received, touched, leaked or left; the next game is as always."""
    with Stage() as stage:
        assert contained(hostile, template, stage) == []


def test_there_are_hostile_bots_of_every_kind():
    """At least seventy, and some of each kind."""
    bots = hostile_bots()
    assert len(bots) >= 70
    assert {bot.kind for bot in bots} == {bot.kind for bot in bots[::15]} == set(KINDS)
    assert {bot.kind for bot in bots if bot not in IN_SOAK} == set(KINDS)


@pytest.mark.timeout(600)
@PARTS
def test_hostile_bots_are_contained_for_an_ordinary_user(part, parts):
    """The same as a user without any privilege, whose bots run under that very user."""
    if os.geteuid() != 0:
        pytest.skip("these tests run as an ordinary user already")
    python = ordinary_python()
    if python is None:
        pytest.skip("there is no Python here that an ordinary user can start")
    done = as_nobody([python, "-P", "-m", "tests.hostile.as_user", str(part), str(parts)])
    assert done.stdout.rstrip().endswith("all contained"), done.stdout[-3000:] + done.stderr[-3000:]


@pytest.mark.timeout(600)
@PARTS
def test_hostile_bots_are_contained_by_landlock_alone(part, parts):
    """The same where namespaces are refused, as in many containers."""
    python = ordinary_python() if os.geteuid() == 0 else None
    if python is None:
        pytest.skip("there is no Python here that root can start as an ordinary user")
    words = ["tests.hosts.landlock_alone", "tests.hostile.as_user", str(part), str(parts)]
    done = as_nobody([python, "-P", "-m", *words])
    assert done.stdout.startswith("walls: seccomp, landlock"), done.stdout + done.stderr
    assert "namespace" not in done.stdout.splitlines()[0]
    assert done.stdout.rstrip().endswith("all contained"), done.stdout[-3000:] + done.stderr[-3000:]
