"""Starts a server and ends it: uvicorn on one socket, until Ctrl-C.

If it hosts a contest, the main thread plays and the server has a thread of its own, because only the main
thread hears Ctrl-C.

At the end readers of news are let go, and nobody is waited for longer than a second. Their browsers ask again
by themselves when there is a server again.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import resource
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.errors import UserError, printable
from arena.leftovers import name_after_us, remove_what_is_left_of, remove_what_the_dead_left
from arena.log.cache import keep_apart
from arena.web import bots
from arena.web.app import MOST_READERS, make_app
from arena.web.line import Line
from arena.web.names import own_names
from arena.web.playing import ALL_ON, Playing, Switches
from arena.web.site import Host, Site

if TYPE_CHECKING:
    from arena.contest.playing import Contest

STUCK_MILLISECONDS = 60_000
"""A reader who takes nothing for so long is cut off by the kernel."""

SWITCH_SECONDS = 0.001
"""Answers do not wait long for the interpreter while something is computed."""

END_SECONDS = 1.5
"""So long a server that is told to end is waited for."""

FILES = 4_096
HEAD_BYTES = 16 << 10


def serve(
    results: Path,
    host: str,
    port: int,
    public_url: str,
    tell: Callable[[str], None],
    switches: Switches = ALL_ON,
    contest: Contest | None = None,
) -> None:
    """Serve the runs of a folder until the user stops it; KeyboardInterrupt then.

    `tell` is called with the address when the server can be asked; `switches` are what readers may do. A
    contest is played meanwhile.
    """
    is_own_name = own_names(host, public_url)
    listening = listen(host, port)
    _allow_files()
    sys.setswitchinterval(SWITCH_SECONDS)
    remove_what_the_dead_left()
    remove_what_is_left_of(os.getpid())  # in a container every server may have the same number
    with tempfile.TemporaryDirectory(prefix=name_after_us("serve")) as place, listening:
        keep_apart(Path(place))  # so that nobody who plays and grades waits for us
        hosted, more = _host(contest)
        site = Site(results, hosted)
        playing = Playing(site, switches)
        routes = [*bots.routes(site), *playing.routes(), *more]
        app = make_app(site, is_own_name, routes, has_proxy=bool(public_url))
        _silence()
        server = _Server(_configure(app), site)
        tell(public_url or address_of(listening))
        with closing(playing):
            if contest is None:
                server.run(sockets=[listening])
            else:
                with server.beside(listening):
                    contest.play()


def _silence() -> None:
    """Let libraries write nothing but what is wrong with us: what strangers send is not worth a line.

    Where nobody has said what to do with warnings, Python prints them: of the parser of forms one for each
    malformed form, of asyncio some for each reader who goes while something is sent.
    """
    logging.getLogger().setLevel(logging.ERROR)


def _configure(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="error",
        access_log=False,
        lifespan="off",
        ws="none",
        http=Line,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_READERS + 200,
        backlog=MOST_READERS,
        h11_max_incomplete_event_size=HEAD_BYTES,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=1,
    )


def _host(contest: Contest | None) -> tuple[Host | None, list[Route]]:
    """Return what a contest adds to a server; what only that needs is imported then."""
    if contest is None:
        return None, []
    from arena.web.hosting import host_contest, list_routes

    return host_contest(contest), list_routes(contest)


class _Server(uvicorn.Server):
    """A server that lets its readers go when it is told to end."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self._site = site
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    @contextmanager
    def beside(self, listening: socket.socket) -> Iterator[None]:
        """Serve in a thread of its own meanwhile."""
        thread = Thread(target=self.run, kwargs={"sockets": [listening]}, name="server", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.should_exit = True
            if self._loop is not None and not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self.handle_exit, signal.SIGINT, None)
            thread.join(END_SECONDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        logging.getLogger("uvicorn.error").disabled = True  # whoever is still there is cut off, on purpose
        self._site.close()


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; UserError if the port cannot be had."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.create_server(address[:2], family=family, backlog=MOST_READERS)
    except OSError as error:
        raise UserError(_say_why(host, port, error)) from None
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_MILLISECONDS)
    return listening


def _say_why(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use, perhaps by another `arena serve`; try --port {port + 1}"
    if error.errno == errno.EACCES:
        return f"port {port} is not for you: those below 1024 are the system's; try --port 8000"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"--host {printable(host)}: this machine has no such address"
    return f"{printable(host)}, port {port}: {error.strerror}"


def address_of(listening: socket.socket) -> str:
    """Return what to type into a browser."""
    host, port = listening.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _allow_files() -> None:
    """Let every reader have a connection: many systems allow 1,024 files unless one asks for more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
