"""What is sent to a server as JSON, read with bounds, and answers as JSON: a refusal is one sentence.

Nothing that strangers send is trusted: a body has few bytes, must come within seconds, and is a table whose
values are looked at one by one by who uses them.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from arena.field import read_json

MOST_BYTES = 32 << 10
"""Of a body; a game on the largest board has fewer."""

BODY_SECONDS = 10.0

Asked = Mapping[str, Any]
Endpoint = Callable[[Request], Awaitable[Response]]


class Refused(Exception):  # noqa: N818 - not an error of ours: the answer is a sentence
    """What is asked for is not done; `sentence` says why, for a reader."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


def refusing(endpoint: Endpoint) -> Endpoint:
    """Return an endpoint that answers refusals as JSON."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            return tell({"refused": refused.sentence}, refused.status)
        except ClientDisconnect:
            return tell({}, 400)  # nobody hears it

    return answer


def tell(values: Mapping[str, Any], status: int = 200) -> Response:
    """Return an answer for a script."""
    return Response(json.dumps(values), status, media_type="application/json")


async def read_asked(request: Request) -> Asked:
    """Return the table that was sent; Refused if it is too long, too slow, or none."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    raise Refused(413, "That is too much at once.")
    except TimeoutError:
        raise Refused(408, "That came too slowly.") from None
    try:
        asked = read_json(body.decode())
    except UnicodeDecodeError:
        asked = None
    if not isinstance(asked, dict):
        raise Refused(400, "What was sent cannot be read.")
    return asked


def read_text(asked: Asked, key: str) -> str:
    """Return a text of a table; Refused if it is none."""
    found = asked.get(key)
    if not isinstance(found, str) or len(found) > 200:
        raise Refused(400, f"What was sent has no {key}.")
    return found


def read_number(asked: Asked, key: str, allowed: range) -> int:
    """Return a number of a table; Refused if it is none of those that are allowed."""
    found = asked.get(key)
    if type(found) is not int or found not in allowed:
        raise Refused(400, f"What was sent has no {key} that can be.")
    return found


def read_cells(asked: Asked, key: str, size: int) -> tuple[int, ...]:
    """Return a list of cells of a board, none if there is no list; Refused if it is something else."""
    found = asked.get(key, [])
    if not isinstance(found, list) or len(found) > size:
        raise Refused(400, f"What was sent has no {key} that can be.")
    if not all(type(cell) is int and 0 <= cell < size for cell in found):
        raise Refused(400, f"What was sent has no {key} that can be.")
    return tuple(found)
