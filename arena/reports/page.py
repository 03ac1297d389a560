"""A page of headings, sentences, tables and drawings, written for a terminal, as Markdown or as HTML.

Who makes a page says what is on it, once; here it becomes text. On a terminal sentences are wrapped at words
and tables lose their last columns until they fit; in a pipe, where there is no width, nothing is cut. The
HTML is a whole page that needs no other file. All text goes through `arena.plaintext`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import fill, indent
from typing import NamedTuple
from urllib.parse import quote

import pandas as pd

from arena.plaintext import for_html, for_lines, for_markdown, for_terminal
from arena.reports.screen import Table, draw
from arena.reports.text import fence, lay_cells, render

MARGIN = "    "
GLUE = "\0"
"""Stands for a blank at which no line is broken; harmless text has no such character."""

STYLE = (
    "body { font-family: sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; line-height: 1.4 } "
    "table { border-collapse: collapse } th, td { padding: 0.2em 0.8em; border-bottom: 1px solid #ccc } "
    "pre { background: #f4f4f4; padding: 0.6em; overflow-x: auto }"
)


class Title(NamedTuple):
    """What the page is called; its first block."""

    text: str


class Heading(NamedTuple):
    """The beginning of a part."""

    text: str


class Lines(NamedTuple):
    """Sentences, each on a line of its own."""

    lines: Sequence[str]


class Code(NamedTuple):
    """Text that keeps its lines and blanks: a board, or a command to type."""

    text: str


class Linked(NamedTuple):
    """A table of bots that lead to other pages: `files` has one for each row."""

    frame: pd.DataFrame
    files: Sequence[str]


Block = Title | Heading | Lines | Code | pd.DataFrame
"""A part of a page; a frame is a table."""

Part = Block | Linked
"""A part of a page that lies beside others."""


def show_page(blocks: Sequence[Part], format: str, width: int | None = None) -> str:
    """Return a page as `table`, `markdown` or `html`; `width` is that of the screen, if there is one."""
    if format == "table":
        return "\n\n".join(_for_terminal(block, width) for block in blocks)
    if format == "markdown":
        return "\n\n".join(map(_for_markdown, blocks))
    return _html(blocks)


def _for_terminal(block: Part, width: int | None) -> str:
    match block:
        case pd.DataFrame():
            return _fit(block, width)
        case Linked(frame, _):
            return _fit(frame, width)
        case Code(text):
            shown = indent(for_lines(text), MARGIN)
            return for_lines(text) if width is not None and _measure(shown) > width else shown
        case Lines(lines):
            return "\n".join(_wrap(for_terminal(line), width) for line in lines)
        case Title(text):
            return _underline(_wrap(for_terminal(text), width), "=")
        case Heading(text):
            return _underline(_wrap(for_terminal(text), width), "-")


def _underline(text: str, sign: str) -> str:
    return f"{text}\n{sign * _measure(text)}"


def _wrap(line: str, width: int | None) -> str:
    """Return a sentence on lines of a width; no word is cut, and no name of a cell such as `(3, 2)`."""
    if width is None:
        return line
    joined = re.sub(r"\(\d+, \d+\)", lambda cell: cell[0].replace(" ", GLUE), line)
    wrapped = fill(joined, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return wrapped.replace(GLUE, " ")


def _fit(frame: pd.DataFrame, width: int | None) -> str:
    """Return a table with as many columns, from the left, as the screen has room for."""
    shown = frame
    while width is not None and shown.shape[1] > 2 and _measure(render(shown, "table")) > width:
        shown = shown.iloc[:, :-1]
    return render(shown, "table")


def _measure(text: str) -> int:
    return max(map(len, text.splitlines()), default=0)


def _for_markdown(block: Part) -> str:
    match block:
        case pd.DataFrame():
            return render(block, "markdown")
        case Linked():
            return draw(_link(block, for_markdown, lambda name, file: f"[{name}]({file})"), "pipe")
        case Code(text):
            return fence(text)
        case Lines(lines):
            return "\n\n".join(map(for_markdown, lines))
        case Heading(text):
            return f"## {for_markdown(text)}"
        case Title(text):
            return f"# {for_markdown(text)}"


def _html(blocks: Sequence[Part]) -> str:
    """Return a whole page."""
    title = next((block.text for block in blocks if isinstance(block, Title)), "")
    head = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{for_html(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
    ]
    return "\n".join([*head, *map(_for_html, blocks), "</body>\n</html>"])


def _for_html(block: Part) -> str:
    match block:
        case pd.DataFrame():
            return render(block, "html")
        case Linked():
            linked = _link(block, for_html, lambda name, file: f'<a href="{file}">{name}</a>')
            return draw(linked, "unsafehtml")
        case Code(text):
            return f"<pre>{chr(10).join(map(for_html, text.split(chr(10))))}</pre>"
        case Lines(lines):
            return "\n".join(f"<p>{for_html(line)}</p>" for line in lines)
        case Heading(text):
            return f"<h2>{for_html(text)}</h2>"
        case Title(text):
            return f"<h1>{for_html(text)}</h1>"


def _link(block: Linked, escape: Callable[[str], str], write: Callable[[str, str], str]) -> Table:
    """Return a table in which each bot's name leads to its file."""
    table = lay_cells(block.frame, escape)
    at = table.headings.index("bot")
    rows = zip(table.rows, map(quote, block.files), strict=True)
    return table._replace(rows=[[*row[:at], write(row[at], file), *row[at + 1 :]] for row, file in rows])
