"""Canaries: attacks that must work unprotected and be contained, before any stranger's bot is run."""

import os
import subprocess
import sys

import pytest

from arena.errors import NoSandbox
from arena.hosts import canaries, opening
from arena.hosts.canaries import Canary, run_canaries
from arena.sandbox.template import Template


def test_every_canary_works_unprotected_and_is_contained(template):
    """Neither half can pass alone: an attack that is broken proves nothing."""
    found = run_canaries(template)
    assert len(found) >= 5
    assert all(canary.works_unprotected and canary.is_contained for canary in found), found


def test_a_process_1_is_not_taken_for_the_bot_that_is_process_1_too(tmp_path):
    """A container's first process tells its own id from that of a bot in a namespace of its own.

    It has a temporary folder of its own, as in a container: it takes what others have in ours for a dead worker's.
    """
    owner = [] if os.geteuid() == 0 else ["--user", "--map-current-user"]
    first = ["unshare", *owner, "--pid", "--fork", "--mount-proc", "--kill-child"]
    if subprocess.run([*first, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine lets nobody be process 1 of a namespace of its own")
    code = "import os; from arena.cli import main; assert os.getpid() == 1; main()"
    command = [*first, sys.executable, "-c", code, "doctor"]
    own = os.environ | {"TMPDIR": str(tmp_path)}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=own)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_a_canary_whose_attack_is_broken_counts_as_not_contained(template, monkeypatch):
    """The control must succeed."""
    monkeypatch.setattr(canaries, "_ATTACKS", {"nothing": "pass"})
    (found,) = run_canaries(template)
    assert not found.is_contained
    assert found.detail == "the control failed"


def test_a_canary_that_was_not_refused_is_not_contained(template, monkeypatch):
    """That it did not get through is no proof: only a refusal shows that a wall was there."""
    silent = {"silence": "import os\nif os.path.exists({secret!r}): print('escaped')"}
    monkeypatch.setattr(canaries, "_ATTACKS", silent)
    (canary,) = run_canaries(template)
    assert canary == ("silence", True, False, "")


def test_a_canary_that_escapes_is_seen(template, monkeypatch):
    """An attack that the sandbox lets through is not called contained."""
    monkeypatch.setattr(canaries, "_ATTACKS", {"something allowed": "print('escaped')"})
    (found,) = run_canaries(template)
    assert found.works_unprotected
    assert not found.is_contained


def test_a_sandbox_that_leaks_runs_no_bots(monkeypatch):
    """It is said which canary escaped, and nothing is started."""
    monkeypatch.setattr(opening, "run_canaries", lambda _: [Canary("a file", True, False, "escaped")])
    own = Template()
    try:
        with pytest.raises(NoSandbox, match="does not contain these attacks here"):
            opening.require_sandbox(own)
    finally:
        own.close()


def test_canaries_fly_once_for_each_template(monkeypatch):
    """They cost some milliseconds, which a run pays once."""
    flown = []
    monkeypatch.setattr(opening, "run_canaries", lambda _: flown.append(1) or [])
    own = Template()
    try:
        opening.require_sandbox(own)
        opening.require_sandbox(own)
    finally:
        own.close()
    assert flown == [1]
