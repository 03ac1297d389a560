"""What a server answers: the list of runs, the page of a run, and its news; and what features add to it.

Everything is answered only under names that are ours: a page of a stranger's whose name was bent to this
machine (DNS rebinding) sends its own name along, and is refused. Something can be sent (POST) only to the
addresses of features that take it, and only from our own pages: a browser says where a form comes from.
Programs such as curl say nothing, and may send: there are no cookies, so nobody can be made to send what is
not theirs. Every answer forbids frames, guesses about its type, and whatever is not this server's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.errors import ArenaError
from arena.pages.rendering import live_policy
from arena.web.asking import Refused
from arena.web.clients import HAS_PROXY, client_of
from arena.web.feed import Feed, Reader, pack_waiting
from arena.web.hiding import hide_places
from arena.web.news import GZIP_HEAD, HEARTBEAT
from arena.web.news import Message as NewsMessage
from arena.web.sending import say, send, takes_gzip
from arena.web.site import Site

HEARTBEAT_SECONDS = 15.0
MOST_READERS = 1_000
MOST_OF_ONE = 400
"""So many pages may be open at once, and so many of one address; more are asked to come back."""

WASTE_BYTES, WASTE_SECONDS = 64 << 10, 2.0
"""So much of what is sent to no purpose is taken, and for so long."""

RETRY_SECONDS = "60"
"""Programs may ask again after so long, if much is asked for at the moment."""

WRONG_NAME = (
    "This server does not go by the name that your browser has asked for. Whoever has started it can give it "
    "that name with --public-url."
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # without one, browsers do not say whose a form is
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-cache",
}
FOREIGN = "This was sent by a page that is not this server's. Open the page here, and send it from there."


def make_app(
    site: Site, is_own_name: Callable[[str], bool], more: Sequence[Route] = (), has_proxy: bool = False
) -> ASGIApp:
    """Return the application of a site; `is_own_name` says which names of a host are this server's.

    `more` are the addresses of features; `has_proxy` if one on this machine may speak for readers.
    """
    shown = _Shown(site)
    app = Starlette(
        routes=[
            Route("/", shown.show_index),
            Route("/runs/{name}", shown.show_run),
            Route("/runs/{name}/events", shown.send_news),
            *more,
        ],
        exception_handlers={HTTPException: _say_error, Refused: _say_refusal},
    )
    app.router.redirect_slashes = False
    taking = [route for route in more if "POST" in (route.methods or ())]
    return Door(app, is_own_name, taking, has_proxy)


class Door:
    """Lets in what is asked under our own names; adds to every answer what it forbids.

    `taking` are the addresses to which something may be sent.
    """

    def __init__(
        self,
        app: ASGIApp,
        is_own_name: Callable[[str], bool],
        taking: Sequence[Route] = (),
        has_proxy: bool = False,
    ) -> None:
        self._app, self._is_own_name, self._taking, self._has_proxy = app, is_own_name, taking, has_proxy
        self._headers = [
            (name.encode(), value.encode())
            for name, value in (HEADERS | {"content-security-policy": live_policy()}).items()
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        is_read = not _has_body(scope)

        async def receive_all() -> Message:
            nonlocal is_read
            message = await receive()
            is_read = is_read or not message.get("more_body", False)
            return message

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                # Whoever was answered and sends on is cut off: uvicorn would listen to them for ever.
                more = [] if is_read else [(b"connection", b"close")]
                own = list(message.get("headers", ()))
                said = {name.lower() for name, _ in own}
                message["headers"] = [*own, *(pair for pair in self._headers if pair[0] not in said), *more]
            await send(message)

        scope[HAS_PROXY] = self._has_proxy
        refusal = self._refuse(scope)
        if refusal is not None and not is_read:
            await _throw_away(receive_all)
        await (refusal or self._app)(scope, receive_all, send_safely)

    def _refuse(self, scope: Scope) -> ASGIApp | None:
        if scope["method"] not in ("GET", "HEAD") and not self._takes(scope):
            refusal = say(405, "Not allowed", "Nothing can be sent to this address; it only shows.")
            refusal.headers["allow"] = "GET, HEAD"
            return refusal
        hosts = _read_header(scope, b"host")
        if len(hosts) != 1 or not self._is_own_name(hosts[0]):
            return say(400, "Wrong name", WRONG_NAME)
        if scope["method"] == "POST" and not self._is_ours(scope):
            return say(403, "Not from here", FOREIGN)
        return None

    def _takes(self, scope: Scope) -> bool:
        return scope["method"] == "POST" and any(
            route.matches(scope)[0] is Match.FULL for route in self._taking
        )

    def _is_ours(self, scope: Scope) -> bool:
        """Whether what is sent comes from a page of ours, or from a program that is no browser."""
        sites, origins = _read_header(scope, b"sec-fetch-site"), _read_header(scope, b"origin")
        return all(site == "same-origin" for site in sites) and all(map(self._is_own_origin, origins))

    def _is_own_origin(self, origin: str) -> bool:
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        return parts.scheme in ("http", "https") and self._is_own_name(parts.netloc)


async def _throw_away(receive: Receive) -> None:
    """Take a little of what is refused: whoever is cut off while they send may not see the answer."""
    left = WASTE_BYTES
    with suppress(TimeoutError):
        async with asyncio.timeout(WASTE_SECONDS):
            while left > 0:
                message = await receive()
                if not message.get("more_body", False):
                    return
                left -= len(message["body"])


def _has_body(scope: Scope) -> bool:
    return any(
        _read_header(scope, name) not in ([], ["0"]) for name in (b"content-length", b"transfer-encoding")
    )


def _read_header(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for each, value in scope["headers"] if each == name]


class _Shown:
    """The answers to what is asked for."""

    def __init__(self, site: Site) -> None:
        self._site = site

    async def show_index(self, request: Request) -> Response:
        return send(request, await self._site.index())

    async def show_run(self, request: Request) -> Response:
        host, name = self._site.host, request.path_params["name"]
        if host is not None and host.name == name and self._site.find(name) is None:
            return send(request, pack_waiting(name, host.tell()))
        feed = self._find(request)
        try:
            return send(request, await self._site.page(feed))
        except (ArenaError, OSError) as error:
            name, why = feed.folder.name, hide_places(error, feed.folder)
            return say(503, name, f"This run cannot be shown now: {why}.", "../")

    async def send_news(self, request: Request) -> Response:
        feed = self._find(request)
        client = client_of(request.scope)
        if self._site.readers >= MOST_READERS or self._site.count_readers(client) >= MOST_OF_ONE:
            return say(503, "Too many readers", "So many pages are open that no more news are sent.")
        return NewsResponse(self._site, feed, takes_gzip(request), request.method == "HEAD", client)

    def _find(self, request: Request) -> Feed:
        feed = self._site.find(request.path_params["name"])
        if feed is None:
            raise HTTPException(404)
        return feed


class NewsResponse(Response):
    """An event stream (server-sent events) that lasts until the reader or the server goes."""

    def __init__(self, site: Site, feed: Feed, is_packed: bool, is_head: bool, client: str = "") -> None:
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]  # nobody knows
        self.headers["x-accel-buffering"] = "no"  # a word for nginx, which would wait for more
        self.headers["vary"] = "accept-encoding"
        if is_packed:
            self.headers["content-encoding"] = "gzip"
        self._site, self._feed, self._client = site, feed, client
        self._is_packed, self._is_head = is_packed, is_head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send news until the reader is gone; one that does not read holds up only itself."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        if not self._is_head:
            reader = self._feed.join(self._client)
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


async def _say_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        return say(405, "Not allowed", "This address only takes what is sent to it; it shows nothing.", "/")
    return say(error.status_code, "Not found", "There is nothing at this address.", "/")


async def _say_refusal(request: Request, refused: Exception) -> Response:
    assert isinstance(refused, Refused)
    said = say(refused.status, "Not now", refused.sentence, "/")
    said.headers["retry-after"] = RETRY_SECONDS
    return said
