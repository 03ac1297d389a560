"""What all hosts of sandboxed processes have in common: files, the line, and what happens when it is lost."""

from __future__ import annotations

from collections.abc import Callable
from shutil import rmtree

from arena.bots.source import Source
from arena.errors import printable
from arena.hosts.line import BotLost, Line
from arena.referee.endings import Ending, Failure, Reply
from arena.referee.game import DEFAULT_LIMITS, Game, Limits
from arena.sandbox.template import Template

FREE_AT_START = 1.0
"""Seconds of sleep that are free while a bot starts: files come from a disk."""


class ConfinedHost:
    """Our end of the line to a sandboxed bot, which is started when its first game begins.

    After a failure the process is gone, and the next game gets a new one. `by_signal` tells whether the last
    failure was a signal that somebody outside may have sent.
    """

    isolation = "sandboxed"
    takes_clock = False

    def __init__(self, source: Source, template: Template) -> None:
        self.source = source
        self.by_signal = False
        self.template = template
        self._line: Line | None = None
        self._folder = ""
        self._limits = DEFAULT_LIMITS
        self._last_printed = ""
        self._peak_memory_mib = 0.0

    @property
    def pid(self) -> int | None:
        """The bot's process id, if it has a process."""
        return self._line.pid if self._line else None

    @property
    def printed(self) -> str:
        """What the bot has printed in this game, up to 64 KiB."""
        return self._line.printed if self._line else self._last_printed

    @property
    def peak_memory_mib(self) -> float:
        """The most resident memory that the bot has had in any of its processes."""
        current = self._line.peak_memory_mib() if self._line else 0.0
        return max(current, self._peak_memory_mib)

    @property
    def memory_limit_mib(self) -> int:
        """How much resident memory the bot may have."""
        return self._limits.memory_mib

    @property
    def memory_mib(self) -> float:
        """How much resident memory the bot has now."""
        return self._line.memory_mib() if self._line else 0.0

    @property
    def own_mib(self) -> float:
        """What the bot had of its own beside what it shares with the template, when last looked at."""
        return 0.0 if self._line is None else self._line.seen_bytes / (1 << 20) - self.template.memory_mib

    def rest(self) -> bool:
        """Stop the bot until it is told of another game; False if it has no process."""
        if self._line is None or not self._line.is_open:
            return False
        self._line.stop()
        return True

    def close(self) -> None:
        """End the bot's process and remove its files."""
        if self._line is not None:
            self._drop_line()
        if self._folder:
            rmtree(self._folder, ignore_errors=True)
            self._folder = ""

    def _begin_surely(self, game: Game, begin: Callable[[Game], None]) -> Failure | None:
        """Begin a game; if a process that has played before fails, a new one decides.

        So a game never depends on earlier ones, whatever a bot has left behind in its process.
        """
        self.by_signal = False
        is_used = self._has_process(game.limits)
        try:
            begin(game)
        except BotLost as lost:
            failure = self._lose(lost)._replace(ending=Ending.NO_START)
            return self._begin_surely(game, begin) if is_used else failure
        return None

    def _has_process(self, limits: Limits) -> bool:
        """Whether there is a live line to a bot with these limits; a lost template closes its lines."""
        return self._line is not None and self._line.is_open and limits == self._limits

    def _start(self, limits: Limits, **request: object) -> Line:
        """Copy the bot's files to where it sees them, and start its process."""
        self.close()
        self._limits = limits
        self._folder = self.template.new_folder()
        self.source.write(self._folder)
        request |= {"folder": self._folder, "solver": limits.solver}
        self._line = Line(self.template, limits.memory_mib, **request)
        return self._line

    def _lost_reply(self, lost: BotLost) -> Reply:
        """Return the reply of a bot that was lost while it was asked, with the seconds it used."""
        spent = self._line.spent if self._line is not None else (0.0, 0.0)
        return Reply(-1, *spent, self._lose(lost))

    def _lose(self, lost: BotLost) -> Failure:
        """Let go of a bot that is gone, and return its failure."""
        self.by_signal = lost.by_signal
        if self._line is not None:
            self._drop_line()
        return lost.failure

    def _drop_line(self) -> None:
        assert self._line is not None
        self._last_printed = self._line.printed
        self._peak_memory_mib = self.peak_memory_mib
        self._line.close()
        self._line = None


def instead_of_a_reply(found: bytes) -> Failure:
    """Return the failure of a bot that wrote something else; what it wrote is shown as printable text."""
    shown = printable(repr(found[:80].decode(errors="replace")), 80)
    return Failure(Ending.GARBAGE, f"wrote {shown} instead of a reply")
