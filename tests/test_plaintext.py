"""Strangers' text in each format: nothing gets through that does something, and what is harmless stays."""

import csv
import html
import io
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from arena.errors import printable
from arena.plaintext import for_csv, for_html, for_latex, for_lines, for_markdown, for_terminal
from tests.hostile.texts import PIECES, TRICKS

TEXTS = st.text(
    st.characters() | st.sampled_from("\\|<>*_`[]()&$~#-+=.:/! \n\t\r\x1b\u202e1w"), max_size=40
) | st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
ONE_LINE = [for_terminal, for_csv, for_markdown, for_html, for_latex]
PLAIN = "Zoë und 鈴木 spielen 3:2, Привет"
MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


@given(text=TEXTS)
@example(text=TRICKS)
@pytest.mark.parametrize("function", ONE_LINE)
def test_every_format_is_one_printable_line(function, text):
    """No control character, no mark that hides or turns text, no line break, no half of a character."""
    shown = function(text)
    assert shown.isprintable()
    shown.encode()


@pytest.mark.parametrize("function", [*ONE_LINE, for_lines])
def test_letters_of_every_alphabet_stay(function):
    """What is harmless is not touched."""
    assert function(PLAIN) == PLAIN


@given(text=TEXTS)
@pytest.mark.parametrize("function", [for_terminal, for_lines])
def test_what_was_made_printable_stays_as_it_is(function, text):
    """Text may pass more than once: where a record is made, where it is shown, and at the way out."""
    assert function(function(text)) == function(text)


def test_escapes_are_those_of_python():
    """So that an author finds again what was printed."""
    assert for_terminal("a\x1b[31m\r\n\u202eb\ud800") == r"a\x1b[31m\r\n\u202eb\ud800"


@given(text=TEXTS)
def test_lines_keep_their_number(text):
    """Only a newline ends a line: no carriage return, form feed or separator of Unicode's does."""
    assert for_lines(text).split("\n") == [for_terminal(line) for line in text.split("\n")]
    assert len(for_lines(text).splitlines()) <= text.count("\n") + 1


@given(text=TEXTS)
def test_a_short_quotation_is_the_same_text_cut(text):
    """`errors.printable` has no escapes of its own."""
    assert printable(text, 1000) == for_terminal(text)[:1000]
    assert len(printable(text, 10)) <= 10


@pytest.mark.parametrize("start", "=+-@\t\r")
def test_a_formula_is_a_text_in_a_spreadsheet(start):
    """An apostrophe says so, and the rest is there to read."""
    assert for_csv(f"{start}SUM(1)") == "'" + for_terminal(f"{start}SUM(1)")


@pytest.mark.parametrize("cell", [-1, -1.5, None, True, "", "ada", "1e5", "a=b"])
def test_numbers_and_other_cells_stay_in_csv(cell):
    """Negative numbers above all."""
    assert for_csv(cell) is cell


@given(text=TEXTS)
@example(text="\n=1")
def test_no_csv_cell_is_run(text):
    """As csv reads it back."""
    file = io.StringIO()
    csv.writer(file).writerow([for_csv(text), for_csv(text)])
    (row,) = csv.reader(io.StringIO(file.getvalue()))
    assert not row[0].startswith(("=", "+", "-", "@", "\t", "\r"))


def shown_by(tokens):
    """The text that Markdown shows, and the kinds of things it is made of."""
    kinds = {token.type for token in tokens}
    inner = [child for token in tokens for child in token.children or ()]
    return "".join(child.content for child in inner), kinds | {child.type for child in inner}


@given(text=TEXTS)
@example(text=TRICKS)
@example(text="1. one")
@example(text="~~~")
@example(text="***")
@example(text="a ~b~~ __c__")
def test_markdown_shows_a_line_as_it_is(text):
    """A line of its own is a paragraph with nothing but that text in it."""
    wanted = for_terminal(text).strip()
    shown, kinds = shown_by(MARKDOWN.parse(for_markdown(text)))
    assert shown == wanted
    assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}


@given(text=TEXTS)
@example(text=TRICKS)
@example(text="\\|")
def test_markdown_shows_a_cell_as_it_is(text):
    """A cell of a table is that cell: no other cell, no tag, no link."""
    tokens = MARKDOWN.parse(f"| x |\n|---|\n| a{for_markdown(text)} |\n\n")
    shown, kinds = shown_by([token for token in tokens if token.type == "inline"][1:])
    assert shown == "a" + for_terminal(text).strip()
    assert kinds <= {"inline", "text", "text_special"}


def test_markdown_makes_no_links_of_addresses():
    """GitHub would make them by itself."""
    assert for_markdown("https://x.y www.x.y") == r"https:\//x.y www\.x.y"


@given(text=TEXTS)
def test_html_shows_a_text_as_it_is(text):
    """No sign is left that begins a tag or ends an attribute."""
    assert not re.search("[<>\"']", for_html(text))
    assert html.unescape(for_html(text)) == for_terminal(text)


@given(text=TEXTS)
@example(text=TRICKS)
@example(text="*[2em]")
def test_latex_sets_a_text_as_it_is(text):
    """Nothing is left but signs that mean themselves, and the names that stand for the others."""
    rest = re.sub(r"\\[&%$#_{}]|\\text\w+\{\}|\{[\[*]\}", "", for_latex(text))
    assert not re.search(r"[\\&%$#_{}~^<>\[*]", rest)
