"""How pages are sent: compressed where it helps, and a page for a single sentence."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from arena.pages.live import make_notice
from arena.web.feed import Page, pack

SMALL = 1_000
"""Bytes below which nothing is compressed."""


def takes_gzip(request: Request) -> bool:
    """Whether whoever asks can read what is compressed."""
    asked = request.headers.get("accept-encoding", "").lower().replace(" ", "").split(",")
    return "gzip" in asked or any(each.startswith("gzip;q=") and each != "gzip;q=0" for each in asked)


def send(request: Request, page: Page, status: int = 200) -> Response:
    """Return a page as an answer, compressed if it is worth it."""
    is_packed = len(page.plain) >= SMALL and takes_gzip(request)
    response = Response(page.packed if is_packed else page.plain, status, media_type="text/html")
    response.headers["vary"] = "accept-encoding"
    if is_packed:
        response.headers["content-encoding"] = "gzip"
    return response


def say(status: int, title: str, sentence: str, home: str = "") -> Response:
    """Return an answer that says one thing, and perhaps where all runs are."""
    return Response(pack(make_notice(title, sentence, home)).plain, status, media_type="text/html")
