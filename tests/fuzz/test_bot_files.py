"""Bots' files from strangers: a bot that is written inside its folder only and comes back the same, or a sentence."""

import contextlib
import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from arena.bots.source import NAME, Source, check_files, read_command, read_source
from arena.errors import BotFileError
from tests.fuzz.laws import examples, quickly, said

ODD_NAMES = [
    "bot.py",
    "bot.py",
    "a",
    "b",
    "c.py",
    ".git",
    "__pycache__",
    ".hidden",
    "sp ace",
    "é",
    "\x1b[1m",
    "a\nb",
]
ODD_NAMES += [
    "\udcff\udcfe",
    "\u202e.py",
    "back\\slash",
    "-x",
    "~",
    "x" * 199,
    "x" * 250,
    "tab\t",
    "{}",
    "con",
    "$HOME",
]
NAMES = st.one_of(
    st.sampled_from(ODD_NAMES),
    st.text(st.characters(blacklist_characters="/\0", blacklist_categories=["Cs"]), min_size=1, max_size=8),
    st.binary(min_size=1, max_size=4).map(os.fsdecode).filter(lambda name: not set(name) & {"/", "\0"}),
).filter(lambda name: name not in (".", ".."))
LEAVES = st.one_of(
    st.binary(max_size=30),
    st.sampled_from(["link", "link in", "link out", "loop", "fifo", "socket", "closed"]),
)
TREES = st.recursive(
    st.dictionaries(NAMES, LEAVES, max_size=4),
    lambda inner: st.dictionaries(NAMES, st.one_of(LEAVES, inner), max_size=4),
    max_leaves=8,
)
PARTS = st.one_of(st.sampled_from([*ODD_NAMES, "", ".", "..", "a", "b"]), NAMES, st.just("deep/" * 17))
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join)
FILES = st.dictionaries(
    st.one_of(PATHS, st.just("bot.py"), st.sampled_from(["/etc/x", "\0", ""])), st.binary(max_size=9)
)


@contextlib.contextmanager
def some_place() -> Iterator[Path]:
    """A folder for one example, with something in it that nobody may read or change."""
    with tempfile.TemporaryDirectory(prefix="arena-fuzz-") as folder:
        (Path(folder) / "precious").write_bytes(b"mine")
        (Path(folder) / "outside").mkdir()
        yield Path(folder)


def lay(folder: Path, tree: object, precious: Path) -> None:
    """Make what a tree says, as far as the file system lets us."""
    with contextlib.suppress(OSError):
        if isinstance(tree, bytes):
            folder.write_bytes(tree)
        elif isinstance(tree, dict):
            folder.mkdir()
            for name, inner in tree.items():
                lay(folder / name, inner, precious)
        elif tree == "fifo":
            os.mkfifo(folder)
        elif tree == "socket":
            lay_socket(folder)
        elif tree == "closed":
            folder.mkdir(mode=0)
        else:
            targets: dict[str, str | Path] = {
                "link": precious,
                "link in": "bot.py",
                "link out": precious.parent / "outside",
                "loop": ".",
            }
            folder.symlink_to(targets[str(tree)])


def lay_socket(path: Path) -> None:
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as opened:
        opened.bind(str(path))


def seen(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, however it got there."""
    files = [Path(top, name) for top, _, names in os.walk(folder) for name in names]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def refused(error: BotFileError) -> None:
    """One sentence, printable and not long."""
    said(str(error), 700)


def comes_back(source: Source, place: Path) -> None:
    """Written into an empty folder, it is there alone, and is read again as the same bot."""
    before = seen(place / "outside"), (place / "precious").read_bytes(), sorted(os.listdir(place))
    target = place / "written"
    target.mkdir()
    source.write(target)
    assert seen(target) == source.files
    after = sorted(set(os.listdir(place)) - {"written"})
    assert (seen(place / "outside"), (place / "precious").read_bytes(), after) == before
    if source.command:
        assert read_command(list(source.command), source.name, target) == source
    else:
        assert read_source(target, source.name).files == source.files
    assert len(source.version) == 64


@examples(80)
@given(tree=TREES, name=st.one_of(st.none(), st.just("good"), st.text(max_size=5)), main=st.booleans())
def test_any_tree_is_a_bot_or_refused(tree, name, main):
    """Odd names, links, pipes, sockets, depth and numbers: a bot that comes back the same, or one sentence."""
    with some_place() as place:
        lay(place / "team", {"bot.py": b"x", **tree} if main else tree, place / "precious")
        with quickly():
            try:
                source = read_source(place / "team", name)
            except BotFileError as error:
                refused(error)
                return
        assert NAME.fullmatch(source.name)
        assert b"mine" not in source.files.values()
        comes_back(source, place)


@examples(80)
@given(tree=st.one_of(LEAVES, TREES), file=NAMES, name=st.one_of(st.none(), st.just("good")))
def test_any_file_is_a_bot_or_refused(tree, file, name):
    """Whatever its name and whatever it is: a bot by itself, or one sentence."""
    with some_place() as place:
        lay(place / "outside" / file, tree, place / "precious")
        with quickly():
            try:
                source = read_source(place / "outside" / file, name)
            except BotFileError as error:
                refused(error)
                return
        assert source.main in source.files
        assert b"mine" not in source.files.values()


@examples(80)
@given(
    tree=TREES,
    words=st.lists(st.one_of(NAMES, PATHS, st.sampled_from(["\0", "", ".", "..", "/"])), min_size=1),
)
def test_any_command_is_a_bot_or_refused(tree, words):
    """Words that name files, links, folders or nothing: what they name is read, inside the folder only."""
    with some_place() as place:
        lay(place / "team", tree, place / "precious")
        with quickly():
            try:
                source = read_command(words, "good", place / "team")
            except BotFileError as error:
                refused(error)
                return
        assert b"mine" not in source.files.values()
        comes_back(source, place)


@examples(150)
@example(files={".git": b"", "bot.py": b""}, main="", command=False)
@given(files=FILES, main=st.sampled_from(["bot.py", "", "a"]), command=st.booleans())
def test_any_files_are_written_inside_or_refused(files, main, command):
    """Paths from a log: nothing is written unless every one of them is plain and inside, and then just those."""
    source = Source("bot", "" if command else main, files, ("x",) if command else ())
    with some_place() as place:
        wrong = check_files(files, source.main)
        if wrong is None and source.main and "bot.py" in files:  # without either it is no bot that is read
            comes_back(source, place)
            return
        (place / "written").mkdir()
        try:
            source.write(place / "written")
            assert wrong is None
            assert seen(place / "written") == files
        except BotFileError as error:
            refused(error)
            assert seen(place / "written") == {}
        assert sorted(os.listdir(place)) == ["outside", "precious", "written"]
