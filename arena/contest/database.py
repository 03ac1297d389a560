"""What all parts of a book share: one SQLite database, asked and changed by several threads.

Several processes may use it at once too, such as `arena serve` and `arena token`: every change is one
transaction that looks again at what it depends on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.contest.tables import FILE, FOLDER, explain_errors, open_book


class Database:
    """The database of a book; StoreError says what is wrong if it cannot be read or written."""

    def __init__(self, base: Path) -> None:
        self.file = base / FOLDER / FILE
        self._lock = threading.RLock()
        with explain_errors(self.file):
            self._database = open_book(base)

    def close(self) -> None:
        """Close it; nothing is lost without that."""
        with self._lock:
            self._database.close()

    @property
    def state(self) -> tuple[int, int]:
        """Two numbers that change whenever anybody writes; they cost next to nothing."""
        with self._lock:
            [(others,)] = self._ask("PRAGMA data_version")
            return self._database.total_changes, others

    def _ask(self, asked: str, *values: Any) -> list[Any]:
        with self._lock, explain_errors(self.file):
            return self._database.execute(asked, values).fetchall()

    @contextmanager
    def _change(self) -> Iterator[None]:
        """One transaction: all of it is kept, or nothing."""
        with self._lock, explain_errors(self.file):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                raise
