"""Definitions: a variant as text says all that a game depends on, and is enough to read its games again."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import UserError
from arena.game import RULE_BOOKS, RULES, Board, Variant, variant
from arena.game.definition import define, read_definition, short

BOARDS = ["line-1", "line-7", "ring-3", "ring-9", "grid-3x5", "grid-1x1", "grid-3x5-rook", "torus-3x4"]
BOARDS += ["hex-3x4", "hex-1x5", "grid-20x30"]
NAMES = [*RULE_BOOKS, *(f"{rule}:{board}" for rule in RULES for board in BOARDS)]
KITE = """\
name = "kite"
title = "The Kite"
text = "A kite with a tail."
rule = "col"
board.size = 6
board.edges = [[0, 1], [1, 2], [2, 0], [2, 3]]

[notation]
first = 1
printed = "cell {number}"
empty = "."
blocked = "x"
stones = ["#", "é"]

[dialogue]
welcome = "Hello, kite!"
"""
RUG = """\
rule = "snort"
board = "grid-3x4"
[notation]
typed = "row column"
printed = "({row},{column})"
row = "{}|{}|{}|{}"
"""


def read(folder, text, name="mine"):
    folder.mkdir(exist_ok=True)
    file = folder / f"{name}.toml"
    file.write_text(text)
    return variant(file)


def same_game(one, other, seed=0):
    """Whether two variants look and play alike, from the empty board to the end of a game by chance."""
    chance = random.Random(seed)
    left, right = one.start(), other.start()
    while True:
        faces = [(str(p), p.legal_moves, p.moves_of(0), p.moves_of(1), p.winner) for p in (left, right)]
        names = [[p.name(cell) for cell in range(p.board.size)] for p in (left, right)]
        if faces[0] != faces[1] or names[0] != names[1] or left.is_over != right.is_over:
            return False
        if left.is_over:
            return True
        cell = chance.choice(left.legal_moves)
        left, right = left.play(cell), right.play(cell)


@pytest.mark.parametrize("name", NAMES)
def test_a_definition_gives_back_its_variant(name):
    """What is built in comes back as itself, and under a name that nobody knows it is rebuilt equal."""
    chosen = variant(name)
    assert read_definition(name, define(chosen)) is chosen
    rebuilt = read_definition("of-a-colleague", define(chosen))
    assert rebuilt == Variant("of-a-colleague", chosen.rule, chosen.board, chosen.notation.style, chosen.book)
    assert define(rebuilt) == define(chosen)
    assert same_game(rebuilt, chosen)


@pytest.mark.parametrize("text", [KITE, RUG])
def test_a_variant_is_read_without_its_file(tmp_path, text):
    """The text is enough: the file may be gone, and play, names and picture are what they were."""
    own = read(tmp_path, text)
    definition = define(own)
    (tmp_path / "mine.toml").unlink()
    rebuilt = read_definition(own.name, definition)
    assert rebuilt == own
    assert define(rebuilt) == definition
    assert all(same_game(rebuilt, own, seed) for seed in range(20))
    assert [rebuilt.parse(own.notation.spell(cell)) for cell in range(own.board.size)] == list(
        range(own.board.size)
    )


@settings(deadline=None, max_examples=50)
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.tuples(*[st.integers(0, n - 1)] * 2)))
    )
)
def test_any_graph_gives_back_itself(graph):
    """Whatever the edges, a graph comes back with the same neighbours and in the same text."""
    size, pairs = graph
    plain = variant("kayles:line-1")
    board = Board("graph", size, [(a, b) for a, b in pairs if a != b])
    own = Variant("own", "snort", board, plain.notation.style, plain.book)
    rebuilt = read_definition("own", define(own))
    assert rebuilt.board.edges == board.edges
    assert (rebuilt, define(rebuilt)) == (own, define(own))
    assert same_game(rebuilt, own)


def test_a_name_that_means_something_else_here_is_rebuilt(tmp_path):
    """A log's definition is believed, not what its name stands for on this machine."""
    definition = define(read(tmp_path, KITE))
    for name in ("snort:grid-3x3", "blockade-5x5", "gone.toml", "away"):
        found = read_definition(name, definition)
        assert (found.name, found.rule, found.board.size) == (name, "col", 6)
        assert define(found) == definition


def test_equal_variants_have_equal_text(tmp_path):
    """Read twice, from two places, or with edges in another order, it is the same variant in the same text."""
    turned = KITE.replace("[[0, 1], [1, 2], [2, 0], [2, 3]]", "[[3, 2], [0, 2], [1, 0], [2, 1]]")
    copies = [read(tmp_path / folder, text) for folder, text in (("a", KITE), ("b", KITE), ("c", turned))]
    assert turned != KITE
    assert len({define(copy) for copy in copies}) == 1
    assert copies[0] == copies[1] == copies[2]


def test_texts_are_equal_for_equal_variants_only():
    """No two of many variants share a text, but for boards that differ in nothing but the name typed."""
    texts = [define(variant(name)) for name in NAMES]
    assert len(set(texts)) == len(texts)
    assert len(set(map(short, texts))) == len(texts)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('rule = "col"', 'rule = "snort"'),
        ("board.size = 6", "board.size = 7"),
        ("[2, 3]]", "[2, 4]]"),
        ("[2, 3]]", "[2, 3], [4, 5]]"),
        ("first = 1", "first = 0"),
        ("cell {number}", "field {number}"),
        ('empty = "."', 'empty = "_"'),
        ('blocked = "x"', 'blocked = "-"'),
        ('"#", "é"', '"#", "O"'),
    ],
)
def test_whatever_bots_or_readers_see_is_in_the_text(tmp_path, old, new):
    """Rule, board and every choice of the notation change the definition."""
    assert KITE.count(old) == 1
    assert define(read(tmp_path / "a", KITE)) != define(read(tmp_path / "b", KITE.replace(old, new)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The Kite", "A Kite"),
        ("with a tail", "without a tail"),
        ("Hello, kite!", "Good evening."),
        ('rule = "col"', 'literature = "Col"\nrule = "col"'),
        ('name = "kite"\n', ""),
        ("[dialogue]", "# A comment.\n[dialogue]"),
    ],
)
def test_prose_is_not_in_the_text(tmp_path, old, new):
    """Title, rules in words, dialogue and comments can be mended without making other games of it."""
    assert KITE.count(old) == 1
    assert define(read(tmp_path / "a", KITE)) == define(read(tmp_path / "b", KITE.replace(old, new)))


def test_the_text_is_plain():
    """A definition is one line of JSON in ASCII, whatever the stones look like, and is short by its hash."""
    for name in NAMES:
        text = define(variant(name))
        assert text.isascii()
        assert "\n" not in text
        assert json.loads(text)["rule"] in RULES
        assert len(short(text)) == 12


def test_the_text_of_a_variant_stays_as_it_is():
    """The text goes into the ids of games: a change of it makes all games of the past other games."""
    assert define(variant("col:line-3")) == (
        '{"rule":"col","board":"line-3","size":3,"edges":[[0,1],[1,2]],"shape":null,"is_slanted":false,'
        '"style":{"typed":"number","first":0,"printed":"{number}","empty":null,"blocked":"-",'
        '"stones":["X","O"],"row":null}}'
    )


@pytest.mark.parametrize("size", ["true", "1.0", "[1]", "null", '"1"'])
def test_a_size_is_a_whole_number(size):
    """`true` counts as 1 in Python, and would be another text for the same game."""
    single = define(variant("col:line-1")).replace('"line-1"', '"graph"')
    assert read_definition("own", single).board.size == 1
    with pytest.raises(UserError):
        read_definition("own", single.replace('"size":1', f'"size":{size}'))


@pytest.mark.parametrize("field", ["printed", "row"])
def test_a_definition_cannot_become_gigabytes(field):
    """What a rule book may not say, a definition may not say either."""
    style = {"printed": "{number}" + "x" * 1000, "row": "{}" + "x" * 1000}
    parts = json.loads(define(variant("col:grid-64x1")))
    parts["style"][field] = style[field]
    with pytest.raises(UserError, match="at most 40 characters"):
        read_definition("own", json.dumps(parts, separators=(",", ":")))
