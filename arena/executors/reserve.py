"""Bots between two units: their processes wait, stopped, so that the next unit need not start them again.

A start costs as much as dozens of games between bots that answer at once, and every bot meets many others.
Each game starts from the state just after import in any case, so a process that was kept changes no result. A
bot that carries something from game to game is found as before: the audit plays in fresh processes.

Who waits is stopped, and so uses no CPU. All that wait have together no more memory than one bot may have.
"""

from __future__ import annotations

from collections import OrderedDict

from arena.bots.source import Source
from arena.hosts.sandboxed import SandboxedHost
from arena.sandbox.template import Template

MOST_WAITING = 128

OWN_MIB = 3.0
"""What a bot that does little has of its own; most of its resident memory is shared with the template."""

Key = tuple[str, str, Template]
"""A bot's version, its main file, and the template that its process was forked from."""


class Reserve:
    """The bots of a worker that wait, those that have waited longest first."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[Key, SandboxedHost] = OrderedDict()
        self._memory_mib: dict[Key, float] = {}  # it does not grow while they wait

    def take(self, bot: Source, template: Template) -> SandboxedHost | None:
        """Return a bot that waits, or None."""
        key = bot.version, bot.main, template
        self._memory_mib.pop(key, None)
        return self._waiting.pop(key, None)

    def give(self, host: SandboxedHost) -> None:
        """Let a bot wait for its next unit, if there is room."""
        key = host.source.version, host.source.main, host.template
        if key in self._waiting or not host.rest():  # it has met itself, or is gone
            host.close()
            return
        self._waiting[key] = host
        self._memory_mib[key] = OWN_MIB + max(0.0, host.memory_mib - host.template.memory_mib)
        while len(self._waiting) > MOST_WAITING or sum(self._memory_mib.values()) > host.memory_limit_mib:
            oldest, left = self._waiting.popitem(last=False)
            del self._memory_mib[oldest]
            left.close()

    def close(self) -> None:
        """End all that wait."""
        for host in self._waiting.values():
            host.close()
        self._waiting.clear()
        self._memory_mib.clear()
