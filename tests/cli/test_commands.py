"""Bots in other languages everywhere: `check`, `submit`, `play` and `versus` take a command, typed or by its name."""

import json
import tomllib

import pytest

from arena.bots.commands import hand_in, read_typed_command
from arena.bots.source import Source
from arena.config.versus import read_versus
from arena.errors import BotFileError
from arena.formats.meeting import Settings
from tests.cli.command import run

TALKER = """import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "move":
        print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)
"""
LAST = "def move(position):\n    return position.legal_moves[-1]\n"
WRONG = {
    "print('hello')": ("wrote 'hello\\n' instead of a reply", '{"type":"ready"}'),
    "import sys; sys.exit('no')": ("ended its process with exit code 1", ""),
    "print('hello', end='', flush=True); input(); input()": ("without an answer, and may use 0.5 s", "flush"),
}
CUP = """[tournament]
variants = ["kayles:line-5"]
openings = 1
[limits]
start_seconds = 0.5
[[bots]]
name = "talker"
command = ["python3", "programs/talk.py"]
[[bots]]
path = "last.py"
"""


@pytest.fixture
def folder(tmp_path):
    """A bot in another language, one in Python, and a tournament file with both."""
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "talk.py").write_text(TALKER)
    (tmp_path / "last.py").write_text(LAST)
    (tmp_path / "cup.toml").write_text(CUP)
    return tmp_path


def test_check_runs_the_same_steps_for_a_command(folder):
    """Seven steps, by a typed command and by a name in a file, whose limits count."""
    typed = run("check", "--command", "python3 programs/talk.py", cwd=folder)
    assert typed.returncode == 0, typed.stdout
    assert [line[:2] for line in typed.stdout.splitlines()] == [f"{number}." for number in range(1, 8)]
    assert "within 5 s of CPU" in typed.stdout
    both = run("check", "--config", "cup.toml", "--format", "json", cwd=folder)
    assert both.returncode == 0, both.stdout
    found = {bot["name"]: bot for bot in json.loads(both.stdout)["bots"]}
    assert found.keys() == {"talker", "last"}
    assert found["talker"]["steps"][1]["detail"] == "within 0.5 s of CPU"


@pytest.mark.parametrize(("text", "said"), WRONG.items())
def test_a_command_that_fails_is_told_why(folder, text, said):
    """With a hint at the protocol, and what it printed."""
    (folder / "programs" / "talk.py").write_text(text)
    failed = run("check", "talker", "--config", "cup.toml", cwd=folder)
    assert failed.returncode == 1
    assert all(part in failed.stdout for part in ("2. loads", "FAILED", *said))
    assert ("In its last game it printed:\n\n    no\n" in failed.stdout) == ("'no'" in text)


def test_submit_copies_the_files_and_prints_the_table_to_paste(folder):
    """The table enters the bot as it was checked, with its own folder; and no pattern takes it for another bot."""
    done = run("submit", "--command", "python3 programs/talk.py", cwd=folder)
    assert done.stdout.splitlines()[-1] == "copied to bots/talk"
    assert (folder / "bots" / "talk" / "programs" / "talk.py").read_text() == TALKER
    told, table = done.stderr.split("\n", 1)
    assert told == "add this to a tournament file:"
    (entered,) = tomllib.loads(table)["bots"]
    assert entered == {"name": "talk", "command": ["python3", "bots/talk/programs/talk.py"]}
    (folder / "bots" / "last.py").write_text(LAST)
    (folder / "own.toml").write_text(
        f'[tournament]\nvariants = ["kayles:line-5"]\n[[bots]]\npath = "bots/*"\n{table}'
    )
    planned = run("run", "own.toml", "--dry-run", cwd=folder)
    assert "leaves out" not in planned.stdout + planned.stderr
    again = run("submit", "--command", "python3 programs/talk.py", cwd=folder)
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr.startswith("arena: bots/talk already exists; --replace replaces it")


def test_a_folder_that_would_be_taken_for_a_python_bot_is_refused(folder):
    """`bots/*` takes a folder with bot.py for a bot in Python."""
    (folder / "bot.py").write_text(TALKER)
    refused = run("submit", "--command", "python3 bot.py", cwd=folder)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "a file bot.py would be taken for a Python bot; rename that file" in refused.stderr


def test_a_command_takes_a_seat(folder):
    """The first that is free, or the one that names it; two of one name do not know who is meant."""
    typed = ("--command", "python3 programs/talk.py")
    for seats, names in {("--second", "last.py"): "talk (X)", ("--first", "last.py"): "talk (O)"}.items():
        played = run("play", "kayles:line-5", *seats, *typed, cwd=folder)
        assert (played.returncode, played.stderr) == (0, "")
        assert f"{names}, it's your turn." in played.stdout
    beside = run("play", "kayles:line-5", "--second", "talk", *typed, cwd=folder)
    assert "Player 1 ('X'), it's your turn." in beside.stdout
    twice = run("play", "kayles:line-5", *typed, *typed, cwd=folder)
    assert (twice.returncode, twice.stderr.count("\n")) == (1, 1)
    assert "two commands are called talk" in twice.stderr


def test_versus_takes_a_command(folder):
    """As B, or by the name of its file; a trusted one is refused in a line."""
    typed = ("--command", "python3 programs/talk.py", "--config", "cup.toml", "--games", "2", "--quiet")
    played = run("versus", "last", *typed, "--executor", "serial", cwd=folder)
    assert played.returncode == 0, played.stderr
    assert "results are in results/versus-last-talk/" in played.stdout
    source = read_typed_command("python3 programs/talk.py", folder)
    config = str(folder / "cup.toml")
    bots = read_versus("talk", "talker", config, None, Settings(), [source])[0].bots
    assert [bot.name for bot in bots] == ["talk", "talker"]
    alone = run("versus", "last", "--config", "cup.toml", cwd=folder)
    assert (alone.returncode, "name both bots, A and B" in alone.stderr) == (2, True)
    unused = run("versus", "last", "talker", *typed, cwd=folder)
    assert (unused.returncode, "talk is neither A nor B" in unused.stderr) == (2, True)
    trusted = run("versus", "last.py", *typed[:2], "--isolation", "trusted", cwd=folder)
    assert (trusted.returncode, trusted.stderr.count("\n")) == (1, 1)
    assert "a command is always sandboxed" in trusted.stderr


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "needs a program"),
        ("node 'bot.js", "no closing quotation"),
        ("node bot.js", "there is no file 'bot.js' here"),
        ("./mybot", "there is no file './mybot' here"),
        ("python3 -V", "none of its words is a file below this folder"),
        ("python3 ../cup.toml", "there is no file '../cup.toml' here"),
    ],
)
def test_a_command_without_its_files_is_refused(folder, typed, said):
    """In a sentence, before anything is run."""
    with pytest.raises(BotFileError) as refusal:
        read_typed_command(typed, folder)
    assert said in str(refusal.value)


def test_words_that_are_files_move_with_them():
    """However they are written; other words stay."""
    source = Source("me", "", {"me": b"1", "data/w.bin": b"2"}, ("./me", "--fast", "data/w.bin", "x"))
    moved = hand_in(source)
    assert moved.command == ("bots/me/me", "--fast", "bots/me/data/w.bin", "x")
    assert moved.files == {"bots/me/me": b"1", "bots/me/data/w.bin": b"2"}
