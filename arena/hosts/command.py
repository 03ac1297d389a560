"""The host of a bot in any language: a command that speaks JSON lines on its standard input and output.

What we write is JSON. What the bot writes is matched against the few lines that are allowed, character by
character: a stranger's text is never parsed. A line is at most 1,000 bytes long, and the nonce of the
request is its `id`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import Any

from arena.game import Position
from arena.hosts.confined import FREE_AT_START, ConfinedHost, instead_of_a_reply
from arena.hosts.line import BotLost
from arena.referee.endings import Failure, Outcome, Reply
from arena.referee.game import Game, Limits
from arena.sandbox.template import bot_environment

MOST_LINE = 1000

_READY = re.compile(rb'\s*\{\s*"type"\s*:\s*"ready"\s*\}\s*\n', re.ASCII)
_ID, _MOVE = rb'"id"\s*:\s*"([0-9a-f]{16})"', rb'"move"\s*:\s*(-?[0-9]{1,9})'
_REPLIES = (
    re.compile(rb"\s*\{\s*" + _ID + rb"\s*,\s*" + _MOVE + rb"\s*\}\s*\n", re.ASCII),
    re.compile(
        rb"\s*\{\s*(?=[^}]*" + _ID + rb"\s*\})" + _MOVE + rb"\s*,\s*" + _ID + rb"\s*\}\s*\n", re.ASCII
    ),
)


class CommandHost(ConfinedHost):
    """A sandboxed command; its process serves many games, each between the messages `game` and `end`."""

    def begin(self, game: Game) -> Failure | None:
        """Begin a game, in a process that is started if need be."""
        return self._begin_surely(game, self._begin_once)

    def _begin_once(self, game: Game) -> None:
        self._ensure(game.limits)
        assert self._line is not None
        self._line.forget_printed()
        self._line.send(_write_line(_game_message(game)), game.limits.start_seconds)

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        """Ask for a move."""
        assert self._line is not None, "a game begins before a bot is asked"
        nonce = os.urandom(8).hex()
        seconds = min(self._limits.move_seconds, game_seconds_left)
        request = _write_line(move_message(nonce, position, self._limits.move_seconds, game_seconds_left))
        try:
            found, cpu, wall, idle = self._line.exchange(request, seconds, _is_whole)
            move = _read_move(found, nonce)
            if move is None:
                raise self._line.lose(instead_of_a_reply(found))
        except BotLost as lost:
            return self._lost_reply(lost)
        return Reply(move, cpu, wall, None, idle)

    def finish(self, outcome: Outcome) -> None:
        """Tell the bot how the game ended."""
        if self._line is not None:
            message = {"type": "end", "winner": outcome.winner, "ending": str(outcome.ending)}
            try:
                self._line.send(_write_line(message), self._limits.move_seconds)
            except BotLost as lost:
                self._lose(lost)  # it will be started again
                self.by_signal = False  # the game is over, and is not played again

    def _ensure(self, limits: Limits) -> None:
        if self._has_process(limits):
            return
        command = self._resolve()
        line = self._start(limits, command=command, environment=_environment(command[0], limits))
        hello = _write_line({"type": "hello", "protocol": 1})
        found, *_ = line.exchange(hello, limits.start_seconds, _is_whole, free=FREE_AT_START)
        if len(found) > MOST_LINE or not _READY.fullmatch(found):
            raise line.lose(instead_of_a_reply(found))

    def _resolve(self) -> list[str]:
        """Return the command as it is run in the bot's folder; the program is found as a shell does it."""
        program, *rest = self.source.command
        found = program if "/" in program else shutil.which(program, path="/usr/local/bin:/usr/bin:/bin")
        return [found or program, *rest]


def _environment(program: str, limits: Limits) -> dict[str, str]:
    """Return a command's environment, with facts that it cannot find out in the sandbox.

    Without /proc the loader does not know the folder of a program that has its libraries beside it. And the
    kernel does not tell how much memory the bot may use, so Java would take too much.
    """
    return bot_environment() | {
        "LD_ORIGIN_PATH": os.path.dirname(os.path.realpath(program)),
        "JDK_JAVA_OPTIONS": f"-XX:MaxRAM={limits.memory_mib}m",
    }


def _write_line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _game_message(game: Game) -> dict[str, Any]:
    board = game.variant.board
    return {
        "type": "game",
        "variant": game.variant.name,
        "rule": game.variant.rule,
        "size": board.size,
        "neighbours": [board.neighbours(cell) for cell in range(board.size)],
        "side": game.side,
        "seed": game.seed,
        "limits": game.limits.by_key(),
    }


def move_message(nonce: str, position: Position, move_seconds: float, seconds_left: float) -> dict[str, Any]:
    """Return the request for a move, as JSON holds it."""
    owners = ["."] * position.board.size
    for ply, cell in enumerate(position.history):
        owners[cell] = "XO"[ply % 2]
    return {
        "type": "move",
        "id": nonce,
        "to_move": position.to_move,
        "legal": position.legal_moves,
        "owners": "".join(owners),
        "history": position.history,
        "move_seconds": move_seconds,
        "game_seconds_left": round(seconds_left, 6),
    }


def _is_whole(found: bytes) -> bool:
    return b"\n" in found or len(found) > MOST_LINE


def _read_move(found: bytes, nonce: str) -> int | None:
    """Return the number in a reply to this request, or None for anything else."""
    if len(found) > MOST_LINE:
        return None
    match = _REPLIES[0].fullmatch(found)
    if match:
        sent, move = match[1], match[2]
    else:
        match = _REPLIES[1].fullmatch(found)
        if not match:
            return None
        sent, move = match[3], match[2]
    return int(move) if sent == nonce.encode() else None
