"""`arena new`, `check`, `submit`, `bots` and `doctor`, as a student meets them."""

import os
import re
import signal
import subprocess
import time

import pytest

import arena
from arena.hosts.doctor import _find_left_open
from arena.referee import Limits
from arena.sandbox.walls import Walls
from arena.terminal.seats import Forfeit, Manner, Seats
from tests.cli.command import ARENA, plain, run

GOOD = "def move(position):\n    return position.legal_moves[0]\n"


def write(folder, text, name="mine.py"):
    data = text if isinstance(text, bytes) else text.encode()
    (folder / name).write_bytes(data)
    return name


def test_three_lines_and_one_minute(tmp_path):
    """A new bot is written, passes its check and can play, each with one command."""
    made = run("new", "mine", cwd=tmp_path)
    assert made.stdout == "wrote bots/mine.py; now: arena check bots/mine.py\n"
    checked = run("check", "bots/mine.py", cwd=tmp_path)
    assert checked.returncode == 0
    assert checked.stdout.count(" passed ") == 7
    game = run("play", "grid-lock", "--first", "mine", "--second", "first_legal", cwd=tmp_path)
    assert game.stdout.endswith("wins the game!\n")
    (tmp_path / "short.py").write_text(GOOD)
    assert len(GOOD.splitlines()) <= 3
    assert run("check", "short.py", cwd=tmp_path).returncode == 0


def test_what_a_bot_uses_is_its_own(tmp_path):
    """A game takes at least as long as its longest move; what the bot's opponent uses is not counted."""
    burn = "import time\ndef move(position):\n    end = time.process_time() + 0.01 * (len(position.history) < 2)\n"
    write(tmp_path, f"{burn}    while time.process_time() < end: pass\n    return position.legal_moves[0]\n")
    told = run("check", "mine.py", cwd=tmp_path).stdout
    ((of_a_move, of_a_game),) = re.findall(
        r"at most ([\d.]+) ms of CPU for a move, of 1 s; ([\d.]+) ms for a game", told
    )
    assert 10 <= float(of_a_move) <= float(of_a_game)


def test_new_never_overwrites(tmp_path):
    """A second `arena new` of the same name leaves the first one alone; bad names are refused."""
    run("new", "mine", cwd=tmp_path)
    (tmp_path / "bots" / "mine.py").write_text("precious")
    for name, words in (
        ("mine", "already exists"),
        ("a b", "'a b' cannot be a bot's name (at most 64 letters"),
        ("../x", "'../x' cannot be a bot's name"),
        ("", "'' cannot be a bot's name"),
    ):
        result = run("new", name, cwd=tmp_path)
        assert result.returncode == 1
        assert words in result.stderr
    assert (tmp_path / "bots" / "mine.py").read_text() == "precious"
    assert os.listdir(tmp_path / "bots") == ["mine.py"]


@pytest.mark.parametrize(
    ("text", "step", "words"),
    [
        ("", 2, "it has no function `move` and no class `Bot` with a method `move`"),
        ("def move(position:\n", 2, "raised SyntaxError"),
        ("x = 1\n", 2, "it has no function `move`"),
        (
            "def move():\n    return 0\n",
            2,
            "`move` must take a position, and may take a second parameter `clock`",
        ),
        ("def move(position):\n    return None\n", 3, "answered None, which is not a number"),
        ("def move(position):\n    return 'a1'\n", 3, "answered 'a1', which is not a number"),
        ("def move(position):\n    return True\n", 3, "answered True, which is not a number"),
        ("def move(position):\n    return 99\n", 3, "claimed cell 99: 99 is not a cell of this board"),
        ("def move(position):\n    return [0]\n", 3, "answered [0], which is not a number"),
        ("def move(position):\n    return position.board.nothing\n", 3, "raised AttributeError"),
        ("import time\ndef move(position):\n    time.sleep(99)\n", 3, "s asleep without an answer"),
        ("def move(position):\n    while True: pass\n", 3, "s of CPU without an answer, and may use 1 s"),
        ("def move(position):\n    x = [0] * 10**9\n    return 0\n", 3, "raised MemoryError"),
        ("import torch_of_my_own\n", 2, "raised ModuleNotFoundError: No module named 'torch_of_my_own'"),
        (b"def move(position):\0\n    return 0\n", 2, "null bytes"),
        (b"\xff\xfe\x00", 2, "raised"),
        (
            "def move(position):\n    return 0 if position.board.size < 17 else None\n",
            3,
            "is already claimed",
        ),
        (
            "def move(position):\n    assert position.board.rows or position.board.size == 13\n"
            "    return position.legal_moves[0]\n",
            4,
            "col:ring-9, ply",
        ),
    ],
)
def test_check_says_what_is_wrong_in_a_sentence(tmp_path, text, step, words):
    """A bot that fails is told at which step and why; exit code 1, no traceback of ours."""
    result = run("check", write(tmp_path, text), cwd=tmp_path)
    assert result.returncode == 1
    failed = [line for line in result.stdout.splitlines() if " FAILED " in line]
    assert len(failed) == 1
    assert failed[0].startswith(f"{step}. ")
    assert words in failed[0]
    assert "arena/" not in result.stdout + result.stderr


def test_check_shows_the_bots_own_traceback(tmp_path):
    """The author's own lines, with their numbers."""
    text = "def helper():\n    return [][1]\n\ndef move(position):\n    return helper()\n"
    output = run("check", write(tmp_path, text), cwd=tmp_path).stdout
    assert 'File "mine.py", line 5, in move' in output
    assert "IndexError: list index out of range" in output


def test_check_refuses_what_is_no_bot(tmp_path):
    """Folders without bot.py, links, missing files and other things are named for what they are."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "real.py").write_text(GOOD)
    (tmp_path / "link.py").symlink_to(tmp_path / "real.py")
    (tmp_path / "note.txt").write_text(GOOD)
    os.mkfifo(tmp_path / "pipe.py")
    for path, words in {
        "link.py": "is a symbolic link; give the file itself",
        "missing.py": "there is no such file or folder",
        "./note.txt": "a bot is a Python file",
        "pipe.py": "is neither a file nor a folder",
        "gredy": "did you mean 'greedy'?",
    }.items():
        result = run("check", path, cwd=tmp_path)
        assert result.returncode == 1, path
        assert words in result.stdout, path


def test_a_bot_that_prints_passes_and_is_shown(tmp_path):
    """What it printed in its last game is part of the report, made printable."""
    text = "def move(position):\n    print('thinking \\x1b[31m', position.to_move)\n    return position.legal_moves[0]\n"
    result = run("check", write(tmp_path, text), cwd=tmp_path)
    assert result.returncode == 0
    assert "    thinking \\x1b[31m 1\n" in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.parametrize(
    "text",
    [
        "import os\ndef move(position):\n    return position.legal_moves[os.urandom(1)[0] % len(position.legal_moves)]\n",
        "import time\ndef move(position):\n    return position.legal_moves[time.perf_counter_ns() // 100 % len(position.legal_moves)]\n",
    ],
)
def test_a_bot_that_cannot_be_repeated_passes_and_is_told(tmp_path, text):
    """It may play; it is said that its games cannot be repeated."""
    result = run("check", write(tmp_path, text), cwd=tmp_path)
    assert result.returncode == 0
    assert "so its games cannot be repeated" in result.stdout


def test_random_bots_are_repeatable(tmp_path):
    """`random` is seeded, so a random bot does the same again."""
    text = "import random\ndef move(position):\n    return random.choice(position.legal_moves)\n"
    assert "the same moves for the same seeds" in run("check", write(tmp_path, text), cwd=tmp_path).stdout


def test_submit_copies_only_what_passes(tmp_path):
    """A bot that fails is not copied; one that passes is, under the name asked for, and never over another."""
    bad = run("submit", write(tmp_path, "def move(position):\n    return None\n"), cwd=tmp_path)
    assert bad.returncode == 1
    assert bad.stdout.endswith("nothing was copied\n")
    assert not (tmp_path / "bots").exists()

    write(tmp_path, GOOD)
    assert run("submit", "mine.py", cwd=tmp_path).stdout.endswith("copied to bots/mine.py\n")
    assert (tmp_path / "bots" / "mine.py").read_text() == GOOD
    write(tmp_path, GOOD + "# newer\n")
    again = run("submit", "mine.py", cwd=tmp_path)
    assert again.returncode == 1
    assert "--replace" in again.stderr
    assert (tmp_path / "bots" / "mine.py").read_text() == GOOD
    assert run("submit", "mine.py", "--replace", cwd=tmp_path).returncode == 0
    assert (tmp_path / "bots" / "mine.py").read_text() == GOOD + "# newer\n"
    assert run("submit", "mine.py", "--as", "v2", cwd=tmp_path).stdout.endswith("copied to bots/v2.py\n")
    assert sorted(os.listdir(tmp_path / "bots")) == ["mine.py", "v2.py"]


def test_submit_takes_folders(tmp_path):
    """A folder with helpers is copied whole, without caches."""
    folder = tmp_path / "team"
    (folder / "__pycache__").mkdir(parents=True)
    (folder / "bot.py").write_text("from tactics import choose as move\n")
    (folder / "tactics.py").write_text(GOOD.replace("def move", "def choose"))
    (folder / "weights.bin").write_bytes(bytes(100))
    assert run("submit", "./team", cwd=tmp_path).returncode == 0
    assert sorted(os.listdir(tmp_path / "bots" / "team")) == ["bot.py", "tactics.py", "weights.bin"]


def test_no_file_and_no_folder_get_one_name(tmp_path):
    """A tournament with bots/* would not know which of them is meant."""
    folder = tmp_path / "bots" / "v1.2"
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(GOOD)
    write(tmp_path, GOOD)
    done = run("submit", "mine.py", "--as", "v1.2", "--replace", cwd=tmp_path)
    said = "bots/v1.2 is a bot of the same name; --as NAME gives this bot another one"
    assert (done.returncode, said in done.stderr) == (1, True)
    folder.rename(tmp_path / "other")
    (tmp_path / "bots" / "other.py").write_text(GOOD)
    done = run("submit", "./other", cwd=tmp_path)
    assert "bots/other.py is a bot of the same name" in done.stderr
    assert os.listdir(tmp_path / "bots") == ["other.py"]


def test_submit_takes_over_nothing_that_lies_in_its_way(tmp_path):
    """Neither what an earlier one has left half done, nor what a planted link leads to."""
    folder, bots, victim = tmp_path / "team", tmp_path / "bots", tmp_path / "victim"
    for place in (folder, bots / ".team.new", victim):
        place.mkdir(parents=True)
    (folder / "bot.py").write_text(GOOD)
    (bots / ".team.new" / "stale.py").write_text("1 / 0")
    (tmp_path / "notes").write_text("mine")
    (bots / ".mine.py.new").symlink_to(tmp_path / "notes")
    (bots / ".other.new").symlink_to(victim)
    write(tmp_path, GOOD)
    for words in (("./team",), ("mine.py",), ("./team", "--as", "other")):
        assert run("submit", *words, cwd=tmp_path).returncode == 0
    assert os.listdir(bots / "team") == os.listdir(bots / "other") == ["bot.py"]
    assert (tmp_path / "notes").read_text() == "mine"
    assert os.listdir(victim) == []
    assert not any((bots / name).is_symlink() for name in ("team", "other", "mine.py"))
    assert {"team", "other", "mine.py"} == {name for name in os.listdir(bots) if not name.endswith(".new")}


def test_submit_replaces_a_link_and_not_what_it_leads_to(tmp_path):
    """Even one that leads nowhere is there already."""
    (tmp_path / "bots").mkdir()
    link = tmp_path / "bots" / "mine.py"
    link.symlink_to(tmp_path / "nowhere.py")
    write(tmp_path, GOOD)
    assert "already exists" in run("submit", "mine.py", cwd=tmp_path).stderr
    assert run("submit", "mine.py", "--replace", cwd=tmp_path).returncode == 0
    assert not link.is_symlink()
    assert not (tmp_path / "nowhere.py").exists()


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_copy_that_fails_leaves_what_was_there(tmp_path, monkeypatch, is_folder):
    """The old bot is in its place again, and nothing lies beside it."""
    from arena.bots.copying import copy_bot
    from arena.bots.source import Source

    target = tmp_path / "mine"
    (target / "data").mkdir(parents=True) if is_folder else target.write_text("old")
    rename = type(target).rename

    def fails(place, other):
        if place.name == "new":
            raise OSError(28, "No space left on device")
        return rename(place, other)

    monkeypatch.setattr(type(target), "rename", fails)
    with pytest.raises(OSError, match="No space"):
        copy_bot(Source("mine", "bot.py", {"bot.py": b""}), target, is_folder)
    assert os.listdir(tmp_path) == ["mine"]
    assert os.listdir(target) == ["data"] if is_folder else target.read_text() == "old"


def test_bots_lists_ours_and_the_starters(tmp_path):
    """Own bots stand beside those that come with arena, with version and first words."""
    run("new", "mine", cwd=tmp_path)
    output = run("bots", cwd=tmp_path).stdout
    assert re.search(r"^mine +[0-9a-f]{12} +bots/mine.py +mine: say in a line how it plays\.$", output, re.M)
    assert re.search(r"^greedy +[0-9a-f]{12} ", output, re.M)


def test_a_renamed_bot_is_the_same_bot(tmp_path):
    """The version is that of the content."""
    for name in ("a.py", "b.py"):
        write(tmp_path, GOOD, name)
    (tmp_path / "bots").mkdir()
    for name in ("a.py", "b.py"):
        write(tmp_path / "bots", GOOD, name)
    versions = re.findall(r"^[ab] +([0-9a-f]{12})", run("bots", cwd=tmp_path).stdout, re.M)
    assert len(versions) == 2
    assert versions[0] == versions[1]


def test_bots_play_people_and_each_other(tmp_path):
    """A bot's move is shown as if it were typed; a person answers it."""
    game = run("play", "blockade-line", "--first", "first_legal", typed="3\n", cwd=tmp_path).stdout
    assert "Enter the position you want to claim: 1\nPosition 1 claimed by first_legal (X).\n" in game
    assert "Position 3 claimed by Player 2.\n" in game
    game = run("play", "grid-block", "--first", "first_legal", "--second", "greedy", cwd=tmp_path).stdout
    assert "Enter row (0-3): 0\nEnter column (0-3): 0\n\nGrid:\nX . . .\n" in game
    assert game.rstrip().endswith("wins!")


def test_a_bot_that_breaks_the_rules_forfeits_a_game_with_people(tmp_path):
    """It is said what it did and who has won; exit code 0, for a game was played."""
    write(tmp_path, "def move(position):\n    return 99\n")
    result = run("play", "grid-lock", "--second", "mine.py", typed="6\n", cwd=tmp_path)
    assert result.returncode == 0
    assert result.stdout.endswith(
        "mine (O) forfeits: illegal, ply 2: claimed cell 99: 99 is not a cell of this board.\n"
        "Player 1 wins the game!\n"
    )


@pytest.mark.parametrize("use", ["while time.process_time() < end: pass", "time.sleep(0.25)"])
def test_a_bot_has_one_clock_for_a_whole_game_with_people(tmp_path, monkeypatch, use):
    """What its moves take adds up, computing or asleep: one of these fits into the game, many do not."""
    monkeypatch.setattr("arena.referee.DEFAULT_LIMITS", Limits(game_seconds=0.3))
    text = f"import time\ndef move(position):\n    end = time.process_time() + 0.2\n    {use}\n"
    bot = str(tmp_path / write(tmp_path, f"{text}    return position.legal_moves[0]\n"))
    position = arena.variant("snort:grid-8x8").start()
    with Seats((bot, None), Manner()) as seats:
        seats.begin(position.variant, 1)
        position = position.play(seats.ask(position))
        with pytest.raises(Forfeit, match="timeout, ply"):
            play_on(seats, position)


def play_on(seats, position):
    """Go on for some moves; the second or third is late, unless this machine is too busy to tell that soon."""
    while len(position.history) < 20:
        position = position.play(position.legal_moves[0])
        position = position.play(seats.ask(position))


def test_trusted_needs_no_sandbox(tmp_path):
    """The same check in this process, for one's own bots."""
    result = run("check", write(tmp_path, GOOD), "--isolation", "trusted", cwd=tmp_path)
    assert result.returncode == 0
    bad = run(
        "check",
        write(tmp_path, "def move(position):\n    while True: pass\n"),
        "--isolation",
        "trusted",
        cwd=tmp_path,
    )
    assert bad.returncode == 1
    assert "gave no move within" in bad.stdout


def test_doctor_shows_each_feature():
    """Every feature is yes or no, and the canaries prove what is said."""
    result = run("doctor")
    assert result.returncode == 0
    for feature in (
        "seccomp filter",
        "Landlock",
        "pid namespace",
        "contained: reading a file",
        "contained: another process",
    ):
        assert re.search(rf"^{feature} +yes", result.stdout, re.M)
    assert "\nBots can be sandboxed here: seccomp, " in result.stdout
    assert "- the moves, and how long the other bot took for them\n" in result.stdout


@pytest.mark.parametrize(
    ("walls", "word"),
    [
        (Walls(True, 7, False, False), "names, sizes and times of files"),
        (Walls(True, 7, True, False), "process ids"),
        (Walls(True, 0, True, True), "files of this machine"),
    ],
)
def test_doctor_says_what_each_level_leaves_open(walls, word):
    """What is missing has its phrase, and what is there has none."""
    with_all = list(_find_left_open(Walls(True, 7, True, True)))
    assert not any(word in phrase for phrase in with_all)
    assert any(word in phrase for phrase in _find_left_open(walls))


def test_names_that_would_mislead_are_refused(tmp_path):
    """foo.py would become foo.py.py, and `human` is a person."""
    of_a_file = "'foo.py' is the name of a file; a bot's name is without .py: 'foo'"
    of_a_person = "'human' stands for a person in `arena play`; choose another name for a bot"
    for name, words in (("foo.py", of_a_file), ("human", of_a_person)):
        result = run("new", name, cwd=tmp_path)
        assert (result.returncode, result.stderr) == (1, f"arena: {words}\n")
    write(tmp_path, GOOD)
    refused = run("submit", "mine.py", "--as", "human", cwd=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")  # said before the check, not after it
    assert of_a_person in refused.stderr


def test_what_stands_in_the_way_is_said(tmp_path):
    """A file where the folder should be, and files with names that are no text, are no reason to crash."""
    (tmp_path / "bots").write_text("")
    assert run("new", "mine", cwd=tmp_path).returncode == 1
    (tmp_path / "bots").unlink()
    folder = tmp_path / "bots" / "team"
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(GOOD)
    with open(os.fsencode(folder) + b"/\xff.txt", "w"):
        pass
    assert "must have a name of at most" in run("check", "team", cwd=tmp_path).stdout
    assert run("bots", cwd=tmp_path).returncode == 0


def test_a_folder_here_is_found_by_its_name(tmp_path):
    """It need not be written as a path."""
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "bot.py").write_text(GOOD)
    assert run("check", "team", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("isolation", ["trusted", "sandboxed"])
def test_ctrl_c_during_a_check_is_the_users(tmp_path, isolation):
    """Exit code 130, nothing said of the bot, and no process left."""
    write(
        tmp_path,
        "import time\ndef move(position):\n    time.sleep(0.5)\n    return position.legal_moves[0]\n",
    )
    checking = subprocess.Popen(
        [ARENA, "check", "mine.py", "--isolation", isolation],
        cwd=tmp_path,
        env=plain(),
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    )
    assert checking.stdout is not None
    assert "can be read" in checking.stdout.readline()
    time.sleep(0.5)
    checking.send_signal(signal.SIGINT)
    rest = checking.stdout.read()
    checking.stdout.close()
    assert checking.wait(timeout=20) == 130
    assert "FAILED" not in rest
