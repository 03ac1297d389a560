"""Plain values become HTML: Jinja2 with autoescape, and a policy under which nothing else runs.

Names, details and texts are strangers'. Whatever a template prints is made printable by `arena.plaintext` and
then escaped by Jinja2, between tags and in quotes; no template marks anything as safe. The scripts and the
style are ours, and the page's Content-Security-Policy names their hashes: if something of a stranger's got
into the page all the same, a browser would neither run nor load it. So there are no `style` attributes.
"""

from __future__ import annotations

import sys
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup

from arena.pictures.style import paint_page
from arena.plaintext import for_lines
from arena.reports.asjson import is_empty
from arena.reports.screen import shorten

LONGEST_NAME = 26
"""Longer names are shortened in figures, which have their full text in a title."""

TEMPLATES = Path(__file__).parent / "templates"
STYLES = ("style.css", "formats.css", "replay.css")
LIVE_STYLES = ("live.css", "submit.css", "play.css")
LIVE_SCRIPTS = (
    "live.js",
    "cells.js",
    "linked.js",
    "asking.js",
    "opponent.js",
    "table.js",
    "solving.js",
    "playing.js",
    "play.js",
)
"""What pages have more that come from a server."""

SCRIPTS = (
    "sort.js",
    "elements.js",
    "filter.js",
    "inflate.js",
    "games.js",
    "board.js",
    "list.js",
    "replay.js",
    "links.js",
)
"""The parts of the one style and of the script at the end of a page, in the order in which they stand there.

The parts of the script share their names: each uses those of the parts before it.
"""

LOOK = "look.js"
"""The script in the head of every page, those that have no other too: it has the colours that were chosen."""


def render(template: str, values: Mapping[str, Any], is_live: bool = False) -> str:
    """Return a template filled with values; `is_live` if a server sends it, which may be asked for news."""
    return _environment().get_template(template).render(values, **_own_code(is_live))


def render_part(template: str, values: Mapping[str, Any]) -> str:
    """Return a part of a page, which has neither style nor script."""
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(TEMPLATES, encoding="utf-8"),
        autoescape=True,
        finalize=_make_printable,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_Compiled(),
    )
    found.filters["fixed"] = _fix
    found.filters["shorten"] = partial(shorten, width=LONGEST_NAME)
    found.filters["stretch"] = _stretch
    return found


class _Compiled(FileSystemBytecodeCache):
    """Templates as code, kept in `__pycache__` as Python keeps its own: compiling takes longer than a page.

    Whoever can write there can write arena itself. Where nothing can be written, nothing is kept.
    """

    def __init__(self) -> None:
        super().__init__(str(TEMPLATES / "__pycache__"))

    def dump_bytecode(self, bucket: Bucket) -> None:
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            Path(self.directory).mkdir(exist_ok=True)
            super().dump_bytecode(bucket)


def _make_printable(value: Any) -> Any:
    if isinstance(value, Markup):  # what a template has made itself
        return value
    return for_lines(str(value)) if value is not None else ""


def _fix(value: Any, decimals: int) -> str:
    """Return a number with so many decimals; nothing if it is empty."""
    return "" if is_empty(value) else f"{value:,.{decimals}f}"


def _stretch(points: str, size: tuple[float, float] | None) -> str:
    """Return points such as `50,25 75,100`, which are in per cent, in the pixels of a drawing."""
    if size is None:
        return points
    pairs = (map(float, pair.split(",")) for pair in points.split())
    return " ".join(f"{x * size[0] / 100:.1f},{y * size[1] / 100:.1f}" for x, y in pairs)


def live_policy() -> str:
    """Return the policy of the pages that a server sends, as a header says it: there are no frames either."""
    return f"{_own_code(is_live=True)['policy']}; frame-ancestors 'none'"


@cache
def _own_code(is_live: bool) -> dict[str, str]:
    """Return scripts and style as they stand in the page, and the policy that allows just these."""
    style, script = (
        "".join((TEMPLATES / name).read_text(encoding="utf-8") for name in (*names, *more * is_live))
        for names, more in ((STYLES, LIVE_STYLES), (SCRIPTS, LIVE_SCRIPTS))
    )
    style += paint_page()
    look = (TEMPLATES / LOOK).read_text(encoding="utf-8")
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(look)} {_hash(script)}"
    policy += "; connect-src 'self'" * is_live
    policy += "; base-uri 'none'; form-action 'self'" if is_live else "; base-uri 'none'; form-action 'none'"
    return {"style": Markup(style), "look": Markup(look), "script": Markup(script), "policy": policy}


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
