"""How often an address, or a participant, may ask for what costs: at once, and in a minute (token bucket)."""

from __future__ import annotations

MOST_ADDRESSES = 10_000
"""So many are remembered; beyond that those are forgotten that have asked least lately."""


class Allowance:
    """What is left to each address."""

    def __init__(self, at_once: int, in_a_minute: float) -> None:
        self._most, self._per_second = float(at_once), in_a_minute / 60
        self._left: dict[str, tuple[float, float]] = {}  # what was left, and when; the latest come last

    def take(self, address: str, now: float) -> bool:
        """Take one; False if nothing is left now."""
        left, then = self._left.pop(address, (self._most, now))
        left = min(self._most, left + (now - then) * self._per_second)
        is_allowed = left >= 1
        self._left[address] = (left - is_allowed, now)
        while len(self._left) > MOST_ADDRESSES:
            del self._left[next(iter(self._left))]
        return is_allowed
