"""The field of a plan, as the log keeps it: what is written is read again, and a stranger's is looked at."""

import json

import pytest

from arena.errors import StoreError
from arena.field import Field, Grading, read_field
from arena.referee import Limits

FIELD = Field(
    name="cup",
    variants=[("snort:line-9", "0" * 12), ("col:line-3", "1" * 12)],
    bots={"alice": "a" * 64, "bob": "b" * 64},
    openings=8,
    repeats=2,
    seed=8721,
    limits=Limits().by_key(),
    isolation="sandboxed",
    degenerate={"col:line-3": "every legal game lasts 2 plies"},
    format="swiss",
    secret=("snort:line-9",),
    grading=Grading(("alice",), "score", 0.5),
    series="0123456789abcdef",
    keep_solver=("bob",),
    settings={"interval_points": 120.0},
)


@pytest.mark.parametrize(
    "field",
    [
        FIELD,
        FIELD._replace(limits=Limits(solver=False).by_key()),
        FIELD._replace(secret=(), grading=None, series="", degenerate={}, keep_solver=()),
    ],
)
def test_a_field_is_read_as_it_was_written(field):
    """Nothing is lost on the way into the log and back, nor is any of it of another type."""
    assert read_field(field.write()) == field


WRONG = [
    ("name", "../cup"),
    ("variants", []),
    ("variants", [["snort:line-9", "0" * 12]] * 2),
    ("variants", [["snort:line-9", "no hash"]]),
    ("bots", {"alice": "a" * 63}),
    ("bots", {"../alice": "a" * 64}),
    ("openings", 0),
    ("openings", 8.0),
    ("repeats", 0),
    ("seed", -1),
    ("seed", 1 << 53),
    ("limits", Limits(move_seconds=0)._asdict()),
    ("limits", {"move_seconds": 1}),
    ("limits", Limits()._asdict() | {"solver": 0}),
    ("keep_solver", ["../bob"]),
    ("settings", [120]),
    ("settings", {"interval_points": "120"}),
    ("settings", {"interval_points": float("nan")}),
    ("settings", {"games": 1 << 40}),
    ("settings", {str(number): 1 for number in range(99)}),
    ("isolation", "none"),
    ("degenerate", {"snort:line-9": 5}),
    ("degenerate", {"snort:line-8": "another one"}),
    ("format", "Swiss!"),
    ("secret", ["snort:line-8"]),
    ("secret", ["\x1b[31m"]),
    ("grading", [["alice"], "luck", 0.5]),
    ("grading", [["alice"], "score", 1.5]),
    ("series", "0123"),
    ("extra", 1),
]


@pytest.mark.parametrize(("part", "value"), WRONG)
def test_a_part_that_arena_would_not_write_is_refused(part, value):
    """Each part of a field is looked at, and whether they speak of the same variants."""
    with pytest.raises(StoreError):
        read_field(json.dumps(FIELD._asdict() | {part: value}))


def test_every_part_of_a_field_is_refused_in_the_test_above():
    """A part that is added to a field is looked at too."""
    assert {part for part, _ in WRONG} == {*Field._fields, "extra"}
