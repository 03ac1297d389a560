"""Playing one game again from its record, showing what the bots print: how an author reproduces a failure.

Everything comes from the run folder, also the bots' sources, so a received folder is enough. That is why bots
are sandboxed here unless the user says otherwise, however the log says that they were played, and why a game
is played again only if it is the one that its id names.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from arena.bots.finding import read_bot
from arena.bots.source import Source
from arena.errors import UserError, printable
from arena.executors.worker import Worker
from arena.game import Position
from arena.hosts.debugged import DebuggedHost
from arena.hosts.opening import program_at
from arena.hosts.play import Host, play_surely
from arena.hosts.wrapped import WrappedHost
from arena.log import archive
from arena.log.reading import Log
from arena.referee.endings import Failure, Reply
from arena.referee.game import Game, GameRecord, GameSpec
from arena.referee.row import GameRow
from arena.results.run import Run
from arena.results.verify import plan_of, spec_of

Show = Callable[[str], None]


class Again(NamedTuple):
    """A game as it was logged, and as it went this time."""

    logged: GameRow
    record: GameRecord

    @property
    def is_same(self) -> bool:
        """Whether it ended the same way by the same moves."""
        record = self.record
        return (record.winner, str(record.ending), record.moves) == (
            self.logged.winner,
            self.logged.ending,
            self.logged.cells,
        )


def rerun(run: Run, text: str, isolation: str, show: Show, debugged: str = "") -> Again:
    """Play a game again; `trusted` only if the user has said so, whatever the log says.

    The bot that is `debugged` runs in this process, from the user's own file with the logged hash.
    """
    logged = run.game(text)
    with run.log() as log:
        spec = _spec(log, run, logged)
        sources = [
            archive.kept_bot(log, name, version)
            for name, version in (
                (logged.first, logged.first_version),
                (logged.second, logged.second_version),
            )
        ]
    own = _own_file(logged, sources, debugged) if debugged else None
    with closing(Worker()) as worker:
        hosts = [
            DebuggedHost(program_at(own[1]))
            if own and own[0] == source.name
            else worker.host(source, isolation)
            for source in sources
        ]
        shown = [_Shown(host, source.name, show) for host, source in zip(hosts, sources, strict=True)]
        try:
            return Again(logged, play_surely(spec, shown[0], shown[1]))
        finally:
            for host in hosts:
                host.close()


def _own_file(logged: GameRow, sources: list[Source], typed: str) -> tuple[str, Path]:
    """Return the name and the place of the user's own file of a bot; UserError unless it is what has played.

    What lies in a folder that somebody sent never runs in this process.
    """
    name = Path(typed).name.removesuffix(".py")
    found = [source for source in sources if source.name == name]
    if not found:
        raise UserError(
            f"--debug {printable(typed)}: game {logged.game} is between {logged.first} and {logged.second}"
        )
    if found[0].command:
        raise UserError(f"--debug {name}: it is a command, which does not run in this process")
    own, path = read_bot(typed, Path(), name)
    if own.version != found[0].version:
        raise UserError(
            f"--debug {name}: {printable(str(path), 200)} has version {own.version[:12]}, and this game was "
            f"played by {found[0].version[:12]}; only your own file with the logged hash runs in this process"
            f"; as it is now, `arena play {logged.variant} --first {name} --debug` runs it"
        )
    return name, path


def _spec(log: Log, run: Run, logged: GameRow) -> GameSpec:
    """Return the game to be played; UserError if it is not in the current plan."""
    if log.planned_game(logged.game) is None:
        raise UserError(
            f"{logged.game} is no longer in the plan: its bots, variants, seed or limits have changed since"
        )
    spec = spec_of(logged, plan_of(log, run.field))
    return spec._replace(
        limits=spec.limits._replace(memory_mib=min(spec.limits.memory_mib, _half_of_memory())),
    )


def _half_of_memory() -> int:
    """Return the most MiB that a stranger's bot may have, whatever its limits were."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (2 << 20)


class _Shown(WrappedHost):
    """A host that shows every move of its bot, and what the bot printed meanwhile."""

    def __init__(self, host: Host, name: str, show: Show) -> None:
        super().__init__(host)
        self._name = name
        self._show = show
        self._seen = 0

    def begin(self, game: Game) -> Failure | None:
        self._seen = 0
        failure = self._host.begin(game)
        self._show_printed()
        return failure

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        reply = self._host.ask(position, game_seconds_left)
        self._show_printed()
        ply = len(position.history) + 1
        what = f"claims {_cell(position, reply.move)}" if reply.failure is None else reply.failure.detail
        self._show(f"{ply:3}. {self._name} {what}  ({reply.cpu_seconds * 1000:.1f} ms)")
        return reply

    def _show_printed(self) -> None:
        printed = self._host.printed
        for line in printed[self._seen :].splitlines():
            self._show(f"     {self._name} printed: {line}")
        self._seen = len(printed)


def _cell(position: Position, move: int) -> str:
    return position.name(move) if 0 <= move < position.board.size else str(move)
