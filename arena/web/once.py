"""Forms that were sent already: whoever loads the answer to a form anew sends that form a second time.

Each form of a page has an id of its own, which is remembered with what the form said. Refused: an answer with
a redirect, as others do it. It would lose the token, which is in no address and in no cookie.

Ids are kept in memory, the last ones: the book has the deeds as it had them before. For a server that was
started anew, a form that is sent again is a new one.
"""

from __future__ import annotations

from secrets import token_urlsafe

MOST_REMEMBERED = 1_000
LONGEST = 200
"""Of each word that is remembered, so many letters."""


def make_id() -> str:
    """Return an id that no other form has."""
    return token_urlsafe(9)


class Once:
    """Remembers what was done for a form."""

    def __init__(self) -> None:
        self._done: dict[tuple[str, ...], None] = {}  # the latest come last

    def is_done(self, form: str, *words: str) -> bool:
        """Whether the form with this id has said these words already; a form without an id never has."""
        return _shorten(form, *words) in self._done

    def note(self, form: str, *words: str) -> None:
        """Note that it was done; what was done longest ago is forgotten."""
        if form:
            self._done[_shorten(form, *words)] = None
        while len(self._done) > MOST_REMEMBERED:
            del self._done[next(iter(self._done))]


def _shorten(*words: str) -> tuple[str, ...]:
    return tuple(word[:LONGEST] for word in words)
