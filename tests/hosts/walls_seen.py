"""Starts a bot of either kind as whoever calls it, and prints what the kernel says of their processes."""

import json
import tempfile
from pathlib import Path

import arena
from arena.bots.source import Source, read_command
from arena.hosts.command import CommandHost
from arena.hosts.sandboxed import SandboxedHost
from arena.referee import Game, Limits
from arena.sandbox.template import Template
from tests.hosts.games import FIRST_LEGAL

COMMAND = 'import sys\nfor line in sys.stdin:\n    print(\'{"type":"ready"}\', flush=True)\n'


def main() -> None:
    template = Template()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(COMMAND)
        hosts: dict[str, SandboxedHost | CommandHost] = {
            "python": SandboxedHost(Source("b", "bot.py", {"bot.py": FIRST_LEGAL.encode()}), template),
            "command": CommandHost(read_command(["python3", "bot.py"], "c", folder), template),
        }
        try:
            seen = {}
            for kind, host in hosts.items():
                failure = host.begin(Game(arena.variant("grid-lock"), 0, 1, Limits()))
                assert failure is None, failure
                seen[kind] = dict(
                    line.split(":\t", 1) for line in Path(f"/proc/{host.pid}/status").read_text().splitlines()
                )
            print(json.dumps(seen))
        finally:
            for host in hosts.values():
                host.close()
            template.close()


if __name__ == "__main__":
    main()
