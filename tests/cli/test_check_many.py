"""`arena check` and `submit` of many files, as a teacher meets them: one table, and hints for the commonest mistakes."""

import json
import os
import re
import subprocess
import sys
import time

import pytest

from tests.cli.command import ARENA, plain, run
from tests.cli.terminal import look

GOOD = "def move(position):\n    return position.legal_moves[0]\n"
NONE = "def move(position):\n    position.legal_moves[0]\n"


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def rows(output):
    """The rows of the table by their first column."""
    lines = output.partition("\n\n")[0].splitlines()[2:]
    return {re.split(" {2,}", line)[0]: re.split(" {2,}", line, maxsplit=1)[1] for line in lines}


CLASS = {
    "ann.py": GOOD,
    "bob.py": NONE,
    "noah copy (1).py": GOOD,
    "jörg_müller.py": GOOD + "# mine\n",
    "team/bot.py": "from tactics import choose as move\n",
    "team/tactics.py": GOOD.replace("def move", "def choose") + "# of the team\n",
    "__pycache__/ann.py": GOOD,
    "README.md": "the bots of our class",
    "notes/todo.txt": "",
}


def test_a_folder_of_bots_ends_in_one_table(tmp_path):
    """Who passed, who failed at which step and why, who is the same as whom, and which name would do."""
    write(tmp_path / "class", CLASS)
    result = run("check", "class", cwd=tmp_path)
    assert result.returncode == 1
    table = rows(result.stdout)
    assert list(table) == [f"class/{name}" for name in ("ann.py", "bob.py", "jörg_müller.py", "noah copy (1).py", "team")]  # fmt: skip
    assert re.fullmatch(r"passed +the same as class/noah copy \(1\)\.py", table["class/ann.py"])
    assert re.fullmatch(
        r"FAILED +3\. answers on every rule book +blockade-4x4, ply 1: answered None, which is not a number; "
        r"hint: `move` \(line 1\) has no `return`: did you forget it\?",
        table["class/bob.py"],
    )
    misnamed = r"FAILED +1\. can be read +a bot can be called joerg_mueller, but not this: --rename gives it that name"
    assert re.fullmatch(misnamed, table["class/jörg_müller.py"])
    assert "the same as class/ann.py; a bot can be called noah_copy_1" in table["class/noah copy (1).py"]
    assert table["class/team"] == "passed"
    assert "\n\n2 of 5 bots passed; `arena check` of one bot shows" in result.stdout


def test_a_narrow_terminal_shows_every_reason(tmp_path):
    """Below its row, broken at words: why a bot failed is what its author asks."""
    write(tmp_path / "class", {"ann.py": GOOD, "bob.py": NONE, f"{'x' * 70}.py": GOOD})
    text = look(tmp_path, 80, "check", "class")
    assert all(len(line) <= 80 for line in text.split("\n"))
    assert "hint: `move` (line 1) has no `return`: did you forget it?" in " ".join(text.split())
    assert re.search(r"^class/bob\.py +FAILED +3\. answers on every rule book$", text, re.M)


def test_submit_copies_those_that_passed_and_names_the_others(tmp_path):
    """Exit code 1 if anything was not copied, and what was there stays."""
    write(tmp_path / "class", CLASS)
    write(tmp_path / "bots", {"team/bot.py": GOOD})
    result = run("submit", "class", cwd=tmp_path)
    assert result.returncode == 1
    assert sorted(os.listdir(tmp_path / "bots")) == ["ann.py", "team"]
    assert (tmp_path / "bots" / "team" / "bot.py").read_text() == GOOD
    told = result.stdout.partition("\n\n")[2].splitlines()[2:]
    assert told[0] == "copied 1 of 5 bots to bots/"
    assert told[1:4] == [
        "not copied: class/bob.py: it has failed",
        "not copied: class/jörg_müller.py: its name will not do; --rename calls it joerg_mueller",
        "not copied: class/noah copy (1).py: its name will not do; --rename calls it noah_copy_1",
    ]
    assert told[4].startswith("not copied: class/team: bots/team already exists; --replace replaces it")


def test_rename_takes_every_suggested_name(tmp_path):
    """In one command; the table says who is called what, and whoever has a name keeps it."""
    write(tmp_path / "class", CLASS)
    result = run("submit", "class", "--rename", cwd=tmp_path)
    assert result.returncode == 1  # for bob
    names = ["ann.py", "joerg_mueller.py", "noah_copy_1.py", "team"]
    assert sorted(os.listdir(tmp_path / "bots")) == names
    table = rows(result.stdout)
    assert re.fullmatch(r"passed +is called joerg_mueller", table["class/jörg_müller.py"])
    assert "copied 4 of 5 bots to bots/" in result.stdout
    checked = json.loads(run("check", "class", "--rename", "--format", "json", cwd=tmp_path).stdout)
    assert [bot["name"] for bot in checked["bots"]][2:4] == ["joerg_mueller", "noah_copy_1"]


def test_rename_never_gives_two_bots_one_name(tmp_path):
    """Who has the name already keeps it; of others the first gets it, and for the rest nothing is lost."""
    files = {
        "a b.py": GOOD + "#1\n",
        "a!b.py": GOOD + "#2\n",
        "a_b.py": GOOD + "#3\n",
        "c!d.py": GOOD,
        "c?d.py": GOOD,
    }
    write(tmp_path / "class", files)
    result = run("submit", "class", "--rename", cwd=tmp_path)
    assert result.returncode == 1
    assert sorted(os.listdir(tmp_path / "bots")) == ["a_b.py", "c_d.py"]
    assert (tmp_path / "bots" / "a_b.py").read_text().endswith("#3\n")
    told = [line for line in result.stdout.splitlines() if line.startswith("not copied")]
    for path, other in (("a b.py", "a_b.py"), ("a!b.py", "a_b.py"), ("c?d.py", "c!d.py")):
        name = other.replace("!", "_").removesuffix(".py")
        assert (
            f"not copied: class/{path}: {name} is the name of class/{other}; give it another with --as NAME"
            in told
        )


def test_rename_of_one_bot_is_as_good(tmp_path):
    """It is what `--as` with the suggested name does."""
    write(tmp_path, {"my bot.py": GOOD})
    result = run("submit", "my bot.py", "--rename", cwd=tmp_path)
    assert (result.returncode, result.stdout.splitlines()[-1]) == (0, "copied to bots/my_bot.py")
    assert run("check", "my bot.py", "--rename", "--as", "mine", cwd=tmp_path).returncode == 0


def test_as_rescues_any_file_name(tmp_path):
    """One bot at a time; without it the refusal says which name would do."""
    write(tmp_path, {"my bot.py": GOOD, "jörg_müller.py": GOOD, "other.py": GOOD})
    refused = run("submit", "my bot.py", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.endswith("; 'my_bot' can: add --as my_bot\n")
    assert run("submit", "my bot.py", "--as", "my_bot", cwd=tmp_path).returncode == 0
    assert run("submit", "jörg_müller.py", "--as", "joerg", cwd=tmp_path).returncode == 0
    assert sorted(os.listdir(tmp_path / "bots")) == ["joerg.py", "my_bot.py"]
    alone = run("check", "my bot.py", cwd=tmp_path)
    assert alone.returncode == 1
    assert "   hint: rename it, or submit it with --as my_bot\n" in alone.stdout
    assert run("check", "my bot.py", "--as", "my_bot", cwd=tmp_path).returncode == 0
    two = run("check", "my bot.py", "other.py", "--as", "x", cwd=tmp_path)
    assert two.returncode == 2
    assert "--as gives one bot a name, and these are 2" in two.stderr


def test_json_has_everything_under_documented_keys(tmp_path):
    """Of one bot and of several alike; `submit` also says where each was copied to."""
    write(tmp_path, {"a.py": GOOD, "b b.py": GOOD, "c.py": NONE})
    found = json.loads(run("submit", "a.py", "b b.py", "c.py", "--format", "json", cwd=tmp_path).stdout)
    assert (found["passed"], found["failed"]) == (1, 2)
    good, misnamed, bad = found["bots"]
    assert (good["path"], good["name"], good["passed"], good["failed_step"]) == ("a.py", "a", True, None)
    assert (good["same_as"], good["repeatable"], good["copied_to"]) == (["b b.py"], True, "bots/a.py")
    assert (misnamed["name"], misnamed["suggested_name"], misnamed["failed_step"]) == (None, "b_b", 1)
    assert (bad["failed_step"], bad["why"]) == (
        3,
        "blockade-4x4, ply 1: answered None, which is not a number",
    )
    assert bad["hint"] == "`move` (line 1) has no `return`: did you forget it?"
    assert [step["passed"] for step in bad["steps"]] == [True, True, False]
    alone = json.loads(run("check", "a.py", "--format", "json", cwd=tmp_path).stdout)["bots"][0]
    assert set(alone) == set(good) - {"copied_to", "not_copied"}
    assert len(alone["steps"]) == 7


def test_a_folder_without_a_bot_is_one_sentence(tmp_path):
    """`arena check .` and a folder of JavaScript too."""
    write(tmp_path, {"js/bot.js": "", "mine/bot.py": GOOD})
    for path in (".", "js", "./js"):
        result = run("check", path, cwd=tmp_path / "js" if path == "." else tmp_path)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.startswith(
            f"arena: {path}: there is no bot in this folder; a bot is a Python file"
        )
        assert result.stderr.count("\n") == 1
    here = run("check", ".", "--format", "json", cwd=tmp_path / "mine")
    assert json.loads(here.stdout)["bots"][0]["name"] == "mine"


def test_a_folder_that_is_one_bot_says_which_files_could_be_others(tmp_path):
    """A student's file called bot.py makes the class's folder one bot, which nobody meant."""
    write(tmp_path / "class", {"bot.py": GOOD, "ann.py": GOOD, "helper.py": "VALUE = 1\n"})
    done = run("check", "class", "--isolation", "trusted", cwd=tmp_path)
    assert "class has a bot.py, so it is one bot, and ann.py belong to it; if they are" in done.stderr
    assert "helper.py" not in done.stderr


MISTAKES = {
    "no_return": (NONE, "has no `return`: did you forget it?"),
    "prints": ("def move(position):\n    print(position.legal_moves[0])\n", "what is printed (line 2) is not an answer"),
    "float": ("def move(position):\n    return position.legal_moves[0] / 1\n", "0.0, which is not a whole number; hint: use int(...), or // instead of / (line 2)"),
    "tuple": ("def move(position):\n    return 0, 0\n", "the cell in a row and column is row * position.board.columns + column"),
    "text": ("def move(position):\n    return str(position.legal_moves[0])\n", "that is a text: return the number itself"),
    "index": ("def move(position):\n    return len(position.legal_moves) - 1 if position.history else 0\n", "was meant as an index into position.legal_moves, return position.legal_moves["),
    "near": ("def move(position):\n    return position.legal_move[0]\n", "id you mean"),
    "near_name": ("def move(position):\n    return positon.legal_moves[0]\n", "id you mean"),
    "module": ("import tensorflow\n" + GOOD, "a bot may import what Python brings, numpy where it is installed"),
    "forgotten": ("import helper\n" + GOOD, "is helper.py a file of yours? Hand in a folder, or a zip of it, with bot.py and helper.py in it"),
    "sibling": ("import float\n" + GOOD, "make a folder with this file as bot.py and float.py in it"),
    "data": ("DATA = open('weights.txt').read()\n" + GOOD, "make a folder with this file as bot.py and weights.txt beside it"),
    "loop": ("def move(position):\n    n = 0\n    while True:\n        n += 1\n", "loop.py, line "),
    "loop_in_a_class": ("class Bot:\n    def move(self, position, clock):\n        while True: pass\n", "loop_in_a_class.py, line 3, in move: is that a loop"),
    "misspelt": ("def make_move(position):\n    return position.legal_moves[0]\n", "line 1: call the function `move`, not `make_move`"),
    "misspelt_class": ("class Player:\n    def move(self, position):\n        return 0\n", "line 1: call the class `Bot`, not `Player`"),
    "no_parameter": ("def move():\n    return 0\n", "write `def move(position):` (line 1)"),
    "no_self": ("class Bot:\n    def move(position):\n        return 0\n", "write `def move(self, position):` (line 2)"),
    "asks": ("def move(position):\n    return int(input())\n", "input() asks a person"),
    "debugs": ("def move(position):\n    breakpoint()\n    return 0\n", "breakpoint() stops a bot in `arena play"),
    "changes": ("def move(position):\n    position.to_move = 1\n    return 0\n", "a position cannot be changed"),
    "removes": ("def move(position):\n    position.legal_moves.remove(0)\n    return 0\n", "list(position.legal_moves) makes a list"),
    "uncalled": ("import random\ndef move(position):\n    return random.choice\n", "that is a function: call it"),
    "over": ("def move(position):\n    return min(position.legal_moves, key=lambda c: min(position.play(c).legal_moves))\n", "look at position.is_over first"),
    "endless_search": ("def move(position):\n    return move(position)\n", "does the search stop where position.is_over?"),
}  # fmt: skip


def test_the_commonest_mistakes_get_a_hint(tmp_path):
    """What a good assistant would say, with the line where there is one."""
    write(tmp_path / "class", {f"{name}.py": text for name, (text, _) in MISTAKES.items()})
    table = rows(run("check", "class", cwd=tmp_path).stdout)
    assert len(table) == len(MISTAKES)
    for name, (_, words) in MISTAKES.items():
        assert words in table[f"class/{name}.py"], name
        assert "hint: " in table[f"class/{name}.py"] or "Did you mean" in table[f"class/{name}.py"]


ENCODED = {
    "comment": "# jörg\n".encode("latin-1"),
    "text": '"""Jörg plays."""\n'.encode("latin-1"),
    "declared": '# coding: latin-1\nNAME = "jörg"\n'.encode("latin-1"),
    "utf8": '"""Jörg plays."""\n'.encode(),
    "utf16": b"",
    "path": b'PLACE = "C:\\Users"\n',
}


@pytest.mark.long
def test_a_check_and_a_run_read_letters_alike(tmp_path):
    """As Python's import does: a comment may have any bytes, a text must be UTF-8; the hint says what to do."""
    (tmp_path / "bots").mkdir()
    for name, start in ENCODED.items():
        (tmp_path / "bots" / f"{name}.py").write_bytes(start + GOOD.encode())
    (tmp_path / "bots" / "utf16.py").write_bytes(GOOD.encode("utf-16"))
    table = rows(run("check", "bots", cwd=tmp_path).stdout)
    refused = {name for name in ENCODED if table[f"bots/{name}.py"].startswith("FAILED")}
    assert refused == {"text", "utf16", "path"}
    assert "hint: line 1 has a letter that was saved in another encoding, such as Latin-1: save it as UTF-8" in table["bots/text.py"]  # fmt: skip
    assert "hint: this file looks like UTF-16: save it as UTF-8" in table["bots/utf16.py"]
    assert "or r before the text" in table["bots/path.py"]
    (tmp_path / "c.toml").write_text(
        '[tournament]\nvariants = ["blockade-line"]\nopenings = 1\n[[bots]]\npath = "bots/*"\n'
    )
    for isolation in ("sandboxed", "trusted"):
        run(
            "run",
            "c.toml",
            "--no-audit",
            "--quiet",
            "--isolation",
            isolation,
            "--name",
            isolation,
            cwd=tmp_path,
        )
        told = json.loads(run("games", isolation, "--forfeits", "--format", "json", cwd=tmp_path).stdout)
        assert {game["ending"] for game in told} == {"no-start"}
        losers = {game["second" if game["winner"] == game["first"] else "first"] for game in told}
        assert losers == refused


@pytest.mark.long
def test_a_loop_while_loading_is_found_too(tmp_path):
    """The hint names the line of the bot's own file."""
    write(tmp_path, {"slow.py": "def prepare():\n    while True: pass\nprepare()\n" + GOOD})
    assert "at slow.py, line 2, in prepare: is that a loop" in run("check", "slow.py", cwd=tmp_path).stdout


def test_a_trusted_bot_that_ends_its_process_fails_alone(tmp_path):
    """The others are checked by another worker."""
    write(
        tmp_path,
        {"a.py": "import os\nos._exit(3)\n", "b.py": GOOD, "c.py": GOOD + "\n", "d.py": GOOD + "\n\n"},
    )
    result = run("check", "a.py", "b.py", "c.py", "d.py", "--isolation", "trusted", cwd=tmp_path)
    assert result.returncode == 1
    table = rows(result.stdout)
    assert "the process that checked it ended with exit code 3" in table["a.py"]
    assert [table[name] for name in ("c.py", "d.py")] == ["passed"] * 2


def test_where_no_bot_can_be_checked_it_is_said_once(tmp_path):
    """A machine that cannot sandbox is the user's to mend: one line and exit code 1, not a lost worker."""
    write(tmp_path, {"a.py": GOOD, "b.py": GOOD, "c.py": GOOD})
    code = (
        "import sys, arena.checking.check as check\n"
        "from arena.errors import NoSandbox\n"
        "def refuse(*_): raise NoSandbox('bots cannot be sandboxed here')\n"
        "check.open_host = refuse\n"
        "sys.argv = ['arena', 'check', '.']\n"
        "import arena.cli; arena.cli.main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=plain(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "arena: bots cannot be sandboxed here\n"


def test_ctrl_c_ends_every_worker(tmp_path):
    """Exit code 130, no traceback, and no process is left."""
    slow = "import time\ntime.sleep(0.5)\n" + GOOD
    write(tmp_path / "class", {f"b{number}.py": f"{slow}# {number}\n" for number in range(8)})
    with subprocess.Popen(
        [ARENA, "check", "class"], cwd=tmp_path, env=plain(), text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as started:  # fmt: skip
        time.sleep(1.5)
        os.killpg(started.pid, 2)
        _, error = started.communicate(timeout=20)
    assert started.returncode == 130
    assert "Traceback" not in error
    with pytest.raises(ProcessLookupError):
        os.killpg(started.pid, 0)
