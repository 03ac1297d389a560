"""A page of headings, sentences, tables and drawings, written for a terminal, as Markdown or as HTML.

Who makes a page says what is on it, once; here it becomes text. On a terminal sentences are wrapped at words
and tables lose their last columns until they fit; in a pipe, where there is no width, nothing is cut. The
HTML is a whole page that needs no other file. All text goes through `arena.plaintext`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import fill, indent
from typing import NamedTuple

import pandas as pd

from arena.plaintext import for_html, for_lines, for_markdown, for_terminal
from arena.reports.text import fence, render

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


Block = Title | Heading | Lines | Code | pd.DataFrame
"""A part of a page; a frame is a table."""


def show_page(blocks: Sequence[Block], format: str, width: int | None = None) -> str:
    """Return a page as `table`, `markdown` or `html`; `width` is that of the screen, if there is one."""
    if format == "table":
        return "\n\n".join(_for_terminal(block, width) for block in blocks)
    if format == "markdown":
        return "\n\n".join(map(_for_markdown, blocks))
    return _html(blocks)


def _for_terminal(block: Block, width: int | None) -> str:
    match block:
        case pd.DataFrame():
            return _fit(block, width)
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


def _for_markdown(block: Block) -> str:
    match block:
        case pd.DataFrame():
            return render(block, "markdown")
        case Code(text):
            return fence(text)
        case Lines(lines):
            return "\n\n".join(map(for_markdown, lines))
        case Heading(text):
            return f"## {for_markdown(text)}"
        case Title(text):
            return f"# {for_markdown(text)}"


def _html(blocks: Sequence[Block]) -> str:
    """Return a whole page."""
    title = next((block.text for block in blocks if isinstance(block, Title)), "")
    head = [
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{for_html(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>",
    ]
    return "\n".join([*head, *map(_for_html, blocks), "</body>\n</html>"])


def _for_html(block: Block) -> str:
    match block:
        case pd.DataFrame():
            return render(block, "html")
        case Code(text):
            return f"<pre>{chr(10).join(map(for_html, text.split(chr(10))))}</pre>"
        case Lines(lines):
            return "\n".join(f"<p>{for_html(line)}</p>" for line in lines)
        case Heading(text):
            return f"<h2>{for_html(text)}</h2>"
        case Title(text):
            return f"<h1>{for_html(text)}</h1>"
