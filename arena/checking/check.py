"""`arena check` without the printing: numbered steps that a bot passes or fails, each with a sentence.

Steps build on each other, so the first failure ends the check. A step has what the bot printed, and its
traceback. A bot that cannot be repeated passes; the check says so, and standings mark it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from arena.bots.finding import find_bot
from arena.bots.naming import NAME, own_name, refuse_name, suggest_name
from arena.bots.source import Source, read_source
from arena.checking.hints import Case, find_hint, find_hint_for_command
from arena.checking.stuck import interruptible, say_where
from arena.errors import BotFileError, printable
from arena.game import RULE_BOOKS, Position, variant
from arena.hosts.opening import open_host
from arena.hosts.play import Host, play_surely
from arena.hosts.trusted import TrustedHost
from arena.hosts.wrapped import WrappedHost
from arena.inside.program import BotFault
from arena.referee.endings import Ending, Reply
from arena.referee.game import DEFAULT_LIMITS, Game, GameRecord, GameSpec, Limits
from arena.sandbox.template import Template

UNSEEN = ("snort:hex-4x4", "col:ring-9", "kayles:torus-3x4", "snort:grid-6x6", "col:line-1")
"""Variants that no bot was written for."""

GAMES = 20
"""Number of whole games, on the rule books in turn, half of them as either side."""


TITLES = (
    "can be read",
    "loads",
    "answers on every rule book",
    "answers on variants it has never seen",
    f"plays {GAMES} games by the rules",
    "keeps within its limits",
    "does the same again",
)
"""The steps in their order; which one is under way follows from how many are done."""


class Step(NamedTuple):
    """One step of a check: what was tried, whether it passed, a sentence, and the evidence if it failed."""

    title: str
    is_passed: bool
    detail: str
    evidence: str = ""
    printed: str = ""
    hint: str = ""


class Asked(NamedTuple):
    """A bot that is to be checked: what the user typed, and its files and place unless they are to be found.

    A command has no place. Without a name it is called as its file.
    """

    text: str
    limits: Limits = DEFAULT_LIMITS
    source: Source | None = None
    path: Path | None = None
    name: str | None = None


class Check:
    """The check of one bot; `source` is there once the first step has passed."""

    def __init__(self, asked: Asked, isolation: str, template: Template, here: Path) -> None:
        self.text = asked.text
        self._name = asked.name
        self._isolation = isolation
        self._template = template
        self._here = here
        self._limits = asked.limits
        self._host: _Watched | None = None
        self._records: list[GameRecord] = []
        self.source = asked.source
        self.path = asked.path
        self.is_repeatable = True
        self.suggested_name = ""  # if its own name will not do

    def steps(self) -> Iterator[Step]:
        """Yield the steps up to the first that fails."""
        attempts = (
            self._readable,
            self._loads,
            self._built_in,
            self._answers_unseen,
            self._games,
            self._use,
            self._repeats,
        )
        try:
            for title, attempt in zip(TITLES, attempts, strict=True):
                step = attempt(title)
                yield step
                if not step.is_passed:
                    return
        finally:
            if self._host is not None:
                self._host.close()

    def _readable(self, title: str) -> Step:
        if self.source is not None:
            return Step(title, True, _describe(self.source))
        try:
            self.path = find_bot(self.text, self._here)
            name = self._name if self._name is not None else own_name(self.path)
            is_name = NAME.fullmatch(name) is not None
            self.source = read_source(self.path, name if is_name else suggest_name(name))
        except BotFileError as error:
            return Step(title, False, str(error))
        if not is_name:
            self.suggested_name = self.source.name
            mend = f"rename it, or submit it with --as {self.suggested_name}"
            return Step(title, False, f"{printable(str(self.path), 200)}: {refuse_name(name)}", hint=mend)
        return Step(title, True, _describe(self.source))

    def _loads(self, title: str) -> Step:
        assert self.source is not None
        try:
            host = self._open(self.source)
        except BotFault as fault:
            return self._failed(title, fault.failure.detail, fault.failure.evidence)
        failure = host.begin(Game(variant("grid-lock"), 0, 1, self._limits))
        if failure is not None:
            step = self._failed(title, failure.detail, failure.evidence)
            is_stuck = "without an answer" in failure.detail and self._can_be_interrupted
            return step._replace(hint=self._find_stuck_in_loading()) if is_stuck else step
        return Step(title, True, f"within {self._limits.start_seconds:g} s of CPU")

    def _built_in(self, title: str) -> Step:
        return self._answers(title, tuple(RULE_BOOKS))

    def _answers_unseen(self, title: str) -> Step:
        return self._answers(title, UNSEEN)

    def _answers(self, title: str, names: tuple[str, ...]) -> Step:
        """Play one game on each variant, and keep the first failure."""
        for number, name in enumerate(names):
            step = self._try(title, name, number)
            if step is not None:
                return step
        return Step(title, True, ", ".join(names))

    def _games(self, title: str) -> Step:
        names = tuple(RULE_BOOKS)
        for number in range(GAMES):
            step = self._try(title, names[number // 2 % len(names)], number)
            if step is not None:
                return step
        won = sum(record.winner == "bot" for record in self._records[-GAMES:])
        return Step(title, True, f"won {won} of {GAMES} against random moves")

    def _try(self, title: str, name: str, number: int) -> Step | None:
        """Play one game against random moves; return a step only if the bot failed."""
        record = self._play(name, number)
        self._records.append(record)
        if not record.ending.is_forfeit:
            return None
        position = variant(name).replay(record.moves)
        step = self._failed(title, f"{name}, {record.detail}", record.evidence, position)
        if record.ending is Ending.TIMEOUT and self._can_be_interrupted:
            return step._replace(hint=self._find_stuck(name, number))
        return step

    def _failed(self, title: str, detail: str, evidence: str, position: Position | None = None) -> Step:
        """Return the step that failed, with a hint if there is one."""
        assert self.source is not None
        printed = self._host.printed if self._host else ""
        if self.source.command:
            return Step(title, False, detail, evidence, printed, find_hint_for_command(detail))
        assert self.path is not None
        data = self.source.files[self.source.main]
        hint = find_hint(Case(detail, evidence, data, self.path, position))
        return Step(title, False, detail, evidence, printed, hint)

    @property
    def _can_be_interrupted(self) -> bool:
        """Whether the line can be found at which a bot is stuck: in Python, in a process of its own."""
        assert self.source is not None
        return self._isolation == "sandboxed" and not self.source.command

    def _find_stuck(self, name: str, number: int) -> str:
        """Return at which line the bot is when it takes too long, from the same game played once more."""
        assert self.source is not None
        seconds = self._limits.move_seconds / 2
        self._open(interruptible(self.source, seconds, self._limits.start_seconds))
        return say_where(self._play(name, number).evidence, seconds)

    def _find_stuck_in_loading(self) -> str:
        assert self.source is not None
        seconds = self._limits.start_seconds / 5
        host = self._open(interruptible(self.source, self._limits.move_seconds, seconds))
        failure = host.begin(Game(variant("grid-lock"), 0, 1, self._limits))
        return say_where(failure.evidence, seconds) if failure is not None else ""

    def _open(self, source: Source) -> _Watched:
        """Start a bot in place of the one that is there."""
        if self._host is not None:
            self._host.close()
        self._host = _Watched(open_host(source, self.path, self._isolation, self._template))
        return self._host

    def _play(self, name: str, number: int) -> GameRecord:
        assert self._host is not None
        assert self.source is not None
        sides = ("bot", "random") if number % 2 == 0 else ("random", "bot")
        hosts: dict[str, Host] = {"bot": self._host, "random": TrustedHost(_random_move)}
        first, second = (self.source.version if side == "bot" else side for side in sides)
        game = f"check-{name}-{number}"
        spec = GameSpec(
            game, variant(name), sides[0], sides[1], first, second, limits=self._limits, repeat=number
        )
        return play_surely(spec, hosts[sides[0]], hosts[sides[1]])

    def _use(self, title: str) -> Step:
        assert self._host is not None
        limits, used = self._limits, self._host
        parts = [
            f"{used.longest_move_seconds * 1000:.1f} ms of CPU for a move, of {limits.move_seconds:g} s",
            f"{max(map(_own_seconds, self._records)) * 1000:.1f} ms for a game, of {limits.game_seconds:g} s",
        ]
        if used.peak_memory_mib:
            parts.append(f"{used.peak_memory_mib:.0f} MiB, of {limits.memory_mib} MiB")
        return Step(title, True, "at most " + "; ".join(parts))

    def _repeats(self, title: str) -> Step:
        assert self._host is not None
        first = self._records[-GAMES:]
        self._host.close()  # in a new process
        again = [self._play(record.variant, number) for number, record in enumerate(first)]
        self.is_repeatable = False
        if any(any(record.takes_clock) for record in again):
            detail = (
                "no: it asks for its clock, so its games cannot be repeated, and standings mark it with ~"
            )
            return Step(title, True, detail, printed=self._host.printed)
        if all(a.moves == b.moves for a, b in zip(first, again, strict=True)):
            self.is_repeatable = True
            return Step(title, True, "the same moves for the same seeds", printed=self._host.printed)
        differing = sum(a.moves != b.moves for a, b in zip(first, again, strict=True))
        return Step(
            title,
            True,
            f"no: {differing} of {GAMES} games differ, so its games cannot be repeated, and standings "
            "mark it with ~. Does it use the clock, the time or os.urandom? `random` is seeded for you",
            printed=self._host.printed,
        )


class _Watched(WrappedHost):
    """A host that remembers the longest move of its bot."""

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        self.longest_move_seconds = 0.0

    @property
    def peak_memory_mib(self) -> float:
        return float(getattr(self._host, "peak_memory_mib", 0.0))

    def ask(self, position: Position, game_seconds_left: float) -> Reply:
        reply = super().ask(position, game_seconds_left)
        self.longest_move_seconds = max(self.longest_move_seconds, reply.cpu_seconds)
        return reply


def _describe(source: Source) -> str:
    size = sum(map(len, source.files.values()))
    files = "1 file" if len(source.files) == 1 else f"{len(source.files)} files"
    return f"{files}, {size:,} bytes, version {source.version[:12]}"


def _random_move(position: Position) -> int:
    return random.choice(position.legal_moves)


def _own_seconds(record: GameRecord) -> float:
    return record.first_cpu_seconds if record.first == "bot" else record.second_cpu_seconds
