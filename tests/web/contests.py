"""A contest as its organiser starts it, with bots that are handed in, and what its end is compared with."""

import http.client
import time
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pandas as pd

import arena
from arena.bots.source import Source
from arena.contest.book import ENTERED, Book
from arena.log.reading import LOG, Log
from arena.results.run import Run
from tests.tournament.field import FIRST
from tests.web.hosting import KIND, form
from tests.web.server import PATIENCE, Answer, Server

SECRET, SEED = "kayles:line-7", 987_654_321
FILE = f"""\
[tournament]
variants = ["snort:line-9"]
openings = 2
seed = {SEED}
[field]
secret = ["{SECRET}"]
"""


def make_contest(folder: Path, text: str = FILE, own: Collection[str] = ("first",)) -> Path:
    """Write a tournament file, with bots of its own or none; return the file."""
    (folder / "bots").mkdir(parents=True)
    for name in own:
        (folder / "bots" / f"{name}.py").write_text(FIRST)
    config = folder / "cup.toml"
    config.write_text(text + '[[bots]]\npath = "bots/*.py"\n' * bool(own))
    return config


def bot(name: str, number: int = 0) -> Source:
    """A bot of its own kind: it takes another legal move for every number."""
    text = f"# {name}\ndef move(position):\n    legal = position.legal_moves\n    return legal[{number} % len(legal)]\n"
    return Source(name, "bot.py", {"bot.py": text.encode()})


def hand_in(book: Book, source: Source, tournament: str = "cup") -> None:
    """Do what an upload does when it was accepted."""
    book.receive(tournament, source.name, source, time.time())


def submit(server: Server, token: str, source: Source) -> str:
    """Hand in a bot by HTTP; return the beginning of the answer, which says that it was received."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as line:
        body = form(token, source.files["bot.py"], "bot.py")
        line.request("POST", "/runs/cup/submit", body, {"content-type": KIND})
        got = line.getresponse()
        return f"{got.status} {got.read1(1 << 16).decode()}"


def wait_for(is_so: object, what: str = "", seconds: float = PATIENCE) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < end, what or is_so
        time.sleep(0.05)


def is_played(folder: Path, names: Collection[str]) -> bool:
    """Whether these bots and no others are in the plan, and all its games are in the log."""
    if not (folder / LOG).exists():
        return False
    with closing(Log(folder)) as log:
        return (
            bool(log.fact("field")) and set(log.field().bots) == set(names) and 0 < log.planned == log.played
        )


def wait_until_played(folder: Path, names: Collection[str]) -> None:
    """Wait until everything is played by these bots."""
    wait_for(lambda: is_played(folder, names), f"{sorted(names)} have not played all their games")


def wait_for_words(server: Server, words: str, path: str = "/runs/cup/organise", **fields: str) -> str:
    """Wait until a page says something; return it."""
    found = ""

    def is_said() -> bool:
        nonlocal found
        found = post(server, path, **fields).text if fields else server.ask(path).text
        return words in found

    wait_for(is_said, words)

    return found


def post(server: Server, path: str, **fields: str) -> Answer:
    """Send a form, as a program does."""
    kind = "application/x-www-form-urlencoded"
    return server.ask(path, "POST", urlencode(fields).encode(), content_type=kind)


def play_elsewhere(folder: Path, text: str, own: Collection[str], entered: Collection[Source]) -> Run:
    """Play the same field with `arena run`, from files, without anything that disturbs it."""
    config = make_contest(folder, text, own)
    for source in entered:
        (folder / "bots" / f"{source.name}.py").write_bytes(source.files["bot.py"])
    return arena.run(config)


def standings(folder: Path) -> pd.DataFrame:
    """The table as it was written, but for what is measured."""
    return pd.read_csv(folder / "standings.csv").drop(columns=["cpu_ms_per_move"])


def entered_names(book: Book, tournament: str = "cup") -> list[str]:
    """Who has passed the check, in order."""
    return [upload.name for upload in book.uploads(tournament) if upload.state == ENTERED]
