"""A run folder that can be queried: opened through the door; the size of the file limits every query."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from arena.log.door import LOG, be_patient, explain_errors, open_for_reading, size_on_disk
from arena.referee.game import Row

LEAST_BYTES = 16
"""A row takes more bytes than this; if there are more rows, pages of the file point back at themselves."""


class Asking:
    """A run folder that can be queried with SQL, within limits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with explain_errors(folder):
            self._database = open_for_reading(folder)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def rows(self, query: str, *values: object) -> list[Row]:
        """Return the rows of a query."""
        with explain_errors(self.folder):
            return self._execute(query, *values).fetchall()

    def each(self, query: str, *values: object) -> Iterator[Row]:
        """Yield the rows of a query that may be long; other queries may run in between."""
        with explain_errors(self.folder):
            left = size_on_disk(self.folder / LOG) // LEAST_BYTES
            for row in self._execute(query, *values):
                left -= 1
                if left < 0:
                    raise sqlite3.OperationalError("endless")
                yield row

    def _execute(self, query: str, *values: object) -> sqlite3.Cursor:
        be_patient(self._database, self.folder / LOG)
        return self._database.execute(query, values)

    def number(self, query: str, *values: object) -> int:
        """Return the one number that a query asks for."""
        return int(self.rows(query, *values)[0][0] or 0)

    @cached_property
    def _tables(self) -> frozenset[str]:
        return frozenset(name for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'"))

    def has(self, table: str) -> bool:
        """Whether this log has a table; those that came later are missing in older ones."""
        return table in self._tables
