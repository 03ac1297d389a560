"""Values that cannot be changed after they are made.

Refused: frozen dataclasses. They do the same, but their import takes longer than the rest of the kernel's.
"""

from __future__ import annotations

from typing import NoReturn


class Frozen:
    """Sets its attributes once, with `_freeze`, and refuses to change any of them."""

    def _freeze(self, **attributes: object) -> None:
        self.__dict__.update(attributes)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a {type(self).__name__} cannot be changed")
