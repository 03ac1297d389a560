"""arena among other tools of a shell: -h, pipes that close, the run that was shown, and Tab."""

import subprocess

import pytest

from arena.cli import app
from tests.cli.command import ARENA, plain, run
from tests.tournament.field import FIRST, LAST, arena, write

COMMANDS = [command.name for command in app.registered_commands]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_h_is_help(command):
    """`-h` says what `--help` says, everywhere."""
    words = [command] if command else []
    short, long = run(*words, "-h"), run(*words, "--help")
    assert (short.returncode, short.stdout, short.stderr) == (0, long.stdout, "")
    assert "-h, --help" in short.stdout


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("--help", marks=pytest.mark.long),
        "variants",
        pytest.param("rules blockade-5x5", marks=pytest.mark.long),
        "play grid-lock --first greedy --second mirror",
        pytest.param("nonsense 2>&1", marks=pytest.mark.long),
    ],
)
def test_a_pipe_that_is_closed_ends_a_command_quietly(words, tmp_path):
    """As SIGPIPE ends other tools: exit code 141, and not a word."""
    # The reader is gone before anything is written.
    line = f"(sleep 0.1; exec {ARENA} {words}; ) | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, check=False, cwd=tmp_path, env=plain()
    )
    assert (done.stdout, done.stderr) == ("141\n", "")


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with two runs; `cup` is the newer one."""
    folder = tmp_path_factory.mktemp("shell")
    for name in ("old", "cup"):
        config = write(folder, {"a": FIRST, "b": LAST}, name=name, variants=["blockade-line"], openings=1)
        options = ("--quiet", "--no-audit", "--isolation", "trusted", "--executor", "serial")
        assert arena("run", config, *options, cwd=folder).returncode == 0
    return folder


@pytest.mark.parametrize("command", ["leaderboard", "crosstable", "games"])
def test_the_newest_run_is_named_when_none_was(played, command):
    """On stderr, so that a pipe holds the table alone; a run that was asked for needs no word."""
    newest, named = run(command, cwd=played), run(command, "cup", cwd=played)
    assert newest.stderr == "results/cup, the newest\n"
    assert (newest.stdout, named.stderr) == (named.stdout, "")


def completed(typed, cwd):
    """What bash is offered for the last word of a line."""
    variables = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "_ARENA_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [ARENA], capture_output=True, text=True, check=True, cwd=cwd, env=plain() | variables
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("arena lead", ["leaderboard"]),
        ("arena play blockade-l", ["blockade-line"]),
        pytest.param("arena play col:li", ["col:line-13"], marks=pytest.mark.long),
        pytest.param("arena play grid-lock --gr", ["--grade"], marks=pytest.mark.long),
        pytest.param("arena play grid-lock --first h", ["human"], marks=pytest.mark.long),
        pytest.param("arena versus gre", ["greedy"], marks=pytest.mark.long),
        ("arena leaderboard ", ["cup", "old"]),
        pytest.param("arena replay cu", ["cup"], marks=pytest.mark.long),
    ],
)
def test_tab_offers_what_there_is(played, typed, offered):
    """Commands, options, runs, bots and variants."""
    assert completed(typed, played) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_ask(shell):
    """What a user puts into the shell's own file."""
    environment = plain() | {"_ARENA_COMPLETE": f"source_{shell}"}
    told = subprocess.run([ARENA], capture_output=True, text=True, check=True, env=environment).stdout
    assert f"complete_{shell}" in told
