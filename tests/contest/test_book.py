"""The book: nothing that was received is lost, nothing is half, and everybody has one check at a time."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading

import pytest

from arena.bots.source import Source
from arena.checking.check import Step
from arena.contest.book import FAILED, MOST_ENTERED, MOST_ENTERED_IN_ALL, WAITING, Book
from arena.contest.deeds import CLOSE, PAUSE, READMIT, RESUME, WITHDRAW
from arena.errors import Refused, StoreError, UserError
from arena.field import MOST_BOTS
from arena.log.inventory import MOST_VERSIONS

NOW = 1_700_000_000.0


def bot(name, text="x", **more):
    files = {"bot.py": text.encode()} | {path: data.encode() for path, data in more.items()}
    return Source(name, "bot.py", files)


def send(book, name, text="x", cup="cup", at=NOW):
    return book.receive(cup, name, bot(name, text), at)


def passed(book, upload):
    book.note_verdict(upload.id, [Step("loads", True, "fine")], True)


@pytest.fixture
def book(tmp_path):
    with_tables = Book(tmp_path)
    yield with_tables
    with_tables.close()


def test_only_its_owner_can_read_it(book, tmp_path):
    """Sources are in it, so neither the folder nor a file of it is for others, whatever the umask."""
    send(book, "anna")
    assert stat.S_IMODE((tmp_path / "contests").stat().st_mode) == 0o700
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / "contests").iterdir()}
    assert modes == dict.fromkeys(("book.sqlite", "book.sqlite-wal", "book.sqlite-shm"), 0o600)


def test_a_token_lets_in_until_it_is_revoked_or_replaced(book):
    """The secret is in no byte of the book, and only the newest one of a name is good."""
    secret = book.make_token("anna")
    assert book.whose(f" {secret}\n") == book.tokens()[0]
    assert book.whose(secret[:-1]) is book.whose("") is book.whose("\ud800") is None
    with pytest.raises(UserError, match="anna has a token already; --replace"):
        book.make_token("Anna")
    new = book.make_token("anna", replace=True)
    assert book.whose(secret) is None
    assert book.whose(new) is not None
    assert book.revoke("anna")
    assert not book.revoke("anna")
    assert not book.revoke("ben")
    assert book.whose(new) is None
    found = b"".join(file.read_bytes() for file in book.file.parent.iterdir())
    assert b"anna" in found
    assert new.encode() not in found


def test_of_a_class_all_get_tokens_or_none(book):
    """One bad name, and nobody has a token whose secret was never shown."""
    with pytest.raises(UserError, match=r"'b c' cannot .* 'b_c' can; 'human' stands for a person"):
        book.make_tokens(["anna", "b c", "human"])
    assert book.tokens() == []
    assert len(set(book.make_tokens(["anna", "ben"]).values())) == 2


def test_who_has_a_token_keeps_it_when_the_others_get_theirs(book):
    """One that was revoked is not made good by that; a bad name, and nobody gets one."""
    secret = book.make_token("anna")
    with pytest.raises(UserError, match="'b c' cannot"):
        book.make_missing_tokens(["anna", "ben", "b c"])
    assert [token.name for token in book.tokens()] == ["anna"]
    made, had = book.make_missing_tokens(["Anna", "ben"])
    assert ([*made], [token.name for token in had]) == (["ben"], ["anna"])
    assert (book.whose(made["ben"]).name, book.whose(secret).name) == ("ben", "anna")
    book.revoke("ben")
    assert book.make_missing_tokens(["ben"])[0] == {}
    assert book.whose(made["ben"]) is None


def test_an_organiser_does_not_become_a_participant_by_replacing(book):
    """Nor the other way round: that would give a student's token the organiser's rights."""
    book.make_token("ann", "organiser")
    with pytest.raises(UserError, match="ann has a token as organiser"):
        book.make_token("ann", replace=True)


def test_an_upload_waits_is_checked_and_plays(book):
    """Its source comes back byte for byte; the newest that passed plays, in the order of entry."""
    a, b = send(book, "anna"), send(book, "ben")
    assert [each.state for each in book.uploads("cup")] == [WAITING, WAITING]
    assert book.next_waiting("cup") == a
    assert book.next_waiting("other") is None
    passed(book, a)
    passed(book, b)
    newer = send(book, "anna", "y")
    assert book.entered("cup") == [bot("anna"), bot("ben")]
    passed(book, newer)
    assert book.entered("cup") == [bot("anna", "y"), bot("ben")]
    assert [each.version for each in book.uploads("cup", "anna")] == [a.version, newer.version]
    assert book.uploads("cup", "anna")[0].source == bot("anna"), "versions are kept"


def test_one_that_fails_leaves_the_one_before_it_in_play(book):
    """The steps are kept as they were; the bytes of what failed go with the next upload."""
    passed(book, send(book, "anna"))
    bad = send(book, "anna", "bad")
    steps = [Step("loads", True, "<b>"), Step("plays", False, "no", "Trace\x1b", "print", "hint")]
    book.note_verdict(bad.id, steps, False)
    book.note_verdict(bad.id, [], True)  # a late word does not count
    found = book.find_upload(bad.id)
    assert (found.state, list(found.steps)) == (FAILED, steps)
    assert book.entered("cup") == [bot("anna")]
    assert found.source == bot("anna", "bad")
    send(book, "anna", "better")
    with pytest.raises(StoreError, match="are not in it"):
        _ = found.source


def test_a_second_upload_waits_for_the_first(book):
    """One check at a time for each participant, and as many participants as like."""
    first = send(book, "anna")
    with pytest.raises(Refused, match="still waits for its check"):
        send(book, "anna", "y")
    send(book, "ben")
    passed(book, first)
    with pytest.raises(Refused, match="has entered already"):
        send(book, "anna")
    assert send(book, "anna", "y").state == WAITING


def test_too_many_and_too_much_is_refused(book, monkeypatch):
    """Ten an hour for each, so many waiting in all, and so many bytes for each."""
    for number in range(10):
        passed(book, send(book, "anna", str(number), at=NOW + number))
    with pytest.raises(Refused, match="10 uploads an hour are enough; send it again in 60 min"):
        send(book, "anna", "x", at=NOW + 10)
    send(book, "anna", "x", at=NOW + 3600)
    monkeypatch.setattr("arena.contest.book.MOST_WAITING", 2)
    send(book, "ben")
    with pytest.raises(Refused, match="2 uploads wait for their check"):
        send(book, "cleo")
    monkeypatch.setattr("arena.contest.book.MOST_WAITING", 64)
    monkeypatch.setattr("arena.contest.book.MOST_KEPT_BYTES", 9)
    with pytest.raises(
        Refused, match=r"are kept for one participant.* 0\.0 MiB of that are left; send a smaller"
    ):
        book.receive("other", "dora", bot("dora", "0123456789"), NOW)
    with pytest.raises(Refused, match="not a path inside"):
        book.receive("other", "dora", bot("dora", **{"../x": ""}), NOW)


def test_there_are_never_more_versions_than_a_log_may_have(book, monkeypatch):
    """Of one name and of all: a log with more is no log of arena's, and the contest would never play again."""
    assert MOST_ENTERED < MOST_VERSIONS
    assert MOST_ENTERED_IN_ALL < MOST_BOTS
    monkeypatch.setattr("arena.contest.book.MOST_ENTERED", 2)
    monkeypatch.setattr("arena.contest.book.MOST_ENTERED_IN_ALL", 3)
    for text in ("1", "2", "1"):  # the first one again is no further version
        passed(book, send(book, "anna", text))
    with pytest.raises(
        Refused, match="2 versions of anna have played, and no more can; the last one goes on"
    ):
        send(book, "anna", "3")
    passed(book, send(book, "ben", "1"))
    with pytest.raises(Refused, match="3 versions of all bots have played"):
        send(book, "cleo", "1")
    passed(book, send(book, "cleo", "1", cup="another"))


@pytest.mark.parametrize("harm", ["revoke", "replace"])
def test_a_token_must_be_good_when_the_file_has_come(book, harm):
    """A file may be on its way for a minute, in which the organiser learns that the token was stolen."""
    token = book.whose(book.make_token("anna"))
    book.receive("cup", "anna", bot("anna", "1"), NOW, token)
    if harm == "revoke":
        book.revoke("anna")
    else:
        book.make_token("anna", replace=True)
    with pytest.raises(Refused, match="this token was revoked or replaced while the file came"):
        book.receive("another", "anna", bot("anna", "2"), NOW, token)


def test_of_two_at_once_exactly_one_is_received(book, tmp_path):
    """Whichever process they come by: what is refused is looked up in the transaction that writes."""
    second = Book(tmp_path)
    outcomes, start = [], threading.Barrier(2)

    def try_it(one, text):
        start.wait()
        try:
            outcomes.append(send(one, "anna", text).state)
        except Refused:
            outcomes.append("refused")

    threads = [threading.Thread(target=try_it, args=each) for each in ((book, "x"), (second, "y"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    second.close()
    assert sorted(outcomes) == ["refused", WAITING]
    assert len(book.uploads("cup")) == 1


def test_deeds_are_kept_and_the_last_word_counts(book):
    """What follows from them is read from them."""
    assert not book.standing("cup").is_paused
    assert not book.standing("cup").is_closed
    book.note_deed("cup", "teacher", PAUSE, at=NOW)
    assert book.standing("cup").is_paused
    assert not book.standing("other").is_paused
    book.note_deed("cup", "teacher", RESUME)
    passed(book, send(book, "anna"))
    book.note_deed("cup", "teacher", WITHDRAW, "anna", "copied from ben")
    assert (book.standing("cup").withdrawn, book.entered("cup")) == ({"anna"}, [])
    with pytest.raises(Refused, match="withdrawn by the organiser"):
        send(book, "anna", "y")
    book.note_deed("cup", "teacher", READMIT, "anna")
    assert book.entered("cup") == [bot("anna")]
    assert not book.standing("cup").is_paused
    book.note_deed("cup", "teacher", CLOSE)
    with pytest.raises(Refused, match="is closed"):
        send(book, "ben")
    assert [(deed.what, deed.subject) for deed in book.deeds("cup")][2] == (WITHDRAW, "anna")
    assert book.deeds("cup")[2].reason == "copied from ben"


SENDER = """
import sys
from pathlib import Path
from arena.bots.source import Source
from arena.contest.book import Book
book = Book(Path(sys.argv[1]))
for number in range(60):
    name = f"bot{number}"
    source = Source(name, "bot.py", {"bot.py": name.encode() * 20_000})
    print(book.receive("cup", name, source, 1.0).id, flush=True)
"""


def test_what_was_received_is_there_after_kill_9(tmp_path):
    """Every upload whose receipt was shown is in the book, whole, and the book can be written."""
    sender = subprocess.Popen(
        [sys.executable, "-c", SENDER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert sender.stdout is not None
    shown = [int(sender.stdout.readline()) for _ in range(7)]
    os.kill(sender.pid, signal.SIGKILL)
    shown += [int(line) for line in sender.communicate()[0].split()]
    book = Book(tmp_path)
    assert [each.id for each in book.uploads("cup")][: len(shown)] == shown
    assert all(each.source.files["bot.py"] == each.name.encode() * 20_000 for each in book.uploads("cup"))
    send(book, "anna")
    book.close()


def test_a_full_disk_is_a_sentence_and_changes_nothing(book):
    """What was received before is kept, and when there is room again it goes on."""
    send(book, "anna")
    [[pages]] = book._ask("PRAGMA page_count")
    book._ask(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(StoreError, match=r"book\.sqlite: the disk is full\. Nothing was changed"):
        book.receive("cup", "ben", bot("ben", "x" * 100_000), NOW)
    assert [each.name for each in book.uploads("cup")] == ["anna"]
    book._ask("PRAGMA max_page_count = 1000000")
    assert book.receive("cup", "ben", bot("ben", "x" * 100_000), NOW).source.files


def test_what_is_no_book_is_not_touched(tmp_path):
    """A link, another database, rubbish: one sentence each."""
    folder = tmp_path / "contests"
    folder.mkdir()
    file = folder / "book.sqlite"
    file.write_text("rubbish, and enough of it to be a page" * 100)
    with pytest.raises(StoreError, match="is not a book of contests, or is damaged"):
        Book(tmp_path)
    file.unlink()
    with sqlite3.connect(file) as other:
        other.execute("CREATE TABLE x (y)")
    other.close()
    with pytest.raises(StoreError, match="is not a book of contests; move it away"):
        Book(tmp_path)
    file.unlink()
    file.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreError, match="is not a plain file"):
        Book(tmp_path)
    file.unlink()
    folder.rmdir()
    folder.symlink_to(tmp_path)
    with pytest.raises(StoreError, match="is a link or a file where a folder should be"):
        Book(tmp_path)


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path, monkeypatch):
    """As on a disk that is mounted for reading alone."""

    def refuse(*_, **__):
        raise OSError(30, "Read-only file system", str(tmp_path / "contests"))

    monkeypatch.setattr("pathlib.Path.mkdir", refuse)
    with pytest.raises(StoreError, match="contests: Read-only file system; nothing was changed"):
        Book(tmp_path)


def test_a_token_that_is_replaced_keeps_its_spelling(book):
    """One more spelling would be one more bot of the same participant."""
    book.make_token("anna")
    secret = book.make_token("Anna", replace=True)
    assert [token.name for token in book.tokens()] == ["anna"]
    assert (found := book.whose(secret)) is not None
    assert found.name == "anna"
