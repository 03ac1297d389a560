"""What is taken as a bot, and what is refused, before anything of it is used."""

import io
import struct
import zipfile
import zlib

import pytest

from arena.contest.unpacking import MOST_ENTRIES, _wrong_with, unpack
from arena.errors import BotFileError

BOT = b"def move(position): return position.legal_moves[0]\n"
LINK, DEVICE, FOLDER = 0o120777, 0o020666, 0o040755


def zipped(entries, pack=zipfile.ZIP_DEFLATED):
    """A zip of names and bytes; a third value is a Unix mode."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", pack) as archive:
        for name, data, *mode in entries:
            info = zipfile.ZipInfo(name)
            info.filename = name  # as it is written, also if it is odd
            info.compress_type = pack
            info.external_attr = (mode[0] if mode else 0o100644) << 16
            archive.writestr(info, data)
    return made.getvalue()


def take(data, filename="bot.zip"):
    return unpack(io.BytesIO(data), filename, "anna")


def refuse(data, filename="bot.zip"):
    with pytest.raises(BotFileError) as refused:
        take(data, filename)
    return str(refused.value)


def test_a_python_file_is_taken_as_it_is():
    """Whatever it is called, and whatever is in it: the check says what is wrong with that."""
    found = take(BOT, "../../über <b>.PY")
    assert (found.name, found.main, found.files) == ("anna", "bot.py", {"bot.py": BOT})
    assert take(b"\xff\0(((", "x.py").files == {"bot.py": b"\xff\0((("}


@pytest.mark.parametrize("top", ["", "my bot/", "anna-main/"])
def test_a_folder_is_taken_with_or_without_itself(top):
    """As systems zip it, with what they and Python leave in it, which is passed over."""
    left = [("__MACOSX/._bot.py", b"x"), (f"{top}__pycache__/bot.pyc", b"x"), (f"{top}.DS_Store", b"x")]
    entries = [(f"{top}bot.py", BOT), (f"{top}lib/", b"", FOLDER), (f"{top}lib/book.txt", b"1"), *left]
    assert take(zipped(entries)).files == {"bot.py": BOT, "lib/book.txt": b"1"}
    assert take(zipped(entries, zipfile.ZIP_STORED)).files == {"bot.py": BOT, "lib/book.txt": b"1"}


def test_a_bot_is_the_same_from_a_file_and_from_a_zip():
    """So its version is, too."""
    assert take(BOT, "anna.py").version == take(zipped([("x/bot.py", BOT)])).version


@pytest.mark.parametrize(
    ("name", "mode", "sentence"),
    [
        ("../bot.py", 0o100644, "'../bot.py' is not a path inside the bot's folder"),
        ("a/../../b", 0o100644, "is not a path inside the bot's folder"),
        ("/etc/passwd", 0o100644, "is not a path inside the bot's folder"),
        ("C:/x.py", 0o100644, "is not a path inside the bot's folder"),
        ("a\\..\\b.py", 0o100644, "is not a path inside the bot's folder"),
        ("a//b.py", 0o100644, "is not a path inside the bot's folder"),
        ("./b.py", 0o100644, "is not a path inside the bot's folder"),
        ("__pycache__/../../x", 0o100644, "is not a path inside the bot's folder"),
        ("secrets", LINK, "'secrets' is a link or not a plain file"),
        ("zero", DEVICE, "is a link or not a plain file"),
        ("folder", FOLDER, "is a link or not a plain file"),
        ("BOT.py", 0o100644, "'bot.py' and 'BOT.py' differ only in small and capital letters"),
        ("LIB/x", 0o100644, "'lib' and 'LIB' differ only"),
        ("bot.py", 0o100644, "'bot.py' is in it twice"),
        ("über.py", 0o100644, "ASCII characters"),
        ("a\x1b[2J.py", 0o100644, r"'a\x1b[2J.py' must have a name"),
        ("<script>.py\n", 0o100644, r"'<script>.py\n' must have a name"),
        ("d/" * 17 + "x", 0o100644, "is more than 16 folders deep"),
        ("x" * 301, 0o100644, "must have a name of at most 200 characters"),
        ("lib", 0o100644, "is a file and a folder at once"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_names_that_are_not_plain_are_refused(name, mode, sentence):
    """Out of the folder, links, devices, two files that are one on some disks, signs that no name should have."""
    assert sentence in refuse(zipped([("bot.py", BOT), ("lib/y", b""), (name, b"x", mode)]))


def test_a_zip_with_windows_paths_is_to_be_packed_by_another_tool():
    """Its author chose no odd path; one that leads out of the folder is refused as in any other zip."""
    said = "was packed by a tool that writes Windows paths; pack it with another one"
    assert said in refuse(zipped([("mybot\\bot.py", BOT), ("mybot\\lib\\book.txt", b"1")]))
    assert said in refuse(zipped([("mybot\\", b"", FOLDER), ("mybot\\bot.py", BOT)]))
    for elsewhere in ("..\\bot.py", "\\bot.py", "C:\\bot.py"):
        assert "is not a path inside the bot's folder" in refuse(zipped([(elsewhere, BOT)]))


def test_a_name_with_a_nul_is_refused():
    """zipfile would cut it off there."""
    data = zipped([("bot.py", BOT), ("lib.pyXtxt", b"x")]).replace(b"lib.pyXtxt", b"lib.py\0txt")
    assert r"'lib.py\x00txt' is not a path" in refuse(data)


def test_a_name_that_is_empty_is_refused():
    """Python 3.11 cannot even say whether that is a folder."""
    data = bytearray(zipped([("bot.py", BOT), ("q", b"")]))
    second = data.rindex(b"PK\1\2")
    struct.pack_into("<HH", data, second + 28, 0, 1)  # the name is an extra field now
    assert "is not a path inside the bot's folder" in refuse(bytes(data))


def test_a_name_that_stands_in_another_place_is_refused_too():
    """Python 3.12 and later take what an extra field (0x7075) says for the name."""
    entry = zipfile.ZipInfo("lib/book.txt")
    entry.filename = "C:/book.txt"
    assert _wrong_with(entry) == "is not a path inside the bot's folder"


def test_a_zip_bomb_is_refused_by_what_comes_out_of_it():
    """Whatever its headers say about its size."""
    bomb = zipped([("bot.py", BOT), ("zeros", bytes(17 << 20))])
    assert len(bomb) < 100_000
    assert refuse(bomb) == "bot.zip: has more than 16 MiB unpacked"
    liar = bomb.replace(struct.pack("<L", 17 << 20), struct.pack("<L", 5))
    assert "MiB unpacked" in refuse(liar) or "damaged" in refuse(liar)


def test_the_limit_is_on_all_files_together():
    """Many that are small enough each are too much together."""
    assert "has more than 16 MiB" in refuse(
        zipped([("bot.py", BOT), *((f"{n}", bytes(1 << 20)) for n in range(17))])
    )


def test_entries_that_lie_over_each_other_are_refused():
    """The same packed bytes many times: a bomb that grows with every line of its list, in time if not in bytes."""
    data = zipped([("bot.py", BOT), ("a", zlib.compress(bytes(range(256)) * 50))], zipfile.ZIP_STORED)
    end = data.rindex(b"PK\x05\x06")
    start = data.rindex(b"PK\x01\x02")
    more = b"".join(data[start : end - 1] + bytes([letter]) for letter in b"bcdefghijklmnop")
    count, size = struct.unpack("<HL", data[end + 10 : end + 16])
    tail = (
        data[end : end + 8] + struct.pack("<HHL", count + 15, count + 15, size + len(more)) + data[end + 16 :]
    )
    assert "lie over each other" in refuse(data[:end] + more + tail)


def test_too_many_entries_are_refused():
    """Both those that we would take, and those that only have to be looked at."""
    assert "more than 1,000 files" in refuse(zipped([("bot.py", BOT), *((f"{n}", b"") for n in range(1000))]))
    assert take(zipped([("bot.py", BOT), *((f".git/{n}", b"") for n in range(1000))])).files == {
        "bot.py": BOT
    }
    assert "more than 1,000 files" in refuse(b"PK\x03\x04" + b"PK\x01\x02" * (MOST_ENTRIES + 1))


def test_what_needs_a_password_or_another_program_is_refused():
    """Encrypted entries, and other ways of packing, whose memory we do not know."""
    data = bytearray(zipped([("bot.py", BOT)]))
    for sign, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(sign) + at] |= 1
    assert "is encrypted; make the zip without a password" in refuse(bytes(data))
    assert "packed in an unusual way" in refuse(zipped([("bot.py", BOT)], zipfile.ZIP_LZMA))


def test_damaged_zips_are_refused_with_a_sentence():
    """Cut anywhere, or with any byte changed: a bot or a sentence, and no other error."""
    whole = zipped([("x/bot.py", BOT), ("x/more", b"12345" * 20)])
    for at in range(len(whole)):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]):
            try:
                take(data)
            except BotFileError as error:
                assert str(error).startswith("bot.zip: ")


@pytest.mark.parametrize(
    ("data", "filename", "sentence"),
    [
        (b"", "", "no file was chosen; a bot is a Python file"),
        (b"", "x.py", "x.py: is empty"),
        (BOT, "Bot.java", "Bot.java: a bot is a Python file, such as `my_bot.py`, or a zip of a folder"),
        (b"{}", "Bot.IPYNB", "Bot.IPYNB: this is a notebook: save the cell with `move` as a .py file"),
        (BOT, "bot.zip", "bot.zip: is not a zip file"),
        (b"x" * (16 << 20) + b"x", "x.py", "x.py: has more than 16 MiB"),
        (zipped([("anna.py", BOT)]), "bot.zip", "has no `bot.py`"),
        (zipped([("a/bot.py", BOT), ("b/x", b"")]), "bot.zip", "has no `bot.py`"),
        (zipped([("a/b/bot.py", BOT)]), "bot.zip", "has no `bot.py`"),
        (zipped([]), "bot.zip", "has no `bot.py`"),
        (
            zipped([("b/bot.py", BOT), ("a/bot.py", BOT), ("x.txt", b"")]),
            "bot.zip",
            "bot.zip: has a `bot.py` in 2 folders, 'a' and 'b'; make a zip of one of them",
        ),
        (
            zipped([(f"class/{name}/bot.py", BOT) for name in "abcd"]),
            "bot.zip",
            "bot.zip: has a `bot.py` in 4 folders, such as 'class/a' and 'class/b'; make a zip of one of them",
        ),
        (zipped([("bot.py", BOT)]), "bot.whl", "called .zip"),
    ],
)
def test_what_is_no_bot_says_what_would_be(data, filename, sentence):
    """A sentence for whoever has chosen the wrong file."""
    assert sentence in refuse(data, filename)
