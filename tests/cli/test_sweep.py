"""`--seed` and `--name`: the same file with another seed, or under another name, and nothing is overwritten."""

import pytest

import arena
from arena.config.reading import read_tournament
from arena.errors import UserError
from tests.cli.command import inside
from tests.tournament.field import FIRST, LAST, rows, write

BOTS = {"first": FIRST, "last": LAST}


@pytest.fixture
def config(tmp_path):
    """A tournament of four games, with the seed of the file."""
    return write(tmp_path, BOTS, variants=["snort:line-9"], openings=2, isolation="trusted")


def seeds(folder):
    return {seed for (seed,) in rows(folder, "SELECT seed FROM openings")}


def play(config, *options):
    """Play with the command; return the run folders that there are then, with their seeds."""
    here = config.parent.parent
    done = inside("run", config, "--executor", "serial", "--quiet", "--no-grades", *options, cwd=here)
    assert done.returncode == 0, done.stderr
    return {folder.name: seeds(folder) for folder in (here / "results").iterdir()}


def test_a_seed_alone_gets_its_own_folder(config):
    """A sweep over seeds keeps every run, and the file's own run stays as it was."""
    assert play(config) == {"cup": {8721}}
    before = arena.Run(config.parent.parent / "results" / "cup").digest()
    assert play(config, "--seed", 5) == {"cup": {8721}, "cup-5": {5}}
    assert play(config, "--seed", 8721) == {"cup": {8721}, "cup-5": {5}, "cup-8721": {8721}}
    runs = {name: arena.Run(config.parent.parent / "results" / name) for name in ("cup", "cup-5", "cup-8721")}
    assert runs["cup"].digest() == runs["cup-8721"].digest() == before != runs["cup-5"].digest()
    assert runs["cup-5"].field.name == "cup-5"


def test_a_name_is_taken_exactly(config):
    """With or without a seed."""
    assert play(config, "--name", "mine", "--seed", 7) == {"mine": {7}}
    assert play(config, "--name", "other") == {"mine": {7}, "other": {8721}}


def test_what_is_typed_decides_what_formats_draw_by_lot(config):
    """The seed of the file is nowhere used any more."""
    read = read_tournament(config, seed=3)
    assert (read.seed, read.settings.seed, read.name) == (3, 3, "cup-3")


def test_a_name_rescues_a_file_whose_own_name_cannot_be_one(config):
    """And nobody is told that the file was changed during the run."""
    odd = config.with_name("my cup.toml")
    config.rename(odd)
    here = config.parent.parent
    done = inside("run", odd, "--executor", "serial", "--name", "mine", "--no-grades", cwd=here)
    assert (done.returncode, "changed" in done.stderr) == (0, False)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--seed", -1], "arena: seed: must be at least 0, and is -1\n"),
        (["--seed", 2**53], "arena: seed: must be at most 9007199254740991, and is 9007199254740992\n"),
        (
            ["--name", "../cup"],
            "arena: name: '../cup' must be at most 64 letters, digits and _ . -, starting ",
        ),
        (["--name", ""], "arena: name: '' must be at most 64 letters"),
        (["--name", "a" * 65, "--seed", 1], "arena: name: 'aaa"),
    ],
)
def test_values_are_checked_like_those_of_the_file(config, options, told):
    """One line, exit 1, and nothing is written; `--dry-run` says the same."""
    here = config.parent.parent
    for more in ([], ["--dry-run"]):
        done = inside("run", config, *options, *more, cwd=here)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith(told)
        assert done.stderr.count("\n") == 1
    assert not (here / "results").exists()


def test_python_has_the_same_two_words(config):
    """`arena.run(config, seed=, name=)` is the command."""
    run = arena.run(config, executor="serial", grades=False, seed=4)
    assert (run.folder.name, run.field.seed) == ("cup-4", 4)
    named = arena.run(config, executor="serial", grades=False, seed=4, name="again")
    assert (named.folder.name, named.digest()) == ("again", run.digest())
    with pytest.raises(UserError, match=r"^seed: must be a whole number$"):
        arena.run(config, seed="four")  # type: ignore[arg-type]
