r"""Strangers' text made harmless, with one function for each format that it is written in.

Names of bots, details of forfeits, what bots print, variant files and everything in a run folder were written
by somebody else. On a terminal an escape sequence moves the cursor, a carriage return or a mark that turns
the direction of writing hides text, and a line break forges a line. A spreadsheet runs a cell that begins
with `=`. Markdown, HTML and LaTeX have their own signs. All output goes through the function of its format,
and nothing else in arena escapes anything.

All functions show what is not printable as Python writes it: an escape character becomes the four characters
`\x1b`. Letters of every alphabet stay as they are. So does a backslash, and an escape looks like the same
characters typed. Refused: doubling each backslash. These texts are for reading; JSON and the log have them
exactly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import itemgetter

_FORMULA_SIGNS = frozenset("=+-@\t\r")
_first_sign = itemgetter(slice(1))

# Cells, tags, emphasis, code, links, entities, formulas; underscores except inside a word, where they mean
# nothing; strike-through; and two beginnings of addresses, which become links by themselves.
_MARKDOWN = re.compile(r"[\\|<*`\[&$]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|(?<=:)/(?=/)|(?<=www)\.", re.IGNORECASE)
# Lists, headings, quotations and rules, which are recognised only at the beginning of a line.
_MARKDOWN_START = re.compile(r"^(\d{1,9}(?=[.)](?: |$))|(?=[-+#>=]))")

_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})

_LATEX = str.maketrans(
    {
        **{sign: "\\" + sign for sign in "&%$#_{}"},
        # After the end of a row LaTeX would read these two as its star and as the height of a gap.
        "[": "{[}",
        "*": "{*}",
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
    }
)


def for_terminal(text: str) -> str:
    """Return a text as one line of printable characters."""
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def for_lines(text: str) -> str:
    """Return a text of several lines as printable lines: only its newlines are kept."""
    if text.replace("\n", "").isprintable():
        return text
    return "\n".join(map(for_terminal, text.split("\n")))


def for_csv(cell: object) -> object:
    """Return a cell that no spreadsheet runs: a formula gets an apostrophe; numbers stay as they are."""
    if not isinstance(cell, str) or not cell:
        return cell
    if cell[0] in _FORMULA_SIGNS:
        return f"'{for_terminal(cell)}"
    return cell if cell.isprintable() else for_terminal(cell)  # a call less for each of millions


def are_plain(rows: Sequence[Sequence[object]]) -> bool:
    """Whether `for_csv` would leave every cell of some rows as it is."""
    columns = ([cell for cell in column if isinstance(cell, str)] for column in zip(*rows, strict=True))
    return all(
        "".join(texts).isprintable() and _FORMULA_SIGNS.isdisjoint(map(_first_sign, texts))
        for texts in columns
    )


def for_json(cell: object) -> object:
    """Return a cell as JSON can hold it: JSON has escapes for everything except a lone surrogate."""
    if not isinstance(cell, str) or cell.isascii():
        return cell
    return cell.encode(errors="backslashreplace").decode()


def for_markdown(text: str) -> str:
    """Return a text that Markdown shows as it is: a cell of a table, or a line of its own."""
    escaped = _MARKDOWN.sub(r"\\\g<0>", for_terminal(text).strip())
    return _MARKDOWN_START.sub(r"\1\\", escaped)


def for_html(text: str) -> str:
    """Return a text that HTML shows as it is, between tags or in quotes."""
    return for_terminal(text).translate(_HTML)


def for_latex(text: str) -> str:
    """Return a text that LaTeX sets as it is, in running text or in a cell of a table."""
    return for_terminal(text).translate(_LATEX)
