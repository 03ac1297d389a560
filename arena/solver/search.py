"""The search: questions that ask questions, a transposition table of the answers, and what they cost.

Rule 1. A rule's engine writes the answer to a question as a generator: it yields the questions that it needs
answered, is sent their answers, and returns its own. It sees nothing else; in particular not the table. So
the questions that lead to an answer depend only on the question, not on what was asked before. The same holds
for their number: the *cost* of the question.

Rule 2. A budget limits that cost. The table makes answers faster, but never more: see `Search.answer`.

Rule 3. There is no recursion, because a board of 4,096 cells is deeper than Python's stack.

Refused: engines that look into the table for a shortcut (any known winning move, bounds from other
questions). What can be answered within a budget would then depend on what was asked before.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from typing import Any, NamedTuple

Question = Hashable
Answering = Generator[Question, Any, Any]
IsOut = Callable[[], bool]

NO_LIMIT = 1 << 60


class Spent(Exception):  # noqa: N818 - it is no error
    """The question costs more than the budget."""


class Stopped(Exception):  # noqa: N818 - it is no error
    """`is_out` has ended the search; nothing is known about the cost."""


class Answer(NamedTuple):
    """What was found, and an upper bound of the question's cost."""

    value: Any
    most: int


class Search:
    """A table of answered questions, and the loop that fills it."""

    def __init__(self, answering: Callable[[Any], Answering], steps_between_looks: int) -> None:
        self._answering = answering
        self._steps_between_looks = steps_between_looks
        self.table: dict[Question, Answer] = {}

    def answer(self, root: Answering, budget: int = NO_LIMIT, is_out: IsOut | None = None) -> Answer:
        """Return the answer to a root question, which is not itself entered in the table.

        Spent if more than `budget` new entries would be needed, which proves that the root costs more. With
        an empty table the converse is true too; with a used one, `most` may prove that it costs no more.
        """
        table = self.table
        limit = len(table) + budget
        look_at = self._steps_between_looks
        steps = 0
        pending: list[tuple[Answering, Question, int]] = []
        # The innermost open question, and the sum of what its answers cost so far.
        working, question, cost = root, None, 0
        value: Any = None
        while True:
            steps += 1
            if steps == look_at:
                look_at += self._steps_between_looks
                if is_out is not None and is_out():
                    raise Stopped
            try:
                asked = working.send(value)
            except StopIteration as done:
                value = done.value
                if not pending:
                    # Everything visited is in the table, so its size is an upper bound too.
                    return Answer(value, min(cost, len(table)))
                entry = Answer(value, min(cost + 1, len(table) + 1))
                table[question] = entry
                working, question, cost = pending.pop()
                cost += entry.most
                continue
            known = table.get(asked)
            if known is None:
                pending.append((working, question, cost))
                if len(table) + len(pending) > limit:
                    raise Spent
                working, question, cost, value = self._answering(asked), asked, 0, None
            else:
                value = known.value
                cost += known.most
