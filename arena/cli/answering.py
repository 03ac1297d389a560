"""`--format json`: the same option and the same printer for every command whose answer is no table.

On stdout there is the JSON alone. What is said meanwhile goes to stderr.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer


class PlainFormat(StrEnum):
    """How an answer is printed."""

    TABLE = "table"
    JSON = "json"


PlainFormatOption = Annotated[PlainFormat, typer.Option(help="For people, or JSON for scripts.")]


def print_json(answer: object) -> None:
    """Print an answer for scripts."""
    from arena.reports.asjson import write_json

    print(write_json(answer))
