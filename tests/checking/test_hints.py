"""Hints: what an author most likely did, guessed from what was said about a bot and from its file."""

import json
from pathlib import Path

import pytest

from arena.checking.hints import Case, find_hint

GOOD = b"def move(position):\n    return position.legal_moves[0]\n"

NULLS = "raised SyntaxError: source code string cannot contain null bytes while it was loaded"


def hint_for_file(data, detail=NULLS):
    return find_hint(Case(detail, "", data, Path("bot.py")))


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


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [GOOD.decode(), "# Möwe, \u65e5\u672c\u8a9e\n" + GOOD.decode()])
def test_a_text_in_utf_16_is_known_by_its_bytes(encoding, text):
    """With the mark at its beginning or without it, whatever letters are in its comments."""
    assert hint_for_file(text.encode(encoding)).startswith("this file looks like UTF-16: save it as UTF-8")


def test_a_zip_is_no_python_file_whatever_it_is_called():
    """It is said how it is given: to a browser as it is, to a command as the folder in it."""
    hint = hint_for_file(b"PK\x03\x04\x14\0\0\0\x08\0")
    assert hint == "this is a zip: call it .zip to hand it in by a browser, or give `arena` the folder in it"


@pytest.mark.parametrize(
    ("data", "detail"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", NULLS),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", NULLS),
        (b"\x7fELF\x02\x01\x01\0", NULLS),
        (bytes(1000), NULLS),
        (GOOD + b"\0\0", NULLS),
        (b"%PDF-1.4\n%\xe2\xe3\n", "raised UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe2"),
        (b"{\\rtf1\\ansi\n", "raised SyntaxError: unexpected character after line continuation character"),
    ],
)
def test_what_is_no_text_is_said_to_be_none(data, detail):
    """Pictures, programs, documents, and a text with NUL in it: saving them as UTF-8 would mend nothing."""
    assert hint_for_file(data, detail) == "this is not a text file: save the bot as plain text, in UTF-8"


def test_a_file_that_a_bot_imports_may_be_the_one_that_is_no_text():
    """Nothing is said of the bot's own file, which is sound."""
    assert hint_for_file(GOOD).startswith("a file that it imports is no text in UTF-8: save it as UTF-8")


@pytest.mark.parametrize("indent", [None, 1])
def test_a_notebook_is_known_whatever_python_makes_of_it(indent):
    """Its text is mostly Python too: it fails at `null`, or has no `move`."""
    cells = [{"cell_type": "code", "execution_count": None, "source": [GOOD.decode()]}]
    data = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=indent)
    for detail in ("raised NameError: name 'null' is not defined", "it has no function `move`"):
        hint = hint_for_file(data.encode(), detail)
        assert hint == "this is a notebook: save the cell with `move` as a .py file"
    assert "notebook" not in hint_for_file(
        GOOD + b'{"cells": [], "nbformat": 4}\n', "it has no function `move`"
    )
