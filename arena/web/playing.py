"""What readers can do at a board: play against a bot of a run, and have positions solved.

The pages are read as any other. What is asked is sent as JSON to addresses of its own; a game's id is as
hard to guess as a password, and is never part of an address.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.errors import IllegalMove
from arena.game import Variant
from arena.pages.talk import say_solution
from arena.web.allowance import Allowance
from arena.web.asking import (
    Asked,
    Refused,
    read_asked,
    read_cells,
    read_number,
    read_text,
    refusing,
    tell,
)
from arena.web.clients import client_of
from arena.web.game import Seating
from arena.web.offers import Offers
from arena.web.opponents import Games
from arena.web.sending import say, send
from arena.web.site import Site
from arena.web.solver_process import budget_of
from arena.web.solving import Solutions

PLIES = range(1 << 13)
GAMES, MOVES, SOLUTIONS = (6, 12.0), (60, 120.0), (20, 40.0)
"""What an address may ask for at once, and in a minute."""

TOO_OFTEN = "That is asked too often from your address. Try again in a moment."
NO_PLAY = "Whoever runs this server has switched off playing against bots."
NO_SOLVE = "Whoever runs this server has switched off solving positions."


class Switches(NamedTuple):
    """What readers may do."""

    can_play: bool = True
    can_solve: bool = True


ALL_ON = Switches()


class Playing:
    """The boards of a server."""

    def __init__(self, site: Site, switches: Switches) -> None:
        self._site, self._switches = site, switches
        self._offers = Offers(switches.can_play, switches.can_solve, site.hosts)
        self._games, self._solutions = Games(), Solutions()
        self._allowed = {name: Allowance(*most) for name, most in _ALLOWED.items()}

    def routes(self) -> list[Route]:
        """Return the addresses of this feature."""
        posts = {
            "play/begin": self._begin,
            "play/move": self._move,
            "play/leave": self._leave,
            "solve/position": self._solve,
            "solve/game": self._judge,
        }
        return [
            Route("/runs/{name}/play", self._show),
            Route("/runs/{name}/solve", self._show),
            *(
                Route(f"/runs/{{name}}/{path}", refusing(answer), methods=["POST"])
                for path, answer in posts.items()
            ),
        ]

    def close(self) -> None:
        """End all games, and what is being solved."""
        self._games.close()
        self._solutions.close()

    async def _show(self, request: Request) -> Response:
        folder = self._find(request)
        try:
            page = (await self._offers.read(folder)).page
            if self._switches.can_play and request.url.path.endswith("/play"):
                self._games.warm_up()
            return send(request, page)
        except Refused as refused:
            return say(refused.status, folder.name, refused.sentence, "../../")

    async def _begin(self, request: Request) -> Response:
        folder, asked = self._find(request), await read_asked(request)
        self._require(self._switches.can_play, NO_PLAY)
        self._take(request, "games")
        offer = (await self._offers.read(folder)).offer
        variant = offer.find_variant(read_text(asked, "variant"))
        seating = Seating(
            offer,
            variant,
            offer.find_bot(read_text(asked, "bot")),
            read_number(asked, "player", range(1, 3)),
            _read_starter(asked, variant),
            read_cells(asked, "moves", variant.board.size),
        )
        instead = read_text(asked, "instead") if asked.get("instead") else ""
        game = await self._games.begin(seating, self._address(request), instead)
        if await request.is_disconnected():  # nobody hears of this game, so nobody could leave it
            self._games.leave(game.id)
        return tell(game.tell())

    async def _move(self, request: Request) -> Response:
        asked = await read_asked(request)
        self._take(request, "moves")
        game, cell = read_text(asked, "game"), read_number(asked, "cell", PLIES)
        return tell(await self._games.move(game, read_number(asked, "ply", PLIES), cell))

    async def _leave(self, request: Request) -> Response:
        asked = await read_asked(request)
        self._games.leave(read_text(asked, "game"))
        return tell({})

    async def _solve(self, request: Request) -> Response:
        variant, moves, asked = await self._read_game(request)
        position, starter = variant.replay(moves), asked.get("starter") == 2
        question = (variant, moves, None)
        found = self._solutions.find(question)
        if found is None and position.is_over:
            found = {"winner": 1 - position.to_move, "winning": [], "unknown": []}
        if found is None:
            self._take(request, "solutions")
            found = await self._solutions.solve(question, self._address(request))
        said = say_solution(position, found, budget_of(variant.board.size), starter + 1)
        return tell({**found, "said": said})

    async def _judge(self, request: Request) -> Response:
        variant, moves, asked = await self._read_game(request)
        question = (variant, moves, read_number(asked, "winner", range(2)))
        found = self._solutions.find(question)
        if found is None:
            self._take(request, "solutions")
            found = await self._solutions.solve(question, self._address(request))
        return tell(found)

    async def _read_game(self, request: Request) -> tuple[Variant, tuple[int, ...], Asked]:
        """Return the variant and the moves that are asked about; Refused if they cannot be made."""
        folder, asked = self._find(request), await read_asked(request)
        self._require(self._switches.can_solve, NO_SOLVE)
        variant = (await self._offers.read(folder)).offer.find_variant(read_text(asked, "variant"))
        moves = read_cells(asked, "moves", variant.board.size)
        try:
            variant.replay(moves)
        except IllegalMove:
            raise Refused(400, "These moves cannot be made one after the other.") from None
        return variant, moves, asked

    def _find(self, request: Request) -> Path:
        feed = self._site.find(request.path_params["name"])
        if feed is None:
            raise HTTPException(404)
        return feed.folder

    def _address(self, request: Request) -> str:
        return client_of(request.scope) or "unknown"

    def _require(self, is_on: bool, sentence: str) -> None:
        if not is_on:
            raise Refused(403, sentence)

    def _take(self, request: Request, what: str) -> None:
        if not self._allowed[what].take(self._address(request), time.monotonic()):
            raise Refused(429, TOO_OFTEN)


_ALLOWED = {"games": GAMES, "moves": MOVES, "solutions": SOLUTIONS}


def _read_starter(asked: Asked, variant: Variant) -> int:
    starter = read_number(asked, "starter", range(1, 3))
    if starter == 2 and not variant.book.is_start_agreed:
        raise Refused(400, f"The rule book of {variant.name} says that Player 1 moves first.")
    return starter
