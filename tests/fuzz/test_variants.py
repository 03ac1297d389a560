"""Variant files and definitions from strangers: a variant that plays and looks well, or lines of ours."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import arena
from arena.game import RULE_BOOKS, RULES
from arena.game.definition import define
from tests.fuzz.laws import definition_law, examples, variant_law
from tests.fuzz.mutations import ODD, spoilt
from tests.fuzz.test_config import HOME, literals
from tests.game.test_definition import KITE, RUG

BOARDS = ["line-1", "line-13", "ring-9", "grid-3x5", "grid-3x5-rook", "torus-3x4", "hex-3x4", "grid-64x64"]
KEYS = [
    "name",
    "title",
    "text",
    "literature",
    "rule",
    "board",
    "board.size",
    "board.edges",
    "start",
    "errata",
]
KEYS += [f"notation.{key}" for key in "typed first printed empty blocked stones row".split()]
KEYS += [
    f"dialogue.{key}" for key in "welcome turn prompt placed refused over blocked_many between_moves".split()
]
KEYS += ["dialogue.reasons.range", "dialogue.reasons"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Room for a variant file."""
    return tmp_path_factory.mktemp("variants")


def books() -> list[bytes]:
    """Rule books that are right, without the names that only the built-in ones may have."""
    texts = [file.read_bytes() for file in sorted((HOME / "arena/game/rulebooks").glob("*.toml"))]
    own = [b"\n".join(line for line in text.split(b"\n") if not line.startswith(b"name =")) for text in texts]
    return [KITE.encode(), RUG.encode(), *own]


def definitions() -> list[bytes]:
    """Definitions that are right."""
    names = [*RULE_BOOKS, *(f"{rule}:{board}" for rule in RULES for board in BOARDS[:-1])]
    return [define(arena.variant(name)).encode() for name in names]


@pytest.mark.parametrize("text", books())
def test_the_seeds_are_right(folder, text):
    """What is spoilt below is a variant while it is whole."""
    assert variant_law(folder, text) is not None


@examples(250)
@given(spoilt(books()))
def test_a_spoilt_rule_book_is_a_variant_or_mistakes(folder, data):
    """Whatever was changed in it, only lines of ours come out, or a variant to play."""
    variant_law(folder, data)


@examples(100)
@given(st.sampled_from(BOARDS), st.dictionaries(st.sampled_from(KEYS), literals(), max_size=3))
def test_any_value_of_any_key_is_taken_or_a_mistake(folder, board, pairs):
    """Every key, with values of every type and size behind it, among keys that are right."""
    keys = {"rule": '"col"', "board": f'"{board}"'} | pairs
    if any(key.startswith("board.") for key in pairs):
        del keys["board"]
    if "dialogue.reasons.range" in keys:
        keys.pop("dialogue.reasons", None)
    variant_law(folder, "".join(f"{key} = {value}\n" for key, value in keys.items()).encode())


@examples(80)
@given(
    st.sampled_from(BOARDS),
    st.sampled_from(["printed", "row", "welcome"]),
    st.lists(
        st.sampled_from(["{number}", "{row}", "{column}", "{}", "{:>99}", "{picture}", "{title}", "x", "\n"])
    ),
    st.sampled_from([1, 1, 1, 20, 5_000]),
)
@example("grid-64x64", "printed", ["{number}"], 5_000)
@example("grid-64x64", "row", ["x", *["{:>99}"] * 64, "x" * 100_000], 1)
@example("line-13", "welcome", ["{title}"], 5_000)
@example("line-13", "welcome", ["{a\x1b}"], 1)
@pytest.mark.long
def test_a_template_cannot_grow_without_end(folder, board, key, parts, times):
    """A few characters in a file never become millions on the screen."""
    text = json.dumps("".join(parts) * times)
    table = "dialogue" if key == "welcome" else "notation"
    title = json.dumps("t" * (times if key == "welcome" else 1))
    data = f'rule = "col"\nboard = "{board}"\ntitle = {title}\n{table}.{key} = {text}\n'
    variant_law(folder, data.encode())


@examples(250)
@given(st.sampled_from(["mine", "kayles:line-3", "blockade-line", "nowhere:at-all"]), spoilt(definitions()))
def test_a_spoilt_definition_is_a_variant_or_refused(name, data):
    """Whatever was changed in it: what is taken defines itself, plays and looks well."""
    definition_law(name, data.decode(errors="surrogateescape"))


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 5), st.integers(), st.floats(), st.text(max_size=4),
        st.sampled_from([odd.decode(errors="replace") for odd in ODD]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=2)),
    max_leaves=5,
)  # fmt: skip


@examples(250)
@given(st.data())
def test_any_value_in_a_definition_is_taken_or_refused(data):
    """Every part of it, with values of every type in its place."""
    parts = json.loads(data.draw(st.sampled_from([*definitions(), GRAPH])))
    for _ in range(data.draw(st.integers(1, 2))):
        style = parts["style"]
        holder = data.draw(st.sampled_from([parts, style if style and isinstance(style, dict) else parts]))
        holder[data.draw(st.sampled_from(sorted(holder)))] = data.draw(VALUES)
    definition_law("mine", json.dumps(parts, separators=(",", ":")))


GRAPH = b'{"rule":"col","board":"graph","size":3,"edges":[[0,1]],"shape":null,"is_slanted":false,"style":' + (
    b'{"typed":"number","first":0,"printed":"{number}","empty":null,"blocked":"-","stones":["X","O"],"row":null}}'
)
