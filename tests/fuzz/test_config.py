"""Tournament files from strangers: a tournament within bounds, or lines that say what is wrong."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.fuzz.laws import examples, tournament_law
from tests.fuzz.mutations import ODD, spoilt

BOT = "def move(position):\n    return position.legal_moves[0]\n"
KITE = 'rule = "snort"\nboard.edges = [[0, 1], [1, 2], [2, 0], [2, 3]]\n'
HOME = Path(__file__).parent.parent.parent
WHOLE = b"""[tournament]
name = "cup"
format = "gauntlet"
variants = ["blockade-line", "snort:line-9", "kite.toml"]
openings = 2
repeats = 3
seed = 77
isolation = "sandboxed"
gauntlet = ["alpha"]

[limits]
move_seconds = 0.5
game_seconds = 5
start_seconds = 2.5
memory_mib = 256

[field]
secret = ["col:grid-3x3"]

[grading]
bosses = ["beta"]
by = "accuracy"
pass_mark = 0.6

[[bots]]
path = "bots/*"

[[bots]]
name = "gamma"
command = ["python3", "bots/alpha.py"]
"""
KEYS = {
    "tournament": "name format variants openings repeats seed isolation rounds gauntlet interval_points".split(),
    "limits": "move_seconds game_seconds start_seconds memory_mib".split(),
    "field": ["secret"],
    "grading": "bosses by pass_mark".split(),
    "bots": "path command name".split(),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A place with three bots and a variant in it, and room for a tournament file."""
    home = tmp_path_factory.mktemp("home")
    for part in ("bots", "configs"):
        (home / part).mkdir()
    (home / "bots" / "alpha.py").write_text(BOT)
    (home / "bots" / "beta.py").write_text(BOT + "#\n")
    (home / "bots" / "od\x1bd.py").write_text(BOT)
    (home / "kite.toml").write_text(KITE)
    (home / "ki\x1bte.toml").write_text(KITE)
    return home


def seeds() -> list[bytes]:
    """Tournament files that are right, most of them as they come with arena."""
    return [WHOLE, *(file.read_bytes() for file in sorted((HOME / "configs").glob("*.toml")))]


def test_the_seed_is_right(folder):
    """What is spoilt below is a tournament while it is whole, but for the bot whose name is odd."""
    assert tournament_law(folder, WHOLE.replace(b"bots/*", b"bots/[ab]*")) is not None


@examples(250)
@given(spoilt(seeds()))
@example(b"a = " + b'\\"' * 20_000)
@example(b"x = " + (b"{" + b"a." * 90 + b"a = ") * 20 + b"1" + b"}" * 20)
@example(b'tournament.variants = ["kte.toml", "line-' + b"9" * 3_000 + b'"]')
def test_a_spoilt_file_is_a_tournament_or_mistakes(folder, data):
    """Whatever was changed in it, only lines of ours come out, or values within their bounds."""
    tournament_law(folder, data)


@examples(60)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=100).map(str.encode)))
def test_any_bytes_are_a_tournament_or_mistakes(folder, data):
    """Also if nobody ever meant it to be TOML."""
    tournament_law(folder, data)


def literals() -> st.SearchStrategy[str]:
    """TOML values: texts, numbers, dates, and lists and tables of them."""
    number = st.one_of(st.integers(-3, 70), st.integers(-(2**63), 2**63 - 1), st.just(2**64)).map(str)
    float_ = st.one_of(st.floats().map(str), st.sampled_from(["1e999", "-0.0", "1e-320", "inf", "nan"]))
    word = st.one_of(
        st.sampled_from("alpha beta gamma kite.toml snort:line-9 bots/* bots kayles:line-4097 swiss".split()),
        st.sampled_from([odd.decode(errors="replace") for odd in ODD]),
        st.text(max_size=8),
        st.sampled_from(
            ["x" * 300, "a/" * 3000, "*" * 200, "[" * 50, "../" * 30, "/**/*", "~root", "bots/od?d.py"]
        ),
    )
    other = st.sampled_from("true false 1979-05-27 07:32:00 1979-05-27T07:32:00Z 0x7f 1_000".split())
    leaf = st.one_of(number, float_, word.map(quoted), other)
    return st.recursive(
        leaf,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(lambda parts: f"[{', '.join(parts)}]"),
            st.dictionaries(st.text(max_size=4).map(quoted), inner, max_size=3).map(
                lambda table: f"{{{', '.join(f'{key} = {value}' for key, value in table.items())}}}"
            ),
        ),
        max_leaves=6,
    )


def quoted(text: str) -> str:
    """Return a text as TOML writes it."""
    escaped = (f"\\U{ord(sign):08x}" if not sign.isalnum() else sign for sign in text)
    return f'"{"".join(escaped)}"'


@examples(200)
@given(
    st.lists(
        st.tuples(st.sampled_from([(t, k) for t, ks in KEYS.items() for k in ks]), literals()), max_size=4
    )
)
def test_any_value_of_any_key_is_taken_or_a_mistake(folder, pairs):
    """Every key, with values of every type and size behind it, among keys that are right."""
    chosen = dict(pairs)
    lines = ["tournament.seed = 1"] if ("tournament", "seed") not in chosen else []
    lines += [f"{table}.{key} = {value}" for (table, key), value in chosen.items() if table != "bots"]
    bots = {key: value for (table, key), value in chosen.items() if table == "bots"}
    lines += ["[[bots]]", 'path = "bots/alpha.py"', "[[bots]]", 'path = "bots/beta.py"']
    lines += ["[[bots]]", *(f"{key} = {value}" for key, value in bots.items())] if bots else []
    tournament_law(folder, "\n".join(lines).encode())
