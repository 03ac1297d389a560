"""What was sent by a form: fields and one file, read within limits of bytes and time, whatever is announced.

The token comes first, and before it was found to be good nothing is kept: whoever has none cannot fill memory
or disk. A file goes to a temporary one, which the system removes. Bytes are counted as they come, so it does
not matter whether a body is sent in chunks; and neither a body that comes drop by drop nor one that stops
holds a connection for long.

What is refused is still read for a while and thrown away: a browser that is cut off while it sends does not
show what the answer was. Refused: Starlette's own form, which reads all files before one can ask for a token.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing, suppress
from typing import IO, NamedTuple
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect, Request

from arena.bots.source import MOST_BYTES

FIELD_BYTES = 64 << 10
"""The most that all fields may have, and what a file may have before its token has come."""

UPLOAD_BYTES = MOST_BYTES + FIELD_BYTES
WASTE_BYTES = 4 * UPLOAD_BYTES
"""So much of what is refused is read and thrown away."""

IDLE_SECONDS, WHOLE_SECONDS = 10.0, 60.0
SPOOL_BYTES = 256 << 10
"""A file that is larger is on disk while it comes."""

HEAD_BYTES = 8 << 10
MOST_PARTS = 16


class BadForm(Exception):  # noqa: N818 - reads as what it says
    """A form that is not taken: the status of the answer, and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence


TOO_LARGE = (413, f"That is too large: a bot has at most {MOST_BYTES >> 20} MiB.")
TOO_SLOW = (408, "It came too slowly. Send it again when the connection is better.")
NO_FORM = (400, "This is not what the form of this page sends.")
TOKEN_FIRST = (400, "The token must come before the file.")


class Sent(NamedTuple):
    """What a form had: its fields, and the file with the name that it has there; no name if there is none."""

    fields: dict[str, str]
    filename: str
    file: IO[bytes]


async def read_fields(request: Request) -> dict[str, str]:
    """Return the fields of a small form; BadForm if it is none."""
    kind, _ = parse_options_header(request.headers.get("content-type"))
    try:
        async with _Reading(request, FIELD_BYTES) as reading:
            if kind == b"application/x-www-form-urlencoded":
                data = b"".join([chunk async for chunk in reading.chunks()])
                return dict(parse_qsl(data.decode(errors="replace"), max_num_fields=MOST_PARTS))
            with closing(_Parts(request)) as parts:
                async for chunk in reading.chunks():
                    parts.take(chunk)
                return parts.finish().fields
    except ValueError:  # too many fields
        raise BadForm(*NO_FORM) from None


async def read_upload(request: Request, let_in: Callable[[str], Awaitable[None]]) -> Sent:
    """Return what was sent; `let_in` gets the token before a file is kept. BadForm if it is not taken."""
    async with _Reading(request, UPLOAD_BYTES) as reading:
        parts, is_in = _Parts(request), False
        try:
            async for chunk in reading.chunks():
                parts.take(chunk)
                if not is_in and "token" in parts.fields:
                    await let_in(parts.fields["token"])
                    is_in = True
                if not is_in and reading.bytes > FIELD_BYTES:
                    raise BadForm(*TOKEN_FIRST)
            if not is_in:
                await let_in("")
            return parts.finish()
        except BaseException:
            parts.close()
            raise


class _Reading:
    """The body of a request, read within limits; if reading is given up, more is read and thrown away."""

    def __init__(self, request: Request, most: int) -> None:
        self._request, self._most, self.bytes = request, most, 0
        self._stream = request.stream()
        self._deadline = asyncio.get_running_loop().time() + WHOLE_SECONDS

    async def __aenter__(self) -> _Reading:
        return self

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, BadForm) and error.status != TOO_SLOW[0]:
            self._most = WASTE_BYTES
            with suppress(BadForm):
                async for _ in self.chunks():
                    pass

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield what comes; BadForm if it is too much or too slow, or ends before its end."""
        loop = asyncio.get_running_loop()
        if self._is_said_to_be_too_large():
            raise BadForm(*TOO_LARGE)
        while True:
            until = min(loop.time() + IDLE_SECONDS, self._deadline)
            try:
                async with asyncio.timeout_at(until):
                    chunk = await anext(self._stream, None)
            except TimeoutError:
                raise BadForm(*TOO_SLOW) from None
            except ClientDisconnect:
                raise BadForm(*NO_FORM) from None
            if chunk is None:
                return
            self.bytes += len(chunk)
            if self.bytes > self._most:
                raise BadForm(*TOO_LARGE)
            yield chunk

    def _is_said_to_be_too_large(self) -> bool:
        said = self._request.headers.get("content-length", "0")
        return said.isdecimal() and int(said[:20]) > self._most


class _Parts:
    """The parts of a multipart form as they come."""

    def __init__(self, request: Request) -> None:
        kind, options = parse_options_header(request.headers.get("content-type"))
        boundary = options.get(b"boundary", b"")
        if kind != b"multipart/form-data" or not 0 < len(boundary) <= 200:
            raise BadForm(*NO_FORM)
        self.fields: dict[str, str] = {}
        self._filename = ""
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(SPOOL_BYTES)  # noqa: SIM115 - the caller's
        self._count = self._kept = 0
        self._name: str | None = None
        self._is_file = self._is_over = False
        self._header = self._value = self._text = b""
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._take_header,
                "on_header_value": self._take_value,
                "on_header_end": self._end_header,
                "on_part_data": self._take_data,
                "on_part_end": self._end,
                "on_end": self._finish,
            },
        )

    def take(self, chunk: bytes) -> None:
        """Take the next bytes; BadForm if they are not those of a form."""
        try:
            self._parser.write(chunk)
        except FormParserError:
            raise BadForm(*NO_FORM) from None
        except OSError as error:  # while the file is put on disk
            raise BadForm(503, f"It cannot be kept now: {error.strerror}.") from None

    def finish(self) -> Sent:
        """Return all parts; BadForm if the last one is not whole."""
        if not self._is_over:
            raise BadForm(*NO_FORM)
        self._file.seek(0)
        return Sent(self.fields, self._filename, self._file)

    def close(self) -> None:
        """Let go of the file, if it is not taken."""
        self._file.close()

    # What the parser calls.

    def _begin(self) -> None:
        self._count += 1
        if self._count > MOST_PARTS:
            raise BadForm(*NO_FORM)
        self._name, self._is_file, self._text = None, False, b""

    def _take_header(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]
        self._limit_head()

    def _take_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._limit_head()

    def _limit_head(self) -> None:
        if len(self._header) + len(self._value) > HEAD_BYTES:
            raise BadForm(*NO_FORM)

    def _end_header(self) -> None:
        if self._header.lower() == b"content-disposition":
            _, options = parse_options_header(self._value)
            self._name = options.get(b"name", b"").decode(errors="replace")
            if b"filename" in options:
                if self._filename:
                    raise BadForm(400, "One file at a time.")
                self._is_file = True
                self._filename = options[b"filename"].decode(errors="replace")
        self._header = self._value = b""

    def _take_data(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._file.write(data[start:end])
            return
        self._kept += end - start
        if self._kept > FIELD_BYTES:
            raise BadForm(*TOO_LARGE)
        self._text += data[start:end]

    def _end(self) -> None:
        if self._name is not None and not self._is_file:
            self.fields[self._name] = self._text.decode(errors="replace")

    def _finish(self) -> None:
        self._is_over = True
