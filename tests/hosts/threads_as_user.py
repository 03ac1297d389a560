"""Two commands with as many threads as they can get, at once; run as any user. Prints how many each got."""

import json
import tempfile
from pathlib import Path

import arena
from arena.bots.source import read_command
from arena.hosts.command import CommandHost
from arena.referee import Game, Limits
from arena.sandbox.template import Template

BOT = """
import json, sys, threading
for line in sys.stdin:
    if json.loads(line)["type"] == "hello":
        print('{"type":"ready"}', flush=True)
        made = 0
        try:
            for _ in range(40):
                threading.Thread(target=threading.Event().wait, daemon=True).start()
                made += 1
        except RuntimeError:
            pass
    if json.loads(line)["type"] == "move":
        print(made, file=sys.stderr, flush=True)
        print(json.dumps({"id": json.loads(line)["id"], "move": json.loads(line)["legal"][0]}), flush=True)
"""


def main() -> None:
    template = Template()
    variant = arena.variant("grid-lock")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "bot.py").write_text(BOT)
        hosts = [CommandHost(read_command(["python3", "bot.py"], name, folder), template) for name in "ab"]
        try:
            counts = []
            for host in hosts:
                assert host.begin(Game(variant, 0, 1, Limits())) is None, host.printed
                assert host.ask(variant.start(), 5.0).failure is None
            counts = [host.printed.split()[0] for host in hosts]
            print(json.dumps([int(count) for count in counts]))
        finally:
            for host in hosts:
                host.close()
            template.close()


if __name__ == "__main__":
    main()
