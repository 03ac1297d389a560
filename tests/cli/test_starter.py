"""`make run`: sandboxed, or trusted where nothing else can be had and every bot is ours; and secret seeds."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from arena.bots.source import read_source
from arena.bots.starters import CONFIGS, STARTERS
from arena.checking import starter
from arena.checking.starter import foreign, isolation_for
from arena.cli.init import with_secret_seed
from arena.config.reading import read_tournament
from arena.errors import NoSandbox, UserError

ROOT = Path(__file__).parents[2]


@pytest.fixture
def here(tmp_path):
    """The starter bots and configs, as a checkout has them."""
    for name in ("bots", "configs"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def no_sandbox(monkeypatch):
    """A machine that cannot sandbox: what it would say is all that can be had of it here."""

    def refuse(template):
        raise NoSandbox("bots cannot be sandboxed here")

    monkeypatch.setattr(starter, "require_sandbox", refuse)


def test_only_what_belongs_to_arena_is_copied(tmp_path):
    """Whatever else lies in bots/ of a checkout is the user's."""
    checkout = tmp_path / "checkout"
    for name in ("arena", "bots", "configs"):
        shutil.copytree(ROOT / name, checkout / name)
    (checkout / "bots" / "stray.py").write_text("def move(position):\n    return 0\n")
    (checkout / "configs" / "stray.toml").write_text("")
    code = "import sys; from arena.cli import main; sys.argv[:] = ['arena', 'init', 'here']; main()"
    environment = {"PYTHONPATH": str(checkout), "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert {file.stem for file in (tmp_path / "here" / "bots").iterdir()} == set(STARTERS)
    assert {file.stem for file in (tmp_path / "here" / "configs").iterdir()} == set(CONFIGS)
    assert {file.stem for file in (ROOT / "configs").glob("*.toml")} == set(CONFIGS)


def test_the_hashes_are_those_of_the_starter_bots():
    """Whoever edits a starter bot writes its hash here too."""
    bots = {file.stem: read_source(file).version for file in (ROOT / "bots").glob("*.py")}
    assert bots == STARTERS


def test_a_machine_that_can_sandbox_does(here):
    """Whoever the bots are."""
    (here / "bots" / "stranger.py").write_text("")
    assert isolation_for(str(here / "configs" / "round_robin.toml")) == "sandboxed"


def test_our_own_bots_run_trusted_where_they_cannot_be_sandboxed(here, no_sandbox, capsys):
    """And it is said."""
    assert isolation_for(str(here / "configs" / "round_robin.toml")) == "trusted"
    assert "our own starter bots run trusted" in capsys.readouterr().err


@pytest.mark.parametrize("change", ["one more", "one byte", "another name"])
def test_nobody_elses_bot_is_trusted_by_make_run(here, no_sandbox, change):
    """A file more, a byte other than ours, or one of ours under a name of another: nothing is run."""
    greedy = here / "bots" / "greedy.py"
    if change == "one more":
        (here / "bots" / "stranger.py").write_text("raise SystemExit\n")
    elif change == "one byte":
        greedy.write_bytes(greedy.read_bytes() + b"\n")
    else:
        greedy.write_bytes((here / "bots" / "mirror.py").read_bytes())
    config = here / "configs" / "round_robin.toml"
    with pytest.raises(UserError, match="nothing was run"):
        isolation_for(str(config))
    assert len(foreign(read_tournament(config, isolation="trusted").bots)) == 1


@pytest.mark.parametrize("config", sorted((ROOT / "configs").glob("*.toml")), ids=lambda file: file.stem)
def test_a_secret_seed_changes_nothing_but_the_seed(config):
    """Each time another one of 53 bits, in the place of the file's own; all else is as it was."""
    text = config.read_text()
    seeds = set()
    for _ in range(20):
        told, before = tomllib.loads(with_secret_seed(text)), tomllib.loads(text)
        seeds.add(told["tournament"].pop("seed"))
        before["tournament"].pop("seed", None)
        assert told == before
    assert len(seeds) == 20
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert max(seeds) > 2**45


def test_the_makefile_asks():
    """`make run` plays with the isolation that it is told, and with no other."""
    recipe = (ROOT / "Makefile").read_text()
    assert re.search(
        r"isolation=\$\$\(\$\(BIN\)/python -m arena\.checking\.starter configs/round_robin\.toml\) &&", recipe
    )
    assert "--isolation trusted" not in recipe
