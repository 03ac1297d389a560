"""What strangers write does nothing where it is shown: every command, every format.

The stage is a folder in which everything was written by somebody hostile: the logs of small real runs, into
which texts were written that a terminal, a spreadsheet, a browser or LaTeX would act on; bots that print them
and fail with them; variant and tournament files; names of files and folders; what is typed.

A reader may also refuse such a folder: then it says so in one printable line and leaves with 1.
"""

import io
import json
import re
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing

import pytest

from arena.cli import app, main
from tests.cli import command
from tests.hostile.texts import TRICKS
from tests.reports.harmless import CHECKS, check_csv, check_harmless, check_markdown
from tests.tournament import field

FORMATS = ["table", "markdown", "csv", "json", "html", "latex"]
VARIANT = "kayles:line-5"
NEW_NAMES = {
    "botone": "=cmd|' /C calc'!A0" + TRICKS,
    "bottwo": "@SUM(1)" + TRICKS,
    "botbad": "# -1" + TRICKS,
    VARIANT: "+1" + TRICKS,
}
DETAIL = "-1" + TRICKS
FILE = TRICKS.replace("/", "")  # what a file may be called
QUICK = ("--isolation", "trusted", "--executor", "serial")

FAILING = f"def move(position):\n    print({TRICKS!r})\n    raise RuntimeError({TRICKS!r} + chr(0xD800))\n"
BOTS = {"botone": field.FIRST, "bottwo": field.LAST, "botbad": FAILING}

RULE_BOOK = {
    "": {
        "title": TRICKS,
        "text": TRICKS.replace("# forged", "more"),
        "literature": TRICKS,
        "rule": "kayles",
        "board": "line-5",
    },
    "[notation]": {
        "printed": "\x1b[31m\n# forged{number}\x07",
        "row": "\x1b[31m{} {} {}\x9b {} {}\u202e",
    },
    "[dialogue]": {
        "welcome": TRICKS.replace("{x}", "").replace("\n", ""),
        "turn": "\x1b[31m{available}\n",
        "prompt": "\x1b]0;\x07> ",
        "placed": "\u202e{cell} {blocked}\n",
        "over": "\x9b{player}\n",
    },
    "[[errata]]": {"where": TRICKS, "what": TRICKS},
}
"""A variant file: its prose may have lines, and all else is hostile."""


def written(book):
    """A variant file as TOML, whose strings are those of JSON."""
    parts = [
        (table, [f"{key} = {json.dumps(text)}" for key, text in keys.items()]) for table, keys in book.items()
    ]
    return "\n".join(line for table, lines in parts for line in (table, *lines, ""))


def tamper(folder, names, **values):
    """Write new names for old ones wherever a log has them, and values into columns of its games."""
    with closing(sqlite3.connect(folder / "games.sqlite")) as log, log:
        for table in [name for (name,) in log.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]:
            for column in [row[1] for row in log.execute(f"PRAGMA table_info({table})")]:
                for old, new in names.items():
                    log.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (new, old))
                    quoted = json.dumps(old), json.dumps(new)
                    log.execute(f"UPDATE {table} SET {column} = replace({column}, ?, ?)", quoted)
        for column, value in values.items():
            log.execute(f"UPDATE games SET {column} = ? WHERE ending <> 'no-moves'", (value,))
    (folder / "cache.sqlite").unlink(missing_ok=True)


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A folder with two finished runs in which nothing is hostile yet but one bot."""
    folder = tmp_path_factory.mktemp("clean")
    field.write(folder, BOTS, variants=[VARIANT, "blockade-line"], openings=2)
    field.write(folder, BOTS, "knock", variants=["blockade-line"], openings=2, format="knock-out")
    field.write(folder, {}, "book", variants=["book.toml"], openings=2)
    for config in (folder / "configs").glob("*.toml"):
        config.write_text(config.read_text().replace("*.py", "bot*.py"))
    for name in ("cup", "knock"):
        done = field.arena("run", f"configs/{name}.toml", *QUICK, cwd=folder)
        assert done.returncode == 0, done.stderr
    shutil.copytree(folder / "results" / "cup", folder / "results" / "other")
    shutil.copytree(folder / "results" / "cup", folder / "results" / "worse")
    return folder


@pytest.fixture(scope="module")
def tampered(clean, tmp_path_factory):
    """The same folder after a hostile visit."""
    folder = tmp_path_factory.mktemp("tampered") / "stage"
    shutil.copytree(clean, folder)
    tamper(folder / "results" / "cup", NEW_NAMES, detail=DETAIL)
    tamper(folder / "results" / "knock", NEW_NAMES | {"knock": TRICKS}, detail=DETAIL)
    tamper(folder / "results" / "other", NEW_NAMES, ending="crash", winner=TRICKS)
    worse = {"ending": TRICKS, "isolation": TRICKS, "first_version": TRICKS, "second_version": TRICKS}
    tamper(folder / "results" / "worse", NEW_NAMES, **worse)
    (folder / "book.toml").write_text(written(RULE_BOOK))
    (folder / "wrong.toml").write_text(f"{json.dumps(TRICKS)} = 1\nrule = {json.dumps(TRICKS)}\n")
    (folder / f"{FILE}.toml").write_text("rule = 1")
    (folder / "bots" / f"{FILE}.py").write_text(FAILING)
    (folder / "bots" / "=1+1.py").write_text(f"'''{TRICKS.partition(chr(10))[0]}'''\n")
    hostile = f"[tournament]\nname = {json.dumps(TRICKS)}\nvariants = [{json.dumps(TRICKS)}]\n"
    (folder / "configs" / "hostile.toml").write_text(hostile + '[[bots]]\npath = "bots/*.py"\n')
    return folder


@pytest.fixture
def stage(tampered, tmp_path, monkeypatch):
    """A copy of the tampered folder to do as one likes with, and to be in."""
    shutil.copytree(tampered, tmp_path / "stage")
    monkeypatch.chdir(tmp_path / "stage")
    return tmp_path / "stage"


def arena(*arguments, typed=""):
    """Run the command line in this process, as `main` does for the installed command; code, output, errors."""
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    output, errors = io.StringIO(), io.StringIO()
    sys.argv, sys.stdin, sys.stdout, sys.stderr = ["arena", *arguments], io.StringIO(typed), output, errors
    code: str | int = 0
    try:
        main()
    except SystemExit as leave:
        code = leave.code or 0
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    return code, output.getvalue(), errors.getvalue()


RUNS = ["cup", "knock", "other", "worse"]
IN_FORMATS = [(run, "--format", format) for run in RUNS for format in FORMATS]
PAGE_FORMATS = ["table", "markdown", "html", "json"]
EVERY_RUN = [(run,) for run in RUNS]
FAILED, PLAYED = "{failed}", "{played}"  # a game of the run that a bot forfeited, and one played to its end

CASES: dict[str, Sequence[tuple[str, ...]]] = {
    "run": [
        ("configs/cup.toml", *QUICK),
        ("configs/cup.toml", "--dry-run"),
        ("configs/cup.toml", "--again", TRICKS),
        ("configs/book.toml", *QUICK),
        ("configs/book.toml", "--dry-run", *QUICK),
        ("configs/knock.toml", *QUICK),
        ("configs/hostile.toml",),
        (FILE,),
    ],
    "leaderboard": [
        *IN_FORMATS,
        *((run, "--by", by) for run in RUNS for by in ("variant", "side")),
        ("cup", "--variant", NEW_NAMES[VARIANT]),
        ("cup", "--variant", TRICKS),
        ("cup", "--without-forfeits"),
        ("cup", f"--{TRICKS}"),
        ("cup", "--format", TRICKS),
        (TRICKS,),
    ],
    "crosstable": [*IN_FORMATS, ("cup", "--bot", TRICKS)],
    "bot": [
        *((run, "botone", "--format", format) for run in RUNS for format in PAGE_FORMATS),
        *((run, NEW_NAMES["botbad"], "--format", format) for run in RUNS for format in PAGE_FORMATS),
        ("cup", TRICKS),
        ("cup", "--all", FILE),
    ],
    "games": [
        *IN_FORMATS,
        *(("cup", "--forfeits", "--format", format) for format in FORMATS),
        ("cup", "--bot", TRICKS),
        ("cup", "--bot", "botone", "--against", TRICKS),
    ],
    "replay": [(run, game, "--grade") for run in RUNS for game in (FAILED, PLAYED)] + [("cup", TRICKS)],
    "rerun": [(run, game, *QUICK[:2]) for run in RUNS for game in (FAILED, PLAYED)] + [("cup", TRICKS)],
    "report": [*EVERY_RUN, ("cup", "--output", FILE), (TRICKS,)],
    "digest": EVERY_RUN,
    "verify": EVERY_RUN,
    "diff": [("cup", "other"), ("cup", "worse"), ("other", "cup"), ("cup", FILE)],
    "merge": [("cup", "other"), ("worse", "cup"), ("cup", "cup")],
    "export": [
        *((run, f"out-{run}") for run in RUNS),
        *((run, f"public-{run}", "--without-sources") for run in RUNS),
        ("cup", FILE),
        (TRICKS, "out"),
    ],
    "init": [(FILE,)],
    "variants": [()],
    "rules": [("book.toml",), ("wrong.toml",), (f"{FILE}.toml",), (TRICKS,)],
    "board": [("book.toml",), ("book.toml", "--moves", TRICKS), ("book.toml", "--svg", FILE), (TRICKS,)],
    "solve": [("book.toml",), ("book.toml", "--format", "json"), ("book.toml", "--moves", TRICKS), (TRICKS,)],
    "play": [
        ("book.toml",),
        ("book.toml", "--first", "bots/botone.py", "--second", "bots/botbad.py", *QUICK[:2]),
        ("book.toml", "--first", f"bots/{FILE}.py", *QUICK[:2]),
    ],
    "versus": [
        ("botone", "botbad", "--games", "8", "--config", "configs/book.toml", *QUICK),
        ("botone", TRICKS),
        ("botone", f"bots/{FILE}.py"),
    ],
    "new": [(TRICKS,), ("plain",)],
    "check": [("bots/botbad.py", *QUICK[:2]), (f"bots/{FILE}.py",), (TRICKS,), ("bots/=1+1.py",)],
    "submit": [("bots/botbad.py", "--as", TRICKS), (f"bots/{FILE}.py", "--as", "x", *QUICK[:2]), (TRICKS,)],
    "bots": [()],
    "token": [
        (TRICKS,),
        ("--from", FILE),
        ("--from", "book.toml"),
        ("--revoke", TRICKS),
        ("--list",),
        ("--config", FILE),
    ],
    "doctor": [()],
}
"""What is tried of every command."""

EVERY_CASE = [(name, *arguments) for name, all_arguments in CASES.items() for arguments in all_arguments]


def short(case):
    """A case as a test's name."""
    names = {TRICKS: "TRICKS", FILE: "FILE", NEW_NAMES[VARIANT]: "VARIANT"}
    return " ".join(names.get(word, word.replace(FILE, "FILE").replace(TRICKS, "TRICKS")) for word in case)


def game_of(run, ending):
    """The id of a game that ended so, or not so."""
    (found,) = field.rows(run, f"SELECT MIN(game) FROM games WHERE ending {ending} 'no-moves'")[0] or ("x",)
    return found or "x"


def filled(case, folder):
    """A case with the games of its run in it."""
    run = folder / "results" / case[1] if len(case) > 1 and case[1] in RUNS else folder
    games = {FAILED: "<>", PLAYED: "="}
    return [game_of(run, games[word]) if word in games else word for word in case]


def test_every_command_is_tried():
    """A new command needs its cases here; what `serve` shows in a browser is looked at in tests/web."""
    assert set(CASES) == {command.name for command in app.registered_commands} - {"serve"}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=short(case), marks=pytest.mark.long if number % 3 else ())
        for number, case in enumerate(EVERY_CASE)
    ],
)
def test_no_command_shows_what_strangers_write_as_it_is(stage, case):
    """Printable lines and no forged ones, whatever the exit code; who refuses does it in one line."""
    code, output, errors = arena(*filled(case, stage), typed=f"{TRICKS}\n1\n")
    check_harmless(output)
    check_harmless(errors)
    assert code in (0, 1, 2) or case[0] == "run"  # which may not be able to go on from such a log
    if code == 1 and not output:
        assert all(re.match(r"arena: |.*\.toml:\d+: ", line) for line in errors.splitlines())


def lines_of(folder, monkeypatch, *arguments):
    """How many lines a command prints in a folder; None if it refuses."""
    monkeypatch.chdir(folder)
    code, output, _ = arena(*filled(arguments, folder))
    return None if code else output.count("\n")


@pytest.mark.parametrize("run", ["cup", pytest.param("knock", marks=pytest.mark.long)])
@pytest.mark.parametrize("command", ["leaderboard", "crosstable", "games", "replay", "rerun", "digest"])
def test_hostile_text_makes_no_line_more(clean, tampered, monkeypatch, command, run):
    """As many lines as with harmless names and details."""
    if command in ("replay", "rerun"):
        arguments: list[tuple[str, ...]] = [(command, run, FAILED)]
    elif command == "digest":
        arguments = [(command, run)]
    else:
        arguments = [(command, run, "--format", format) for format in FORMATS]
    for each in arguments:
        before, after = (lines_of(folder, monkeypatch, *each) for folder in (clean, tampered))
        assert before is not None
        assert after in (None, before), each


@pytest.mark.parametrize("format", CHECKS)
@pytest.mark.parametrize("command", ["leaderboard", "crosstable", "games"])
@pytest.mark.parametrize("run", RUNS)
def test_every_table_is_right_in_its_format(tampered, monkeypatch, command, run, format):
    """No formula, tag, command, link or cell that is not ours."""
    monkeypatch.chdir(tampered)
    code, output, errors = arena(command, run, "--format", format)
    if code == 0:
        CHECKS[format](output)
    else:
        assert (code, output, errors.count("\n")) == (1, "", 1)


def test_the_files_beside_the_log_are_harmless_too(stage):
    """Written anew from a tampered log: the tables as CSV and the page in Markdown."""
    from arena.reports.showing import write_tables
    from arena.results.finding import find_run

    for run in ("cup", "knock"):
        try:
            write_tables(find_run(run))
        except Exception as refused:
            assert type(refused).__name__ == "StoreError"
            continue
        for file in (stage / "results" / run).glob("*.csv"):
            with open(file, newline="") as text:
                check_csv(text.read())
            check_harmless(file.read_bytes().decode())
        page = (stage / "results" / run / "standings.md").read_bytes().decode()
        check_harmless(page)
        check_markdown(page)


def test_a_record_holds_printable_text_only(stage):
    """Also of bots that run trusted: a detail is one line of at most 300 characters."""
    arena("run", "configs/book.toml", *QUICK)
    details = [text for (text,) in field.rows(stage / "results" / "book", "SELECT detail FROM games")]
    assert any(r"\x1b[31m" in text for text in details)
    assert all(text.isprintable() and len(text) <= 300 for text in details)
    for file in (stage / "results" / "book" / "faults").glob("*/*.txt"):
        assert file.read_text().replace("\n", "").isprintable()


@pytest.mark.parametrize(
    "case",
    [
        ("games", "cup", "--format", "csv"),
        ("leaderboard", "knock"),
        ("replay", "cup", FAILED),
        ("diff", "cup", "other"),
        ("bots",),
        ("rules", "book.toml"),
        ("play", "book.toml"),
        ("check", TRICKS),
        ("games", "cup", f"--{TRICKS}"),
    ],
    ids=short,
)
@pytest.mark.long
def test_the_installed_command_is_as_harmless(stage, case):
    """Through real pipes."""
    done = command.run(*filled(case, stage), typed=f"{TRICKS}\n1\n", cwd=stage)
    assert done.returncode in (0, 1, 2), done.stderr
    check_harmless(done.stdout)
    check_harmless(done.stderr)
