"""Hosts whose bot is a script: they get given bytes instead of a process, cut into reads as given.

A host under test is the real one. Only its line is replaced: what it sends is looked at for the nonce, and
what comes back is the script, with the nonce of the request wherever `MARK` stands in it.
"""

import json
import struct
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import arena
from arena.bots.source import Source
from arena.hosts.command import CommandHost
from arena.hosts.line import BotLost
from arena.hosts.sandboxed import SandboxedHost
from arena.inside import wire
from arena.referee import Ending, Failure, Limits, Reply
from arena.referee.game import Game
from arena.referee.judge import judge
from tests.fuzz.laws import MARK, said

LIMITS = Limits()
VARIANT = arena.variant("blockade-line")
GAME = Game(VARIANT, 0, 1, LIMITS)
START = VARIANT.start()
MOST_DETAIL = 400
MOST_EVIDENCE = 200_000
_SOURCE = Source("bot", "bot.py", {"bot.py": b""})
_COMMAND = Source("bot", "", {}, ("bot",))


class ScriptedLine:
    """A line to nobody: every request is answered with the next of the scripts, in reads of given sizes."""

    pid, printed, spent = 0, "", (0.0, 0.0)

    def __init__(self, scripts: list[bytes], cuts: list[int]) -> None:
        self.is_open = True
        self.scripts = scripts
        self.cuts = cuts
        self.nonces: list[bytes] = []
        self.found = b""

    def exchange(
        self,
        data: bytes,
        seconds: float,
        is_whole: Callable[[bytes], bool],
        usual: int = 0,
        free: float = 0.0,
    ) -> tuple[bytes, float, float, float]:
        """As the real one: read until it is whole; here a bot that says no more is too slow at once."""
        self.nonces = nonces_in(data)
        left = filled(self.scripts.pop(0) if self.scripts else b"", self.nonces)
        reads = [*self.cuts, *[65536] * (len(left) + 1)]
        self.found, left = taken(left, min(reads.pop(0), wire.SHORT if usual else 4096))
        if not self.found:
            raise self.lose(Failure(Ending.TIMEOUT, "gave no answer"))
        while len(self.found) != usual and not is_whole(self.found):
            more, left = taken(left, reads.pop(0))
            if not more:
                raise self.lose(Failure(Ending.TIMEOUT, "gave no answer"))
            self.found += more
        return self.found, 0.0, 0.0, 0.0

    def lose(self, failure: Failure) -> BotLost:
        self.is_open = False
        return BotLost(failure)

    def close(self) -> None:
        self.is_open = False

    def send(self, data: bytes, seconds: float) -> None: ...

    def forget_printed(self) -> None: ...

    def peak_memory_mib(self) -> float:
        return 0.0


def taken(data: bytes, count: int) -> tuple[bytes, bytes]:
    return data[: max(1, count)], data[max(1, count) :]


def nonces_in(data: bytes) -> list[bytes]:
    """The nonces of the requests that were sent: of frames, or of a line of JSON."""
    if data.startswith(b"{"):
        nonce = json.loads(data).get("id", "")
        return [nonce.encode()]
    found = []
    while data:
        length, _ = wire.REQUEST.unpack_from(data)
        found.append(data[wire.REQUEST.size :][:8])
        data = data[wire.REQUEST.size + length :]
    return found


def filled(script: bytes, nonces: list[bytes]) -> bytes:
    """A script with the nonces in it, in their order; the last for all later marks."""
    first, *parts = script.split(MARK)
    return first + b"".join(nonces[min(n, len(nonces) - 1)] + part for n, part in enumerate(parts))


class _Scripted:
    """What both hosts below have: a line of our own wherever a process would be started."""

    def __init__(self, source: Source, scripts: list[bytes], cuts: list[int]) -> None:
        template: Any = SimpleNamespace(walls=SimpleNamespace(namespaces=True))
        super().__init__(source, template)  # type: ignore[call-arg]
        self._script = ScriptedLine(scripts, cuts)

    def _start(self, limits: Limits, **request: object) -> Any:
        self._line: Any = ScriptedLine(self._script.scripts, self._script.cuts)
        self._script = self._line
        self._limits = limits
        return self._line

    @property
    def last(self) -> ScriptedLine:
        return self._script


class ScriptedSandboxed(_Scripted, SandboxedHost):
    """The host of a Python bot, on such a line."""


class ScriptedCommand(_Scripted, CommandHost):
    """The host of a command, on such a line."""


LOADED = MARK + struct.pack("<BI", wire.DONE, 0)
BEGUN = MARK + struct.pack("<BIH", wire.DONE, 2, 0)
READY = b'{"type":"ready"}\n'


def sandboxed_begins(script: bytes, cuts: list[int]) -> None:
    """A bot begins a game by the one reply that says so; anything else is a failure to start."""
    for scripts in ([script, BEGUN], [LOADED, script]):
        host = ScriptedSandboxed(_SOURCE, list(scripts), cuts)
        failure = host.begin(GAME)
        if failure is None:
            assert host.last.found[:13] == host.last.nonces[0] + struct.pack("<BI", wire.DONE, 2)
            assert len(host.last.found) == 15
        else:
            failed(failure)
            assert failure.ending is Ending.NO_START


def sandboxed_asks(script: bytes, cuts: list[int]) -> None:
    """A move is the one reply with the nonce of the request and two bytes; anything else is a failure."""
    host = ScriptedSandboxed(_SOURCE, [LOADED, BEGUN, script, script], cuts)
    host._script.cuts = []
    assert host.begin(GAME) is None
    host.last.cuts = cuts
    line = host.last
    reply = host.ask(START, 10.0)
    if replied(reply):
        assert line.found == wire.done_reply(line.nonces[0], [reply.move])
        assert 0 <= reply.move < 1 << 16
    elif len(line.found) > 13 + wire.MOST_REPLY:
        assert reply.failure is not None
        assert reply.failure.ending in (Ending.GARBAGE, Ending.TIMEOUT), "however it was cut into reads"


def sandboxed_asks_many(script: bytes, cuts: list[int], count: int) -> None:
    """As many moves as were asked for come with the one right reply, or a failure."""
    host = ScriptedSandboxed(_SOURCE, [LOADED, BEGUN, script], [])
    assert host.begin_many(dict.fromkeys(range(count), GAME)) is None
    host.last.cuts = cuts
    line = host.last
    found = host.ask_many([(slot, ()) for slot in range(count)], [START] * count, 1.0)
    if isinstance(found, Failure):
        failed(found)
        return
    moves, *_ = found
    assert line.found == wire.done_reply(line.nonces[0], moves)
    assert len(moves) == count
    for move in moves:
        judged(Reply(move))


def sandboxed_begins_many(script: bytes, cuts: list[int], count: int) -> None:
    """Many games begin only with the one plain reply to all of them."""
    host = ScriptedSandboxed(_SOURCE, [LOADED, script], [])
    host._script.cuts = cuts
    failure = host.begin_many(dict.fromkeys(range(count), GAME))
    if failure is None:
        assert host.last.found == wire.done_reply(host.last.nonces[0], [0])
    else:
        failed(failure)


def command_begins(script: bytes, cuts: list[int]) -> None:
    """A command is ready by the one line that says so."""
    host = ScriptedCommand(_COMMAND, [script, script], cuts)
    failure = host.begin(GAME)
    if failure is None:
        assert json.loads(host.last.found) == {"type": "ready"}
        assert len(host.last.found) <= 1000
    else:
        failed(failure)
        assert failure.ending is Ending.NO_START


def command_asks(script: bytes, cuts: list[int]) -> None:
    """A command's move is one line with the nonce and a number; anything else is a failure."""
    host = ScriptedCommand(_COMMAND, [READY, script], [])
    assert host.begin(GAME) is None
    host.last.cuts = cuts
    line = host.last
    reply = host.ask(START, 10.0)
    if replied(reply):
        (nonce,) = line.nonces
        bare = b"".join(line.found.split())
        number = bare.split(b'"move":')[1].split(b",")[0].rstrip(b"}")
        assert bare in (
            b'{"id":"%b","move":%b}' % (nonce, number),
            b'{"move":%b,"id":"%b"}' % (number, nonce),
        )
        assert reply.move == int(number)
        assert abs(reply.move) < 10**9


def replied(reply: Reply) -> bool:
    """Whether a reply is a move; the referee can judge it, and a failure is fit to be shown."""
    judged(reply)
    if reply.failure is not None:
        failed(reply.failure)
        return False
    assert type(reply.move) is int
    return True


def judged(reply: Reply) -> None:
    """The referee gives a position or an outcome with one printable line, whatever the reply."""
    _, outcome = judge(START, reply, LIMITS, 0.0)
    if outcome is not None:
        said(outcome.detail, MOST_DETAIL + 20)
        assert outcome.ending.is_forfeit


def failed(failure: Failure) -> None:
    """A forfeit, one printable line, and evidence in printable lines."""
    assert isinstance(failure, Failure)
    assert failure.ending.is_forfeit
    said(failure.detail, MOST_DETAIL)
    assert failure.evidence.replace("\n", "").isprintable()
    assert len(failure.evidence) <= MOST_EVIDENCE


def wire_law(script: bytes, cuts: list[int], count: int = 3) -> None:
    """Whatever a bot writes, and however it is cut into reads: a move with its nonce, or a forfeit."""
    sandboxed_begins(script, cuts)
    sandboxed_asks(script, cuts)
    sandboxed_asks_many(script, cuts, count)
    sandboxed_begins_many(script, cuts, count)
    command_begins(script, cuts)
    command_asks(script, cuts)
    fault = wire.read_fault(script)
    assert fault is None or fault[0].is_forfeit
    assert isinstance(wire.is_whole(script), bool)
