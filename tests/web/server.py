"""A server as a user starts it, in a process of its own on a free port, and what asks it: real HTTP."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
import zlib
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from tests.cli.command import plain, ready
from tests.pages.browser import REFERRING, Page

PATIENCE = 60.0
"""Seconds after which a server will not answer any more: the machine may be busy."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def check_served(text: str) -> Page:
    """Well-formed, no script but ours, and nothing that leads or loads from elsewhere; returns it."""
    page = Page(text)
    attributes = {name for _, attrs in page.seen for name in attrs}
    assert {name for name in attributes if name.startswith("on")} | ({"style"} & attributes) == set()
    assert page.tags & {"img", "iframe", "object", "embed", "link", "base", "form"} == set()
    referred = [value for _, attrs in page.seen for name, value in attrs.items() if name in REFERRING]
    assert [
        value
        for value in referred
        if not re.match(
            r"#|runs/[^/]+$|[^/:]+/play$|[^/]+/bots/[^/]+$|\.\./\.\./[^/]+$|(\.\./)+$|/$|$", value
        )
    ] == []
    for tag in ("style", "script"):
        for inside in re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.S):
            assert b64encode(sha256(inside.encode()).digest()).decode() in text
    return page


class Server:
    """`arena serve` in a folder."""

    def __init__(
        self, folder: Path, *options: str, port: int = 0, public_url: str = "", changed: str = ""
    ) -> None:
        """`changed` is Python that changes arena before it serves: another limit, or a weaker copy."""
        known = ["--public-url", public_url] * bool(public_url)
        words = ["serve", "--port", str(port), *known, *options]
        self.process = (
            _start_changed(changed, words, folder) if changed else ready().start(words, folder, plain())
        )
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()
        found = re.search(r"https?://(?:127\.0\.0\.1|localhost):(\d+)/", self.said)
        if found is None:
            raise AssertionError(self.process.communicate())
        self.port = int(found[1])

    def ask(self, path: str = "/", method: str = "GET", body: bytes = b"", **headers: str) -> Answer:
        """Ask for something, exactly as it is written; or send something."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            line.putrequest(method, path, skip_host="host" in headers, skip_accept_encoding=True)
            for name, value in headers.items():
                line.putheader(name.replace("_", "-"), value)
            if body:
                line.putheader("content-length", str(len(body)))
            line.endheaders(body or None)
            got = line.getresponse()
            found = {name.lower(): value for name, value in got.getheaders()}
            return Answer(got.status, found, got.read())

    def post(self, path: str, sent: object, **headers: str) -> tuple[int, dict[str, Any]]:
        """Send something to a run: a table as JSON, or bytes as they are; return status and answer."""
        body = sent if isinstance(sent, bytes) else json.dumps(sent).encode()
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as line:
            told = {name.replace("_", "-"): value for name, value in headers.items()}
            line.request("POST", path, body, {"content-type": "application/json"} | told)
            got = line.getresponse()
            text = got.read()
            is_table = got.getheader("content-type") == "application/json"
            return got.status, json.loads(text) if is_table else {"page": text.decode()}

    def news(self, run: str, is_packed: bool = False) -> "News":
        """Read the news of a run."""
        return News(self.port, run, is_packed)

    def stop(self, with_signal: int = signal.SIGINT) -> tuple[int, str, float]:
        """Stop it as Ctrl-C does; return its exit code, what it said on stderr, and how long that took."""
        begun = time.monotonic()
        os.kill(self.process.pid, with_signal)
        _, complaints = self.process.communicate(timeout=PATIENCE)
        return self.process.wait(), complaints, time.monotonic() - begun

    def memory(self) -> int:
        """How many bytes the process has in memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


def _start_changed(changed: str, words: list[str], folder: Path) -> subprocess.Popen[str]:
    program = [sys.executable, "-c", f"{changed}\nfrom arena.cli import main\nmain()", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        program, cwd=folder, stdout=pipe, stderr=pipe, text=True, env=plain(), start_new_session=True
    )


class News:
    """The news of a run, event by event."""

    def __init__(self, port: int, run: str, is_packed: bool = False) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._line.request("GET", f"/runs/{run}/events", headers={"accept-encoding": "gzip" * is_packed})
        self.answer = self._line.getresponse()
        assert self.answer.status == 200
        self._unpack = zlib.decompressobj(31) if is_packed else None
        self._rest = b""
        self.state: dict[str, Any] = {}

    def next(self) -> dict[str, Any]:
        """The next event, which is also put into the state; comments are passed over."""
        while True:
            block = self._block()
            data = [line[6:] for line in block.split(b"\n") if line.startswith(b"data: ")]
            if data:
                event = json.loads(data[0])
                tables = self.state.get("tables", {}) | event.get("tables", {})
                self.state |= event | {"tables": tables}
                return event

    def _block(self) -> bytes:
        while b"\n\n" not in self._rest:
            some = self.answer.read1(1 << 16)
            if not some:
                raise EOFError
            self._rest += self._unpack.decompress(some) if self._unpack else some
        block, _, self._rest = self._rest.partition(b"\n\n")
        return block

    def until_over(self) -> dict[str, Any]:
        """The state when all games have been played, and the tables rest on all of them."""
        while not (self.state.get("isOver") and f"{self.state['games']:,}</b>" in self.state["strip"]):
            self.next()
        return self.state

    def close(self) -> None:
        self._line.close()
