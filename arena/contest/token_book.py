"""The part of a book that has the tokens: whose there are, with the hash of each secret."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from arena.contest.database import Database
from arena.contest.tokens import PARTICIPANT, ROLES, Token, hash_secret, make_secret, refuse_token_name
from arena.errors import UserError, did_you_mean, printable


class TokenBook(Database):
    """Makes tokens, and says whose they are."""

    def make_token(self, name: str, role: str = PARTICIPANT, replace: bool = False) -> str:
        """Return the secret of a new token; UserError if the name has one, unless that is to be replaced."""
        [secret] = self.make_tokens([name], role, replace).values()
        return secret

    def make_tokens(
        self, names: Sequence[str], role: str = PARTICIPANT, replace: bool = False
    ) -> dict[str, str]:
        """Return the secrets of new tokens by name: of all of them, or UserError and of none."""
        with self._change():
            known = self._known_tokens()
            taken = [known[name.lower()] for name in names if name.lower() in known]
            wrong = list(filter(None, map(refuse_token_name, names)))
            wrong += [_say_taken(token) for token in taken if not replace]
            wrong += [
                f"{token.name} has a token as {token.role}"
                for token in taken
                if replace and token.role != role
            ]
            if wrong:
                raise UserError("; ".join(wrong))
            # A bot that was handed in is called as its token was: one more spelling would be one more bot.
            spelt = {lower: token.name for lower, token in known.items()}
            return self._write_tokens([spelt.get(name.lower(), name) for name in names], role)

    def make_missing_tokens(
        self, names: Sequence[str], role: str = PARTICIPANT
    ) -> tuple[dict[str, str], list[Token]]:
        """Return the secrets of new tokens for all who have none, and the tokens of the others, which stay.

        UserError if a name is bad: then nobody gets one.
        """
        if wrong := list(filter(None, map(refuse_token_name, names))):
            raise UserError("; ".join(wrong))
        with self._change():
            known = self._known_tokens()
            had = [known[name.lower()] for name in names if name.lower() in known]
            return self._write_tokens([name for name in names if name.lower() not in known], role), had

    def _known_tokens(self) -> dict[str, Token]:
        """Return all tokens by their names in small letters: two that differ in these alone are one."""
        return {token.name.lower(): token for token in self.tokens()}

    def _write_tokens(self, names: Sequence[str], role: str) -> dict[str, str]:
        assert role in ROLES
        made = {name: make_secret() for name in names}
        for name, secret in made.items():
            row = (name, role, hash_secret(secret), time.time())
            self._ask("DELETE FROM tokens WHERE name = ?", name)
            self._ask("INSERT INTO tokens VALUES (?, ?, ?, ?, NULL)", *row)
        return made

    def revoke(self, name: str) -> bool:
        """Make a token worthless; False if there is none that is good."""
        with self._change():
            asked = "UPDATE tokens SET revoked_at = ? WHERE name = ? AND revoked_at IS NULL"
            return self._database.execute(asked, (time.time(), name)).rowcount == 1

    def tokens(self) -> list[Token]:
        """Return all tokens by name, those that are revoked too."""
        return [
            Token(*row)
            for row in self._ask("SELECT name, role, made_at, revoked_at FROM tokens ORDER BY name")
        ]

    def whose(self, secret: str) -> Token | None:
        """Return the token with this secret; None if there is none, or it is revoked."""
        asked = "SELECT name, role, made_at, revoked_at FROM tokens WHERE hash = ? AND revoked_at IS NULL"
        return next((Token(*row) for row in self._ask(asked, hash_secret(secret))), None)


def require_replaceable(name: str, tokens: Iterable[Token]) -> None:
    """Raise UserError if a name has no token: a misspelt one would be one more participant."""
    names = [token.name for token in tokens]
    if name.lower() not in map(str.lower, names):
        near = did_you_mean(name, names)
        without = f"{near} Without" if near else "; without"
        raise UserError(f"{printable(name)} has no token to replace{without} --replace it is made anew")


def _say_taken(token: Token) -> str:
    has = "had a token, which was revoked" if token.revoked_at is not None else "has a token already"
    return f"{token.name} {has}; --replace makes a new one"
