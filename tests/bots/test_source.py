"""A bot's files: read without following anything, bounded, and written only to where they belong."""

import os
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.bots.finding import read_bot
from arena.bots.source import MOST_BYTES, Source, check_files, read_command, read_source
from arena.errors import BotFileError
from tests.hosts.games import FIRST_LEGAL

BOT = FIRST_LEGAL.encode()


@pytest.fixture
def team(tmp_path):
    """A folder with a bot in it."""
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "bot.py").write_bytes(BOT)
    return folder


def test_a_folder_is_read_whole(team):
    """Folders within it too, and nothing of what Python, git and the Finder leave there."""
    (team / "data" / "deep").mkdir(parents=True)
    (team / "data" / "deep" / "weights 1.bin").write_bytes(b"w")
    (team / "__pycache__").mkdir()
    (team / "__pycache__" / "bot.pyc").write_bytes(b"")
    (team / "data" / ".DS_Store").write_bytes(b"")
    assert read_source(team).files == {"bot.py": BOT, "data/deep/weights 1.bin": b"w"}


def test_nested_folders_are_refused_with_a_sentence(team):
    """However deep they are."""
    place = team
    for _ in range(300):
        place = place / "d"
        place.mkdir()
    with pytest.raises(BotFileError, match=r"team: 'd/d/d.*' is more than 16 folders deep"):
        read_source(team)


def test_a_thousand_nested_folders_are_no_recursion(team):
    """Deeper than Python can call itself, and than a path can be written."""
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(team)
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.fchdir(here)
        os.close(here)
    try:
        with pytest.raises(BotFileError, match="folders deep"):
            read_source(team)
    finally:
        subprocess.run(["rm", "-rf", team / "d"], check=True)  # nobody else could


def test_sixteen_folders_deep_is_allowed(team):
    """The limit itself is no mistake."""
    place = team.joinpath(*"d" * 16)
    place.mkdir(parents=True)
    (place / "w").write_bytes(b"")
    assert len(read_source(team).files) == 2


@pytest.mark.parametrize("kind", ["files", pytest.param("folders", marks=pytest.mark.long)])
def test_thousands_of_files_are_refused_at_once(team, kind, monkeypatch):
    """Not after looking at all of them; a thousand are allowed."""
    for number in range(999):
        place = team / f"{number}"
        place.write_bytes(b"") if kind == "files" else place.mkdir()
    assert len(read_source(team).files) == (1000 if kind == "files" else 1)
    for number in range(999, 6000):
        place = team / f"{number}"
        place.write_bytes(b"") if kind == "files" else place.mkdir()
    seen = count_entries(monkeypatch)
    with pytest.raises(BotFileError, match="team: has more than 1,000 files and folders"):
        read_source(team)
    assert 1_000 < len(seen) < 1_010


def count_entries(monkeypatch):
    """Return a list that gets the name of everything that is looked at in folders."""
    seen, scandir = [], os.scandir

    @contextmanager
    def look(place):
        with scandir(place) as entries:
            yield (seen.append(entry.name) or entry for entry in entries)

    monkeypatch.setattr("arena.bots.source.os.scandir", look)
    return seen


@pytest.mark.parametrize("target", [".", "..", "bot.py", "/etc/passwd", "/etc", "nowhere"])
@pytest.mark.parametrize("inside", ["link", "data/link"])
def test_every_link_in_a_folder_is_refused(team, target, inside):
    """To a file, a folder, itself or nothing: what lies elsewhere is no part of a bot."""
    (team / "data").mkdir()
    (team / inside).symlink_to(target)
    with pytest.raises(BotFileError, match=f"team: {inside} is a link or not a plain file"):
        read_source(team)


def test_a_pipe_in_a_folder_is_refused(team):
    """It would be waited for."""
    os.mkfifo(team / "pipe")
    with pytest.raises(BotFileError, match="pipe is a link or not a plain file"):
        read_source(team)


def test_sixteen_mib_are_for_all_files_together(team):
    """Of a folder, and of the files that a command names."""
    (team / "a").write_bytes(bytes(MOST_BYTES // 2))
    (team / "b").write_bytes(bytes(MOST_BYTES // 2 - len(BOT)))
    assert len(read_source(team).files) == 3
    (team / "c").write_bytes(b"1")
    with pytest.raises(BotFileError, match="has more than 16 MiB"):
        read_source(team)
    with pytest.raises(BotFileError, match="has more than 16 MiB"):
        read_command(["x", "a", "b", "bot.py", "c"], "c", team)


def test_a_command_names_plain_files(team):
    """Those below its folder are taken; one that is a link, or lies behind one, is refused."""
    (team / "data").mkdir()
    (team / "data" / "w").write_bytes(b"w")
    (team / "behind").symlink_to("data")
    (team / "link").symlink_to("/etc/passwd")
    words = ["python3", "./bot.py", "--data=x", "data/w", "", ".", "/etc/passwd", "../team/bot.py"]
    assert read_command(words, "c", team).files == {"bot.py": BOT, "data/w": b"w"}
    for word in ("link", "./link", "behind/w"):
        with pytest.raises(BotFileError, match="is a link, or has a link in its path"):
            read_command(["cat", word], "c", team)


def test_a_file_with_an_odd_name_can_be_given_another(tmp_path):
    """The name of the file is not the bot's then, nor that of its main file."""
    (tmp_path / "mön ami.py").write_bytes(BOT)
    source = read_source(tmp_path / "mön ami.py", "mine")
    assert (source.name, source.main) == ("mine", "bot.py")
    assert source.version == Source("mine", "x.py", {"x.py": BOT}).version


WRONG = {
    "../x": "is not a path inside",
    "a/../../x": "is not a path inside",
    "..": "is not a path inside",
    ".": "is not a path inside",
    "./x": "is not a path inside",
    "a//x": "is not a path inside",
    "a/": "is not a path inside",
    "": "must have a name of at most",
    "/etc/x": "is not a path inside",
    "a\\..\\x": "must have a name of at most",
    "x\0y": "must have a name of at most",
    "x\ny": "must have a name of at most",
    "x\n": "must have a name of at most",
    "\x1b[2J": "must have a name of at most",
    "mön": "must have a name of at most",
    "a\u202ex": "must have a name of at most",
    "x" * 201: "must have a name of at most 200 ASCII",
    "/".join("d" * 17 + "x"): "is more than 16 folders deep",
    "bot.py/x": "is a file and a folder at once",
}


@pytest.mark.parametrize("path", WRONG)
def test_paths_that_lead_elsewhere_are_found_out_on_the_way_out(path, tmp_path):
    """A bot that comes out of a log writes nothing: not outside its folder, and not in it either."""
    files = {"bot.py": BOT, path: b"evil"} if path != "bot.py/x" else {path: b"evil", "bot.py": BOT}
    wrong = check_files(files, "bot.py")
    assert wrong is not None
    assert WRONG[path] in wrong
    assert wrong.isprintable()
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    with pytest.raises(BotFileError, match=r"^evil: "):
        Source("evil", "bot.py", files).write(inside)
    assert [*tmp_path.rglob("*")] == [tmp_path / "a", inside]


def test_files_are_counted_with_their_folders():
    """Many, large, or without the one that is run: each is said."""
    assert check_files({"bot.py": BOT}, "bot.py") is None
    assert check_files({}, "") is None
    assert check_files({f"{n}": b"" for n in range(1000)}, "0") is None
    assert check_files({f"{n}": b"" for n in range(1001)}, "0") == "has more than 1,000 files and folders"
    assert check_files({f"{n}/x": b"" for n in range(501)}, "") == "has more than 1,000 files and folders"
    assert check_files({"a": bytes(MOST_BYTES), "b": b"1"}, "a") == "has more than 16 MiB"
    assert check_files({"a": b""}, "bot.py") == "has no file 'bot.py'"
    many = {f"{n}/{'a/' * 90}x": b"" for n in range(100_000)}
    begun = time.process_time()
    assert check_files(many, "") is not None
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("path", ["x" * 5000 + ".py", "x" * 300, "a/" * 3000 + "bot.py"])
def test_a_path_that_no_file_system_has_is_a_sentence(path):
    """Too long a name is the user's mistake, not a fault of ours."""
    with pytest.raises(BotFileError, match=r"^[xa/]+\.\.\.: cannot be read: File name too long$"):
        read_source(path, "good")
    with pytest.raises(BotFileError):
        read_bot(path, Path("."))


def test_a_sentence_about_an_odd_file_is_printable(tmp_path):
    """Also where a name was given for it, and its own is told in the advice."""
    (tmp_path / "o\x1bdd\n.txt").write_bytes(BOT)
    with pytest.raises(BotFileError) as refusal:
        read_source(tmp_path / "o\x1bdd\n.txt", "good")
    assert str(refusal.value).endswith(r"a bot is a Python file, `o\x1bdd\n.py`, or a folder with `bot.py`")


@pytest.mark.parametrize("word", ["\udcff", "a\0b"])
def test_a_command_is_text(tmp_path, word):
    """Bytes that are no text cannot be hashed, and a NUL would make one word look like two."""
    with pytest.raises(BotFileError, match=r"a command must be text, without NUL"):
        read_command(["node", word], "good", tmp_path)


@pytest.mark.parametrize("path", ["__pycache__/bot.cpython-311.pyc", "a/.git", ".DS_Store"])
def test_what_is_passed_over_in_a_folder_is_not_written_from_a_log(tmp_path, path):
    """No folder that was read here has it: compiled code beside the source would be run instead of it."""
    source = Source("bot", "bot.py", {"bot.py": BOT, path: b"x"})
    with pytest.raises(BotFileError, match="never takes"):
        source.write(tmp_path)
    assert os.listdir(tmp_path) == []
    assert check_files({path: b"x"}, "") is None  # a command names its own files
