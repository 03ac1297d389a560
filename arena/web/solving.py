"""Positions solved for readers, each in a child: two at once, one for each address, and a short queue.

The same question has the same answer for ever, so the last answers are kept: a class asks the same things.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from arena.game import Variant
from arena.game.definition import define
from arena.web.asking import Refused
from arena.web.children import Child, ChildLost

AT_ONCE, MOST_WAITING, MOST_OF_ADDRESS = 2, 16, 4
MOST_KEPT = 512
PATIENCE_SECONDS = 900.0
"""Longer than a child may take on a machine that is busy with other things."""

CHILD = "arena.web.solver_process"

BUSY = "So many positions are being solved here that no more can wait. Try again in a moment."

Question = tuple[Variant, tuple[int, ...], int | None]
"""A variant and moves; and who has won, if every position of that game is asked for."""


class Solutions:
    """The answers of a server; used in the thread of its event loop."""

    def __init__(self) -> None:
        self._kept: dict[Question, dict[str, Any]] = {}
        self._asking: Counter[str] = Counter()  # by address, those that wait included
        self._turns: dict[str, asyncio.Lock] = {}
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._children: set[Child] = set()

    def find(self, question: Question) -> dict[str, Any] | None:
        """Return an answer that is known already."""
        return self._kept.get(question)

    async def solve(self, question: Question, address: str) -> dict[str, Any]:
        """Return the answer to a question; Refused if too many are asked."""
        if self._asking[address] >= MOST_OF_ADDRESS or self._asking.total() >= MOST_WAITING:
            raise Refused(503, BUSY)
        self._asking[address] += 1
        turn = self._turns.setdefault(address, asyncio.Lock())
        try:
            async with turn, self._at_once:
                found = self._kept.get(question) or await self._compute(question)
        finally:
            self._asking[address] -= 1
            if not self._asking[address]:
                del self._asking[address], self._turns[address]
        self._kept.pop(question, None)
        self._kept[question] = found
        while len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return found

    async def _compute(self, question: Question) -> dict[str, Any]:
        variant, moves, winner = question
        asked: dict[str, Any] = {"variant": variant.name, "definition": define(variant), "moves": moves}
        if winner is not None:
            asked["winner"] = winner
        child = Child(CHILD)
        self._children.add(child)
        try:
            return await child.ask(asked, PATIENCE_SECONDS)
        except ChildLost:
            raise Refused(500, "The solver has failed on this position.") from None
        finally:
            self._children.discard(child)
            child.end()

    def close(self) -> None:
        """End what is being solved."""
        for child in list(self._children):
            child.end()
