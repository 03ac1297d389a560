"""What a server answers: the list of runs, the page of a run, and its news; nothing else, and to nobody else.

Only GET and HEAD are answered, and only under names that are ours: a page of a stranger's whose name was bent
to this machine (DNS rebinding) sends its own name along, and is refused. Every answer forbids frames, guesses
about its type, and whatever is not this server's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.errors import ArenaError
from arena.pages.live import make_notice
from arena.pages.rendering import live_policy
from arena.web.feed import Feed, Page, Reader, pack
from arena.web.news import GZIP_HEAD, HEARTBEAT
from arena.web.news import Message as NewsMessage
from arena.web.site import Site

HEARTBEAT_SECONDS = 15.0
MOST_READERS = 1_000
"""So many pages may be open at once; more are asked to come back."""

SMALL = 1_000
"""Bytes below which nothing is compressed."""

WRONG_NAME = (
    "This server does not go by the name that your browser has asked for. Whoever has started it can give it "
    "that name with --public-url."
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
}


def make_app(site: Site, is_own_name: Callable[[str], bool]) -> ASGIApp:
    """Return the application of a site; `is_own_name` says which names of a host are this server's."""
    shown = _Shown(site)
    app = Starlette(
        routes=[
            Route("/", shown.show_index),
            Route("/runs/{name}", shown.show_run),
            Route("/runs/{name}/events", shown.send_news),
        ],
        exception_handlers={HTTPException: _say_error},
    )
    app.router.redirect_slashes = False
    return Door(app, is_own_name)


class Door:
    """Lets in what is asked under our own names and only reads; adds to every answer what it forbids."""

    def __init__(self, app: ASGIApp, is_own_name: Callable[[str], bool]) -> None:
        self._app, self._is_own_name = app, is_own_name
        self._headers = [
            (name.encode(), value.encode())
            for name, value in (HEADERS | {"content-security-policy": live_policy()}).items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        app = self._refuse(scope) or self._app
        await app(scope, receive, send_safely)

    def _refuse(self, scope: Scope) -> ASGIApp | None:
        if scope["method"] not in ("GET", "HEAD"):
            refusal = _say(405, "Not allowed", "Nothing can be sent to this server; it only shows.")
            refusal.headers["allow"] = "GET, HEAD"
            return refusal
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or not self._is_own_name(hosts[0]):
            return _say(400, "Wrong name", WRONG_NAME)
        return None


class _Shown:
    """The answers to what is asked for."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def show_index(self, request: Request) -> Response:
        return _send(request, await self._site.index())

    async def show_run(self, request: Request) -> Response:
        feed = self._find(request)
        try:
            return _send(request, await self._site.page(feed))
        except (ArenaError, OSError) as error:
            name = feed.folder.name
            why = str(error).replace(str(feed.folder), name)  # where runs are kept is nobody's business
            return _say(503, name, f"This run cannot be shown now: {why}.", "../")

    async def send_news(self, request: Request) -> Response:
        feed = self._find(request)
        if self._site.readers >= MOST_READERS:
            return _say(503, "Too many readers", "So many pages are open that no more news are sent.")
        return NewsResponse(self._site, feed, _takes_gzip(request), is_head=request.method == "HEAD")

    def _find(self, request: Request) -> Feed:
        feed = self._site.find(request.path_params["name"])
        if feed is None:
            raise HTTPException(404)
        return feed


class NewsResponse(Response):
    """An event stream (server-sent events) that lasts until the reader or the server goes."""

    def __init__(self, site: Site, feed: Feed, is_packed: bool, is_head: bool) -> None:
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]  # nobody knows
        self.headers["x-accel-buffering"] = "no"  # a word for nginx, which would wait for more
        self.headers["vary"] = "accept-encoding"
        if is_packed:
            self.headers["content-encoding"] = "gzip"
        self._site, self._feed, self._is_packed, self._is_head = site, feed, is_packed, is_head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send news until the reader is gone; one that does not read holds up only itself."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if not self._is_head:
            reader = self._feed.join()
            gone = asyncio.create_task(_wait_until_gone(receive, reader))
            try:
                if self._is_packed:
                    await send({"type": "http.response.body", "body": GZIP_HEAD, "more_body": True})
                await self._send_all(reader, gone, send)
            finally:
                self._feed.leave(reader)
                gone.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_all(self, reader: Reader, gone: asyncio.Task[None], send: Send) -> None:
        known = 0
        while not gone.done() and not self._site.is_closing:
            edition = self._feed.edition
            if edition.number != known:
                message, known = edition.since(known), edition.number
            else:
                message = HEARTBEAT
                reader.wake.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(HEARTBEAT_SECONDS):
                        await reader.wake.wait()
                    continue
            await send({"type": "http.response.body", "body": self._bytes_of(message), "more_body": True})

    def _bytes_of(self, message: NewsMessage) -> bytes:
        return message.packed if self._is_packed else message.plain


async def _wait_until_gone(receive: Receive, reader: Reader) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    reader.wake.set()


def _takes_gzip(request: Request) -> bool:
    asked = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    return "gzip" in asked or any(each.startswith("gzip;q=") and each != "gzip;q=0" for each in asked)


def _send(request: Request, page: Page, status: int = 200) -> Response:
    is_packed = len(page.plain) >= SMALL and _takes_gzip(request)
    response = Response(page.packed if is_packed else page.plain, status, media_type="text/html")
    response.headers["vary"] = "accept-encoding"
    if is_packed:
        response.headers["content-encoding"] = "gzip"
    return response


def _say(status: int, title: str, sentence: str, home: str = "") -> Response:
    return Response(pack(make_notice(title, sentence, home)).plain, status, media_type="text/html")


async def _say_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _say(status, "Not found", "There is nothing at this address.", "/")
