"""Matching: as many pairs as possible of bots that have not met. Edmonds' blossom algorithm.

Bots are numbers here, places in a table, and `met[bot]` has those that a bot may not meet. The matching so
far is `mate`, a dict with both directions of every pair; a bot that is not in it is free.

From a free bot we grow an alternating tree: its paths go by turns over possible pairs and over pairs of the
matching. A bot at the far end of a pair of the matching is `outer`: swapping the pairs along its path would
set it free. If an outer bot may meet another free bot, the path is augmenting: swapping makes one more pair.
If two outer bots may meet, they close an odd cycle. All bots on it become outer, and count as one from then
on (a blossom). Edmonds proved that this misses no augmenting path, and Berge that a matching without one is
maximum.

The search is breadth-first and takes bots in the given order, so it changes few pairs, and those early in
that order. Refused: maximum weight matching, which would weigh all wishes at once, but takes seconds for a
thousand bots; backtracking, which takes for ever in the last rounds of a small field; and networkx, which
cannot start from the pairs that there are, and so cannot change few of them (tests compare with it).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet


def complete(bots: Sequence[int], met: Sequence[AbstractSet[int]], mate: dict[int, int]) -> list[int]:
    """Add pairs until there are as many as there can be among some bots; return those that stay free.

    All mates of the bots must be among them.
    """
    free = {bot: None for bot in bots if bot not in mate}
    for root in list(free):
        if root in free:
            _grow(root, bots, met, mate, free)
    return list(free)


def releasable(
    free: int, bots: Sequence[int], met: Sequence[AbstractSet[int]], mate: dict[int, int]
) -> Collection[int]:
    """Return the bots any one of which may stay free instead of `free`, the only free one, and itself.

    There must be no more pairs to make.
    """
    return _Tree(free, bots, met, mate, ()).outer


def release(
    bot: int, free: int, bots: Sequence[int], met: Sequence[AbstractSet[int]], mate: dict[int, int]
) -> None:
    """Leave a releasable bot free instead of `free`."""
    if bot != free:
        tree = _Tree(free, bots, met, mate, ())
        tree.swap(mate.pop(bot))


def _grow(
    root: int,
    bots: Sequence[int],
    met: Sequence[AbstractSet[int]],
    mate: dict[int, int],
    free: dict[int, None],
) -> None:
    """Pair a free bot, if that can be done without setting another free."""
    del free[root]
    tree = _Tree(root, bots, met, mate, free)
    if tree.end is None:
        free[root] = None
        return
    last, found = tree.end
    del free[found]
    tree.parent[found] = last
    tree.swap(found)


class _Tree:
    """What can be reached from a free bot, up to the first outer bot that may meet another free one."""

    def __init__(
        self,
        root: int,
        bots: Sequence[int],
        met: Sequence[AbstractSet[int]],
        mate: dict[int, int],
        free: Collection[int],
    ) -> None:
        self.root, self.met, self.mate, self.free = root, met, mate, free
        self.parent: dict[int, int] = {}  # over a possible pair
        self.base = {bot: bot for bot in bots}  # what a bot counts as: the bot at which its blossom begins
        self.outer: dict[int, None] = {}
        self.end: tuple[int, int] | None = None
        self._queue: deque[int] = deque()
        self._reach(root)
        others = [*(bot for bot in bots if bot in mate), root]
        while self._queue and self.end is None:
            self._look_around(self._queue.popleft(), others)

    def swap(self, bot: int) -> None:
        """Pair a bot with its parent, the parent's mate with its own, and so on up to the root."""
        current: int | None = bot
        while current is not None:
            parent = self.parent[current]
            following = self.mate.get(parent)
            self.mate[current], self.mate[parent] = parent, current
            current = following

    def _reach(self, bot: int) -> None:
        """Make a bot outer, and see whether it may meet a free one."""
        self.outer[bot] = None
        self._queue.append(bot)
        if self.end is None:
            found = next((free for free in self.free if free not in self.met[bot]), None)
            self.end = None if found is None else (bot, found)

    def _look_around(self, bot: int, others: Sequence[int]) -> None:
        """Follow all possible pairs of an outer bot."""
        base, outer, parent, met = self.base, self.outer, self.parent, self.met[bot]
        for other in others:
            if other in met or base[other] == base[bot]:
                continue
            if other in outer:
                self._contract(bot, other)
            elif other not in parent:
                parent[other] = bot
                self._reach(self.mate[other])
            if self.end is not None:
                return

    def _contract(self, one: int, other: int) -> None:
        """Make one blossom of the cycle that two outer bots close."""
        top = self._meeting_point(one, other)
        inside = self._climb(one, other, top) | self._climb(other, one, top)
        for bot, base in self.base.items():
            if base in inside:
                self.base[bot] = top
                if bot not in self.outer:
                    self._reach(bot)

    def _meeting_point(self, one: int, other: int) -> int:
        """Return where the paths of two outer bots to the root meet."""
        at = self.base[one]
        passed = {at}
        while at != self.base[self.root]:
            at = self._above(at)
            passed.add(at)
        at = self.base[other]
        while at not in passed:
            at = self._above(at)
        return at

    def _above(self, base: int) -> int:
        return self.base[self.parent[self.mate[base]]]

    def _climb(self, bot: int, child: int, top: int) -> set[int]:
        """Return the bots on the way up to a base, and set their parents along the rest of the cycle."""
        inside = set()
        while self.base[bot] != top:
            inside |= {self.base[bot], self.base[self.mate[bot]]}
            self.parent[bot] = child
            child = self.mate[bot]
            bot = self.parent[child]
        return inside
