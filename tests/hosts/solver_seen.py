"""Has a bot of either kind look for arena's solver by every means, and prints what they found as JSON.

`python -m tests.hosts.solver_seen`; also through `landlock_alone`, and as a user who is not root.
"""

import json
import tempfile
from pathlib import Path
from typing import Any

import arena
from arena.bots.source import Source, read_command
from arena.hosts.command import CommandHost
from arena.hosts.sandboxed import SandboxedHost
from arena.referee import Game, Limits
from arena.sandbox.template import Template

LOOK = """
import json, os, sys

def look(places):
    found = {"read": [], "imported": [], "said": ""}
    try:
        import arena.solver.solver
        found["imported"].append("by its name")
    except ImportError as refusal:
        found["said"] = str(refusal)
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__module__ != "arena.inside.without_solver"]
    sys.path[:0] = places
    try:
        from arena.solver.solver import solve
        found["imported"].append("without the finder")
    except Exception:
        pass
    for place in dict.fromkeys(os.path.join(place, "arena") for place in sys.path):
        for folder, _, files in os.walk(os.path.join(place, "solver")):
            for file in files:
                try:
                    found["read"].append(len(open(os.path.join(folder, file), "rb").read()))
                except OSError:
                    pass
        try:
            found["kernel"] = len(open(os.path.join(place, "game", "position.py")).read()) > 0
        except OSError:
            pass
    return found
"""
BOT = LOOK + "\ndef move(position):\n    print(json.dumps(look([])))\n    return position.legal_moves[0]\n"
COMMAND = (
    LOOK
    + """
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    if message["type"] == "move":
        print(json.dumps(look([PLACE])), file=sys.stderr, flush=True)
        print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)
"""
)


def seen(limits: Limits) -> dict[str, dict[str, Any]]:
    """What a Python bot and a command that runs Python have found, by kind."""
    template = Template()
    start = arena.variant("grid-lock").start()
    with tempfile.TemporaryDirectory() as folder:
        root = str(Path(arena.__file__).parent.parent)
        Path(folder, "bot.py").write_text(COMMAND.replace("PLACE", repr(root)))
        hosts: dict[str, SandboxedHost | CommandHost] = {
            "python": SandboxedHost(Source("b", "bot.py", {"bot.py": BOT.encode()}), template),
            "command": CommandHost(read_command(["python3", "bot.py"], "c", folder), template),
        }
        try:
            for host in hosts.values():
                failure = host.begin(Game(start.variant, 0, 1, limits)) or host.ask(start, 10).failure
                assert failure is None, failure
            return {kind: json.loads(host.printed) for kind, host in hosts.items()}
        finally:
            for host in hosts.values():
                host.close()
            template.close()


if __name__ == "__main__":
    print(json.dumps(seen(Limits(solver=False))))
