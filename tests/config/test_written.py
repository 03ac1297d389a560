"""A tournament in a dict: what a file may say, a dict may say, and it is told the same about its mistakes."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.config.reading import read_tournament
from arena.config.written import write_toml
from arena.errors import FileMistakes

BOT = "def move(position):\n    return position.legal_moves[0]\n"
FULL = {
    "tournament": {"name": "cup", "variants": ["blockade-4x4"], "openings": 2, "seed": 5, "fresh": False},
    "limits": {"move_seconds": 0.5},
    "grading": {"bosses": ["one"]},
    "bots": [{"path": "bots/one.py"}, {"path": "bots/two.py", "name": "other"}],
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder named `configs` with two bots, which is also the working directory."""
    here = tmp_path / "configs"
    (here / "bots").mkdir(parents=True)
    for name in ("one", "two"):
        (here / "bots" / f"{name}.py").write_text(BOT)
    monkeypatch.chdir(here)
    return here


def test_a_dict_says_what_a_file_with_the_same_keys_says(folder):
    """Only where it came from differs; and relative paths start at the working directory, whatever its name."""
    file = folder.parent / "cup.toml"
    file.write_text(write_toml(FULL).replace("bots/", "configs/bots/"))
    told = {"config", "text", "results"}
    read, written = read_tournament(FULL), read_tournament(file)
    for field in set(read._fields) - told:
        assert getattr(read, field) == getattr(written, field), field
    assert read.config is None
    assert read.results == folder / "results"
    assert tomllib.loads(read.text) == FULL
    assert read.read_again() == read


def test_only_bots_are_required(folder):
    """A dict without a name is called `tournament`; paths and numbers may be of any kind."""
    read = read_tournament({"tournament": {"seed": np.int64(7)}, "bots": ({"path": Path("bots") / "*"},)})
    assert (read.name, read.seed, len(read.bots)) == ("tournament", 7, 2)


def test_every_mistake_is_told_at_once_with_its_key(folder):
    """As in a file, with keys in place of lines."""
    wrong = {
        "tournament": {"formt": "swiss", "variants": ["blockade-4x5"]},
        "bots": [{"path": "bots/on.py"}],
    }
    with pytest.raises(FileMistakes) as told:
        read_tournament(wrong)
    assert told.value.mistakes == (
        "config: tournament.formt: unknown key; did you mean 'format'?",
        "config: tournament.variants[0]: unknown variant 'blockade-4x5'; did you mean 'blockade-5x5'?",
        "config: bots[0].path: bots/on.py: there is no such file or folder; did you mean 'one.py'?",
    )


def test_what_no_file_could_say_is_told_at_once_too():
    """None, sets, endless nesting, numbers and texts that TOML cannot hold."""
    endless: dict[str, object] = {}
    endless["more"] = endless
    wrong = {"seed": None, "openings": {1}, "repeats": 1 << 70, "name": "\ud800", "gauntlet": endless}
    with pytest.raises(FileMistakes) as told:
        read_tournament({"tournament": wrong})
    keys = [mistake.split(": ")[1] for mistake in told.value.mistakes]
    assert keys[:-1] == [f"tournament.{key}" for key in ("seed", "openings", "repeats", "name")]
    assert told.value.mistakes[0].endswith("None cannot be a value of a tournament; leave the key out")
    assert told.value.mistakes[-1].endswith("is nested more than 10 deep")


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLAIN = st.one_of(st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), TEXT)
VALUE = st.recursive(
    PLAIN, lambda v: st.lists(v, max_size=3) | st.dictionaries(TEXT, v, max_size=3), max_leaves=6
)


@given(st.dictionaries(TEXT, st.dictionaries(TEXT, VALUE, max_size=3) | VALUE, max_size=4))
def test_what_is_written_is_what_is_read(config):
    """Whatever a dict has in it, quotes and control characters too, comes back."""
    assert tomllib.loads(write_toml(config)) == config
