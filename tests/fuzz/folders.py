"""Run folders from an enemy, many at random: mutated in bytes, rows, schema and sizes, and given to every command.

    python -m tests.fuzz.folders 10000        # how many; with two numbers, the first is where to begin

Whatever is in a folder: exit 0 or 1, no traceback, nothing written outside of it, none of its code run outside
the sandbox, a few seconds at most, and a table only if the log supports it, counted by a few lines of our own.
"""

import contextlib
import json
import os
import random
import resource
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from tests.cli.command import inside

if TYPE_CHECKING:
    from arena.executors.worker import Worker

MOST_SECONDS = 5.0
SPY = """
def move(position):
    try:
        open({mark!r}, "w").close()
    except OSError:
        pass
    return position.legal_moves[0]
"""
FIRST = "def move(position):\n    return position.legal_moves[0]\n"
LAST = "def move(position):\n    return position.legal_moves[-1]\n"
CONFIG = """[tournament]
format = "{format}"
variants = ["snort:line-7", "col:line-5"]
openings = 2
isolation = "trusted"
{more}
[[bots]]
path = "bots/*"
"""
TABLES = "games replaced plan openings variants bots files runs voids facts rounds replays audits machines places".split()
VALUES = [
    *("", "x", "0", "-1", "NaN", "first", "last", "mallory", "blockade-line", "no-moves", "crash", "trusted"),
    *("sandboxed", "0 2 4", "9999 1", "{}", "[]", "null", '{"a": 1}', "../../x", "/etc/passwd", "a" * 70),
    *("\x1b[31m", "=1+1", "x" * 100_000, "[" * 5000, "0" * 64, "f" * 16, "a" * 12, "1e999", "é\u202e"),
    *(
        0,
        1,
        -1,
        2,
        3,
        7,
        99,
        2**31,
        2**53,
        2**62,
        -(2**63),
        0.5,
        -0.5,
        1e308,
        float("inf"),
        None,
        b"",
        b"\xff\0x",
    ),
]
FOREIGN = [
    "CREATE TRIGGER t{n} AFTER INSERT ON games BEGIN UPDATE games SET winner = second; END",
    "CREATE TRIGGER t{n} BEFORE DELETE ON plan BEGIN DELETE FROM games; END",
    "CREATE VIEW v{n} AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM x) SELECT n FROM x",
    "CREATE TABLE u{n} (a, b)",
    "CREATE INDEX i{n} ON games (winner)",
    "ALTER TABLE {table} ADD COLUMN extra{n}",
    "ALTER TABLE {table} RENAME TO renamed{n}",
    "DROP TABLE {table}",
    "CREATE UNIQUE INDEX q{n} ON {table} (rowid)",
    "PRAGMA user_version = {n}",
    "PRAGMA application_id = {n}",
]
BESIDE = ["cache.sqlite", "cache.sqlite-journal", "lock.sqlite", "lock.sqlite-journal", "games.sqlite-wal"]
BESIDE += [
    "games.sqlite-shm",
    "games.sqlite-journal",
    "faults",
    "games.csv",
    "standings.csv",
    "standings-x.csv",
]


class Stage:
    """A place with two honest tournaments in it, copies of which are spoilt one after the other."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.mark = root / "mark"
        self.precious = root / "precious"
        self.home.mkdir(parents=True)
        self.precious.mkdir()
        (self.precious / "file.txt").write_text("mine\n")
        self._write("robin", "round-robin", "")
        self._write("swiss", "swiss", "rounds = 2")
        for name in ("robin", "swiss"):
            done = command(self.home, "run", f"configs/{name}.toml", "--quiet", "--executor", "serial")
            assert done.code == 0, done.error
            mark_somebody(self.home / "results" / name)
        self.mark.unlink()
        shutil.copytree(self.home, root / "honest")
        self._forbidden = self._outside()

    def _write(self, name: str, format: str, more: str) -> None:
        for folder in ("bots", "configs"):
            (self.home / folder).mkdir(exist_ok=True)
        (self.home / "bots" / "first.py").write_text(FIRST)
        (self.home / "bots" / "last.py").write_text(LAST)
        (self.home / "bots" / "spy.py").write_text(SPY.format(mark=str(self.mark)))
        (self.home / "configs" / f"{name}.toml").write_text(CONFIG.format(format=format, more=more))

    def _outside(self) -> dict[str, bytes]:
        places = [self.root / "honest", self.precious, self.home / "bots", self.home / "configs"]
        files = [file for place in places for file in place.rglob("*") if file.is_file()]
        return {str(file): file.read_bytes() for file in files} | {
            "names": str(sorted(map(str, self.root.iterdir()))).encode()
        }

    def received(self, number: int) -> Path:
        """Lay out a spoilt copy; return the run folder."""
        chance = random.Random(number)
        name = chance.choice(("robin", "swiss"))
        folder = self.home / "results" / name
        shutil.rmtree(self.home / "results", ignore_errors=True)
        shutil.copytree(self.root / "honest" / "results", self.home / "results", symlinks=True)
        if chance.random() < 0.7:
            (folder / "cache.sqlite").unlink(missing_ok=True)
        ways = (spoil_bytes, spoil_row, spoil_row, spoil_row, spoil_schema, spoil_beside)
        chosen = [chance.choice(ways) for _ in range(chance.choice((1, 1, 1, 2, 3)))]
        for spoil in sorted(
            chosen, key=lambda spoil: spoil is spoil_beside
        ):  # last: SQLite would wait for a pipe for ever
            with contextlib.suppress(Exception):  # what is spoilt already may not be spoilt further
                spoil(chance, folder, self.precious)
        return folder

    def complaints(self, number: int) -> list[str]:
        """Give one spoilt folder to every command; return what should not have happened."""
        folder = self.received(number)
        name, found = folder.name, []
        honest = self.root / "honest" / "results" / name
        game = some_game(honest)
        mine = self.home / "results" / "mine"
        shutil.copytree(honest, mine)
        for words in (
            ["leaderboard", name, "--format", "json"],
            ["crosstable", name],
            ["games", name, "--format", "csv"],
            ["bot", name, "first", "--format", "json"],
            ["digest", name],
            ["verify", name],
            ["replay", name, game, "--grade"],
            ["rerun", name, game],
            ["diff", name, "mine"],
            ["export", name, "results/exported"],
            ["export", name, "results/public", "--without-sources"],
            ["run", f"configs/{name}.toml", "--dry-run"],
            ["merge", "mine", name],
            ["merge", name, "mine"],
            ["run", f"configs/{name}.toml", "--quiet", "--executor", "serial", "--isolation", "trusted"],
            ["leaderboard", name, "--format", "json"],
        ):
            if words == ["merge", name, "mine"]:
                shutil.rmtree(mine)
                shutil.copytree(honest, mine)
            done = command(self.home, *words)
            what = f"{number}: arena {' '.join(words)}"
            found += [f"{what}: {complaint}" for complaint in done.complaints()]
            if words[0] == "leaderboard" and "json" in words and done.code == 0:
                found += [f"{what}: {complaint}" for complaint in unsupported(folder, done.output)]
            if words[0] == "run" and "--dry-run" not in words:
                self.mark.unlink(missing_ok=True)  # here the user's own bots ran trusted
            if self.mark.exists():
                found.append(f"{what}: code was run outside the sandbox")
                self.mark.unlink()
        if self._outside() != self._forbidden:
            found.append(f"{number}: something outside was written")
            self._forbidden = self._outside()
        return found


class Done:
    """How a command went."""

    def __init__(self, code: object, output: str, error: str, seconds: float) -> None:
        self.code, self.output, self.error, self.seconds = code, output, error, seconds

    def complaints(self) -> list[str]:
        """What no folder should bring about."""
        lines = [line.strip() for line in self.error.splitlines() if " line " in line or "Error" in line]
        found = [f"exit {self.code}: {' / '.join(lines[-3:])[-400:]}"] if self.code not in (0, 1) else []
        found += [f"took {self.seconds:.1f} s"] if self.seconds > MOST_SECONDS else []
        found += ["a traceback"] if "Traceback" in self.error + self.output else []
        found += (
            ["unprintable text"] if not (self.output + self.error).replace("\n", "").isprintable() else []
        )
        if self.code == 1 and not self.error.strip() and not self.output.strip():
            found.append("not a word")
        return found


def command(here: Path, *words: str) -> Done:
    """Run a command of arena's in this process, and see how long it takes."""
    begun = cpu()
    done = inside(*words, cwd=here)
    return Done(done.returncode, done.stdout, done.stderr, cpu() - begun)


def cpu() -> float:
    """Seconds of CPU of this process and of those that it has waited for, whatever else the machine does."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def some_game(folder: Path) -> str:
    """The id of a game of an honest folder; in a spoilt one SQLite might wait for a pipe for ever."""
    with contextlib.closing(sqlite3.connect(f"file:{folder}/games.sqlite?immutable=1", uri=True)) as log:
        return str(log.execute("SELECT game FROM games LIMIT 1").fetchone()[0])


def mark_somebody(folder: Path) -> None:
    """Have an audit in an honest folder that found something; trusted games are not audited."""
    with contextlib.closing(sqlite3.connect(folder / "games.sqlite")) as log, log:
        log.execute("INSERT INTO audits SELECT game, moves, ending, first, 3, 'now', 1 FROM games LIMIT 9")
        log.execute("UPDATE bots SET is_repeatable = 0")


def unsupported(folder: Path, output: str) -> list[str]:
    """Count the games of the plan anew, and compare with the table that was shown."""
    uri = f"file:{folder}/games.sqlite?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as log:
        planned = {game for (game,) in log.execute("SELECT game FROM plan")}
        rows = [
            row for row in log.execute("SELECT game, first, second, winner FROM games") if row[0] in planned
        ]
    games = Counter(bot for _, first, second, _ in rows for bot in (first, second))
    wins = Counter(winner for *_, winner in rows)
    found = []
    for row in json.loads(output):
        shown, counted = (row["games"], row["wins"]), (games[row["bot"]], wins[row["bot"]])
        if shown != counted and not is_old(folder):
            found.append(f"{row['bot']}: shown {shown}, and the log has {counted}")
    return found


def is_old(folder: Path) -> bool:
    """Whether the plan has old versions of bots, whose games are shown under other names."""
    with contextlib.closing(sqlite3.connect(f"file:{folder}/games.sqlite?mode=ro", uri=True)) as log:
        return bool(log.execute("SELECT 1 FROM plan WHERE instr(first || second, '@')").fetchone())


def spoil_bytes(chance: random.Random, folder: Path, precious: Path) -> None:
    file = folder / chance.choice(("games.sqlite", "games.sqlite", "games.sqlite", "cache.sqlite"))
    data = bytearray(file.read_bytes())
    page = 4096
    kind = chance.randrange(6)
    if kind == 0:
        for _ in range(chance.choice((1, 1, 4, 32, 256))):
            data[chance.randrange(len(data))] = chance.randrange(256)
    elif kind == 1:
        del data[chance.randrange(len(data)) :]
    elif kind == 2:
        data += chance.randbytes(chance.choice((1, 100, page, 10 * page)))
    elif kind == 3:
        one, other = (chance.randrange(len(data) // page) * page for _ in range(2))
        data[one : one + page] = data[other : other + page]
    elif kind == 4:
        at = chance.randrange(100)
        data[at] = chance.randrange(256)
    else:
        at = chance.randrange(len(data) // page) * page
        data[at + 100 * (at == 0) : at + page] = bytes(page - 100 * (at == 0))
    file.write_bytes(data)


def spoil_row(chance: random.Random, folder: Path, precious: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / "games.sqlite", isolation_level=None)) as log:
        table = chance.choice(TABLES)
        rows = [row for (row,) in log.execute(f"SELECT rowid FROM {table}")]
        columns = [name for _, name, *_ in log.execute(f"PRAGMA table_info({table})")]
        row, column = chance.choice(rows) if rows else 0, chance.choice(columns)
        value = chance.choice(VALUES)
        if value is None or chance.random() < 0.05:
            log.execute("PRAGMA ignore_check_constraints = 1")
        kind = chance.randrange(8)
        if table == "facts" and kind < 6:
            spoil_fact(chance, log)
        elif kind < 4:
            log.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, row))
        elif kind == 4:
            log.execute(f"UPDATE {table} SET {column} = ?", (value,))
        elif kind == 5:
            other = chance.choice(rows) if rows else 0
            log.execute(
                f"UPDATE {table} SET {column} = (SELECT {column} FROM {table} WHERE rowid = ?) WHERE rowid = ?",
                (other, row),
            )
        elif kind == 6:
            log.execute(f"INSERT OR IGNORE INTO {table} SELECT * FROM {table} WHERE rowid = ?", (row,))
        else:
            log.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def spoil_fact(chance: random.Random, log: sqlite3.Connection) -> None:
    """Change one value somewhere in the JSON of the field."""
    field = json.loads(log.execute("SELECT value FROM facts WHERE name = 'field'").fetchone()[0])
    holder, key = field, chance.choice(list(field))
    while isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.7:
        holder = holder[key]
        key = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    value = chance.choice([value for value in VALUES if not isinstance(value, bytes)])
    if isinstance(holder, dict) and chance.random() < 0.2:
        del holder[key]
    else:
        holder[key] = value
    log.execute("UPDATE facts SET value = ? WHERE name = 'field'", (json.dumps(field),))


def spoil_schema(chance: random.Random, folder: Path, precious: Path) -> None:
    with contextlib.closing(sqlite3.connect(folder / "games.sqlite", isolation_level=None)) as log:
        statement = chance.choice(FOREIGN).format(n=chance.randrange(5), table=chance.choice(TABLES))
        if chance.random() < 0.2:
            log.execute("PRAGMA writable_schema = 1")
            statement = "UPDATE sqlite_master SET {} WHERE rowid = {}".format(
                chance.choice(
                    (
                        "rootpage = 2",
                        "rootpage = 99999",
                        "sql = replace(sql, 'NOT NULL', '')",
                        "name = 'x'",
                        "sql = NULL",
                    )
                ),
                chance.randrange(1, 20),
            )
        log.execute(statement)
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def spoil_beside(chance: random.Random, folder: Path, precious: Path) -> None:
    place = folder / chance.choice(BESIDE)
    if place.is_dir():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    kind = chance.randrange(5)
    if kind == 0:
        place.symlink_to(chance.choice((precious / "file.txt", precious, precious / "new")))
    elif kind == 1:
        place.write_bytes(chance.randbytes(chance.choice((0, 10, 4096, 40_000))))
    elif kind == 2:
        place.mkdir()
    elif kind == 3:
        os.mkfifo(place)
    else:
        shutil.copy(folder / "games.sqlite", place)


_stage: Stage | None = None


def batch(numbers: range) -> tuple[int, list[str]]:
    """Try some folders in this process, with a stage and a sandbox's template that all of them share."""
    global _stage  # noqa: PLW0603 - one for each process of a pool
    if _stage is None:
        os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp(prefix="arena-fuzz-key-")
        _stage = Stage(Path(tempfile.mkdtemp(prefix="arena-fuzz-")) / "stage")
        share_a_worker()
    return len(numbers), [complaint for number in numbers for complaint in _stage.complaints(number)]


def share_a_worker() -> "Worker":
    """Have `rerun` keep its template from folder to folder: starting one takes longer than all the rest."""
    from arena.executors.worker import Worker
    from arena.tournament import rerun

    worker = Worker()
    worker.close = lambda: None  # type: ignore[method-assign]
    rerun.Worker = lambda: worker  # type: ignore[assignment, misc, attr-defined] # in place of its own
    return worker


def main(first: int, count: int, processes: int = 2) -> int:
    begun, done, found = time.monotonic(), 0, []
    parts = [range(at, min(at + 20, first + count)) for at in range(first, first + count, 20)]
    with ProcessPoolExecutor(processes) as pool:
        for tried, complaints in pool.map(batch, parts):
            done += tried
            for complaint in complaints:
                print(complaint, flush=True)
            found += complaints
            if done % 200 == 0:
                print(
                    f"{done:,} folders, {time.monotonic() - begun:.0f} s, {len(found)} complaints", flush=True
                )
    print(f"{done:,} mutated run folders in {time.monotonic() - begun:.0f} s: {len(found)} complaints")
    return bool(found)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*numbers) if len(numbers) > 1 else main(0, *numbers))
