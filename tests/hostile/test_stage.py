"""The stage sees what it says it sees, leaves nothing behind, and takes no bot that it does not understand."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.hostile.stage import Stage, hostile_bots, is_cheated, parsed

GOOD = "Does harm.\n\nkind: files\nproof: touched\ncontrol: yes, given root and x86_64\nexpect: plays, crash"


def test_a_docstring_is_read():
    """Every line of a bot's docstring becomes a field."""
    bot = parsed("a", GOOD)
    assert (bot.attack, bot.kind, bot.proof, bot.control) == ("Does harm.", "files", "touched", True)
    assert (bot.needs, bot.why_not, bot.expect) == (("root", "x86_64"), "", ("plays", "crash"))
    alone = parsed("a", GOOD.replace("yes, given root and x86_64", "no: it only hurts itself"))
    assert (alone.control, alone.needs, alone.why_not) == (False, (), "it only hurts itself")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Does harm.", "Does harm"),
        ("Does harm.\n", "Does harm.\nAnd more.\n"),
        ("kind: files", "kind: filse"),
        ("proof: touched", "proof: seen"),
        ("proof: touched", "proof: none"),
        ("proof: touched\n", ""),
        ("yes, given root", "yes, given luck"),
        ("yes, given root and x86_64", "no"),
        ("yes, given root and x86_64", "maybe"),
        ("plays, crash", "plays, draw"),
        ("plays, crash", "plays, plays"),
        ("plays, crash", "plays,"),
        ("crash", "crash\nnote: more"),
    ],
)
def test_a_wrong_docstring_is_refused(right: str, wrong: str):
    """A typing error in a docstring is no bot with another meaning."""
    assert right in GOOD
    with pytest.raises(ValueError, match=r"^a: "):
        parsed("a", GOOD.replace(right, wrong))


@pytest.mark.parametrize("docstring", [None, "", "Does harm."])
def test_a_bot_without_its_lines_is_refused(docstring: str | None):
    """A bot must say what it is."""
    with pytest.raises(ValueError, match=r"^a: "):
        parsed("a", docstring)


def test_every_placeholder_is_replaced():
    """No written bot has a placeholder left in it, and the victim it names is alive."""
    with Stage() as stage:
        for bot in hostile_bots():
            path = stage.write(bot.name)
            assert path.name == f"{bot.name}.py"
            assert os.listdir(path.parent) == [path.name]
            assert re.findall(rb"@[A-Z0-9_]+@", path.read_bytes()) == []
        os.kill(stage.victim, 0)
        assert stage.observed("all quiet") == set()


def test_no_bot_calls_beyond_this_machine():
    """The only addresses in hostile bots are those of this machine."""
    sources = b"\n".join(bot.source for bot in hostile_bots())
    assert set(re.findall(rb"\b\d+\.\d+\.\d+\.\d+\b", sources)) == {b"127.0.0.1"}
    assert re.findall(rb"https?://", sources) == []


def test_the_stage_clears_away_what_it_made():
    """After the stage its files, its victim and its secrets are gone, whatever happened on it."""
    before = os.environ.get("ARENA_TEST_SECRET")
    with pytest.raises(KeyError), Stage() as stage:  # noqa: PT012 - what happens on the stage
        assert os.environ["ARENA_TEST_SECRET"] == stage.secrets["our environment"]
        path = stage.write("loop")
        stray = Path("/tmp", f"x-{stage.mark}")
        stray.mkdir()
        (stage.folder / "empty").chmod(0)
        raise KeyError
    assert os.environ.get("ARENA_TEST_SECRET") == before
    assert not path.exists()
    assert not stage.folder.exists()
    assert not stray.exists()
    assert not Path(f"/proc/{stage.victim}").exists()


def test_secrets_and_marks_are_found_in_what_was_printed():
    """A secret printed is a leak, and says of what; the mark alone is no grant."""
    with Stage() as stage:
        assert stage.observed(f"hello {stage.mark}") == set()
        assert stage.observed(f"x{stage.secrets['secret.txt']}x") == {"leaked"}
        assert stage.leaked(stage.secrets["secret.txt"]) == ["secret.txt"]
        assert stage.observed(f"granted {stage.mark}: all") == {"leaked", "granted"}
        assert stage.observed() == {"leaked", "granted"}, "what was seen stays seen"


def test_a_record_that_breaks_the_rules_is_cheated():
    """A move made twice, and a winner who has not won, are seen; an honest record is not."""
    assert not is_cheated("grid-lock", [0, 2], None)
    assert is_cheated("grid-lock", [0, 0], None)
    assert is_cheated("grid-lock", [0, 2], 1)
    assert is_cheated("grid-lock", [99], None)
