"""JSON for scripts, in one way for all commands: fractions have up to 6 decimals, what is empty is null.

Texts are exact, but for a lone surrogate, which JSON cannot hold.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Mapping
from typing import Any

from arena.plaintext import for_json

DECIMALS = 6

NUMBERS = re.compile(r"\[\n([-\d., \n]+)\n *\]")
"""A list of numbers, which reads better on one line; JSON escapes line breaks, so this is in no text."""


def write_json(value: object) -> str:
    """Return a value as JSON; numbers may be numpy's, and empty ones those of pandas."""
    text = json.dumps(_plain(value), indent=1)
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {for_json(str(name)): _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return list(map(_plain, value))
    if isinstance(value, str | os.PathLike):
        return for_json(str(value))
    if is_empty(value):
        return None
    number = value.item() if hasattr(value, "item") else value
    return round(number, DECIMALS) if isinstance(number, float) else number


def is_empty(value: Any) -> bool:
    """Whether a cell has nothing in it: None, NaN, or what pandas writes for them."""
    is_nan = isinstance(value, float) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ == "NAType"  # pandas is slow to import
