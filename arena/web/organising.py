"""The organiser's pages: they show a contest to whoever sends an organiser's token, and do what is asked.

The token is in the body of every request, and is given back in the page for the next one; such a page is kept
by no cache. A deed is written into the book with who, what, when and why before it is answered. Whoever plays
reads it there, so nothing that a deed does is lost by a crash. The same form does its deed once, see
`arena.web.once`.
"""

from __future__ import annotations

import tempfile
import time
import zipfile
from collections.abc import AsyncIterator
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Lock
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from arena.contest.book import ENTERED, FAILED, Upload
from arena.contest.deeds import CLOSE, PAUSE, READMIT, REOPEN, RESUME, SET_ASIDE, WITHDRAW
from arena.contest.playing import Contest
from arena.contest.room import say_room
from arena.contest.tokens import ORGANISER, PARTICIPANT
from arena.contest.words import CLOSED_AND_PAUSED, PAUSED, UNDERWAY
from arena.errors import ArenaError, Refused, UserError, printable
from arena.export.folder import export
from arena.leftovers import name_after_us
from arena.log.reading import Log
from arena.pages.organise import Count, Entrant, Organised, fold, make_organise, make_row
from arena.results.run import Run
from arena.web.feed import address_of, pack
from arena.web.form import BadForm, read_fields
from arena.web.gate import Gate
from arena.web.hiding import hide_places, say_not_now
from arena.web.once import Once, make_id
from arena.web.sending import say, send

LONGEST_REASON = 200
MOST_SHOWN = 1_000
"""Lines of a list, most of them folded."""

DAY_SECONDS = 86_400.0
TABLES = (".csv", ".md")
CHUNK = 1 << 16
LOOK = "look"
DONE_ALREADY = "This was done already: the page has sent it a second time."
WRONG = "This is not the token of an organiser, or it was revoked."
DONE = {
    PAUSE: "Paused.",
    RESUME: "Resumed.",
    CLOSE: "Closed.",
    REOPEN: "Open again.",
    WITHDRAW: "Withdrawn.",
    READMIT: "Taken back.",
    SET_ASIDE: "The game is set aside, and will be played again.",
}


def routes(contest: Contest) -> list[Route]:
    """Return the addresses of a contest's organiser."""
    office, place = _Office(contest), f"/runs/{contest.tournament}"
    return [
        Route(f"{place}/organise", office.show, methods=["GET", "POST"]),
        Route(f"{place}/export", office.send_export, methods=["POST"]),
    ]


class _Office:
    """Answers the organiser."""

    def __init__(self, contest: Contest) -> None:
        self._contest, self._book, self._name = contest, contest.book, contest.tournament
        self._gate = Gate(contest, WRONG, ORGANISER)
        self._once, self._doing = Once(), Lock()

    async def show(self, request: Request) -> Response:
        if request.method != "POST":
            return self._send(request, None)
        try:
            form = await read_fields(request)
            who = await self._gate.let_in(request, form.get("token", ""))
            shown = await run_in_threadpool(self._answer, who.name, form)
        except BadForm as error:
            return self._send(request, None, error.sentence, error.status)
        except UserError as error:
            return say(503, "Not now", say_not_now(error, self._contest))
        return self._send(request, shown)

    def _send(
        self, request: Request, shown: Organised | None, refusal: str = "", status: int = 200
    ) -> Response:
        page = make_organise(self._name, address_of(self._name), shown, make_id, refusal)
        response = send(request, pack(page), status)
        response.headers["cache-control"] = "no-store"  # a token is in it
        return response

    def _answer(self, who: str, form: dict[str, str]) -> Organised:
        """Do what somebody asks, and return what there is to see afterwards."""
        said = ""
        if form.get("deed", LOOK) != LOOK:
            try:
                said = self._do_once(who, form)
            except Refused as error:
                said = str(error)
        return self._tell(form["token"], said)

    def _do_once(self, who: str, form: dict[str, str]) -> str:
        """Do a deed, unless the same form has done it already; Refused if there is nothing to do."""
        deed, subject, reason = (form.get(name, "").strip() for name in ("deed", "subject", "reason"))
        sent = form.get("once", ""), deed, subject, reason
        with self._doing:
            if self._once.is_done(*sent):
                return DONE_ALREADY
            said = self._do(who, deed, subject, reason)
            self._once.note(*sent)
            return said

    def _do(self, who: str, deed: str, subject: str, reason: str) -> str:
        """Write a deed into the book; Refused, with the reason, if there is nothing to do."""
        if deed not in DONE:
            raise Refused(f"There is no such deed: {printable(deed)}.")
        reason = printable(reason, LONGEST_REASON)
        if deed == SET_ASIDE:
            subject = self._find_game(subject)
            if not reason:
                raise Refused("Say why, so that everybody can understand it later.")
        elif deed in (WITHDRAW, READMIT):
            self._check_bot(deed, subject)
        else:
            subject = ""
            self._check_state(deed)
        self._book.note_deed(self._name, who, deed, subject, reason)
        return DONE[deed]

    def _check_state(self, deed: str) -> None:
        is_paused, is_closed, _ = self._book.standing(self._name)
        if {PAUSE: is_paused, RESUME: not is_paused, CLOSE: is_closed, REOPEN: not is_closed}[deed]:
            raise Refused("It is so already.")

    def _check_bot(self, deed: str, name: str) -> None:
        if name not in {each.name for each in self._book.uploads(self._name) if each.state == ENTERED}:
            raise Refused(f"No bot of the name {printable(name)} has entered.")
        if (deed == WITHDRAW) == (name in self._book.standing(self._name).withdrawn):
            raise Refused("It is so already.")

    def _find_game(self, typed: str) -> str:
        """Return the id of a game of the plan by its beginning; Refused if there is none."""
        wanted, shown = typed.lower(), printable(typed)
        try:
            with closing(Log(self._contest.folder)) as log:
                found = log.find(wanted) if wanted else []
                is_planned = bool(found) and log.planned_game(found[0].game) is not None
        except ArenaError:
            found = []
        if not found:
            raise Refused(f"There is no game {shown}; it may have been set aside already.")
        if len(found) > 1 and found[0].game != wanted:
            raise Refused(f"More than one game begins with {shown}.")
        if not is_planned:
            raise Refused(
                f"Game {shown} is not in the plan: an old version of a bot has played it, or one that was "
                "withdrawn. It counts for nothing now, and would not be played again."
            )
        return found[0].game

    def _tell(self, token: str, said: str) -> Organised:
        contest, book, name = self._contest, self._book, self._name
        is_paused, is_closed, withdrawn = book.standing(name)
        uploads, deeds = book.uploads(name), book.deeds(name)
        newest = {each.name: each for each in uploads if each.state == ENTERED}
        return Organised(
            token,
            said,
            self._say_how(is_paused, is_closed, len(deeds)),
            self._find_trouble(),
            is_paused,
            is_closed,
            contest.waiting,
            sorted(contest.own_names),
            [
                Entrant(each.name, each.version[:12], make_row(each.received_at, "", "").when, is_out)
                for each in newest.values()
                for is_out in (each.name in withdrawn,)
            ],
            self._count(uploads, newest.keys() - withdrawn),
            fold([make_row(each.received_at, each.name, each.state) for each in uploads], MOST_SHOWN),
            fold([make_row(*deed) for deed in deeds], MOST_SHOWN),
            list(contest.notes)[::-1],
        )

    def _say_how(self, is_paused: bool, is_closed: bool, deeds: int) -> str:
        """Return how the contest stands; what it says itself may be from before the last deed."""
        if is_paused:
            return CLOSED_AND_PAUSED if is_closed else PAUSED
        status = self._contest.status
        return status.words if status.deeds == deeds else UNDERWAY

    def _find_trouble(self) -> str:
        """Return all that is wrong, in sentences."""
        contest = self._contest
        checks = map(self._hide, (contest.checks.why_not, contest.checks.trouble))
        return " ".join(filter(None, (contest.status.trouble, *checks, say_room(contest.book.file.parent))))

    def _hide(self, why: object) -> str:
        return hide_places(why, self._contest.folder, self._book.file)

    def _count(self, uploads: list[Upload], plays: set[str]) -> Count:
        last_day = sum(each.received_at > time.time() - DAY_SECONDS for each in uploads)
        good = (each for each in self._book.tokens() if each.revoked_at is None)
        idle = [each.name for each in good if each.role == PARTICIPANT and each.name not in plays]
        return Count(len(uploads), last_day, sum(each.state == FAILED for each in uploads), idle)

    async def send_export(self, request: Request) -> Response:
        """Send everything as a zip."""
        try:
            form = await read_fields(request)
            await self._gate.let_in(request, form.get("token", ""))
            packed, files = await run_in_threadpool(self._pack)
        except BadForm as error:
            return self._send(request, None, error.sentence, error.status)
        except (UserError, OSError) as error:
            return say(503, "Not now", f"This cannot be exported now: {self._hide(error)}.")
        named = f"{self._name}-{time.strftime('%Y-%m-%d')}.zip"
        headers = {"content-disposition": f'attachment; filename="{named}"', "cache-control": "no-store"}
        return StreamingResponse(_send_file(packed, files), media_type="application/zip", headers=headers)

    def _pack(self) -> tuple[IO[bytes], ExitStack]:
        """Return a zip of what `arena export` writes and the tables, and what to close when it was sent."""
        with ExitStack() as files:
            packed = files.enter_context(tempfile.TemporaryFile())
            with tempfile.TemporaryDirectory(prefix=name_after_us("export")) as place:
                folder = Path(place, self._name)
                export(Run(self._contest.folder, is_whole=False), folder, is_hiding=False)
                with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
                    for file in sorted(folder.rglob("*")):
                        zipped.write(file, file.relative_to(place))
                    for file in sorted(self._contest.folder.iterdir()):
                        if file.suffix in TABLES:
                            zipped.write(file, Path(f"{self._name}-tables", file.name))
            packed.seek(0)
            return packed, files.pop_all()
        raise AssertionError("not reached")


async def _send_file(packed: IO[bytes], files: ExitStack) -> AsyncIterator[bytes]:
    with files:
        while some := await run_in_threadpool(packed.read, CHUNK):
            yield some
