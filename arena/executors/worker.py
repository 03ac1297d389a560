"""Plays units, one after the other: opens the bots' hosts, and plays games in lockstep where that is exact.

The number of games that share a message is adapted: as many as take a fraction of a second, so that little is
lost with a worker. After a batch that proved nothing, the rest of the unit is played one game at a time. A
bot that is too slow for batches, or that asks for its clock, is remembered for later units.

It notes in a `Status` what it is about to do.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from math import inf
from pathlib import Path
from shutil import rmtree

from arena.bots.source import Source
from arena.errors import Void
from arena.executors.status import Doing, Status
from arena.executors.unit import Manner, Played, Spoilt, Unit, replay
from arena.game import Position
from arena.hosts.batch import MOST_GAMES, Dropped, play_batch
from arena.hosts.opening import open_host, require_sandbox
from arena.hosts.play import Host, play_surely
from arena.hosts.sandboxed import SandboxedHost
from arena.hosts.scripted import ScriptedHost
from arena.hosts.wrapped import WrappedHost
from arena.inside.program import BotFault
from arena.referee.endings import Failure, Outcome, Reply
from arena.referee.game import Game, GameRecord, GameSpec
from arena.sandbox.template import PREFIX, Template, remove_what_the_dead_left

FIRST_SHARE = 8
SHARE_SECONDS = 0.25
BATCH_SECONDS = 0.05


class Worker:
    """Plays units with one template."""

    def __init__(self, status: Status | None = None) -> None:
        self._status = status or Status()
        self._template = Template()
        self._other = Template()  # for audits; started when there is one
        self._folders: dict[str, Path] = {}  # by version: where trusted bots are
        self._alone: set[str] = set()  # versions of bots whose games cannot share a message

    def prepare(self) -> str:
        """Start what sandboxed bots need; return the walls around them. NoSandbox if they are not enough."""
        require_sandbox(self._template)
        self._other.launch()  # it will be needed soon
        return str(self._template.walls)

    def play(
        self, unit: Unit, first: int = 0, is_careful: bool = False, seconds: float = inf
    ) -> Iterator[Played]:
        """Yield the games of a unit from a number on; with care, each is played by itself.

        No game is begun after some seconds, or once `stop` was called: the rest of the unit is not played.
        """
        deadline = time.monotonic() + seconds
        template = self._other if unit.manner is Manner.AUDIT else self._template
        hosts = self._hosts(unit, template)
        is_shared = unit.manner is Manner.SHARED
        together = self._together(unit, hosts) if is_shared and not is_careful else {}
        size = FIRST_SHARE if together else 1
        try:
            while first < len(unit.specs) and not self.is_stopping:
                begun = time.monotonic()
                if begun > deadline:
                    return
                games = unit.specs[first : first + size]
                self._note(first, len(games))
                if size == 1:
                    yield self._play_one(first, games[0], hosts)
                    first += 1
                    for host in hosts.values() if not is_shared else ():
                        host.close()
                    continue
                played = self._lockstep(games, together)
                if isinstance(played, Dropped):
                    size = 1  # a batch that failed once would fail again
                    if played.reason:
                        # Thinking long is not a failure: it was our idea that games share a message.
                        bot = "" if played.is_lasting else played.bot
                        yield from (replay(spec, bot, played.reason) for spec in games)
                    continue
                yield from played
                first += len(played)
                fitting = int(SHARE_SECONDS * size / (time.monotonic() - begun))
                size = max(2, min(MOST_GAMES, 4 * size, fitting))
        finally:
            for host in hosts.values():
                host.close()
            self._note(first, 0)

    def _hosts(self, unit: Unit, template: Template) -> dict[str, Host]:
        """Return the hosts of a unit's bots by name."""
        one, other = unit.bots
        if unit.script is None:
            return {bot.name: self.host(bot, unit.isolation, template) for bot in unit.bots}
        return {one.name: self.host(one, unit.isolation, template), other.name: ScriptedHost(unit.script)}

    def _note(self, first: int, count: int) -> None:
        """Note which games are in play, before any bot hears of them."""
        status = self._status
        status.doing, status.game, status.in_play = Doing.NOTHING, first, count

    def _together(self, unit: Unit, hosts: dict[str, Host]) -> dict[str, SandboxedHost]:
        """Return the hosts if their games may share messages, else nothing."""
        found = {name: host for name, host in hosts.items() if isinstance(host, SandboxedHost)}
        is_possible = len(found) == 2 and all(host.plays_many for host in found.values())
        return found if is_possible and self._alone.isdisjoint(_versions(unit.specs[0]).values()) else {}

    def _lockstep(
        self, games: tuple[GameSpec, ...], hosts: dict[str, SandboxedHost]
    ) -> list[GameRecord] | Dropped:
        """Play games in lockstep; `Dropped` if that proves nothing and they must be played one at a time."""
        try:
            played = play_batch(games, hosts)
        except Void as void:
            return Dropped("", f"{void}, and with it a batch of {len(games)} games")
        if isinstance(played, Dropped) and played.is_lasting:
            self._alone.add(_versions(games[0])[played.bot])
        return played

    @property
    def is_stopping(self) -> bool:
        """Whether no more games are to be begun."""
        return bool(self._status.is_stopping)

    def stop(self) -> None:
        """Begin no more games."""
        self._status.is_stopping = 1

    def _play_one(self, number: int, spec: GameSpec, hosts: dict[str, Host]) -> Played:
        sides = enumerate((spec.first, spec.second))
        noted = [_Noted(hosts[name], self._status, number, side) for side, name in sides]
        try:
            return play_surely(spec, noted[0], noted[1])
        except Void as void:
            return Spoilt(spec, str(void))

    def host(self, source: Source, isolation: str, template: Template | None = None) -> Host:
        """Return a host for a bot; also for one that does not even compile, and so never starts."""
        path = self._folder(source) if isolation == "trusted" and not source.command else None
        try:
            return open_host(source, path, isolation, template or self._template)
        except BotFault as fault:
            return _Broken(fault.failure, isolation)

    def _folder(self, source: Source) -> Path:
        """Return the folder of a trusted bot: a copy, so that nobody edits it while it plays."""
        if source.version not in self._folders:
            if not self._folders:
                remove_what_the_dead_left()
            folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-trusted-"))
            source.write(folder)
            if source.main != "bot.py":
                (folder / "bot.py").write_bytes(source.files[source.main])
            self._folders[source.version] = folder
        return self._folders[source.version]

    def close(self) -> None:
        """End the template, and remove what was written."""
        self._template.close()
        self._other.close()
        for folder in self._folders.values():
            rmtree(folder, ignore_errors=True)
        self._folders.clear()


def _versions(spec: GameSpec) -> dict[str, str]:
    """Return the versions of the two bots by name."""
    return {spec.first: spec.first_version, spec.second: spec.second_version}


class _Noted(WrappedHost):
    """A host that notes what its bot is asked."""

    def __init__(self, host: Host, status: Status, number: int, side: int) -> None:
        super().__init__(host)
        self._status = status
        self._number = number
        self._side = side

    def begin(self, game: Game) -> Failure | None:
        status = self._status
        status.game, status.side, status.plies = self._number, self._side, 0
        status.doing = Doing.BEGINNING
        failure = self._host.begin(game)
        status.doing = Doing.NOTHING
        return failure

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        status, history = self._status, position.history
        moves = status.moves
        for ply in range(status.plies, len(history)):
            moves[ply] = history[ply]
        status.game, status.side, status.plies = self._number, self._side, len(history)
        status.doing = Doing.ASKING
        reply = self._host.ask(position, game_seconds_left)
        status.doing = Doing.NOTHING  # what goes wrong from here on is our own fault
        return reply


class _Broken:
    """The host of a bot whose file does not even compile: it never starts."""

    by_signal = False
    takes_clock = False
    printed = ""

    def __init__(self, failure: Failure, isolation: str) -> None:
        self._failure = failure
        self.isolation = isolation

    def begin(self, game: Game) -> Failure | None:
        return self._failure

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        return Reply(-1, failure=self._failure)

    def finish(self, outcome: Outcome) -> None:
        pass

    def close(self) -> None:
        pass


def batches(games: Iterator[Played], seconds: float = BATCH_SECONDS) -> Iterator[list[Played]]:
    """Yield games in lists; each list has what was finished within some time."""
    kept: list[Played] = []
    since = time.monotonic()
    for played in games:
        kept.append(played)
        if time.monotonic() - since >= seconds:
            yield kept
            kept, since = [], time.monotonic()
    if kept:
        yield kept
