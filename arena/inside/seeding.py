"""Repeatable chance: `random`, and numpy's global state, behave as if seeded before every move.

Seeding costs 4 µs, so it is done only where there is something to seed: a module that is already loaded is
seeded now, and one that a bot imports in the middle of a move is seeded on import (`watch_imports`).
`random.seed` is Python around a method in C, and does no more for a number than what is done here.

The finder and the loaders here have no base classes: `importlib.abc` would load 23 modules, from lzma to
urllib, into every bot's process, and every fork would have to copy them.
"""

from __future__ import annotations

import sys
from _random import Random
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_SEEDED = ("random", "numpy.random")
_current = [0]  # the number to seed with
_seed_in_c = Random.seed


def seed_random(seed: int, ply: int) -> None:
    """Seed what is loaded, from a bot's own seed and the ply."""
    _current[0] = seed << 13 | ply
    modules = sys.modules
    if "random" in modules:
        _seed_own(modules["random"])
    if "numpy.random" in modules:
        _seed_numpy(modules["numpy.random"])


def watch_imports() -> None:
    """Seed `random` and `numpy.random` as soon as they are imported; for a process of one bot.

    Until then `random` counts as not loaded, although it is kept ready: most bots never import it.
    """
    sys.meta_path.insert(0, _SeedOnImport(sys.modules.pop("random", None)))


def watch_numpy() -> None:
    """Seed `numpy.random` as soon as it is imported, which numpy does late; for a process of many bots."""
    if not any(isinstance(finder, _SeedOnImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, _SeedOnImport(None))


def _seed_own(module: Any) -> None:
    """Seed `random`: the one generator behind all its functions."""
    generator = getattr(module, "_inst", None)  # missing while the module is half imported
    if generator is not None:
        _seed_in_c(generator, _current[0])
        generator.gauss_next = None


def _seed_numpy(module: Any) -> None:
    seed = getattr(module, "seed", None)
    if seed is not None:
        seed(_current[0] % 2**32)


class _SeedOnImport:
    def __init__(self, ready: ModuleType | None) -> None:
        self._ready = ready

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name == "random" and self._ready is not None:
            ready: Any = _ReadyLoader(self._ready)
            return ModuleSpec(name, ready)
        spec = PathFinder.find_spec(name, path, target) if name in _SEEDED else None
        if spec is not None and spec.loader is not None:
            seeding: Any = _SeedingLoader(name, spec.loader)
            spec.loader = seeding
        return spec


class _ReadyLoader:
    """Gives out a module that was imported before, and seeds it."""

    def __init__(self, ready: ModuleType) -> None:
        self._ready = ready

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._ready

    def exec_module(self, module: ModuleType) -> None:
        _seed_own(module)


class _SeedingLoader:
    """Imports a module as its own loader does, and seeds it."""

    def __init__(self, name: str, loader: Any) -> None:
        self._name = name
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _seed_own(module) if self._name == "random" else _seed_numpy(module)
