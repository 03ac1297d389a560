"""What the documentation shows is what the software does.

A page is followed from top to bottom, as a reader would: a toml or python block whose first line is `# name` is
written to that file, a console block is run, and each may use what stood above it. `...` at the end of a console
block stands for the rest. What is another number each time (seconds, megabytes, nonces) is not compared.

    python -m tests.test_docs      # writes into every page what its commands print now; read the diff
"""

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import arena
from tests.cli.command import ARENA, plain, ready
from tests.cli.onpath import bin_folder

ROOT = Path(__file__).parent.parent
COMMANDED = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
"""The pages whose commands are run."""

PAGES = [*COMMANDED, ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", ROOT / "CHANGELOG.md"]

PYTHON = ROOT / "docs" / "python.md"
RETURNED = {"ArenaError", "GameRecord", "Run", "Solution", "Variant"}
"""What its examples get without naming it."""

BLOCK = re.compile(r"^```(console|toml|python)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
REST = "...\n"


class Block(NamedTuple):
    """A block of a page: its language, its text, and where the text begins and ends."""

    language: str
    text: str
    start: int
    end: int

    @property
    def file(self) -> str | None:
        """The file that it is to be written to, if it names one."""
        named = re.match(r"# (\S+\.(?:toml|py))\n", self.text)
        return named[1] if named and self.language != "console" else None

    @property
    def command(self) -> str:
        """The command of a console block."""
        return self.text.removeprefix("$ ").partition("\n")[0]

    @property
    def shown(self) -> str:
        """What a console block shows below its command."""
        return self.text.partition("\n")[2]


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in BLOCK.finditer(page.read_text(encoding="utf-8"))]


def code(page: str, file: str) -> str:
    """Return the text that a page gives for a file."""
    (found,) = [block.text for block in blocks(ROOT / page) if block.file == file]
    return found


@cache
def starter() -> Path:
    """A starter folder, as `arena init` writes it but for the seed, with one finished run."""
    made = Path(tempfile.mkdtemp(prefix="arena-docs-"))
    ready().run(["init"], made, plain(), b"", 60)
    for config in (made / "configs").glob("*.toml"):
        config.write_text(re.sub(r"^seed = .*$", "seed = 8721", config.read_text(), flags=re.M))
    ready().run(["run", "configs/quick.toml", "--quiet"], made, plain(), b"", 60)
    return made


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_left():
    yield
    if starter.cache_info().currsize:
        shutil.rmtree(starter())
        starter.cache_clear()


def begin(page: Path, folder: Path) -> None:
    """Put a reader where a page begins: in an empty folder if it makes a starter folder, else in one."""
    if "\n$ arena init\n" not in page.read_text(encoding="utf-8"):
        shutil.copytree(starter(), folder, dirs_exist_ok=True)


def follow(block: Block, folder: Path) -> str:
    """Do what a block says; return what a command prints."""
    if block.file:
        place = folder / block.file
        place.parent.mkdir(exist_ok=True)
        place.write_text(block.text)
    return printed(block.command, folder) if block.language == "console" else ""


def printed(command: str, folder: Path) -> str:
    """Return what a command prints, as a pipe would hold it: what is told on stderr comes first."""
    environment = plain() | {"PATH": f"{bin_folder()}:{ARENA.parent}:/usr/bin:/bin"}
    if command.startswith("arena ") and not re.search(r"[|<>$;&*]", command):
        done = ready().run(shlex.split(command)[1:], folder, environment, b"", 60)
        return done.stderr + done.stdout
    shell = ["sh", "-c", f"{{ {command}\n}} 2>&1"]
    return subprocess.run(
        shell, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60
    ).stdout


UNSTEADY = [
    (r"\d+\.\d{3}(?=( \|)?$)", "0.000"),  # milliseconds of CPU, at the end of a row of standings
    (r"\d+\.\d ms", "0.0 ms"),
    (r"\d+ MiB, of", "0 MiB, of"),
    (r"(used|and) \d+\.\d{3} s\b", r"\1 0.000 s"),
    (r'("id": ?)"[0-9a-f]{16}"', r'\1"nonce"'),
    (r'"game_seconds_left":[\d.]+', '"game_seconds_left":0'),
    (r"^[\d,]+ of [\d,]+ games, [\d,]+ per second.*\n", ""),  # every ten seconds on a busy machine
    (r"^(grading|wrote) [\d,]+ of [\d,]+ (games|pages).*\n", ""),  # where it takes a while
    (r"^[\d,]+ games? (was|were) played again.*\n", ""),  # which a busy machine makes necessary
]


def steady(text: str) -> str:
    """Return a text without what is otherwise each time."""
    for pattern, instead in UNSTEADY:
        text = re.sub(pattern, instead, text, flags=re.M)
    return text


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=pytest.mark.long if page.stem == "running-tournaments" else ())
        for page in COMMANDED
    ],
)
def test_commands_print_what_a_page_shows(page, tmp_path):
    """Every console block of every page is run, and prints what the page says."""
    begin(page, tmp_path)
    for block in blocks(page):
        found, shown = steady(follow(block, tmp_path)), steady(block.shown)
        if shown.endswith(REST):
            shown = shown.removesuffix(REST)
            found = found[: len(shown)]
        assert found == shown or block.language != "console", block.command


def test_a_tournament_runs_from_python(tmp_path):
    """The script of the documentation works as it stands, without a main guard."""
    begin(ROOT / "docs/reading-results.md", tmp_path)
    (tmp_path / "tournament.py").write_text(code("docs/reading-results.md", "tournament.py"))
    done = subprocess.run(
        [sys.executable, "tournament.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env=plain(),
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_examples_of_the_page_about_python_do_what_their_comments_say(tmp_path, monkeypatch, capsys):
    """Each block is run after those above it; `# = value` and printed lines are compared."""
    begin(PYTHON, tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks(PYTHON):
        exec(block.text, names)
        printed = re.findall(r"^ *print\(.*\)  # (.*)$", block.text, re.M)
        assert capsys.readouterr().out.splitlines() == printed
        for expression, value in re.findall(r"^(\S.*?)  # = (.*?)(?:: .*)?$", block.text, re.M):
            assert repr(eval(expression, names)) == value, expression


def test_the_page_about_python_has_an_example_of_everything_public():
    """A name that no example uses is one that nobody can look up."""
    code = "".join(block.text for block in blocks(PYTHON))
    for name in arena.__all__:
        assert f"`arena.{name}" in text_of("docs/python.md"), name
        assert f"arena.{name}" in code or name in RETURNED, name


def test_the_tournament_file_that_is_shown_holds_every_default(tmp_path):
    """What it shows is what holds where nothing is said."""
    from arena.config.reading import read_tournament

    begin(ROOT / "README.md", tmp_path)
    (tmp_path / "cup.toml").write_text(code("docs/running-tournaments.md", "cup.toml"))
    (tmp_path / "least.toml").write_text('[[bots]]\npath = "bots/*.py"\n')
    shown, least = read_tournament(tmp_path / "cup.toml"), read_tournament(tmp_path / "least.toml")
    told = {"name", "config", "text"}
    assert shown._fields == least._fields
    for field in set(shown._fields) - told:
        assert getattr(shown, field) == getattr(least, field), field


def test_every_key_of_a_tournament_file_is_explained():
    """A key that no page has is one that nobody uses."""
    from arena.config.shape import _WITHIN as TABLES
    from arena.config.shape import Tables, TournamentTable

    page = text_of("docs/running-tournaments.md")
    assert set(TABLES) == set(Tables.model_fields)
    assert TournamentTable in TABLES.values()
    for name, table in TABLES.items():
        for key in table.model_fields:
            assert re.search(rf"`{key}`|^{key} = ", page, re.M), f"{name}.{key}"


def test_the_python_example_does_what_its_comments_say():
    """The example runs, and the values in its comments are right."""
    (block,) = [b.text for b in blocks(ROOT / "docs/writing-bots.md") if b.text.startswith("import arena\n")]
    names: dict[str, object] = {}
    exec(block, names)
    position = names["position"]
    assert isinstance(position, arena.Position)
    assert (position.to_move, position.owner(12), position.is_over, position.winner) == (1, 0, False, None)
    for line in block.splitlines():
        expression, _, comment = line.partition("  # ")
        value = re.match(r"= (.*?)(?:: .*)?$", comment)
        if value:
            assert repr(eval(expression, names)) == value[1], line


def test_every_attribute_of_a_position_is_explained():
    """What authors may use, they can look up."""
    page = text_of("docs/writing-bots.md")
    for name in dir(arena.Position):
        assert name.startswith("_") or f"`{name}" in page or f"`position.{name}" in page, name


def test_the_variant_files_that_are_shown_are_variants(tmp_path):
    """Both can be read and played."""
    for name in ("kite.toml", "full.toml"):
        (tmp_path / name).write_text(code("docs/variants.md", name))
        assert arena.variant(tmp_path / name).rule == "snort"
        played = ready().run(["play", name], tmp_path, plain(), b"", 60)
        assert (played.returncode, played.stderr) == (0, "")


def test_the_full_variant_file_has_every_key_there_is():
    """Nobody has to read source to know what can be said."""
    from arena.game import rulebook
    from arena.game.dialogue import REASONS, Words
    from arena.game.notation import Style
    from arena.game.variant import Erratum

    full = tomllib.loads(code("docs/variants.md", "full.toml"))
    assert set(full) == set(rulebook._TOP)
    assert set(full["notation"]) == set(Style._fields)
    assert set(full["dialogue"]) == set(Words._fields)
    assert set(full["dialogue"]["reasons"]) == set(REASONS)
    assert set(full["errata"][0]) == set(Erratum._fields)


def test_every_column_file_and_table_of_results_is_explained():
    """Whoever opens a run folder finds everything in it on the page about results."""
    import sqlite3
    from contextlib import closing

    page = text_of("docs/reading-results.md")
    folder = starter() / "results" / "quick"
    with closing(sqlite3.connect(f"file:{folder}/games.sqlite?mode=ro", uri=True)) as log:
        tables = [name for (name,) in log.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        words = [
            *tables,
            *(column[1] for name in tables for column in log.execute(f"PRAGMA table_info({name})")),
        ]
    for file in folder.iterdir():
        name = re.sub(r"^standings-.*", "standings-<variant>.csv", file.name)
        words.append(re.sub(r"-(wal|shm)$", "", name))
        if file.suffix == ".csv" and file.name not in ("crosstable.csv", "games.csv"):
            words += file.read_text().partition("\n")[0].split(",")
    for word in words:
        assert f"`{word}`" in page, word


def test_every_ending_is_explained():
    """Whatever ends a game has a heading of its own on the page about what goes wrong."""
    from arena.referee.endings import Ending

    page = text_of("docs/when-things-go-wrong.md")
    for ending in Ending:
        assert f"\n## {ending}\n" in page


def test_the_documentation_speaks_of_every_command():
    """A command that no page mentions is one that nobody finds."""
    from arena.cli import app

    pages = "".join(page.read_text(encoding="utf-8") for page in COMMANDED)
    for command in app.registered_commands:
        assert f"arena {command.name}" in pages, command.name


def test_the_readme_is_short():
    """It says what arena is and leads to the pages; whatever is longer has a page of its own."""
    assert len(text_of("README.md").splitlines()) <= 150


def test_the_readme_leads_to_every_page():
    """No page is hidden."""
    for page in PAGES[1:]:
        assert f"]({page.relative_to(ROOT)})" in text_of("README.md"), page.name


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_between_pages_resolve(page):
    """A link leads to a file that is there, and to a heading that it has."""
    for target in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, heading = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        assert not heading or heading in headings(file), target


def headings(page: Path) -> set[str]:
    """Return what links to the headings of a page are called."""
    lines = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text(encoding="utf-8")), re.M)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


def text_of(page: str) -> str:
    """Return the text of a page."""
    return (ROOT / page).read_text(encoding="utf-8")


def rewrite(page: Path) -> None:
    """Write into a page what its commands print now, as much of it as is shown."""
    text, parts, at = page.read_text(encoding="utf-8"), [], 0
    with tempfile.TemporaryDirectory() as made:
        begin(page, Path(made))
        for block in blocks(page):
            found = follow(block, Path(made))
            if block.language == "console" and steady(found) != steady(block.shown):
                if block.shown.endswith(REST):
                    lines = block.shown.count("\n") - 1
                    found = "".join(found.splitlines(keepends=True)[:lines]) + REST
                parts += [text[at : block.start], f"$ {block.command}\n{found}"]
                at = block.end
    page.write_text("".join([*parts, text[at:]]), encoding="utf-8")


if __name__ == "__main__":
    for each in [Path(name).resolve() for name in sys.argv[1:]] or COMMANDED:
        rewrite(each)
    shutil.rmtree(starter())
