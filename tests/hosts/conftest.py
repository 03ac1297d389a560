"""What the tests of hosts share: one template for each test process, and bots from a few lines of text."""

import os

import pytest

from arena.bots.source import Source, read_command
from arena.hosts.command import CommandHost
from arena.hosts.sandboxed import SandboxedHost
from arena.sandbox.template import Template


@pytest.fixture(scope="session")
def template():
    """A template process that lives as long as the tests."""
    made = Template()
    assert made.walls.is_enough, made.walls
    yield made
    made.close()


@pytest.fixture
def one_core(template):
    """A worker and its bots share one core, as in a tournament."""
    every = os.sched_getaffinity(0)
    for pid in (0, template.pid):
        os.sched_setaffinity(pid, {max(every)})
    yield max(every)
    for pid in (0, template.pid):
        os.sched_setaffinity(pid, every)


@pytest.fixture
def bot(template):
    """A function from a bot's text to its sandboxed host, closed after the test."""
    made = []

    def make(text, name="bot", **files):
        every = {"bot.py": text} | {f"{stem}.py": more for stem, more in files.items()}
        source = Source(name, "bot.py", {path: data.encode() for path, data in every.items()})
        made.append(SandboxedHost(source, template))
        return made[-1]

    yield make
    for host in made:
        host.close()


@pytest.fixture
def command(template, tmp_path):
    """A function from a script's text to the host of a command that runs it with /usr/bin/python3."""
    made = []

    def make(text, words=("python3", "bot.py")):
        (tmp_path / "bot.py").write_text(text)
        made.append(CommandHost(read_command(list(words), "command", tmp_path), template))
        return made[-1]

    yield make
    for host in made:
        host.close()
