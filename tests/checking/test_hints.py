"""Hints: what an author most likely did, guessed from what was said about a bot and from its file."""

from pathlib import Path

import pytest

from arena.checking.hints import Case, find_hint

GOOD = "def move(position):\n    return position.legal_moves[0]\n"


def hint_for_import(name, path=Path("bot.py")):
    return find_hint(Case(f"raised ModuleNotFoundError: No module named '{name}'", "", GOOD, path))


@pytest.mark.parametrize("name", ["helper", "utils", "solver", "eval", "min_max"])
@pytest.mark.parametrize("path", [Path("bot.py"), Path("/")])
def test_a_module_that_nobody_knows_is_asked_for_as_a_forgotten_file(name, path):
    """Whether one file was given or a folder: by hand it is a folder that is given, by a browser a zip of it."""
    assert hint_for_import(name, path) == (
        f"is {name}.py a file of yours? Hand in a folder, or a zip of it, with bot.py and {name}.py in it"
    )


@pytest.mark.parametrize(
    ("name", "meant"),
    [("randm", "random"), ("maths", "math"), ("collection", "collections"), ("jsno", "json")],
)
def test_a_slip_in_the_name_of_a_standard_module_is_asked_for_too(name, meant):
    """One letter wrong, too many or missing, or two exchanged; a file may be called so all the same."""
    hint = hint_for_import(name)
    assert hint.startswith(f"did you mean '{meant}'? Or is {name}.py a file of yours? Hand in a folder")


@pytest.mark.parametrize("name", ["requests", "numpy", "torch.nn", "tkinter", "os.paths"])
def test_a_module_that_everybody_knows_is_no_file_of_the_author(name):
    """A bot is told what it may import; also of a part of a module, which is no file of its own."""
    assert hint_for_import(name).startswith(
        "a bot may import what Python brings, numpy where it is installed"
    )
