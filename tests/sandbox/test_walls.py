"""What the kernel itself says of a bot's process: no power, none to be gained, and a filter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import arena
from arena.bots.source import Source
from arena.hosts.sandboxed import SandboxedHost
from arena.referee import Game, Limits
from arena.sandbox.template import Template
from arena.sandbox.template_process import PRIVATE_UID
from tests.hosts.games import FIRST_LEGAL
from tests.hosts.nobody import NOBODY, ROOT, as_nobody, ordinary_python


def seen_by(user):
    """What is told of a Python bot and of a command that a user has started."""
    if user == "us":
        command = [sys.executable, "-P", "-m", "tests.hosts.walls_seen"]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    else:
        python = ordinary_python() if os.geteuid() == 0 else None
        if python is None:
            pytest.skip("only root can be another user, and only with a Python that all can start")
        done = as_nobody([python, "-P", "-m", "tests.hosts.walls_seen"])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("user", ["us", "nobody"])
def test_a_bots_process_has_no_capabilities_and_can_gain_none(user):
    """Whoever starts it, and of whatever kind it is; what the template gives up once, all its bots lack."""
    for kind, told in seen_by(user).items():
        capabilities = {told[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
        assert capabilities == {"0" * 16}, kind
        assert told["NoNewPrivs"] == "1", kind
        assert told["Seccomp"] == "2", kind
        assert told["NSpid"].split()[-1] == "1", f"{kind} sees other processes"
        users = set(map(int, told["Uid"].split()))
        if user == "nobody":
            assert users == {NOBODY}
        elif os.geteuid() == 0:
            assert len(users) == 1
            assert min(users) > PRIVATE_UID
            assert told["Groups"].split() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give bots users of their own")
def test_bots_of_two_workers_are_not_the_same_user():
    """Threads are counted for each user: one worker's bots would take them from another's."""
    source = Source("b", "bot.py", {"bot.py": FIRST_LEGAL.encode()})
    templates = [Template(), Template()]
    hosts = [SandboxedHost(source, template) for template in templates for _ in range(2)]
    try:
        for host in hosts:
            assert host.begin(Game(arena.variant("grid-lock"), 0, 1, Limits())) is None
        users = {
            Path(f"/proc/{host.pid}/status").read_text().partition("Uid:")[2].split()[0] for host in hosts
        }
    finally:
        for host in hosts:
            host.close()
        for template in templates:
            template.close()
    assert len(users) == 4
