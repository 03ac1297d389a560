"""Numbers: the values of cold games, dyadic fractions as scaled ints, and the simplest number in an interval.

They are the (short) surreal numbers of combinatorial game theory. A number x is kept as x * 2^scale. On a
board of n cells no value has a denominator above 2^n, so with a scale of n every value is an int.
"""

from __future__ import annotations

from typing import NamedTuple


class Value(NamedTuple):
    """A number, or a number plus star: the value of a part of Col for the first side."""

    number: int
    star: int  # 0 or 1

    def __neg__(self) -> Value:
        return Value(-self.number, self.star)


class Best:
    """The best options of one side: their number, and whether it occurs without and with star."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.has_plain = self.has_star = False

    def add(self, value: Value) -> None:
        """Take an option into account; larger is better."""
        if self.number is None or value.number > self.number:
            self.number = value.number
            self.has_plain = self.has_star = False
        if value.number == self.number:
            self.has_star |= value.star == 1
            self.has_plain |= value.star == 0


def value_between(mine: Best, yours: Best, scale: int) -> Value:
    """Return the value of a game of Col from the best options of its sides, each as its owner sees them.

    If there are numbers x such that no option of the first side is at least x, and none of the second at most
    x, the value is the simplest of them. An option x* is neither, so a bound that is only x* is allowed.
    """
    low, high = mine.number, None if yours.number is None else -yours.number
    if low is not None and low == high:
        # {x|x} is x*, {x*|x*} is x. It is a theorem that Col has no others (Winning Ways, chapter 2).
        assert mine.has_plain != mine.has_star, "outside the theorem on Col"
        assert mine.has_plain == yours.has_plain, "outside the theorem on Col"
        assert mine.has_star == yours.has_star, "outside the theorem on Col"
        return Value(low, int(mine.has_plain))
    assert low is None or high is None or low < high, "Col is never hot"
    return Value(simplest(low, not mine.has_plain, high, not yours.has_plain, scale), 0)


def simplest(low: int | None, with_low: bool, high: int | None, with_high: bool, scale: int) -> int:
    """Return the simplest number between two bounds; a bound may be missing, and may itself be allowed."""
    if (low is None or low < 0 or (with_low and low == 0)) and (
        high is None or high > 0 or (with_high and high == 0)
    ):
        return 0
    if low is None or low < 0:
        assert high is not None
        return -simplest(-high, with_high, None if low is None else -low, with_low, scale)
    # All are positive: the least integer if there is one, else the only one with the least denominator.
    step = 1 << scale
    while True:
        number = low + -low % step
        if number == low and not with_low:
            number += step
        if high is None or number < high or (with_high and number == high):
            return number
        step >>= 1


def next_lower(number: int, scale: int) -> int | None:
    """Return the first side's option of a number, as in {n-1| } and {x-d|x+d}; None if it has no move."""
    one = 1 << scale
    if number % one:
        return number - (number & -number)
    return number - one if number > 0 else None
