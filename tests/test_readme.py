"""What the README shows is what the software does."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import arena
from tests.cli.command import ARENA, plain

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
CONSOLE = re.findall(r"^```console\n\$ (.*?)\n(.*?)^```", README, re.M | re.S)

MISTAKEN = '[tournament]\nformt = "round-robin"\nvariants = ["grid-lok"]\nopenings = 0\n[[bots]]\npath = "bots/*.py"\n'
BROKEN = 'rule = "snrt"\nboard = { size = 3, edges = [[0, 1],\n [1, 1],\n [2, 9]] }\n'


def code_blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


@pytest.fixture(scope="module")
def starter(tmp_path_factory):
    """A starter folder, as `arena init` writes it but for the seed, with one finished run."""
    made = tmp_path_factory.mktemp("starter")
    subprocess.run([ARENA, "init"], cwd=made, env=plain(), check=True, capture_output=True)
    for config in (made / "configs").glob("*.toml"):
        config.write_text(re.sub(r"^seed = .*$", "seed = 8721", config.read_text(), flags=re.M))
    play = [ARENA, "run", "configs/quick.toml", "--quiet"]
    subprocess.run(play, cwd=made, env=plain(), check=True, capture_output=True)
    return made


@pytest.fixture
def folder(tmp_path, starter):
    """A starter folder with the files that the README speaks of."""
    shutil.copytree(starter, tmp_path, dirs_exist_ok=True)
    for block in code_blocks("toml") + code_blocks("python"):
        named = re.match(r"# (\S+)\n", block)
        if named:
            file = tmp_path / named[1]
            file.parent.mkdir(exist_ok=True)
            file.write_text(block)
    (tmp_path / "broken.toml").write_text(BROKEN)
    (tmp_path / "mistaken.toml").write_text(MISTAKEN)
    return tmp_path


@pytest.mark.parametrize(("command", "shown"), CONSOLE, ids=[command for command, _ in CONSOLE])
def test_commands_print_what_the_readme_shows(command, shown, folder):
    """Every console block is run; `...` at its end stands for the rest."""
    environment = plain() | {"PATH": f"{ARENA.parent}:/usr/bin:/bin"}
    done = subprocess.run(
        ["sh", "-c", f"{command} 2>&1"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    printed, shown = without_milliseconds(done.stdout), without_milliseconds(shown)
    if shown.endswith("\n...\n"):
        assert printed.startswith(shown.removesuffix("...\n"))
    else:
        assert printed == shown


def without_milliseconds(text):
    """The CPU of a move, at the end of a row of standings, is another one each time."""
    return re.sub(r"\d+\.\d{3}$", "0.000", text, flags=re.M)


def test_a_tournament_runs_from_python(folder):
    """The script of the README works as it stands, without a main guard."""
    done = subprocess.run(
        [sys.executable, "tournament.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=plain(),
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_tournament_file_of_the_readme_holds_every_default(folder):
    """What it shows is what holds where nothing is said."""
    from arena.config.reading import read_tournament

    (folder / "least.toml").write_text('[[bots]]\npath = "bots/*.py"\n')
    shown, least = read_tournament(folder / "cup.toml"), read_tournament(folder / "least.toml")
    told = {"name", "config", "text"}
    assert shown._fields == least._fields
    for field in set(shown._fields) - told:
        assert getattr(shown, field) == getattr(least, field), field


def test_the_python_example_does_what_its_comments_say():
    """The example runs, and the values in its comments are right."""
    (block,) = [block for block in code_blocks("python") if block.startswith("import arena\n\nposition")]
    names: dict[str, object] = {}
    exec(block, names)
    position = names["position"]
    assert isinstance(position, arena.Position)
    assert (position.to_move, position.owner(12), position.is_over, position.winner) == (1, 0, False, None)


def test_the_variant_files_of_the_readme_are_variants(folder):
    """Both can be read and played."""
    for name in ("kite.toml", "full.toml"):
        assert arena.variant(folder / name).rule == "snort"
        played = subprocess.run(
            [ARENA, "play", folder / name], input="", capture_output=True, text=True, check=False
        )
        assert (played.returncode, played.stderr) == (0, "")


def test_the_full_variant_file_has_every_key_there_is(folder):
    """Nobody has to read source to know what can be said."""
    import tomllib

    from arena.game import rulebook
    from arena.game.dialogue import REASONS, Words
    from arena.game.notation import Style
    from arena.game.variant import Erratum

    full = tomllib.loads((folder / "full.toml").read_text())
    assert set(full) == set(rulebook._TOP)
    assert set(full["notation"]) == set(Style._fields)
    assert set(full["dialogue"]) == set(Words._fields)
    assert set(full["dialogue"]["reasons"]) == set(REASONS)
    assert set(full["errata"][0]) == set(Erratum._fields)


def test_the_readme_speaks_of_every_command():
    """A command that the README does not mention is one that nobody finds."""
    from arena.cli import app

    for command in app.registered_commands:
        assert f"arena {command.name}" in README
