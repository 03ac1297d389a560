"""A contest on a disk of its own that becomes full: run by `test_contest.py` where nobody else sees the mount.

`unshare --mount python -m tests.web.full_disk FOLDER`, as root.
"""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from arena.contest.book import Book
from arena.contest.words import ALL_PLAYED
from arena.results.run import Run
from tests.web.contests import bot, make_contest, submit, wait_for, wait_for_words, wait_until_played
from tests.web.hosting import KIND, form
from tests.web.server import Server


def fill(file: Path) -> None:
    """Take all the room that is left."""
    with file.open("wb", buffering=0) as opened:
        try:
            while opened.write(bytes(4096)):
                pass
        except OSError:
            return


def main(place: Path) -> None:
    """Fill the disk between two sittings, look what is said, and make room again."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], check=True)
    folder = place / "cup"
    config = make_contest(folder)
    log = folder / "results" / "cup"
    with closing(Book(folder)) as book, Server(folder, "cup.toml", "--workers", "1") as server:
        token = book.make_token("teacher", "organiser")
        tokens = book.make_tokens(["anna", "bert"])
        assert submit(server, tokens["anna"], bot("anna", 1)).startswith("200")
        wait_until_played(log, ["first", "anna"])
        wait_for_words(server, ALL_PLAYED, token=token)
        before = set(Run(log).games()["game"])

        fill(place / "fill")
        large = bot("bert", 2)
        large.files["bot.py"] += b"#" * 2_000_000
        body = form(tokens["bert"], large.files["bot.py"], "bot.py")
        said = server.ask("/runs/cup/submit", "POST", body, content_type=KIND)
        assert (said.status, "the book: the disk is full" in said.text) == (503, True)
        with config.open("r+b") as opened:  # as many bytes as before, so this needs no room
            opened.write(config.read_bytes().replace(b"openings = 2", b"openings = 9"))
        page = wait_for_words(server, "Nothing is played at the moment", token=token)
        assert "cup/games.sqlite: the disk is full" in page
        assert book.uploads("cup", "bert") == []

        (place / "fill").unlink()
        assert submit(server, tokens["bert"], bot("bert", 2)).startswith("200")
        wait_for(lambda: [each.name for each in book.entered_uploads("cup")] == ["anna", "bert"])
        wait_until_played(log, ["first", "anna", "bert"])
        wait_for_words(server, ALL_PLAYED, token=token)
        assert before < set(Run(log).games()["game"]), "nothing was lost, and more was played"
        code, warned, _ = server.stop()
        assert code == 130
        assert warned.count("\n") == 1, warned
        assert "nothing is played at the moment: results/cup/games.sqlite: the disk is full" in warned


if __name__ == "__main__":
    main(Path(sys.argv[1]))
