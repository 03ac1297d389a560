"""Without a sandbox the attacks succeed; else the sandbox could hold them for the wrong reason.

They are tried as whoever runs the tests, and where that is root as an ordinary user too: for such a user the
kernel refuses some of them by itself, and those prove nothing about the sandbox. They are listed below.
"""

from __future__ import annotations

import json
import os
import re
import resource
import time

import pytest

from tests.hostile.control import CONTROLS, MOST_MEMORY, failed, unconfined
from tests.hostile.stage import KINDS, Hostile, Stage, hostile_bots
from tests.hosts.nobody import as_nobody, ordinary_python

REFUSED_TO_USERS = {
    "become_root": "only root can become another user",
    "change_owner": "only root may give files away",
    "change_root": "needs CAP_SYS_CHROOT",
    "join_namespace": "needs CAP_SYS_ADMIN in the namespace that is joined",
    "make_device": "needs CAP_MKNOD",
    "mount": "needs CAP_SYS_ADMIN",
    "open_by_handle": "needs CAP_DAC_READ_SEARCH",
    "open_file_system": "needs CAP_SYS_ADMIN",
    "packet_socket": "needs CAP_NET_RAW",
    "raise_capabilities": "there are none to raise",
    "raise_limits": "needs CAP_SYS_RESOURCE, which this machine may take from root as well",
    "raw_socket": "needs CAP_NET_RAW",
    "realtime": "needs CAP_SYS_NICE, or a limit that nobody has by default",
    "renice_itself": "needs CAP_SYS_NICE, or a limit that nobody has by default",
    "set_host_name": "needs CAP_SYS_ADMIN",
    "watch_file_system": "a watch on everything needs CAP_SYS_ADMIN",
}
"""The controls that cannot succeed for an ordinary user, and why."""

REFUSED_BY_SETTING = {
    "bpf": "kernel.unprivileged_bpf_disabled, which nearly all machines set",
    "full_pipes": "fs.pipe-user-pages-soft: 64 MiB for each user, if nobody has raised it",
    "kernel_log": "kernel.dmesg_restrict, which most machines set",
}
"""The controls that fail for an ordinary user on most machines."""

STEP = 6
"""Every sixth is tried here, with some of every kind, and all of them in the soak."""


def in_short(bot: Hostile) -> object:
    """Some of them are tried in the short form of the tests."""
    is_short = CONTROLS.index(bot) % STEP == 2
    return pytest.param(bot, id=bot.name, marks=() if is_short else pytest.mark.long)


@pytest.mark.parametrize("bot", [*map(in_short, CONTROLS)])
def test_an_attack_succeeds_without_a_sandbox(bot: Hostile):
    """Each attack with a control does what it says when nothing holds it."""
    if bot.missing():
        pytest.skip(f"this machine has no {', '.join(bot.missing())}: it refuses the attack anyway")
    assert failed(bot) == ""


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("part", "parts"), [(0, 12), *(pytest.param(part, 4, marks=pytest.mark.long) for part in range(4))]
)
def test_an_attack_succeeds_for_an_ordinary_user_too(part: int, parts: int):
    """Each does so without any privilege, but for those that the kernel refuses to all ordinary users."""
    if os.geteuid() != 0:
        pytest.skip("these tests run as an ordinary user already")
    python = ordinary_python()
    if python is None:
        pytest.skip("there is no Python here that an ordinary user can start")
    done = as_nobody([python, "-P", "-m", "tests.hostile.controls_as_user", str(part), str(parts)])
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    told: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    wrong = {
        name: why for name, why in told.items() if why and name not in REFUSED_TO_USERS | REFUSED_BY_SETTING
    }
    assert wrong == {}
    assert [name for name in REFUSED_TO_USERS if told.get(name) == ""] == [], "it works after all"


def test_attacks_that_are_refused_to_users_are_those_that_need_root():
    """What the lists above say is what the bots themselves say; every other control is for all users."""
    needs_root = {bot.name for bot in CONTROLS if {"root", "root_over_limits"} & set(bot.needs)}
    assert REFUSED_TO_USERS.keys() | REFUSED_BY_SETTING.keys() == needs_root
    assert len(CONTROLS) - len(needs_root) >= 136


HARMLESS = b'def move(position):\n    print("hello")\n    return position.legal_moves[0]\n'


def test_a_harmless_bot_proves_nothing():
    """What is seen of an attack is not seen of a bot that only plays and prints."""
    with Stage() as stage, unconfined(stage, stage.write_source("harmless", HARMLESS)) as run:
        while not run.is_over():
            time.sleep(0.02)
        assert run.seen() == set()
        assert re.fullmatch(r"hello\nhello\nhello\nresult \d+ \d+ \d+ winner None\n", run.printed)


def test_the_suite_is_large_and_covers_every_kind():
    """At least 80 bots, of every kind, most of those that harm others with a control."""
    bots = hostile_bots()
    assert len(bots) >= 80
    assert {bot.kind for bot in bots} == set(KINDS)
    assert {bot.kind for bot in CONTROLS[2::STEP]} == {bot.kind for bot in CONTROLS}
    without = {bot.name for bot in bots if bot.proof != "none" and not bot.control}
    assert without == {"x32_call", "pickled_reply", "pickling_reply"}


def test_bots_that_need_no_control_say_why():
    """A bot without a control gives its reason; one with a control gives none."""
    for bot in hostile_bots():
        assert bool(bot.why_not) != bot.control, bot.name


def test_memory_hogs_stay_below_the_limit_of_the_control():
    """The runner's own limit is above what the hogs want and far below what the machine has."""
    assert 1 << 30 < MOST_MEMORY <= os.sysconf("SC_PHYS_PAGES") * resource.getpagesize() / 2
