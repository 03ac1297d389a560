"""What a bot may be called, and what is suggested instead."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bots.naming import NAME, suggest_name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("jörg_müller", "joerg_mueller"),
        ("jo\u0308rg", "joerg"),
        ("noah copy (1)", "noah_copy_1"),
        ("my bot", "my_bot"),
        ("José", "Jose"),
        ("_draft", "draft"),
        ("(1)", "1"),
        ("三", "bot"),
        ("x" * 99, "x" * 64),
    ],
)
def test_a_suggested_name_is_near(text, expected):
    """Letters with marks lose them, everything else becomes an underscore."""
    assert suggest_name(text) == expected


@given(st.text())
def test_a_suggested_name_is_always_a_name(text):
    """Whatever a file is called."""
    assert NAME.fullmatch(suggest_name(text))


@given(st.from_regex(NAME, fullmatch=True))
def test_a_suggestion_for_a_good_name_is_a_good_name(text):
    """The rule and the suggestion agree."""
    assert NAME.fullmatch(suggest_name(text))
