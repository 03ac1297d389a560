"""Canary bots: a handful of attacks, really tried before a run, that the sandbox must contain.

Each is a bot that tries something forbidden and prints what happened. A control shows that the attack works
when nothing stops it, so that a canary cannot pass because the attack itself is broken.
"""

from __future__ import annotations

import contextlib
import io
import os
import socket
import tempfile
from typing import NamedTuple

from arena.bots.source import Source
from arena.game import variant
from arena.hosts.sandboxed import SandboxedHost
from arena.referee.game import Game, Limits
from arena.sandbox.template import Template


class Canary(NamedTuple):
    """The result of one canary: whether its attack works unprotected, and whether the sandbox contains it."""

    name: str
    works_unprotected: bool
    is_contained: bool
    detail: str


_ATTACKS = {
    "reading a file": "with open({secret!r}) as f: print('escaped' if f.read() else '')",
    "writing a file": "open({folder!r} + '/written', 'w').close(); print('escaped')",
    "a network connection": "import socket\n"
    "socket.create_connection(('127.0.0.1', {port}), 1).close(); print('escaped')",
    "another process": "import os\npid = os.fork()\nif pid == 0: os._exit(0)\n"
    "os.waitpid(pid, 0); print('escaped')",
    "a signal to another process": "import os; os.kill({pid}, 0); print('escaped')",
}


_BOT = """
def attack():
{body}

def move(position):
    try:
        attack()
    except Exception as error:
        print("refused:", error)
    return position.legal_moves[0]
"""


def run_canaries(template: Template) -> list[Canary]:
    """Run every canary, once unprotected in this process and once in the sandbox."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret = os.path.join(folder, "secret")
        with open(secret, "w") as file:
            file.write("secret")
        os.chmod(folder, 0o777)
        # Not our own id: in a container we may be process 1, and so is a bot in its own namespace.
        facts = {"secret": secret, "folder": folder, "port": server.getsockname()[1], "pid": template.pid}
        return [_fly(name, code.format(**facts), template) for name, code in _ATTACKS.items()]


def _fly(name: str, code: str, template: Template) -> Canary:
    works = _works_unprotected(code)
    text = _BOT.format(body="\n".join(f"    {line}" for line in code.splitlines()))
    host = SandboxedHost(Source("canary", "bot.py", {"bot.py": text.encode()}), template)
    try:
        start = variant("grid-lock").start()
        host.begin(Game(start.variant, 0, 1, Limits()))
        host.ask(start, 1.0)
        printed = host.printed.strip()
    finally:
        host.close()
    return Canary(
        name, works, works and printed.startswith("refused:"), printed if works else "the control failed"
    )


def _works_unprotected(code: str) -> bool:
    """Return whether the attack works in this process, where it is harmless."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(code, {})
        except OSError as error:
            print("refused:", error)
    return "escaped" in printed.getvalue()
