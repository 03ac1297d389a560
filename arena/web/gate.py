"""The gate of a contest: who shows a good token is let in, and who goes on guessing is told to stop.

Whether there is such a name is nobody's business: whatever is wrong with a token, the sentence is the same.
"""

from __future__ import annotations

import asyncio
import time

from starlette.requests import Request

from arena.contest.hosted import Contest
from arena.contest.tokens import Token
from arena.errors import StoreError
from arena.web.clients import client_of
from arena.web.form import BadForm
from arena.web.guessing import Guesses
from arena.web.hiding import say_not_now

TOO_MANY_GUESSES = "Too many tokens that are not good came from your address. Wait a minute."


class Gate:
    """Lets in by tokens; `refusal` is what others are told. Used in the thread of the event loop."""

    def __init__(self, contest: Contest, refusal: str, role: str = "") -> None:
        """`role` is that of all who are let in, if it matters."""
        self._contest, self._refusal, self._role = contest, refusal, role
        self._guesses = Guesses()

    async def let_in(self, request: Request, secret: str) -> Token:
        """Return whose token this is; BadForm if it is nobody's, or not good for this."""
        contest = self._contest
        try:
            found = await asyncio.to_thread(contest.book.whose, secret)
        except StoreError as error:
            raise BadForm(503, say_not_now(error, contest)) from None
        if found is not None and self._role in ("", found.role):
            return found
        if self._guesses.note(client_of(request.scope), time.monotonic()):
            raise BadForm(429, TOO_MANY_GUESSES)
        raise BadForm(403, self._refusal)
