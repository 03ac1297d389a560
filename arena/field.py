"""The field: what a plan was made from, as the log keeps it. Reading it trusts nothing in the text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from arena.bots.source import NAME
from arena.errors import StoreError
from arena.game.definition import is_variant_name
from arena.referee.game import Limits
from arena.referee.row import ISOLATIONS

GRADED_BY = ("score", "accuracy")
MOST_BOTS = 20_000
MOST_VARIANTS = 1_000
MOST_SETTINGS = 20
_COUNT = range(1, 1_000_001)
_SEEDS = range(1 << 53)
_HASH, _VERSION = re.compile(r"[0-9a-f]{64}", re.ASCII), re.compile(r"[0-9a-f]{12}", re.ASCII)
_RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}", re.ASCII)
_WORD = re.compile(r"[a-z-]{1,30}", re.ASCII)
_SERIES = re.compile(r"([0-9a-f]{16})?", re.ASCII)


class Grading(NamedTuple):
    """Who passes: a bot whose score or accuracy in games against the bosses reaches the pass mark."""

    bosses: tuple[str, ...]
    by: str
    pass_mark: float


class Field(NamedTuple):
    """Who plays what, by which settings."""

    name: str
    variants: list[tuple[str, str]]  # names and versions
    bots: dict[str, str]  # full hashes by name
    openings: int
    repeats: int
    seed: int
    limits: dict[str, float]
    isolation: str
    degenerate: dict[str, str]  # variants that cannot rank anybody, and why
    format: str = "round-robin"
    secret: tuple[str, ...] = ()  # variants that are not shown before the end
    grading: Grading | None = None
    series: str = ""  # of its rounds
    keep_solver: tuple[str, ...] = ()  # bots that have the solver in spite of the limits
    settings: dict[str, float] | None = (
        None  # of its format, by name; None in a log that has none of them yet
    )

    def write(self) -> str:
        """Return the text that the log keeps."""
        return json.dumps(self._asdict())


def read_field(text: str) -> Field:
    """Return the field of a text; StoreError, which says what is wrong, if the text is not one."""
    parts = read_json(text)
    if not isinstance(parts, dict) or not parts.keys() <= set(Field._fields):
        raise StoreError("it is not a table, or has unknown keys")
    try:
        parts = {name: parts.get(name, Field._field_defaults.get(name)) for name in Field._fields}
        wrong = [name for name, is_right in _RIGHT.items() if not is_right(parts[name])]
    except (TypeError, ValueError, KeyError, AttributeError):
        wrong = ["one of its parts"]
    if wrong:
        raise StoreError(f"{wrong[0]} has an impossible value")
    grading = parts["grading"]
    told = {
        "variants": [(name, version) for name, version in parts["variants"]],
        "secret": tuple(parts["secret"]),
        "keep_solver": tuple(parts["keep_solver"]),
        "grading": None if grading is None else Grading(tuple(grading[0]), *grading[1:]),
    }
    field = Field(**(parts | told))
    if not set(field.secret) | field.degenerate.keys() <= set(dict(field.variants)):
        raise StoreError("it names variants that are not played")
    return field


def read_json(text: str) -> Any:
    """Return the value of a JSON text; None if it is not JSON, or nested too deeply."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def read_limits(parts: Any) -> Limits | None:
    """Return limits from their names and numbers; None if they are not limits."""
    if not isinstance(parts, dict) or parts.keys() | {"solver"} != set(Limits._fields):
        return None
    numbers = [value for key, value in parts.items() if key != "solver"]
    if not all(type(value) in (int, float) and 0 < value <= 2**31 for value in numbers):
        return None
    return Limits(**parts) if type(parts.get("solver", True)) is bool else None


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and NAME.fullmatch(name) is not None


def _is_run_name(name: Any) -> bool:
    """Whether a run may have this name: `versus-A-B` has the names of two bots in it."""
    return isinstance(name, str) and _RUN_NAME.fullmatch(name) is not None


def _are_variants(pairs: Any) -> bool:
    names = [name for name, _ in pairs]
    return (
        0 < len(names) <= MOST_VARIANTS
        and len(set(names)) == len(names)
        and all(is_variant_name(name) and _VERSION.fullmatch(version) for name, version in pairs)
    )


def _are_bots(bots: Any) -> bool:
    return len(bots) <= MOST_BOTS and all(_is_name(n) and _HASH.fullmatch(full) for n, full in bots.items())


def _is_within(values: range) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and value in values


def _is_grading(grading: Any) -> bool:
    if grading is None:
        return True
    bosses, by, mark = grading
    return isinstance(bosses, list) and all(map(_is_name, bosses)) and by in GRADED_BY and 0 <= mark <= 1


def _are_settings(settings: Any) -> bool:
    return settings is None or (
        len(settings) <= MOST_SETTINGS
        and all(type(value) in (int, float) and abs(value) <= 2**31 for value in settings.values())
    )


_RIGHT: dict[str, Callable[[Any], Any]] = {
    "name": _is_run_name,
    "variants": _are_variants,
    "bots": _are_bots,
    "openings": _is_within(_COUNT),
    "repeats": _is_within(_COUNT),
    "seed": _is_within(_SEEDS),
    "limits": read_limits,
    "isolation": ISOLATIONS.__contains__,
    "degenerate": lambda told: all(isinstance(text, str) and len(text) <= 500 for text in told.values()),
    "format": _WORD.fullmatch,
    "secret": lambda names: all(map(is_variant_name, names)),
    "grading": _is_grading,
    "series": _SERIES.fullmatch,
    "keep_solver": lambda names: len(names) <= MOST_BOTS and all(map(_is_name, names)),
    "settings": _are_settings,
}
