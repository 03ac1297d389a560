"""What a server has more if it hosts a contest: what pages say of it, and more addresses."""

from __future__ import annotations

from starlette.routing import Route

from arena.contest.playing import Contest
from arena.pages.live import Hosted
from arena.web import organising, uploading
from arena.web.feed import address_of
from arena.web.site import Host


def host_contest(contest: Contest) -> Host:
    """Return a contest as the pages of a server know it."""
    address = address_of(contest.tournament)

    def tell() -> Hosted:
        status = contest.status
        return Hosted(address, status.words, contest.playing, contest.waiting, not status.is_closed)

    return Host(contest.tournament, tell)


def list_routes(contest: Contest) -> list[Route]:
    """Return the addresses of a contest's features."""
    return [*uploading.routes(contest), *organising.routes(contest)]
