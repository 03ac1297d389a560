"""The store: one writer, any number of readers, and whatever was committed is there whatever happens."""

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from collections import defaultdict
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.log.reading import COUNT_COLUMNS, LOG, Log
from arena.log.schema import OLDEST_SCHEMA, SCHEMA
from arena.log.writing import Store
from arena.referee.row import GAME_COLUMNS
from tests.hosts.nobody import as_nobody, ordinary_python

# CONTRACT section 6, column by column.
CONTRACT = """
game variant opening repeat first second first_version second_version winner ending detail moves opening_plies
plies isolation first_cpu_seconds second_cpu_seconds first_wall_seconds second_wall_seconds
""".split()
NUMBERS = {"opening": "INTEGER", "repeat": "INTEGER", "opening_plies": "INTEGER", "plies": "INTEGER"}
NUMBERS |= {f"{side}_{kind}_seconds": "REAL" for side in ("first", "second") for kind in ("cpu", "wall")}
FURTHER = {
    "runs": {"config", "limits", "arena", "python", "numpy", "machine", "isolation"},
    "plan": {"game", "cells"},
    "variants": {"name", "definition"},
    "bots": {"name", "version", "source"},
    "voids": {"game", "reason"},
    "replaced": set(CONTRACT),
}


def row(number, **changes):
    """A finished game, as the log keeps it."""
    game = {
        "game": f"{number:016x}",
        "variant": "grid-lock",
        "opening": 0,
        "repeat": 0,
        "first": "alice",
        "second": "bob",
        "first_version": "a" * 12,
        "second_version": "b" * 12,
        "winner": "alice",
        "ending": "no-moves",
        "detail": "",
        "moves": "5 10 3",
        "opening_plies": 1,
        "plies": 3,
        "isolation": "trusted",
        "first_cpu_seconds": 0.25,
        "second_cpu_seconds": 0.5,
        "first_wall_seconds": 0.75,
        "second_wall_seconds": 1.0,
    }
    assert set(changes) <= set(game)
    return tuple((game | changes).values())


def planned(number, **changes):
    """A line of the plan."""
    values = dict(zip(GAME_COLUMNS, row(number, **changes), strict=True))
    return (*(values[key] for key in ("game", "variant", "opening", "repeat", "first", "second")), "5")


def games(folder):
    with closing(Log(folder)) as log:
        return log.rows("SELECT * FROM games ORDER BY game")


def python(folder, code):
    """Start a process of its own that runs some lines, with `folder` and `row` at hand."""
    head = f"""
        from pathlib import Path
        from arena.log.writing import Store
        from tests.log.test_log import row
        folder = Path({str(folder)!r})
        """
    command = [sys.executable, "-c", textwrap.dedent(head) + textwrap.dedent(code)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


@pytest.fixture
def store(tmp_path):
    """A store in a new folder, closed after the test."""
    with closing(Store(tmp_path / "cup")) as made:
        yield made


# Tables


def test_the_table_of_games_is_the_one_of_the_contract(store):
    """`games` has exactly the public columns, in their order, and `game` is its primary key."""
    assert GAME_COLUMNS == CONTRACT
    columns = store.rows("PRAGMA table_info(games)")
    assert [name for _, name, *_ in columns] == CONTRACT
    assert {name: kind for _, name, kind, *_ in columns} == {
        name: NUMBERS.get(name, "TEXT") for name in CONTRACT
    }
    assert [name for _, name, _, _, _, key in columns if key] == ["game"]
    assert all(is_needed for _, _, _, is_needed, _, _ in columns)


@pytest.mark.parametrize("table", FURTHER)
def test_the_further_tables_hold_what_the_folder_needs(store, table):
    """A folder sent to a colleague has in it what the contract says."""
    assert {name for _, name, *_ in store.rows(f"PRAGMA table_info({table})")} >= FURTHER[table]


def test_what_is_committed_is_on_the_disk(store):
    """The log is written ahead, and every commit is waited for."""
    assert store.rows("PRAGMA journal_mode") == [("wal",)]
    assert store.number("PRAGMA synchronous") == 2  # FULL
    with closing(sqlite3.connect(store.folder / LOG)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_closed_folder_is_whole_in_one_file(store):
    """After closing, `games.sqlite` alone is the log: copied somewhere else it has everything."""
    store.write([row(1), row(2)])
    store.close()
    other = store.folder.parent / "copied"
    other.mkdir()
    shutil.copy(store.folder / LOG, other)
    assert games(other) == [row(1), row(2)]


# Writing and reading


def test_games_come_back_as_they_were_written(store):
    """Every column keeps its value, also odd ones, and a folder opened again has them all."""
    odd = row(
        3, detail="it said 'é\n\u2028\U0001f600\"; DROP TABLE games; --'", moves="", first_cpu_seconds=1e-9
    )
    store.write([row(2), odd])
    store.write(iter([row(1)]))
    store.write([])
    store.close()
    assert games(store.folder) == [row(1), row(2), odd]
    with closing(Store(store.folder)) as again:
        again.write([row(4)])
    assert games(store.folder) == [row(1), row(2), odd, row(4)]


def test_a_game_is_never_written_twice(store):
    """A second row of one id is refused as our own fault, with all that was to be written along with it."""
    store.write([row(1)])
    for batch in ([row(1, winner="bob")], [row(2), row(1)], [row(3), row(3)]):
        with pytest.raises(sqlite3.IntegrityError):
            store.write(batch)
    store.write([row(4)])
    assert store.rows("SELECT * FROM games") == [row(1), row(4)]


def test_a_game_lacks_nothing(store):
    """A row without a winner, or of too few columns, is refused."""
    with pytest.raises(sqlite3.IntegrityError):
        store.write([row(1, winner=None)])
    with pytest.raises(StoreError):
        store.write([row(1)[:-1]])
    assert store.rows("SELECT * FROM games") == []


def test_a_failure_within_a_transaction_undoes_all_of_it(store):
    """Either everything is committed or nothing, whatever is raised, Ctrl-C too."""

    def fail(error):
        with store.transaction() as database:
            database.execute("INSERT INTO facts VALUES ('a', 'b')")
            raise error

    for error in (ValueError, KeyboardInterrupt):
        with pytest.raises(error):
            fail(error)
    assert store.fact("a") == ""
    store.write([row(1)])
    assert store.number("SELECT COUNT(*) FROM games") == 1


def test_a_log_is_read_while_it_is_written(store):
    """Readers see what was committed before they look, nothing half-done, and never stop the writer."""
    store.write([row(0)])
    with closing(Log(store.folder)) as log:
        before = log.number("SELECT COUNT(*) FROM facts") - 1
        for number in range(1, 30):
            with store.transaction() as database:
                database.execute("INSERT INTO facts VALUES (?, '')", (number,))
                assert log.number("SELECT COUNT(*) FROM facts") == before + number
            assert log.number("SELECT COUNT(*) FROM facts") == before + number + 1
        reading = log.each("SELECT game FROM games")
        assert next(reading) == (row(0)[0],)
        store.write([row(1)])  # while a reader is in the middle of it
        assert list(reading) == []
        assert log.number("SELECT COUNT(*) FROM games") == 2


def test_readers_and_a_writer_do_not_meet_each_other(store):
    """Four threads that open, read and close all the time see a growing number of whole batches, and no error."""
    done, wrong = threading.Event(), []

    def read():
        last = 0
        while not done.is_set():
            with closing(Log(store.folder)) as log:
                count = log.number("SELECT COUNT(*) FROM games")
            if count % 5 or count < last:
                wrong.append(count)
            last = count

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        for number in range(0, 300, 5):
            store.write([row(number + more) for more in range(5)])
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert wrong == []
    assert len(games(store.folder)) == 300


def test_a_reader_writes_nothing(store):
    """Through a Log no row can be changed."""
    store.write([row(1)])
    with closing(Log(store.folder)) as log, pytest.raises(StoreError, match="cannot be written"):
        log.rows("DELETE FROM games")
    assert games(store.folder) == [row(1)]


# The plan


def test_writing_a_plan_replaces_the_one_before(store):
    """The plan is what was planned last; games that are no longer in it stay in the log and do not count."""
    store.write([row(number) for number in range(4)])
    store.write_plan("one", "{}", map(planned, range(6)))
    assert (store.planned, store.played) == (6, 4)
    store.write_plan("two", "{}", map(planned, (2, 9)))
    assert (store.planned, store.played) == (2, 1)
    assert list(store.games()) == [row(2)]
    assert store.number("SELECT COUNT(*) FROM games") == 4


def test_a_plan_of_the_same_fingerprint_is_not_written_again(store):
    """Where the plan is known its games are not even made, and what it comes from is still noted."""

    def unmade():
        raise AssertionError("the games of a known plan were made")
        yield

    store.write_plan("one", "a", map(planned, range(3)))
    store.settle()
    store.write_plan("one", "b", unmade())
    assert (store.planned, store.fact("plan"), store.fact("field")) == (3, "one", "b")


def test_a_plan_that_somebody_else_has_written_is_written_again(store):
    """A fingerprint is a fact that anybody can write; only what this user has settled is taken as written."""
    store.write_plan("one", "a", map(planned, range(3)))
    store.settle()
    with store.transaction() as database:
        database.execute("DELETE FROM plan WHERE rowid = 2")
    store.write_plan("one", "a", map(planned, range(3)))
    assert store.planned == 3


def test_what_is_missing_comes_page_by_page(store):
    """Pages of any size give every game of the plan that is not in the log, once and in the plan's order."""
    chance = random.Random(1)
    order = chance.sample(range(50), 50)
    played = set(chance.sample(order, 20))
    store.write([row(number) for number in played])
    store.write([row(99)])  # of an older plan
    store.write_plan("one", "{}", map(planned, order))
    expected = [planned(number) for number in order if number not in played]
    for most in (1, 2, 7, 29, 30, 31, 1000):
        after, found = 0, []
        while page := store.missing(after, most):
            assert len(page) <= most
            found += [game for _, game in page]
            after = page[-1][0]
        assert found == expected


def test_games_are_listed_in_the_order_of_the_plan(store):
    """Not in that of their arrival; by bot, variant and forfeits if asked for; by id if asked for."""
    store.write(
        [row(3, first="carol", ending="illegal", winner="bob"), row(1, variant="grid-block"), row(2), row(7)]
    )
    store.write_plan("one", "{}", map(planned, (2, 3, 5, 1)))

    def numbers(found):
        return [int(game[0], 16) for game in found]

    assert numbers(store.games()) == [2, 3, 1]
    assert numbers(store.games_by_id()) == [1, 2, 3]
    assert numbers(store.games(bot="alice")) == [2, 1]
    assert numbers(store.games(bot="bob", variant="grid-lock")) == [2, 3]
    assert numbers(store.games(forfeits=True)) == [3]
    assert numbers(store.games(bot="nobody")) == []


def test_a_game_is_found_by_the_beginning_of_its_id(store):
    """Any beginning finds a game, planned or not, and one that fits several finds two of them."""
    ids = ["00aa000000000000", "00ab000000000000", "00abffffffffffff", "ffffffffffffffff"]
    store.write([row(number, game=game) for number, game in enumerate(ids)])
    for wanted, expected in {
        "00aa": ids[:1],
        "00ab": ids[1:3],
        "f": ids[3:],
        "ffffffffffffffff": ids[3:],
        "00": ids[:2],
        "1": [],
        "00ab0": ids[1:2],
    }.items():
        assert [game[0] for game in store.find(wanted)] == expected, wanted


def test_games_of_a_bot_are_set_aside(store):
    """A condition may use its value twice."""
    store.write([row(1), row(2, first="carol", winner="bob")])
    store.write_plan("one", "{}", [planned(1), planned(2, first="carol")])
    assert store.set_aside("bot", "carol", "--again carol") == 1
    assert store.rows("SELECT game, why FROM replaced") == [(row(2)[0], "--again carol")]


def test_a_log_whose_making_was_cut_short_is_made_anew(tmp_path):
    """A crash before the tables were there costs nothing."""
    with closing(sqlite3.connect(tmp_path / LOG, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
    with closing(Store(tmp_path)) as store:
        store.write([row(1)])
        assert store.number("SELECT COUNT(*) FROM games") == 1


def test_what_is_set_aside_moves_to_replaced(store):
    """Games of the plan that meet the condition are moved whole, with the reason, and are missing again."""
    endings = ["no-moves", "illegal", "timeout", "illegal"]
    rows = [row(number, ending=ending) for number, ending in enumerate(endings)]
    outside = row(8, ending="illegal")
    store.write([*rows, outside])
    store.write_plan("one", "{}", map(planned, range(4)))
    assert store.set_aside("ending", "illegal", "--again illegal") == 2
    assert store.rows("SELECT * FROM games ORDER BY game") == [rows[0], rows[2], outside]
    replaced = store.rows("SELECT * FROM replaced ORDER BY game")
    assert [game[: len(GAME_COLUMNS)] for game in replaced] == [rows[1], rows[3]]
    assert {game[-1] for game in replaced} == {"--again illegal"}
    assert [game.game for _, game in store.missing(0, 10)] == [rows[1][0], rows[3][0]]
    store.write([rows[1]])
    assert store.set_aside("ending", "illegal", "once more") == 1
    assert store.number("SELECT COUNT(*) FROM replaced") == 3
    assert store.set_aside("trusted", "trusted", "none") == 0


def test_games_that_were_played_sandboxed_count_for_whoever_trusts_too(store):
    """And not the other way round: what was played trusted is played again where a sandbox is asked for."""
    store.write([row(1, isolation="trusted"), row(2, isolation="sandboxed")])
    known = {asked: [game[0] for game in store.known_games(asked)] for asked in ("trusted", "sandboxed")}
    assert known == {"trusted": [row(1)[0], row(2)[0]], "sandboxed": [row(2)[0]]}


def test_voids_count_while_their_games_are_not_played(store):
    """A void of a planned game counts once until that game is in the log."""
    store.write_plan("one", "{}", map(planned, range(3)))
    for number in (1, 1, 2, 9):
        store.write_void(planned(number)[0], "grid-lock", "alice", "bob", "a lost worker", 1)
    assert store.voids == 2
    store.write([row(1)])
    assert store.voids == 1
    assert store.number("SELECT COUNT(*) FROM voids") == 4


def test_small_tables_keep_what_they_have(store):
    """What is there already stays as it is, and the rest is added."""
    store.insert("files", [("h", "a.py", b"1"), ("h", "b.py", b"2")])
    store.insert("files", [("h", "a.py", b"other"), ("h", "c.py", b"3")])
    assert store.rows("SELECT path, data FROM files ORDER BY path") == [
        ("a.py", b"1"),
        ("b.py", b"2"),
        ("c.py", b"3"),
    ]


def counted(rows):
    """The games counted one by one, with the moves that either bot made itself."""
    found = defaultdict(lambda: [0, 0, 0, 0.0, 0.0])
    for values in rows:
        game = dict(zip(GAME_COLUMNS, values, strict=True))
        sums = found[tuple(game[column] for column in COUNT_COLUMNS[:6])]
        own = [ply % 2 for ply in range(game["opening_plies"], game["plies"])]
        for at, value in enumerate(
            (1, own.count(0), own.count(1), game["first_cpu_seconds"], game["second_cpu_seconds"])
        ):
            sums[at] += value
    return sorted((*key, *sums) for key, sums in found.items())


@pytest.mark.parametrize("outside", [0, 1, 60])
@pytest.mark.parametrize("unplayed", [0, 5])
def test_counts_are_those_of_the_plan(store, outside, unplayed):
    """Counting in SQL is counting one by one, and games outside the plan never count."""
    chance = random.Random(outside + unplayed)
    rows = []
    for number in range(200 + outside):
        opening = chance.randrange(4)
        sides = chance.sample(["alice", "bob", "carol"], 2)
        changes: dict[str, object] = {
            "variant": chance.choice(["grid-lock", "grid-block"]),
            "first": sides[0],
            "second": sides[1],
        }
        changes |= {"winner": chance.choice(sides), "ending": chance.choice(["no-moves", "crash"])}
        changes |= {"opening_plies": opening, "plies": opening + chance.randrange(6)}
        changes |= {"isolation": chance.choice(["trusted", "sandboxed"])}
        changes |= {f"{side}_cpu_seconds": chance.randrange(100) / 64 for side in ("first", "second")}
        rows.append(row(number, **changes))
    chance.shuffle(rows)
    store.write(rows)
    in_plan = rows[outside:]
    plan = [(*values[:6], "") for values in in_plan] + [planned(1000 + more) for more in range(unplayed)]
    store.write_plan("one", "{}", plan)
    assert store.counts() == counted(in_plan)
    assert (store.played, store.planned) == (200, 200 + unplayed)


# One writer


def test_a_second_writer_is_refused_and_told_who_writes(store):
    """One line names the folder and the process; after that one closes, the next may write."""
    store.write([row(1)])
    for _ in range(2):
        with pytest.raises(StoreError) as refusal:
            Store(store.folder)
        assert f"process {os.getpid()}" in str(refusal.value)
        assert str(refusal.value).startswith(f"{store.folder}: ")
        assert "\n" not in str(refusal.value)
    store.write([row(2)])
    store.close()
    with closing(Store(store.folder)) as next_one:
        next_one.write([row(3)])
    assert games(store.folder) == [row(1), row(2), row(3)]


def test_whoever_writes_now_is_named_and_not_whoever_wrote_before(tmp_path):
    """A folder that another process has written says nothing of that one any more."""
    write_elsewhere = f"from pathlib import Path; from arena.log.writing import Store; Store(Path({str(tmp_path)!r})).close()"
    subprocess.run([sys.executable, "-c", write_elsewhere], check=True, timeout=60)
    with closing(Store(tmp_path)), pytest.raises(StoreError, match=f"process {os.getpid()}\\)"):
        Store(tmp_path)


def test_a_writer_that_was_killed_does_not_lock_anybody_out(tmp_path):
    """While another process writes it is named; once it is killed, its folder is free and its games are there."""
    writer = python(
        tmp_path,
        """
        store = Store(folder)
        store.write([row(1)])
        print("ready", flush=True)
        input()
        """,
    )
    with writer:
        assert writer.stdout.readline() == "ready\n"
        with pytest.raises(StoreError, match=rf"\(process {writer.pid}\)"):
            Store(tmp_path)
        assert games(tmp_path) == [row(1)]
        writer.kill()
    with closing(Store(tmp_path)) as store:
        store.write([row(2)])
    assert games(tmp_path) == [row(1), row(2)]


def test_other_folders_are_not_locked(store):
    """The lock is one folder's."""
    with closing(Store(store.folder.parent / "other")) as other:
        other.write([row(1)])


@pytest.mark.parametrize("kills", [4, pytest.param(20, marks=pytest.mark.long)])
def test_whatever_was_committed_survives_a_kill(tmp_path, kills):
    """A writer is killed at any moment, again and again: every game whose write had returned is there, and it goes on."""
    chance = random.Random(2)
    promised = set()
    for attempt in range(kills):
        writer = python(
            tmp_path,
            f"""
            store = Store(folder)
            for number in range({attempt} * 10**6, 10**9, 3):
                store.write([row(number), row(number + 1), row(number + 2)])
                print(number, flush=True)
            """,
        )
        with writer:
            killer = threading.Timer(chance.uniform(0, 0.1), writer.kill)
            lines = [writer.stdout.readline()]
            killer.start()
            lines += writer.stdout.readlines()
        assert writer.returncode == -9
        # A line that was cut off is one whose number we cannot read, not one that was not written.
        promised |= {int(line) + more for line in lines if line.endswith("\n") for more in range(3)}
    with closing(Store(tmp_path)) as store:
        there = {int(game, 16) for (game,) in store.rows("SELECT game FROM games")}
        assert store.rows("PRAGMA integrity_check") == [("ok",)]
    assert len(promised) >= 3 * kills
    assert promised <= there
    assert len(there - promised) <= 3 * kills  # the batch that was under way, whole
    assert all({number - number % 10**6 % 3 + more for more in range(3)} <= there for number in there)


# Logs that will not do


def whole_log(folder, count=300):
    """Make a log of some pages and return its bytes."""
    with closing(Store(folder)) as store:
        store.write([row(number) for number in range(count)])
    return (folder / LOG).read_bytes()


def of_format(folder, number):
    whole_log(folder)
    with closing(sqlite3.connect(folder / LOG)) as database:
        database.execute(f"PRAGMA user_version = {number}")
        database.execute("PRAGMA journal_mode = DELETE")


def of_another_program(folder):
    with closing(sqlite3.connect(folder / LOG)) as database:
        database.executescript("CREATE TABLE games (id); INSERT INTO games VALUES (1);")


def cut_at(share):
    def make(folder):
        data = whole_log(folder)
        (folder / LOG).write_bytes(data[: int(len(data) * share) if share < 1 else int(share)])

    return make


UNUSABLE = {
    "a newer format": (lambda folder: of_format(folder, SCHEMA + 1), "a newer arena"),
    "an older format": (lambda folder: of_format(folder, OLDEST_SCHEMA - 1), "an older arena"),
    "not SQLite": (lambda folder: (folder / LOG).write_text("game,winner\n" * 1000), "not an arena log"),
    "a few bytes": (lambda folder: (folder / LOG).write_bytes(b"SQLite"), "not an arena log"),
    "another program's": (of_another_program, "not an arena log"),
    "cut within the header": (cut_at(50), "not an arena log|damaged"),
    "cut after the header": (cut_at(100), "damaged"),
    "cut within the first page": (cut_at(2000), "damaged"),
    "cut after the first page": (cut_at(4096), "damaged"),
    "cut after a quarter": (cut_at(0.25), "damaged"),
    "cut in the middle": (cut_at(0.5), "damaged"),
    "cut before the last page": (cut_at(0.97), "damaged"),
}


@pytest.mark.parametrize("what", UNUSABLE)
@pytest.mark.parametrize("opening", [Store, Log])
def test_a_log_that_will_not_do_is_refused_and_left_alone(tmp_path, what, opening):
    """One clear line that names the file, what is wrong and that nothing was changed, and not a byte is."""
    make, words = UNUSABLE[what]
    make(tmp_path)
    before = (tmp_path / LOG).read_bytes()
    for _ in range(2):
        with pytest.raises(StoreError) as refusal:
            opening(tmp_path)
        told = str(refusal.value)
        assert told.startswith(str(tmp_path / LOG))
        assert "\n" not in told
        assert re.search(words, told)
        assert "othing was changed" in told
        assert (tmp_path / LOG).read_bytes() == before


def test_a_log_that_lost_a_single_byte_is_refused(tmp_path):
    """A file that is shorter than it says it is never used, however little is missing."""
    data = whole_log(tmp_path)
    (tmp_path / LOG).write_bytes(data[:-1])
    for opening in (Store, Log):
        with pytest.raises(StoreError, match="damaged"):
            opening(tmp_path)
    assert (tmp_path / LOG).read_bytes() == data[:-1]


def test_an_empty_file_is_a_new_log(tmp_path):
    """A file without a byte in it is used as if it were not there."""
    (tmp_path / LOG).touch()
    with closing(Store(tmp_path)) as store:
        store.write([row(1)])
    assert games(tmp_path) == [row(1)]


def test_a_folder_without_a_log_is_no_run_folder(tmp_path):
    """Reading makes nothing: one line, and no file."""
    for folder in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(StoreError, match="not a run folder"):
            Log(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    """A file where the folder should be, or above it, is named."""
    (tmp_path / "file").touch()
    for folder in (tmp_path / "file", tmp_path / "file" / "cup"):
        with pytest.raises(StoreError) as refusal:
            Store(folder)
        assert str(folder) in str(refusal.value)
        assert "\n" not in str(refusal.value)


# Disks


AS_NOBODY = """
import sys
from contextlib import closing
from pathlib import Path
from arena.errors import StoreError
from arena.log.reading import Log
from arena.log.writing import Store

folder = Path(sys.argv[1])
with closing(Log(folder)) as log:
    print(log.number("SELECT COUNT(*) FROM games"))
try:
    Store(folder)
except StoreError as error:
    print(error)
"""


def test_a_folder_that_cannot_be_written_can_be_read():
    """Somebody who may read a folder only reads it whole, and is told in one line that they cannot write it."""
    interpreter = ordinary_python()
    if os.getuid() != 0 or interpreter is None:
        pytest.skip("needs root, and a Python for nobody")
    folder = Path(
        subprocess.check_output(["mktemp", "-d"], text=True).strip()
    )  # /tmp/pytest-of-root is closed
    try:
        data = whole_log(folder)
        folder.chmod(0o755)
        tried = as_nobody([interpreter, "-c", AS_NOBODY, str(folder)])
        assert tried.stderr == ""
        count, told = tried.stdout.splitlines()
        assert count == "300"
        assert str(folder) in told
        assert (folder / LOG).read_bytes() == data
    finally:
        shutil.rmtree(folder)


FULL_DISK = """
import subprocess, sys
from contextlib import closing
from pathlib import Path
from arena.errors import StoreError
from arena.log.reading import Log
from arena.log.writing import Store
from tests.log.test_log import row

disk = Path(sys.argv[1])
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], stderr=subprocess.DEVNULL).returncode:
    sys.exit("cannot mount")
(disk / "filler").write_bytes(bytes(300_000))
folder = disk / "cup"
written = 0
store = Store(folder)
try:
    while written < 100_000:
        store.write([row(written), row(written + 1)])
        written += 2
except StoreError as error:
    print(error)
print(written)
def count():
    with closing(Log(folder)) as log:
        found = [int(game, 16) for (game,) in log.rows("SELECT game FROM games ORDER BY game")]
    return len(found) if found == list(range(len(found))) else "gaps"
print(count())
(disk / "filler").unlink()
store.write([row(written), row(written + 1)])
store.close()
print(count())
with closing(Store(folder)) as store:
    store.write([row(written + 2)])
    print(*store.rows("PRAGMA integrity_check")[0])
print(count())
"""


def test_a_full_disk_loses_nothing(tmp_path):
    """It is said in one line; what was written before is there, and once there is room writing goes on."""
    command = ["unshare", "--mount"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--mount"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*command, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this machine gives no mount namespace")
    tried = subprocess.run(
        [*command, sys.executable, "-c", FULL_DISK, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        check=False,
    )
    if tried.stderr == "cannot mount\n":
        pytest.skip("this machine mounts nothing")
    assert tried.stderr == ""
    told, written, then, later, health, last = tried.stdout.splitlines()
    assert told.startswith(str(tmp_path / "cup" / LOG))
    assert "the disk is full; every game written so far is kept" in told
    assert int(written) > 100
    assert [int(then), int(later), int(last)] == [int(written), int(written) + 2, int(written) + 3]
    assert health == "ok"


def test_ctrl_c_in_a_long_question_is_no_damage(tmp_path, monkeypatch):
    """SQLite ends a question when Python raises something within it, and says only that it was interrupted."""
    Store(tmp_path).close()

    def press(database, file):
        database.set_progress_handler(lambda: signal.raise_signal(signal.SIGINT), 10)

    monkeypatch.setattr("arena.log.asking.be_patient", press)
    with closing(Log(tmp_path)) as log, pytest.raises(KeyboardInterrupt):
        log.rows(
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT SUM(x) FROM n"
        )
