"""Who shows wrong tokens too often, by address, within a minute.

Nobody can guess 192 bits. But whoever tries costs us time, and is told to stop. Whoever has a good token is
let in all the same: behind a proxy all come from one address.
"""

from __future__ import annotations

from collections import deque

MOST_WRONG = 20
SECONDS = 60.0
MOST_ADDRESSES = 1_000
"""Those that guessed longest ago are forgotten."""


class Guesses:
    """Counts wrong tokens; used in the thread of the event loop."""

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}

    def note(self, address: str, now: float) -> bool:
        """Note a wrong token; return whether that was one too many."""
        times = self._wrong.pop(address, deque())
        self._wrong[address] = times  # the last to guess comes last
        while times and times[0] <= now - SECONDS:
            times.popleft()
        is_too_much = len(times) >= MOST_WRONG
        if not is_too_much:
            times.append(now)
        while len(self._wrong) > MOST_ADDRESSES:
            del self._wrong[next(iter(self._wrong))]
        return is_too_much
