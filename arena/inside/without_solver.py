"""`[limits] solver = false`: a bot that imports `arena.solver` learns in a sentence that it may not.

In a sandbox the walls hide its files as well, whatever a bot does to this module. In our own process this is
all there is: the modules are out of sight while the bot's code runs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from typing import Any, TypeVar

import arena

T = TypeVar("T")

SOLVER = "arena.solver"
REFUSAL = "bots have no arena.solver here: [limits] has solver = false"


class _Refusing:
    """A finder that refuses one package."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if _is_solver(name):
            raise ImportError(REFUSAL, name=name)
        return None


_refusing = _Refusing()


def forbid_solver() -> None:
    """Refuse the solver in this process from now on; it must not have been imported yet."""
    sys.meta_path.insert(0, _refusing)


def without_solver(call: Callable[..., T]) -> Callable[..., T]:
    """Return a function that does the same while the solver cannot be imported."""

    def hidden(*arguments: object) -> T:
        taken = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_solver(name)}
        package = vars(arena).pop("solver", None)
        sys.meta_path.insert(0, _refusing)
        try:
            return call(*arguments)
        finally:
            sys.meta_path.remove(_refusing)
            sys.modules.update(taken)
            if package is not None:
                vars(arena)["solver"] = package

    return hidden


def _is_solver(name: str) -> bool:
    return name == SOLVER or name.startswith(f"{SOLVER}.")
