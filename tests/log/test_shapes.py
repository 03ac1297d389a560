"""A file that lacks some of the tables of a log is no log, and one sentence says what is missing."""

import sqlite3
from contextlib import closing
from itertools import combinations

import pytest

from arena.errors import ArenaError
from arena.log.door import LOG, open_for_reading
from arena.log.schema import SCHEMA, allowed_shapes, empty_log, shape_of

WHOLE = allowed_shapes(SCHEMA)[-1]
TABLES = sorted(name for kind, name, _, _ in WHOLE if kind == "table")
LATER = sorted(name for kind, name, _, _ in WHOLE - allowed_shapes(SCHEMA)[0] if kind == "table")
LACKS = [(), *((one,) for one in TABLES), *combinations(TABLES, 2), tuple(LATER), tuple(TABLES)]


@pytest.mark.parametrize("lacks", LACKS, ids=" ".join)
def test_what_is_missing_is_named(tmp_path, lacks):
    """Every table, any two of them, all that came later, and all; older logs lack some and are read."""
    (tmp_path / LOG).write_bytes(empty_log())
    with closing(sqlite3.connect(tmp_path / LOG)) as database:
        for name in lacks:
            database.execute(f"DROP TABLE {name}")
        is_read = shape_of(database) in allowed_shapes(SCHEMA)
    if is_read:
        open_for_reading(tmp_path).close()
        return
    with pytest.raises(ArenaError, match="is not a log as arena writes it") as refusal:
        open_for_reading(tmp_path)
    assert any(f"there is no table {name} in it" in str(refusal.value) for name in lacks)
