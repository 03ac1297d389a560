"""The words of the command line are those of tables that take too long to import for `--help`."""

import subprocess
import sys

import pytest

import arena
from arena.cli.results import Format
from arena.cli.run import ExecutorName
from arena.executors import EXECUTORS
from arena.reports import text


@pytest.mark.parametrize(("words", "table"), [(Format, text.FORMATS), (ExecutorName, EXECUTORS)])
def test_every_entry_of_a_table_can_be_typed(words, table):
    """None is forgotten, and none is offered that is not there."""
    assert {word.value for word in words} == set(table)


def test_the_package_is_the_command():
    """`python -m arena` does what `arena` does."""
    command = [sys.executable, "-m", "arena", "--version"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == arena.__version__
