"""Everything fits the screen that it is on: pictures of real terminals, and what must hold for all of them.

python -m tests.cli.test_screens      # takes the pictures in tests/fixtures/screens anew; read the diff
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from arena.reports.crosstable import MORE, PER_CENT, ROWS, WHOLE, WITHOUT_SIDES
from tests.cli.command import ARENA, plain, run
from tests.cli.terminal import Picture, look, read, start

PICTURES = Path(__file__).parents[1] / "fixtures" / "screens"
WIDTHS = (80, 120, 200)
LONGEST = "a_name_that_has_as_many_letters_as_a_name_may_have_namely_64__v2"
ABOUT = '"""Claims cell {} of those that are open, whatever the other bot does, and never thinks about it."""'
CRASH = "raise ValueError('nothing came to my mind that anybody would call a good idea for a move')"
FORMATS = {5: "round-robin", 40: "round-robin", 200: "swiss"}

TABLES = ["leaderboard cup", "leaderboard cup --ledger", "crosstable cup", "games cup", "bots"]
OTHERS = ["leaderboard cup --by variant", "leaderboard cup --by side", "games cup --forfeits"]
OTHERS += ["variants", "doctor", "rules grid-lock", "verify cup"]
OTHERS += ["diff cup cup", "digest cup", "check bots/bot_002.py --isolation trusted", "leaderboard nowhere"]
OWN_WORDS = f"not on this screen: {MORE} {PER_CENT} {ROWS} {WHOLE} {WITHOUT_SIDES}"
OWN_WORDS += " games.csv standings.csv ledger.csv has everything a pipe gets always"

PICTURED = [("leaderboard cup", 5, 80), ("games cup", 5, 80), ("variants --health", 5, 80)]
PICTURED += [("crosstable cup", 5, 80), ("crosstable cup", 40, 80), ("crosstable cup", 200, 120)]


def play(folder: Path, bots: int) -> None:
    """Play a small tournament."""
    write(folder, bots, FORMATS[bots])
    run_apart(folder)


def write(folder: Path, bots: int, format: str) -> None:
    """Write a small tournament between bots of which one has the longest name, and one crashes."""
    (folder / "bots").mkdir()
    for number in range(bots):
        chosen = (
            CRASH if number == 2 else f"return position.legal_moves[{number} % len(position.legal_moves)]"
        )
        name = f"bot_{number:03}" if number else LONGEST
        code = f"{ABOUT.format(number)}\n\n\ndef move(position):\n    {chosen}\n"
        (folder / "bots" / f"{name}.py").write_text(code)
    rounds = "rounds = 3" if bots == 200 else ""
    (folder / "cup.toml").write_text(
        f'[tournament]\nname = "cup"\nformat = "{format}"\nvariants = ["blockade-line"]\nopenings = 1\n'
        f'isolation = "trusted"\n{rounds}\n[[bots]]\npath = "bots/*"\n'
    )


def run_apart(folder: Path) -> None:
    """Run the tournament in a new process: trusted bots look through all modules there are, and it has few."""
    command = [str(ARENA), "run", "cup.toml", "--quiet", "--executor", "serial"]
    subprocess.run(command, cwd=folder, env=plain(), check=True, capture_output=True, timeout=60)


def tables(text: str) -> Iterator[list[str]]:
    """Yield the lines of each table: its headings, the dashes under them, and its rows."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if re.fullmatch("-+( +-+)*", line) and number:
            rest = lines[number + 1 :]
            yield [lines[number - 1], line, *rest[: rest.index("")]]


def misplaced(table: list[str]) -> list[str]:
    """The lines of a table of which a part is not within a column; texts below a row are in none."""
    dashes = table[1]
    rows = [line for line in table if not re.match(" {4}[^ ]", line)]
    return [
        row
        for row in rows
        if any(sign != " " and dash == " " for sign, dash in zip(row, dashes, strict=False))
    ]


def broken(shown: str, whole: str) -> set[str]:
    """The words on a terminal that are not words of the whole text, apart from numbers, shortened names and new folders."""
    known = {*whole.split(), *OWN_WORDS.split()}
    said = {word.strip("(),;") for word in set(shown.split()) - known} - known
    return {word for word in said if not re.fullmatch(r"[-\d/]+|.+\.\.\..+|'/tmp/.+'", word)}


def wrong(folder: Path, command: str, widths: tuple[int, ...] = WIDTHS) -> dict[tuple[str, int], list[str]]:
    """What is wrong with a command's pictures: lines that are too long, broken words, cells beside their column."""
    piped = run(*command.split(), cwd=folder)
    found = {}
    for width in widths:
        shown = look(folder, width, *command.split())
        long = [line for line in shown.split("\n") if len(line) > width]
        beside = [line for table in tables(shown) for line in misplaced(table)]
        found[command, width] = [*long, *broken(shown, piped.stdout + piped.stderr), *beside]
    return {where: faults for where, faults in found.items() if faults}


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> Callable[[int], Path]:
    """The folder with the tournament of so many bots, which is played once."""

    @cache
    def find(bots: int) -> Path:
        folder: Path = tmp_path_factory.mktemp(f"bots-{bots}")
        play(folder, bots)
        return folder

    return find


@pytest.mark.parametrize("bots", [5, *(pytest.param(many, marks=pytest.mark.long) for many in (40, 200))])
def test_every_table_fits_every_terminal(played, bots):
    """No line is longer than the screen, no word is broken, each heading is above its column."""
    for command in {5: TABLES, 40: TABLES, 200: ["leaderboard cup", "crosstable cup"]}[bots]:
        assert wrong(played(bots), command) == {}
    for command, count, width in PICTURED:
        if count == bots:
            assert look(played(bots), width, *command.split()) == picture(command, bots, width).read_text()


@pytest.mark.parametrize("width", [80, *(pytest.param(wide, marks=pytest.mark.long) for wide in WIDTHS[1:])])
def test_whatever_else_is_printed_fits_a_terminal(played, width):
    """Other tables, lists and sentences likewise: the narrow terminal here, the wide ones in the soak."""
    for command in OTHERS:
        assert wrong(played(5), command, (width,)) == {}


def picture(command: str, bots: int, width: int) -> Path:
    """Where a picture is kept."""
    return PICTURES / f"{command.replace(' ', '-')}-{bots}-bots-{width}.txt"


def test_a_fault_would_be_seen():
    """The checks above are able to fail."""
    assert broken("a bro\nken word in cr...d", "a broken word in crowd") == {"bro", "ken"}
    assert misplaced(["a  b", "-  -", "1 2"]) == ["1 2"]
    assert list(tables("x\n\na  b\n-  -\n1  2\n\ny")) == [["a  b", "-  -", "1  2"]]


def test_a_pipe_gets_everything_and_so_do_scripts_on_a_terminal(played):
    """The longest name is whole, all columns are there, and CSV and JSON are the same in both."""
    for command in TABLES:
        piped = run(*command.split(), cwd=played(5)).stdout
        assert LONGEST in piped
        assert "..." not in piped
        assert "not on this screen" not in piped
    for format in ("csv", "json", "markdown"):
        words = ["games", "cup", "--format", format]
        assert look(played(5), 80, *words) == run(*words, cwd=played(5)).stdout


@pytest.mark.long
def test_an_ascii_terminal_gets_ascii(tmp_path):
    """A bracket is drawn with + - |, whether the encoding is ASCII or the locale is C."""
    write(tmp_path, 5, "knock-out")
    run_apart(tmp_path)
    assert "├─" in look(tmp_path, 120, "leaderboard", "cup")
    for env in ({"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, {"LC_ALL": "C", "PYTHONUTF8": ""}):
        process, reader = start(tmp_path, 120, "leaderboard", "cup", **env)
        text = read(reader)
        assert process.wait(60) == 0
        assert text.isascii()
        assert "\\u" not in text
        assert "+- " in text


def test_ctrl_c_leaves_nothing_of_the_live_view(tmp_path):
    """What the terminal itself writes, ^C, fits beside the bar, so that all of the picture can be taken away."""
    write(tmp_path, 5, "round-robin")
    config = tmp_path / "cup.toml"
    text = (
        config.read_text().replace("openings = 1", "openings = 100\nrepeats = 20").replace('"cup"', '"long"')
    )
    config.write_text(text)
    process, reader = start(tmp_path, 80, "run", "cup.toml")
    seen = read(reader, lambda text: "games/s" in text)
    os.write(reader, b"\x03")
    last = [line for line in Picture(80, seen + read(reader)).lines if line]
    assert process.wait(60) == 130
    assert max(map(len, Picture(80, seen).lines)) <= 80 - len("^C")
    assert [line for line in last if "bot_002: crash" not in line and "idea" not in line] == [
        "stopped; finished games are kept, and the same command goes on from there"
    ]


if __name__ == "__main__":
    PICTURES.mkdir(parents=True, exist_ok=True)
    for bots in FORMATS:
        place = Path(tempfile.mkdtemp())
        play(place, bots)
        for command, count, width in PICTURED:
            if count == bots:
                picture(command, count, width).write_text(look(place, width, *command.split()))
        shutil.rmtree(place)
