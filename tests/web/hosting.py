"""A contest without games, served by uvicorn in a thread: real HTTP, a real book, real checks."""

import contextlib
import http.client
import socket
import threading
import time
from pathlib import Path

import uvicorn

from arena.bots.source import Source
from arena.contest.book import Book
from arena.contest.checks import Checks
from arena.contest.hosted import Place
from arena.referee.game import DEFAULT_LIMITS, Limits
from arena.web.app import make_app
from arena.web.names import own_names
from arena.web.serving import HEAD_BYTES
from arena.web.site import Site
from arena.web.uploading import routes
from tests.web.server import PATIENCE, Answer

GOOD = b"def move(position): return position.legal_moves[0]\n"
BOUNDARY = "x-boundary-x"


class Small:
    """The least that a contest has."""

    own_names = ("greedy",)

    def __init__(self, base: Path, tournament: str = "cup", limits: Limits = DEFAULT_LIMITS) -> None:
        self.tournament = tournament
        self.folder = base / "results" / tournament
        self.book = Book(base)
        self.checks = Checks(self.book, tournament, lambda: limits)
        self.places = ["waits for its games", "is 1st of 2, and was 2nd"]

    def place_of(self, name: str) -> Place:
        is_settled = len(self.places) == 1
        return Place(f"{name} {self.places[0] if is_settled else self.places.pop(0)}", is_settled)

    def receive(self, name: str, text: str) -> None:
        """Hand something in without the server."""
        self.book.receive(
            self.tournament, name, Source(name, "bot.py", {"bot.py": text.encode()}), time.time()
        )


class Hosting:
    """A server of a contest, and what asks it."""

    def __init__(self, base: Path, is_checking: bool = True, contest: Small | None = None) -> None:
        self.contest = contest or Small(base)
        self._is_checking = is_checking
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        app = make_app(Site(base / "results"), own_names("127.0.0.1", ""), routes(self.contest))
        config = uvicorn.Config(
            app, log_config=None, lifespan="off", ws="none", http="h11", server_header=False, proxy_headers=False,
            h11_max_incomplete_event_size=HEAD_BYTES, timeout_graceful_shutdown=1,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],))

    def __enter__(self) -> "Hosting":
        if self._is_checking:
            self.contest.checks.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
        self.contest.checks.stop()
        self.contest.book.close()

    def token(self, name: str, **more: object) -> str:
        return self.contest.book.make_token(name, **more)  # type: ignore[arg-type]

    def ask(self, path: str, body: object = None, method: str = "POST", **headers: str) -> Answer:
        """Send a body, or an iterable in chunks."""
        with contextlib.closing(self.connect()) as line:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            line.request(method, path, body, named)  # type: ignore[arg-type]
            got = line.getresponse()
            names = {name.lower() for name, _ in got.getheaders()}
            return Answer(got.status, {name: str(got.getheader(name)) for name in names}, got.read())

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def submit(
        self, token: str | None, data: bytes = GOOD, filename: str = "bot.py", **headers: str
    ) -> Answer:
        """Hand in a file as a browser does, and read on to the end of the answer."""
        return self.ask("/runs/cup/submit", form(token, data, filename), content_type=KIND, **headers)

    def mine(self, token: str, **headers: str) -> Answer:
        kind = headers.pop("content_type", "application/x-www-form-urlencoded")
        return self.ask("/runs/cup/mine", f"token={token}", content_type=kind, **headers)


KIND = f"multipart/form-data; boundary={BOUNDARY}"


def form(token: str | None, data: bytes, filename: str) -> bytes:
    """The body of a form with a token, unless it is None, and a file."""
    name = filename.encode().replace(b"\\", b"\\\\").replace(b'"', b'\\"')
    mark = f"--{BOUNDARY}".encode()
    first = (
        mark + b'\r\ncontent-disposition: form-data; name="token"\r\n\r\n' + (token or "").encode() + b"\r\n"
    )
    head = mark + b'\r\ncontent-disposition: form-data; name="file"; filename="' + name + b'"\r\n'
    body = b"content-type: text/x-python\r\n\r\n" + data + b"\r\n" + mark + b"--\r\n"
    return (first if token is not None else b"") + head + body
