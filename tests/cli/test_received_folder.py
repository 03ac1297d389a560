"""A run folder from an enemy: whatever is in it, all that happens is a sentence.

Each attack is tried with the command, as somebody would who was sent the folder, and made with nothing but SQLite
and the file system: no code of arena's writes what arena would not write. What could hang, or could write through
descriptors that a process has open already, is tried with the installed command.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import inside
from tests.fuzz.folders import SPY
from tests.tournament.field import CHANCE, FIRST, LAST, write
from tests.tournament.field import arena as started_anew

BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE}
READERS = [["leaderboard"], ["crosstable"], ["games"], ["digest"], ["verify"]]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A tournament that an enemy has really played, trusted, with a bot that leaves a mark where it may."""
    folder = tmp_path_factory.mktemp("enemy")
    spy = SPY.format(mark=str(folder / "mark"))
    config = write(
        folder,
        BOTS | {"spy": spy},
        variants=["blockade-line", "snort:line-9"],
        openings=2,
        isolation="trusted",
    )
    done = arena("run", config, "--quiet", "--executor", "serial", cwd=folder)
    assert done.returncode == 0, done.stderr
    (folder / "mark").unlink()
    return folder


@pytest.fixture
def received(played, tmp_path):
    """A copy of the whole folder, to be tampered with; its run folder is `results/cup`."""
    here = tmp_path / "here"
    shutil.copytree(played, here)
    for cache in (here / "results" / "cup").glob("cache.sqlite*"):
        cache.unlink()
    return here


def arena(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command in this process."""
    return inside(*words, cwd=cwd)


def run_folder(here: Path) -> Path:
    return here / "results" / "cup"


def tamper(here: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    with closing(sqlite3.connect(run_folder(here) / "games.sqlite", isolation_level=None)) as log:
        for statement in statements:
            log.execute(statement, values)
        log.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def ask(here: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(run_folder(here) / "games.sqlite")) as log:
        return log.execute(query).fetchall()


def listing(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def told(done: subprocess.CompletedProcess[str]) -> str:
    """The sentence that a user is told: one line, exit 1, no traceback."""
    assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr


def game_of(here: Path, bot: str) -> str:
    return ask(here, f"SELECT game FROM games WHERE '{bot}' IN (first, second)")[0][0]


def stored_hash(main: str, files: dict[str, bytes], command: Sequence[str] = ()) -> str:
    """The hash of a bot's files, as anybody can compute it."""
    digest = hashlib.sha256("".join(f"{word}\0" for word in command).encode())
    for path in sorted(files):
        digest.update(f"{'bot.py' if path == main else path}\0{len(files[path])}\0".encode())
        digest.update(files[path])
    return digest.hexdigest()


# Finding 1: the log's word is no permission.


def test_a_stored_bot_is_sandboxed_whatever_the_log_says(received, played):
    """The games were played trusted; played again here, the bot's mark is not made."""
    game = game_of(received, "spy")
    assert ask(received, f"SELECT isolation FROM games WHERE game = '{game}'") == [("trusted",)]
    done = arena("rerun", "cup", game, cwd=received)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The same as in the log." in done.stdout
    assert not (played / "mark").exists()


def test_a_stored_bot_is_trusted_if_the_user_says_so(received, played):
    """Somebody who types it means it: the mark is made, which shows that the bot would make it."""
    done = arena("rerun", "cup", game_of(received, "spy"), "--isolation", "trusted", cwd=received)
    assert done.returncode == 0
    assert (played / "mark").exists()
    (played / "mark").unlink()


def test_a_source_that_is_not_the_one_that_played_is_not_run(received):
    """Stored under the hash of another, it is refused by rerun and named by verify."""
    tamper(received, "UPDATE bots SET source = 'raise SystemExit' WHERE name = 'spy'")
    assert "spy" in told(arena("rerun", "cup", game_of(received, "spy"), cwd=received))
    verified = arena("verify", "cup", cwd=received)
    assert verified.returncode == 1
    assert "spy" in verified.stdout
    assert arena("leaderboard", "cup", cwd=received).returncode == 0, "what was readable stays readable"


def test_a_stored_old_version_is_sandboxed_in_a_tournament_that_trusts_its_own_bots(tmp_path):
    """A Swiss goes on with an old version out of the log: not trusted because the file trusts today's bots."""
    mark = tmp_path / "mark"
    bots = BOTS | {"spy": SPY.format(mark=str(mark))}
    settings: dict[str, Any] = {
        "variants": ["snort:line-9"],
        "openings": 3,
        "format": "swiss",
        "isolation": "trusted",
    }
    config = write(tmp_path, bots, rounds=1, **settings)
    assert arena("run", config, "--quiet", cwd=tmp_path).returncode == 0
    assert mark.exists()
    mark.unlink()
    ids = ask(tmp_path, "SELECT game FROM games WHERE 'spy' IN (first, second)")
    tamper(tmp_path, *(f"DELETE FROM games WHERE game = '{game}'" for (game,) in ids))
    (tmp_path / "bots" / "spy.py").write_text(FIRST)  # edited: its frozen round is played by the old one
    done = arena("run", config, "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    again = ask(tmp_path, "SELECT isolation FROM games WHERE 'spy' IN (first, second)")
    assert set(again) == {("sandboxed",)}
    assert not mark.exists()


# Finding 2: nothing outside a folder is written because of what is in it.


@pytest.mark.parametrize(
    "path", ["../../../../planted", "{outside}/planted", "a/../../../../../planted", "..", "x\0y", ""]
)
def test_a_stored_path_does_not_leave_its_folder(received, tmp_path, path):
    """With all hashes made to fit, a bot whose files would lie elsewhere is refused, and nothing is written."""
    outside = tmp_path / "outside"
    outside.mkdir()
    path = path.format(outside=outside)
    (source,) = ask(received, "SELECT source FROM bots WHERE name = 'spy'")[0]
    files = {"spy.py": source.encode(), path: b"planted"}
    full = stored_hash("spy.py", files)
    tamper(received, "UPDATE bots SET hash = ?, version = ? WHERE name = 'spy'", values=(full, full[:12]))
    tamper(received, "INSERT INTO files VALUES (?, ?, ?)", values=(full, path, b"planted"))
    for column in ("first", "second"):
        tamper(received, f"UPDATE games SET {column}_version = ? WHERE {column} = 'spy'", values=(full[:12],))
    before = listing(tmp_path)
    told(arena("rerun", "cup", game_of(received, "spy"), cwd=received))
    new = listing(tmp_path) - before
    assert not [name for name in new if "planted" in name]
    assert not list(outside.iterdir())


def test_merging_adds_no_file_to_bots_of_mine(received, played, tmp_path):
    """A folder without games, whose files go by the hashes of my bots, changes nothing of mine."""
    mine = tmp_path / "mine"
    shutil.copytree(played, mine)
    (full,) = ask(mine, "SELECT hash FROM bots WHERE name = 'first'")[0]
    tamper(received, "DELETE FROM games")
    tamper(received, "INSERT INTO files VALUES (?, '../../../planted', x'00')", values=(full,))
    done = arena("merge", run_folder(mine), run_folder(received), cwd=tmp_path)
    assert "Traceback" not in done.stderr
    assert ask(mine, "SELECT * FROM files") == []
    assert arena("verify", run_folder(mine), cwd=tmp_path).returncode == 0


def outside_file(tmp_path: Path) -> Path:
    place = tmp_path / "outside"
    place.mkdir()
    with closing(sqlite3.connect(place / "precious.sqlite")) as database:
        database.execute("CREATE TABLE precious (value)")
    return place / "precious.sqlite"


@pytest.mark.parametrize("name", ["cache.sqlite", "lock.sqlite", "games.sqlite-wal", "games.sqlite-shm"])
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_no_link_is_written_through(received, tmp_path, name, link):
    """Whatever file of a folder is a link to one elsewhere, that one stays as it is."""
    precious = outside_file(tmp_path)
    before = precious.read_bytes()
    place = run_folder(received) / name
    place.unlink(missing_ok=True)
    link(precious, place)
    for command in (["leaderboard", "cup"], ["run", "configs/cup.toml", "--quiet", "--executor", "serial"]):
        done = started_anew(*command, cwd=received)
        assert done.returncode in (0, 1), done.stderr
        assert "Traceback" not in done.stderr
        assert precious.read_bytes() == before


def test_evidence_is_not_written_through_links(received, tmp_path):
    """`faults/`, a game's folder in it, or a file in that may be links laid for games to come: none is followed."""
    precious = outside_file(tmp_path)
    before = precious.read_bytes()
    (received / "bots" / "liar.py").write_text("def move(position):\n    return 999\n")
    run = ["run", "configs/cup.toml", "--quiet", "--executor", "serial"]
    fresh = tmp_path / "fresh"
    shutil.copytree(received, fresh)
    assert arena(*run, cwd=fresh).returncode == 0
    games = [path.name for path in (run_folder(fresh) / "faults").iterdir()]
    assert games
    for lay in ("all", "game", "file"):
        here = tmp_path / lay
        shutil.copytree(received, here)
        faults = run_folder(here) / "faults"
        if lay == "all":
            faults.symlink_to(precious.parent)
        else:
            for game in games:
                if lay == "game":
                    faults.mkdir(exist_ok=True)
                    (faults / game).symlink_to(precious.parent)
                else:
                    (faults / game).mkdir(parents=True)
                    (faults / game / "printed.txt").symlink_to(precious)
        done = arena(*run, cwd=here)
        assert "Traceback" not in done.stderr
        assert precious.read_bytes() == before
        assert [path.name for path in precious.parent.iterdir()] == ["precious.sqlite"], lay


def hot_journal(database: Path, named: Path) -> bytes:
    """A rollback journal that SQLite would act upon: it deletes the file that it names as its master."""
    name = str(named).encode()
    page = 4096
    header = bytes.fromhex("d9d505f920a163d7") + struct.pack(
        ">IIIII", 0, 0, database.stat().st_size // page, 512, page
    )
    master = struct.pack(">I", 0x40000000 // page + 1) + name
    tail = struct.pack(">II", len(name), sum(struct.unpack(f"{len(name)}b", name)) & 0xFFFFFFFF)
    return header.ljust(512, b"\0") + master + tail + bytes.fromhex("d9d505f920a163d7")


@pytest.mark.parametrize("name", ["cache.sqlite", "lock.sqlite", "games.sqlite"])
def test_a_journal_that_names_another_file_does_not_delete_it(received, tmp_path, name):
    """SQLite obeys a journal beside a database, to the point of deleting a file that it names."""
    precious = tmp_path / "precious.txt"
    precious.write_text("mine\n")
    place = run_folder(received) / name
    if not place.exists():
        with closing(sqlite3.connect(place)) as made:
            made.execute("CREATE TABLE kept (name, state, value)")
    place.with_name(f"{name}-journal").write_bytes(hot_journal(place, precious))
    for command in (["leaderboard", "cup"], ["run", "configs/cup.toml", "--quiet", "--executor", "serial"]):
        done = started_anew(*command, cwd=received)
        assert "Traceback" not in done.stderr
        assert precious.read_text() == "mine\n"


# Finding 10: a received folder can neither lie nor poison.


def standings(here: Path) -> dict[str, int]:
    done = arena("leaderboard", "cup", "--format", "json", cwd=here)
    assert done.returncode == 0, done.stderr
    return {row["bot"]: row["wins"] for row in json.loads(done.stdout)}


def wins(here: Path) -> dict[str, int]:
    found = ask(here, "SELECT winner, COUNT(*) FROM games GROUP BY 1")
    return dict.fromkeys((*BOTS, "spy"), 0) | dict(found)


def test_a_cache_that_came_along_is_not_believed(received, played, tmp_path):
    """A cache in which every count is another, with whatever state the log has: the table is the log's."""
    assert standings(received) == wins(received)
    cache = run_folder(received) / "cache.sqlite"
    with closing(sqlite3.connect(cache, isolation_level=None)) as forged:
        rows = forged.execute("SELECT name, value FROM kept").fetchall()
        assert rows
        for name, value in rows:
            text = value.replace('"first", "last", "first"', '"first", "last", "last"')
            forged.execute("UPDATE kept SET value = ? WHERE name = ?", (text, name))
        forged.execute("UPDATE grades SET first_kept = 99, first_graded = 100")
    assert standings(received) == wins(received)
    accuracy = json.loads(arena("leaderboard", "cup", "--format", "json", cwd=received).stdout)
    assert all(row["graded"] is None or row["graded"] < 99 for row in accuracy)


def test_a_cache_of_another_user_is_not_believed(received, tmp_path):
    """What somebody else has signed, with a key of theirs, is as good as unsigned."""
    theirs = {"XDG_CONFIG_HOME": str(tmp_path / "theirs")}
    assert started_anew("leaderboard", "cup", cwd=received, env=theirs).returncode == 0
    cache = run_folder(received) / "cache.sqlite"
    before = cache.read_bytes()
    assert standings(received) == wins(received)
    assert cache.read_bytes() != before, "it was computed anew"


def test_a_log_that_was_changed_behind_its_cache_is_read_anew(received):
    """Size and time of change as they were: the table is still that of the log."""
    assert standings(received) == wins(received)
    log = run_folder(received) / "games.sqlite"
    stat = log.stat()
    tamper(received, "UPDATE games SET winner = CASE winner WHEN first THEN second ELSE first END")
    os.utime(log, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert log.stat().st_size == stat.st_size
    done = arena("leaderboard", "cup", "--format", "json", cwd=received)
    if done.returncode == 0:
        assert {row["bot"]: row["wins"] for row in json.loads(done.stdout)} == wins(received)


FOREIGN = {
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON games BEGIN UPDATE games SET winner = second; END",
    "a view": "CREATE VIEW v AS WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n FROM x",
    "a table": "CREATE TABLE extra (a)",
    "an index": "CREATE INDEX i ON games (winner)",
    "a column": "ALTER TABLE games ADD COLUMN extra",
    "another name": "ALTER TABLE voids RENAME TO v2",
    "no plan": "DROP TABLE plan",
}


@pytest.mark.parametrize("what", FOREIGN)
def test_a_log_with_anything_else_in_it_is_refused(received, what):
    """Tables, columns, triggers, views and indices are those that arena writes, or a sentence says so."""
    tamper(received, FOREIGN[what])
    for command in READERS:
        assert "games.sqlite" in told(arena(*command, "cup", cwd=received))
    before = (run_folder(received) / "games.sqlite").read_bytes()
    told(arena("run", "configs/cup.toml", "--quiet", cwd=received))
    assert (run_folder(received) / "games.sqlite").read_bytes() == before


MALFORMED = {
    "a winner who did not play": "UPDATE games SET winner = 'mallory' WHERE rowid = 1",
    "an ending that there is not": "UPDATE games SET ending = 'draw' WHERE rowid = 1",
    "a number that is a text": "UPDATE games SET plies = 'many' WHERE rowid = 1",
    "a blob": "UPDATE games SET detail = x'ff00' WHERE rowid = 1",
    "a bot's name": "UPDATE games SET first = char(27) || '[31m' WHERE rowid = 1",
    "a plan with a game twice": "INSERT INTO plan SELECT * FROM plan LIMIT 1",
    "a plan with all games twice": "INSERT INTO plan SELECT * FROM plan",
    "a game under another's id": "UPDATE plan SET first = second, second = first WHERE rowid = 1",
    "a bot that did not enter": "UPDATE plan SET first = 'mallory' WHERE rowid = 3",
    "a variant that is not played": "UPDATE plan SET variant = 'col:line-3' WHERE rowid = 3",
    "a field that is no field": "UPDATE facts SET value = '[]' WHERE name = 'field'",
    "a field that is too deep": "UPDATE facts SET value = replace(hex(zeroblob(50000)), '0', '[') WHERE name = 'field'",
    "limits that are none": """UPDATE facts SET value = replace(value, '"memory_mib": 512', '"memory_mib": "x"')
        WHERE name = 'field'""",
    "minus a game": "UPDATE games SET opening_plies = -3 WHERE rowid = 1",
    "endless seconds": "UPDATE games SET first_cpu_seconds = 9e999 WHERE rowid = 1",
    "a variant twice": """UPDATE facts SET value = replace(value, '"variants": [[', '"variants": [["snort:line-9", "000000000000"], [')
        WHERE name = 'field'""",
    "a NUL among the moves": "UPDATE games SET moves = moves || char(0) || 'x' WHERE rowid = 1",
    "a hidden length": "UPDATE games SET detail = 'a' || char(0) || hex(zeroblob(100000)) WHERE rowid = 1",
    "an unplayed game of nobody": "INSERT INTO plan SELECT 'no id', variant, opening, repeat, first, second, cells FROM plan LIMIT 1",
    "a bot against itself": """INSERT INTO plan SELECT '0123456789abcdef', variant, opening, repeat, first, first, cells
        FROM plan LIMIT 1""",
    "a negative number": "UPDATE plan SET rowid = -7 WHERE rowid = 3",
    "a long detail": "UPDATE games SET detail = hex(zeroblob(100000)) WHERE rowid = 1",
    "a fact that is no text": "UPDATE facts SET value = x'00' WHERE name = 'field'",
}


@pytest.mark.parametrize("what", MALFORMED)
def test_rows_that_arena_would_not_write_are_a_sentence(received, what):
    """No table of them is shown, and the sentence says what is wrong where."""
    tamper(received, MALFORMED[what])
    for command in (["leaderboard"], ["crosstable"], ["games"], ["digest"]):
        sentence = told(arena(*command, "cup", cwd=received))
        assert "games.sqlite" in sentence
        assert sentence.strip().isprintable()
    verified = arena("verify", "cup", cwd=received)
    assert verified.returncode == 1
    assert "Traceback" not in verified.stderr


def test_a_game_on_a_variant_that_is_not_played_is_a_sentence(received):
    """It is looked at by itself, before all games are."""
    (game,) = ask(received, "SELECT game FROM games")[0]
    tamper(received, f"UPDATE games SET variant = '9007199254740992' WHERE game = '{game}'")
    for command in (["replay", "cup", game], ["replay", "cup", game, "--grade"], ["rerun", "cup", game]):
        told(arena(*command, cwd=received))


def without_an_index(here: Path) -> None:
    """Empty the plan, and the index of ids: the log looks as if no game had been played."""
    tamper(here, "DELETE FROM plan")
    log = run_folder(here) / "games.sqlite"
    with closing(sqlite3.connect(log)) as database:
        name = "sqlite_autoindex_games_1"
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
    data = bytearray(log.read_bytes())
    data[(root - 1) * 4096 : root * 4096] = struct.pack(">BHHHB", 10, 0, 0, 4096, 0).ljust(4096, b"\0")
    log.write_bytes(data)


def test_games_that_an_index_hides_are_not_signed_as_ours(received):
    """A run goes on with nothing that it has not looked at, and its word is not lent to a stranger's rows."""
    without_an_index(received)
    told(arena("run", "configs/cup.toml", "--quiet", "--executor", "serial", cwd=received))
    told(arena("leaderboard", "cup", cwd=received))


@pytest.mark.parametrize("path", ["../../../planted", "{outside}/planted"])
def test_a_planned_id_is_no_path(received, tmp_path, path):
    """A plan whose fingerprint is right and whose ids are paths: evidence of a forfeit is not written there."""
    (received / "bots" / "liar.py").write_text("def move(position):\n    return 999\n")
    run = ["run", "configs/cup.toml", "--quiet", "--executor", "serial"]
    assert arena(*run, cwd=received).returncode == 0
    (game,) = ask(received, "SELECT game FROM games WHERE ending = 'illegal'")[0]
    shutil.rmtree(run_folder(received) / "faults")
    (tmp_path / "outside").mkdir()
    tamper(received, f"DELETE FROM games WHERE game = '{game}'")
    tamper(
        received,
        f"UPDATE plan SET game = ? WHERE game = '{game}'",
        values=(path.format(outside=tmp_path / "outside"),),
    )
    before = listing(tmp_path)
    done = arena(*run, cwd=received)
    assert "Traceback" not in done.stderr
    assert not [name for name in listing(tmp_path) - before if "planted" in name]


def test_who_was_drawn_is_not_a_strangers_choice(tmp_path):
    """A knock-out's bracket follows from who was there at first; another list gives no other winner."""
    config = write(
        tmp_path, BOTS, variants=["snort:line-9"], openings=2, format="knock-out", isolation="trusted"
    )
    assert arena("run", config, "--quiet", "--executor", "serial", cwd=tmp_path).returncode == 0
    tamper(tmp_path, """UPDATE facts SET value = '["chance"]' WHERE name LIKE 'drawn %'""")
    assert "drawn" in told(arena("leaderboard", "cup", cwd=tmp_path))


@pytest.mark.parametrize(
    "bots",
    [
        pytest.param("one, one_version, other, other_version", marks=pytest.mark.long, id="alike"),
        pytest.param("other, other_version, one, one_version", id="exchanged"),
    ],
)
@pytest.mark.parametrize("format", ["swiss", "knock-out"])
def test_a_pairing_that_is_there_twice_counts_no_game_twice(tmp_path, format, bots):
    """A round's row doubled, also with its bots exchanged: its games would be, and so would be everybody's wins."""
    config = write(tmp_path, BOTS, variants=["snort:line-9"], openings=2, format=format, isolation="trusted")
    run = ["run", config, "--quiet", "--executor", "serial", "--isolation", "trusted"]
    assert arena(*run, cwd=tmp_path).returncode == 0
    tamper(tmp_path, f"INSERT INTO rounds SELECT series, round, {bots}, start, count FROM rounds LIMIT 1")
    commands: list[list[Any]] = [run]
    if format == "knock-out":  # which draws its bracket
        commands.append(["leaderboard", "cup"])
    for command in commands:
        assert "its rounds are not as arena writes them" in told(arena(*command, cwd=tmp_path))


@pytest.mark.parametrize("data", [b"", b"no database at all", b"other table"])
@pytest.mark.long
def test_a_lock_that_is_none_is_a_sentence_and_holds_nothing(received, data):
    """It is made anew where it is empty; else the user is told to remove it, and the log is left alone."""
    lock = run_folder(received) / "lock.sqlite"
    lock.write_bytes(data)
    if data == b"other table":
        lock.unlink()
        with closing(sqlite3.connect(lock)) as database:
            database.execute("CREATE TABLE other (x)")
    done = arena("run", "configs/cup.toml", "--quiet", cwd=received)
    if data:
        assert "lock.sqlite: is damaged; remove it" in told(done)
        lock.unlink()
    assert arena("run", "configs/cup.toml", "--quiet", cwd=received).returncode == 0


def test_a_variant_of_mine_is_not_shown_on_anothers_board(tmp_path):
    """Of a name that my folder has for another board, no game is merged, and mine are replayed as they were."""
    homes = {}
    for rule in ("snort", "col"):
        home = homes[rule] = tmp_path / rule
        home.mkdir()
        (home / "kite.toml").write_text(f'rule = "{rule}"\nboard = "line-9"\n')
        config = write(home, BOTS, variants=["kite.toml"], openings=2, isolation="trusted")
        assert arena("run", config, "--quiet", "--executor", "serial", cwd=home).returncode == 0
    (game,) = ask(homes["snort"], "SELECT game FROM games")[0]
    before = arena("replay", run_folder(homes["snort"]), game, "--grade", cwd=tmp_path)
    done = arena("merge", run_folder(homes["snort"]), run_folder(homes["col"]), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "12 were left out" in done.stdout
    after = arena("replay", run_folder(homes["snort"]), game, "--grade", cwd=tmp_path)
    assert (after.returncode, after.stdout) == (0, before.stdout)


BAD_OPENINGS = {
    "the same twice": "UPDATE openings SET cells = (SELECT cells FROM openings WHERE opening = 1 LIMIT 1)",
    "an illegal one": "UPDATE openings SET cells = '3 3' WHERE opening = 1",
    "a long one": "UPDATE openings SET cells = '0 2 4 6' WHERE opening = 1",
    "no numbers": "UPDATE openings SET cells = 'north' WHERE opening = 1",
    "a gap": "UPDATE openings SET opening = 7 WHERE opening = 1",
}


@pytest.mark.parametrize("what", BAD_OPENINGS)
def test_openings_that_nobody_draws_are_a_sentence(received, what):
    """A run that would go on with them says so, and plays nothing; so do verify and rerun."""
    tamper(received, BAD_OPENINGS[what])
    config = received / "configs" / "cup.toml"
    config.write_text(config.read_text().replace("openings = 2", "openings = 3"))
    before = ask(received, "SELECT COUNT(*) FROM games")
    assert "openings" in told(arena("run", config, "--quiet", cwd=received))
    assert ask(received, "SELECT COUNT(*) FROM games") == before
    told(arena("verify", "cup", cwd=received))
    told(arena("rerun", "cup", game_of(received, "spy"), cwd=received))


def test_openings_that_are_not_those_of_the_seed_are_named_by_verify(received):
    """Legal and distinct, but chosen by somebody: only drawing them again tells."""
    cells = {
        text
        for (text,) in ask(
            received, "SELECT cells FROM openings WHERE variant = 'snort:line-9' AND opening = 1"
        )
    }
    other = next(cell for cell in ("2", "5", "1") if {cell} != cells)
    for table in ("openings", "plan"):
        tamper(
            received, f"UPDATE {table} SET cells = '{other}' WHERE variant = 'snort:line-9' AND opening = 1"
        )
    tamper(received, "DELETE FROM games", "DELETE FROM plan")
    verified = arena("verify", "cup", cwd=received)
    assert verified.returncode == 1
    assert "openings" in verified.stdout


DEFINITIONS = {
    "no JSON": "[[[[",
    "too deep": "[" * 100_000,
    "a huge board": json.dumps({"rule": "snort", "board": "graph", "size": 10**9, "edges": []}),
    "a width without bound": None,
}


@pytest.mark.parametrize("what", DEFINITIONS)
def test_a_definition_without_bound_is_a_sentence(received, what):
    """A board of a billion cells, or a name padded to a billion characters, is not tried."""
    text = DEFINITIONS[what]
    if text is None:
        (text,) = ask(received, "SELECT definition FROM variants WHERE name = 'snort:line-9'")[0]
        text = text.replace('"{number}"', '"{number:999999999}"')
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    tamper(
        received,
        "UPDATE variants SET definition = ?, version = ? WHERE name = 'snort:line-9'",
        values=(text, version),
    )
    field = json.loads(ask(received, "SELECT value FROM facts WHERE name = 'field'")[0][0])
    field["variants"] = [
        [name, version if name == "snort:line-9" else old] for name, old in field["variants"]
    ]
    tamper(received, "UPDATE facts SET value = ? WHERE name = 'field'", values=(json.dumps(field),))
    (game,) = ask(received, "SELECT game FROM games WHERE variant = 'snort:line-9'")[0]
    for command in (
        ["leaderboard", "cup"],
        ["verify", "cup"],
        ["replay", "cup", game],
        ["rerun", "cup", game],
    ):
        assert "snort:line-9" in told(arena(*command, cwd=received))


def test_a_page_that_points_at_itself_is_a_sentence(received):
    """A table whose tree goes in circles looks endless; it is given up, and soon."""
    log = run_folder(received) / "games.sqlite"
    with closing(sqlite3.connect(log)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'plan'").fetchone()
    page = bytearray(4096)
    children = 500
    struct.pack_into(">BHHHB", page, 0, 5, 0, children, 4096 - 6 * children, 0)
    struct.pack_into(">I", page, 8, root)
    for cell in range(children):
        at = 4096 - 6 * (cell + 1)
        struct.pack_into(">H", page, 12 + 2 * cell, at)
        struct.pack_into(">I", page, at, root)
        page[at + 4] = 1
    data = bytearray(log.read_bytes())
    data[(root - 1) * 4096 : root * 4096] = page
    log.write_bytes(data)
    for command in READERS:
        done = arena(*command, "cup", cwd=received)
        assert done.returncode == 1, done.stdout
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["games.sqlite", "games.sqlite-wal", "lock.sqlite"])
def test_a_pipe_instead_of_a_file_does_not_hang(received, name):
    """Reading it would wait for ever."""
    place = run_folder(received) / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    done = started_anew("run", "configs/cup.toml", "--quiet", cwd=received)
    assert name in told(done)


def test_the_folder_of_somebody_else_is_continued_verified_and_merged(received, tmp_path):
    """None of this hinders honest colleagues: a received folder is shown, verified, continued and merged."""
    assert standings(received) == wins(received)
    assert arena("verify", "cup", cwd=received).returncode == 0
    config = received / "configs" / "cup.toml"
    config.write_text(config.read_text().replace("openings = 2", "openings = 3"))
    done = arena("run", config, "--quiet", "--executor", "serial", cwd=received)
    assert done.returncode == 0, done.stderr
    assert ask(received, "SELECT COUNT(*) FROM games") == [(72,)]
    verified = arena("verify", "cup", cwd=received)
    assert verified.returncode == 0, verified.stdout
    assert "not checked" in verified.stdout
