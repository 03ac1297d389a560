"""How pages are sent: compressed where it helps, and a page for a single sentence."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from arena.pages.live import make_notice
from arena.web.feed import Page, pack

SMALL = 1_000
"""Bytes below which nothing is compressed."""

PIECE = 1 << 16


class InPieces(Response):
    """An answer that is sent as it is taken: whoever reads nothing costs one piece of memory."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for at in range(0, len(self.body), PIECE):
            piece = bytes(self.body[at : at + PIECE])
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def takes_gzip(request: Request) -> bool:
    """Whether whoever asks can read what is compressed."""
    asked = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    return "gzip" in asked or any(each.startswith("gzip;q=") and each != "gzip;q=0" for each in asked)


def send(request: Request, page: Page, status: int = 200) -> Response:
    """Return a page as an answer, compressed if it is worth it."""
    is_packed = len(page.plain) >= SMALL and takes_gzip(request)
    response = InPieces(page.packed if is_packed else page.plain, status, media_type="text/html")
    response.headers["vary"] = "accept-encoding"
    if is_packed:
        response.headers["content-encoding"] = "gzip"
    if page.reload_seconds is not None:
        response.headers["refresh"] = str(page.reload_seconds)  # browsers heed it without a script, too
    return response


def say(status: int, title: str, sentence: str, home: str = "") -> Response:
    """Return an answer that says one thing, and perhaps where all runs are."""
    return Response(pack(make_notice(title, sentence, home)).plain, status, media_type="text/html")
