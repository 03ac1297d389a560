"""TOML with line numbers: the scanner must see what `tomllib` sees, and where it stands."""

import time
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import FileMistakes
from arena.tomltext import TomlText, write_path

TEXT = '''\
# a comment with = and [brackets]
title = "a # no comment"        # 2
board.edges = [                 # 3
    [0, 1], [1, 2],             # 4
    [2, 3],                     # 5, and a ] in a comment
]
words = """
one
two ' " three"""
"quoted.key" = 1                # 10
nested = { a = 1, b.c = [ { d = 2 }, 3 ] }

[limits]                        # 13
move_seconds = 1.5e-3
when = 2026-11-16T04:00:00Z

[[bots]]                        # 17
path = 'bots/*.py'
[bots.options]
deep = true
[[bots]]                        # 21
path = """x"""
  [[bots.names]]                # 23
  n = 1
[a.b . "c d"]                   # 25
'''


def paths(value, at=()):
    """Every path in parsed TOML."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in parts:
        yield (*at, key)
        yield from paths(inner, (*at, key))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("title",), 2),
        (("board",), 3),
        (("board", "edges", 1), 4),
        (("board", "edges", 2, 1), 5),
        (("words",), 7),
        (("quoted.key",), 10),
        (("nested", "b", "c", 0, "d"), 11),
        (("limits",), 13),
        (("limits", "when"), 15),
        (("bots", 0, "path"), 18),
        (("bots", 0, "options", "deep"), 20),
        (("bots", 1), 21),
        (("bots", 1, "names", 0, "n"), 24),
        (("a", "b", "c d"), 25),
        (("limits", "no_such_key"), 13),
        (("nothing",), 1),
    ],
)
def test_lines_are_those_where_things_stand(path, line):
    """A path has the line of its key or element; one that is missing has that of its table."""
    assert TomlText(TEXT, "x.toml").line(path) == line


def test_every_path_of_the_text_is_found():
    """The scanner knows exactly the paths that tomllib reads from a text with all there is in TOML."""
    assert set(TomlText(TEXT, "x")._lines) == set(paths(tomllib.loads(TEXT)))


KEYS = st.from_regex(r"[a-z]{1,2}", fullmatch=True)
TEXTS = st.text(st.sampled_from("ab#[]{}=,.'\\ \"é"), max_size=6)
VALUES = st.recursive(
    st.one_of(st.integers(-99, 99), st.booleans(), TEXTS, st.floats(allow_nan=False, allow_infinity=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)


def written(value) -> str:
    """A value as TOML, spread over lines where TOML allows it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[ # ]\n" + "".join(f"  {written(v)},\n" for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {written(v)}" for k, v in value.items()) + "}"
    return repr(value)


@given(
    st.dictionaries(KEYS, VALUES, max_size=5),
    st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES), max_size=3),
)
def test_the_scanner_finds_exactly_the_paths_of_any_text(top, tables):
    """For generated TOML, the paths with lines are those that tomllib reads."""
    text = "".join(f"{key} = {written(value)}\n" for key, value in top.items() if key not in tables)
    text += "".join(
        f"[{name}]\n" + "".join(f"{k} = {written(v)}\n" for k, v in table.items())
        for name, table in tables.items()
    )
    assert set(TomlText(text, "x")._lines) == set(paths(tomllib.loads(text)))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = = 2\n", 2),
        ("a = [1,\n2\n", 2),
        ("a = 1\nb = [1,", 2),
        ('a = """x\n\n', 2),
        ("=", 1),
        ("a = 1\na = 2\n", 2),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(text, line):
    """A syntax error names file and line."""
    with pytest.raises(FileMistakes) as refusal:
        TomlText(text, "cup.toml")
    assert str(refusal.value).startswith(f"cup.toml:{line}: not valid TOML: ")


def test_mistakes_come_together_in_the_order_of_the_file():
    """Whatever the order of finding them, a user reads them from top to bottom."""
    file = TomlText(TEXT, "x.toml")
    file.mistake(("limits", "when"), "late")
    file.mistake(("board", "edges", 2), "early")
    with pytest.raises(FileMistakes) as refusal:
        file.raise_mistakes()
    assert refusal.value.mistakes == ("x.toml:5: board.edges[2]: early", "x.toml:15: limits.when: late")


def test_paths_are_written_as_people_write_them():
    """Keys with dots between, numbers in brackets."""
    assert write_path(("bots", 0, "path")) == "bots[0].path"


@pytest.mark.parametrize("odd", ['\\"', '\\"""\n', "\\'", "\\'''\n", '"""\\', '\\"x'])
@pytest.mark.parametrize("end", ["", "\\"])
def test_quotes_that_nobody_closes_are_found_wrong_at_once(odd, end):
    """Each was looked for its end through the whole text: a file of 1 MiB took hours to be refused."""
    begun = time.process_time()
    with pytest.raises(FileMistakes, match=r"^x\.toml:\d+: not valid TOML: "):
        TomlText("a = " + odd * 100_000 + end, "x.toml")
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("opening", ["{", "[{"])
def test_keys_with_dots_within_each_other_are_nested_too(opening):
    """Ten tables of a hundred dots each are a thousand deep, more than Python can call itself."""
    closing = opening[::-1].translate(str.maketrans("[{", "]}"))
    text = "x = " + (opening + ".".join("a" * 90) + " = ") * 20 + "1" + closing * 20
    with pytest.raises(FileMistakes, match=r"^x\.toml:1: not valid TOML: nested more than 100 deep$"):
        TomlText(text, "x.toml")
