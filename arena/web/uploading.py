"""The addresses at which a bot is handed in and its author learns what became of it.

`/runs/NAME/submit` has the form, and takes what it sends: a token and a file. The answer is a page that is
sent as things happen: each step of the check, then its place. It is only told there: the upload was in the
book before the first line, and goes its way if nobody reads on. `/runs/NAME/mine` says the same at any time.

Whoever has no good token is told one and the same sentence: whether there is such a name is nobody's
business. Tokens are in the body of what is sent alone, never in an address or an answer.
"""

from __future__ import annotations

import asyncio
import time

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from arena.contest.book import ENTERED, Upload
from arena.contest.hosted import Contest
from arena.contest.tokens import ORGANISER, Token
from arena.contest.unpacking import unpack
from arena.errors import ArenaError, BotFileError, Refused, StoreError, printable
from arena.log.door import LOG
from arena.pages.evidence import Kind, read_forfeits
from arena.pages.uploads import Handed, Mine, make_form, make_mine
from arena.results.run import Run
from arena.web.allowance import Allowance
from arena.web.feed import pack
from arena.web.form import BadForm, Sent, read_fields, read_upload
from arena.web.gate import Gate
from arena.web.hiding import hide_places, say_not_now
from arena.web.sending import send
from arena.web.telling import Teller, elsewhere

NO_TOKEN = "This token is not good here. Ask the organiser for yours."
NOT_FOR_ORGANISERS = "This is an organiser's token: bots are handed in with a participant's."
BUSY = "Your other upload is still on its way. Wait for it."
FULL = "Many are handing in at this moment. Try it again in a minute."

MOST_AT_ONCE = 64
"""So many files may be on their way at once, one for each participant; they are on disk meanwhile."""

LOOKS = (6, 12.0)
"""So often one participant may look at My bot, at once and in a minute.

While games are played, each look reads the whole log.
"""

TOO_OFTEN = "You have just looked. Look again in a few seconds."

UPLOADS = (10, 6.0)
"""So many files one participant may send, at once and in a minute, whatever becomes of them.

What is refused costs as much as what is taken, which is limited besides.
"""

TOO_FAST = "You have sent many files one right after the other. Wait ten seconds, and send it again."

MOST_SHOWN = 30
"""So many uploads are on an author's page: the newest."""

MOST_UNPACKED = 2
"""So many are unpacked at once, in memory."""


def routes(contest: Contest) -> list[Route]:
    """Return the addresses of a contest at which bots are handed in."""
    inbox = Inbox(contest)
    return [
        Route("/runs/{name}/submit", inbox.show_form, methods=["GET"]),
        Route("/runs/{name}/submit", inbox.take, methods=["POST"]),
        Route("/runs/{name}/mine", inbox.show_form, methods=["GET"]),
        Route("/runs/{name}/mine", inbox.show_mine, methods=["POST"]),
    ]


class Inbox:
    """Where bots are handed in; used in the thread of the event loop, which never waits for a disk."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._gate = Gate(contest, NO_TOKEN)
        self._sending, self._sent = set[str](), Allowance(*UPLOADS)
        self._unpacking = asyncio.Semaphore(MOST_UNPACKED)
        self._reading, self._looks = asyncio.Semaphore(1), Allowance(*LOOKS)
        self._teller = Teller(contest)

    async def show_form(self, request: Request) -> Response:
        """Show the forms."""
        self._require(request)
        return self._say(request, 200, "")

    async def take(self, request: Request) -> Response:
        """Take a bot, and tell what happens to it."""
        self._require(request)
        if self._contest.checks.why_not:
            return self._say(request, 503, "")
        held: list[str] = []
        try:
            upload, filename = await self._receive(request, held)
        except BadForm as error:
            return self._say(request, error.status, error.sentence)
        finally:
            self._sending.difference_update(held)
        self._contest.checks.wake()
        response = StreamingResponse(self._teller.tell(upload, filename), media_type="text/html")
        response.headers["x-accel-buffering"] = "no"  # a word for nginx, which would wait for more
        return _keep_private(response)

    async def show_mine(self, request: Request) -> Response:
        """Show a bot to its author."""
        self._require(request)
        try:
            fields = await read_fields(request)
            token = await self._gate.let_in(request, fields.get("token", ""))
            if not self._looks.take(token.name, time.monotonic()):
                raise BadForm(429, TOO_OFTEN)
            async with self._reading:
                mine = await elsewhere(self._read_mine, token.name)
        except BadForm as error:
            return self._say(request, error.status, error.sentence)
        except StoreError as error:
            return self._say(request, 503, say_not_now(error, self._contest))
        return _keep_private(send(request, pack(make_mine(self._contest.tournament, mine))))

    # Taking a bot.

    async def _receive(self, request: Request, held: list[str]) -> tuple[Upload, str]:
        """Return what was received; BadForm says why it is not. `held` gets the name for which it comes."""
        token: Token | None = None

        async def let_in(secret: str) -> None:
            nonlocal token
            token = await self._gate.let_in(request, secret)
            self._reserve(token)
            held.append(token.name)

        sent = await read_upload(request, let_in)
        assert token is not None
        with sent.file:
            async with self._unpacking:
                try:
                    return await elsewhere(self._keep, token, sent), printable(sent.filename, 100)
                except BotFileError as error:
                    raise BadForm(422, _make_sentence(error, printable(sent.filename, 100))) from None
                except Refused as error:
                    raise BadForm(409, _make_sentence(error, token.name)) from None
                except StoreError as error:
                    raise BadForm(503, say_not_now(error, self._contest)) from None

    def _keep(self, token: Token, sent: Sent) -> Upload:
        source = unpack(sent.file, sent.filename, token.name)
        name = self._contest.tournament
        return self._contest.book.receive(name, token.name, source, time.time(), token)

    def _reserve(self, token: Token) -> None:
        """Take one of the places for those who send; BadForm if this one may not, or not now."""
        if token.role == ORGANISER:
            raise BadForm(403, NOT_FOR_ORGANISERS)
        if token.name.lower() in {name.lower() for name in self._contest.own_names}:
            raise BadForm(
                409, f"{token.name} is the name of a bot of the organiser's; ask for another token."
            )
        if token.name in self._sending:
            raise BadForm(409, BUSY)
        if len(self._sending) >= MOST_AT_ONCE:
            raise BadForm(503, FULL)
        if not self._sent.take(token.name, time.monotonic()):
            raise BadForm(429, TOO_FAST)
        self._sending.add(token.name)

    # The author's page.

    def _read_mine(self, name: str) -> Mine:
        contest = self._contest
        uploads = contest.book.uploads(contest.tournament, name)
        playing = {each.id for each in contest.book.entered_uploads(contest.tournament)}
        handed = []
        for number, each in [*enumerate(uploads, 1)][-MOST_SHOWN:]:
            state, steps, _ = contest.checks.progress(each.id)
            if state == ENTERED:
                state = "plays" if each.id in playing else "entered earlier"
            handed.append(Handed(number, each.version, each.received_at, state, steps))
        has_entered = any(each.state == ENTERED for each in uploads)
        place = contest.place_of(name).sentence if has_entered else ""
        forfeits, trouble, has_games = self._read_games(name) if has_entered else ([], "", False)
        return Mine(name, place, handed[::-1], forfeits, trouble, has_games)

    def _read_games(self, name: str) -> tuple[list[Kind], str, bool]:
        """Return the bot's own forfeits, why they cannot be read if they cannot, and whether it has games."""
        folder = self._contest.folder
        if not (folder / LOG).exists():
            return [], "", False  # nothing was played yet
        try:
            run = Run(folder, is_whole=False)
            with run.log() as log:
                _, played = log.count_of_bots(run.hidden).get(name, (0, 0))
            return read_forfeits(run, name), "", bool(played)
        except ArenaError as error:
            return [], hide_places(error, folder), False

    # What all answers share.

    def _require(self, request: Request) -> None:
        if request.path_params["name"] != self._contest.tournament:
            raise HTTPException(404)

    def _say(self, request: Request, status: int, said: str) -> Response:
        page = make_form(self._contest.tournament, self._contest.checks.why_not, said)
        return _keep_private(send(request, pack(page), status))


def _make_sentence(why: object, own: str) -> str:
    """Return a refusal as a sentence; a name of a bot or of a file at its beginning stays as it is."""
    said = str(why)
    is_name = bool(own) and said.startswith(own)
    return f"{said if is_name else said[:1].upper() + said[1:]}."


def _keep_private(response: Response) -> Response:
    response.headers["cache-control"] = "no-store"
    return response
