"""Which isolation `make run` plays with: `python -m arena.checking.starter CONFIG` prints it.

If a machine cannot sandbox, our own starter bots run trusted there, so that the sample tournament can still
be seen. They do so only if they are ours byte for byte: any other file in `bots/` is a stranger's program,
and then nothing is run.
"""

from __future__ import annotations

import sys
from contextlib import closing

from arena.bots.source import Source
from arena.bots.starters import STARTERS
from arena.config.reading import read_tournament
from arena.errors import NoSandbox, UserError, printable
from arena.hosts.opening import require_sandbox
from arena.sandbox.template import Template


def foreign(bots: tuple[Source, ...]) -> list[str]:
    """Return the names of bots that are not ours byte for byte."""
    return [bot.name for bot in bots if STARTERS.get(bot.name) != bot.version]


def isolation_for(config: str) -> str:
    """Return the isolation for a tournament here; UserError if it must be sandboxed and cannot be."""
    with closing(Template()) as template:
        try:
            require_sandbox(template)
            return "sandboxed"
        except NoSandbox as error:
            why = str(error)
    others = foreign(read_tournament(config, isolation="trusted").bots)
    if others:
        raise UserError(f"{why}; and {', '.join(others)} did not come with arena, so nothing was run")
    print(
        "this machine cannot sandbox (arena doctor says why); our own starter bots run trusted",
        file=sys.stderr,
    )
    return "trusted"


def main() -> None:
    """Print the isolation, or say why there is none."""
    try:
        print(isolation_for(sys.argv[1]))
    except UserError as error:
        sys.exit(f"arena: {printable(str(error), 500)}")


if __name__ == "__main__":
    main()
