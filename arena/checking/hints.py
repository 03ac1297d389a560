"""Hints of `arena check`: what an author most likely did, and what to write instead, in a sentence.

They are guesses from what the referee and Python said, so they ask rather than tell, and a failure that no
row of the table knows gets none. Nothing here compiles or parses a bot's file: it is a stranger's text, which
is searched by lines and bytes alone.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from arena.errors import did_you_mean, printable
from arena.game import Position

_ADVICE_FOR_COMMANDS = (
    ("exit code 127", "is the program installed? Bots see /usr/bin, /bin, /usr/local and their own files"),
    ("without an answer", "does it write every reply out at once (flush), as a whole line?"),
    (
        "instead of a reply",
        'the answer to "hello" is {"type":"ready"}, and to "move" one line such as {"id":"4f1c","move":12}, '
        "with the id of the request; standard error is for printing",
    ),
    ("which is not legal", "only the cells in `legal` may be claimed"),
)

_UNCHANGEABLE = "a position cannot be changed: position.play(cell) returns the next one"

NOTEBOOK = "this is a notebook: save the cell with `move` as a .py file"
_SAVE = "save it as UTF-8, the encoding that Python expects and every editor offers"

_ZIP = b"PK\x03\x04"
_NO_TEXT = (b"%PDF-", b"{\\rtf", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!\x1a")
"""How files begin that are no text, and may have no NUL, which all others have: documents and archives."""

_PACKAGES = frozenset(
    "IPython PIL aiohttp anthropic bs4 cv2 dask gym gymnasium httpx jax joblib keras lightgbm matplotlib "
    "networkx numba numpy openai ortools pandas pettingzoo polars psutil pydantic pygame pytest requests "
    "scipy seaborn sklearn sympy tensorflow torch tqdm transformers xgboost yaml".split()
)
"""What authors import that Python does not bring; any other name is most likely that of a file of theirs."""


class Case(NamedTuple):
    """A failure: what was said about it, the traceback, the bot's file, and the position if there is one."""

    detail: str
    evidence: str
    data: bytes
    path: Path
    position: Position | None = None

    @property
    def text(self) -> str:
        """The bot's file as a text, with a sign of its own for what is not UTF-8."""
        return self.data.decode(errors="replace")


def find_hint(case: Case) -> str:
    """Return a hint for a failure, or nothing."""
    if wrong := _find_wrong_kind(case.data):
        return wrong
    for pattern, advise in _ADVICE:
        if found := re.search(pattern, case.detail):
            return advise(case, found)
    return ""


def _find_wrong_kind(data: bytes) -> str:
    """Return what to do with a file that is no Python text, whatever Python said of it, or nothing."""
    if data.startswith(_ZIP):
        return "this is a zip: call it .zip to hand it in by a browser, or give `arena` the folder in it"
    if _looks_like_utf_16(data):
        return f"this file looks like UTF-16: {_SAVE}"
    if data.lstrip().startswith(b"{") and b'"cells"' in data and b'"nbformat"' in data:
        return NOTEBOOK
    if data.startswith(_NO_TEXT) or b"\0" in data:
        return "this is not a text file: save the bot as plain text, in UTF-8"
    return ""


def _looks_like_utf_16(data: bytes) -> bool:
    """Whether a file has the mark of UTF-16, or NUL in most of every second place and in none between."""
    few, many = sorted((data[0::2], data[1::2]), key=lambda half: half.count(0))
    return data.startswith((b"\xff\xfe", b"\xfe\xff")) or (0 not in few and 2 * many.count(0) > len(many))


def find_hint_for_command(detail: str) -> str:
    """Return a hint for the failure of a bot in another language, or nothing."""
    return next((advice for pattern, advice in _ADVICE_FOR_COMMANDS if re.search(pattern, detail)), "")


def _line(case: Case, pattern: str) -> str:
    """Return ` (line N)` for the first line of the bot's file in which a pattern is found, or nothing."""
    lines = case.text.splitlines()
    return next((f" (line {number})" for number, line in enumerate(lines, 1) if re.search(pattern, line)), "")


def _no_answer(case: Case, found: re.Match[str]) -> str:
    where = _line(case, r"^\s*def move\b")
    if re.search(r"^\s+return\b", case.text, re.MULTILINE):
        return f"`move`{where} ended without a `return`: does every way through it have one?"
    if "print(" in case.text:
        return f"what is printed{_line(case, 'print')} is not an answer: write `return` instead of `print`"
    return f"`move`{where} has no `return`: did you forget it?"


def _number(case: Case, found: re.Match[str]) -> str:
    return f"use int(...), or // instead of /{_line(case, '[^/]/[^/]')}"


def _several(case: Case, found: re.Match[str]) -> str:
    columns = "row * position.board.columns + column"
    return f"a move is one number from position.legal_moves; the cell in a row and column is {columns}"


def _text(case: Case, found: re.Match[str]) -> str:
    return "that is a text: return the number itself, as it stands in position.legal_moves"


def _illegal(case: Case, found: re.Match[str]) -> str:
    cell = int(found[1])
    legal = case.position.legal_moves if case.position is not None else ()
    if 0 <= cell < len(legal):
        meant = f"position.legal_moves[{cell}], which is cell {legal[cell]}"
        return f"if {cell} was meant as an index into position.legal_moves, return {meant}"
    return "only the cells in position.legal_moves may be claimed"


def _attribute(case: Case, found: re.Match[str]) -> str:
    if re.search(rf"\.{re.escape(found[1])}\s*[-+*|&]?=[^=]", case.evidence):
        return _UNCHANGEABLE
    public = [name for name in dir(Position) if not name.startswith("_")]
    if "Did you mean" in case.evidence:
        return ""
    near = did_you_mean(found[1], public)
    return near.removeprefix("; ") or f"a position has {', '.join(public)}"


def _tuple(case: Case, found: re.Match[str]) -> str:
    return f"list(position.legal_moves) makes a list that can be changed; {_UNCHANGEABLE}"


def _module(case: Case, found: re.Match[str]) -> str:
    name, _, part = found[1].partition(".")
    if (case.path.parent / f"{name}.py").is_file() and case.path.is_file():
        return f"make a folder with this file as bot.py and {name}.py in it: the folder is the bot"
    if part or name in _PACKAGES or name in sys.stdlib_module_names:
        return "a bot may import what Python brings, numpy where it is installed, and files in its own folder"
    public = sorted(word for word in sys.stdlib_module_names if not word.startswith("_"))
    near = next((word for word in public if _is_slip(name, word)), "")
    return (
        f"did you mean '{near}'? Or " * bool(near) + f"is {name}.py a file of yours? "
        f"Hand in a folder, or a zip of it, with bot.py and {name}.py in it"
    )


def _is_slip(typed: str, meant: str) -> bool:
    """Whether a word is another one with a letter wrong, too many or missing, or with two exchanged."""
    both = enumerate(zip(typed, meant, strict=False))
    same = next((at for at, (a, b) in both if a != b), min(len(typed), len(meant)))
    typed, meant = typed[same:], meant[same:]
    exchanged = typed[1::-1] + typed[2:]
    return meant in (typed[1:], exchanged) or meant[1:] in (typed, typed[1:])


def _file(case: Case, found: re.Match[str]) -> str:
    name = printable(Path(found[2]).name)
    if case.path.is_dir():
        return (
            f"write open(pathlib.Path(__file__).with_name('{name}')): a bot sees the files in its own folder"
        )
    return (
        f"a bot sees its own files alone: make a folder with this file as bot.py and {name} beside it, "
        f"and open pathlib.Path(__file__).with_name('{name}')"
    )


def _name(case: Case, found: re.Match[str]) -> str:
    if "Did you mean" in case.evidence:
        return ""
    words = set(re.findall(r"[A-Za-z_]\w*", case.text)) - {found[1]} - set(keyword.kwlist)
    return did_you_mean(found[1], sorted(words)).removeprefix("; ")


def _no_move(case: Case, found: re.Match[str]) -> str:
    lines = enumerate(case.text.splitlines(), 1)
    made = [(number, word) for number, line in lines for word in re.findall(r"^(?:def|class) +(\w+)", line)]
    inside = _line(case, r"^\s+def move\b")
    for number, word in made:
        is_class = re.search(rf"^class +{word}\b", case.text, re.MULTILINE) is not None
        if is_class and word != "Bot" and inside:
            return f"line {number}: call the class `Bot`, not `{printable(word)}`"
        if not is_class and (
            "move" in word.lower() or did_you_mean(word.lower(), ["move"]) or len(made) == 1
        ):
            return f"line {number}: call the function `move`, not `{printable(word)}`"
    return "the smallest bot: def move(position): return position.legal_moves[0]"


def _parameters(case: Case, found: re.Match[str]) -> str:
    if where := _line(case, r"^\s+def move\b"):
        return f"write `def move(self, position):`{where}"
    return f"write `def move(position):`{_line(case, r'^def move')}"


def _say(sentence: str) -> Callable[[Case, re.Match[str]], str]:
    return lambda case, found: sentence


def _encoding(case: Case, found: re.Match[str]) -> str:
    return f"line {found[1]} has a letter that was saved in another encoding, such as Latin-1: {_SAVE}"


_OVER = "a position in which the game is over has no legal moves: look at position.is_over first"

_ADVICE: list[tuple[str, Callable[[Case, re.Match[str]], str]]] = [
    (r"answered None\b", _no_answer),
    (r"answered (np\.float\w*\()?-?(\d+\.|\d+e|inf|nan)", _number),
    (r"answered [(\[{]", _several),
    (r"answered ['\"]", _text),
    (r"answered (True|False)\b", _say("return the cell itself, not the result of a comparison")),
    (r"answered <(function|bound method|built-in)", _say("that is a function: call it, with (...)")),
    (r"answered <.*\bPosition\b", _say("return the cell, not the position after it")),
    (r"claimed cell (-?\d{1,9}):", _illegal),
    (
        r"AttributeError: .*\btuple\b.* has no attribute '(append|clear|extend|insert|pop|remove|sort)'",
        _tuple,
    ),
    (r"TypeError: 'tuple' object does not support item", _tuple),
    (r"AttributeError: .*(has no setter|can't set attribute|is read-only)", _say(_UNCHANGEABLE)),
    (r"AttributeError: 'Position' object has no attribute '(\w+)'", _attribute),
    (r"TypeError: 'Position' object is not subscriptable", _say("position.owner(cell) says whose a cell is")),
    (r"TypeError: 'Position' object does not support item", _say(_UNCHANGEABLE)),
    (r"ModuleNotFoundError: No module named '([\w.]+)'", _module),
    (r"(FileNotFoundError|PermissionError): .*: '(.+)'", _file),
    (
        r"EOFError: EOF when reading a line",
        _say("input() asks a person; a bot is told all in `position`"),
    ),
    (r"\bBdbQuit\b", _say("breakpoint() stops a bot in `arena play VARIANT --first BOT --debug` alone")),
    (r"NameError: name '(\w+)' is not defined", _name),
    (r"UnboundLocalError: .*variable '(\w+)'", _say("a function that changes a global says so: global NAME")),
    (r"(arg is an empty sequence|argument is empty|from an empty sequence|empty range)", _say(_OVER)),
    (r"RecursionError", _say("does the search stop where position.is_over?")),
    (r"SyntaxError: \(unicode error\) 'utf-8' codec .*, line (\d+)\)", _encoding),
    (r"SyntaxError: .*null bytes", _say(f"a file that it imports is no text in UTF-8: {_SAVE}")),
    (
        r"SyntaxError: \(unicode error\) 'unicodeescape'",
        _say("a backslash begins a special sign in a text: write \\\\, or r before the text"),
    ),
    (r"it has no function `move`", _no_move),
    (r"`move` must take a position", _parameters),
]
"""What was said about a failure, and who has advice; the first that fits is asked."""
