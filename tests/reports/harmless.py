"""Whether a text does nothing but be read, in each of the formats: asked of parsers that are not ours."""

import csv
import io
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser

from markdown_it import MarkdownIt


def check_harmless(text):
    """Nothing but printable lines, and none of them begun by a stranger; what is quoted is indented."""
    odd = {character for character in text if not character.isprintable() and character != "\n"}
    assert odd == set()
    assert [line for line in text.split("\n") if line.startswith("# forged")] == []


class Tags(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= set(attrs)


def check_csv(text):
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    assert [cell for cell in cells if cell.startswith(tuple("=+-@\t\r")) and not is_number(cell)] == []


def is_number(cell):
    return re.fullmatch(r"-?\d+(\.\d+)?(e[-+]\d+)?", cell) is not None


def check_html(text):
    page = Tags(text)
    assert page.tags <= {"table", "thead", "tbody", "tr", "th", "td"}
    assert page.attributes <= {("style", f"text-align: {side};") for side in ("left", "right")}


def check_latex(text):
    ours = r"\\begin\{tabular\}\{[lr]+\}|\\(?:top|mid|bottom)rule|\\end\{tabular\}| \\\\$"
    rest = re.sub(rf"(?m){ours}|\\[&%$#_{{}}]|\\text\w+\{{\}}|\{{[\[*]\}}", "", text)
    assert not re.search(r"[\\%$#_{}~^<>\[*]", rest)
    assert len({line.count("&") for line in rest.split("\n") if "&" in line}) == 1


def check_markdown(text):
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    kinds = {token.type for each in tokens for token in (each, *(each.children or ()))}
    parts = {
        part
        for name in ("table", "thead", "tbody", "tr", "th", "td", "paragraph", "heading")
        for part in (f"{name}_open", f"{name}_close")
    }
    assert kinds - parts <= {"inline", "text", "text_special", "fence"}
    assert [each.type for each in tokens].count("heading_open") <= 1


CHECKS: dict[str, Callable[[str], object]] = {
    "table": check_harmless,
    "csv": check_csv,
    "json": json.loads,
    "html": check_html,
    "latex": check_latex,
    "markdown": check_markdown,
}
"""What must hold for a table in each format."""
