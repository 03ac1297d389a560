"""Which isolation `make run` plays with: `python -m arena.cli.starter CONFIG` prints it.

Where a machine cannot sandbox, the sample tournament is still to be seen, and so our own starter bots run
trusted there. They do so only if they are ours byte for byte: whatever else has got into `bots/` is a
stranger's program, and then nothing is run.
"""

from __future__ import annotations

import sys
from contextlib import closing

from arena.bots.source import Source
from arena.config.reading import read_tournament
from arena.errors import NoSandbox, UserError, printable
from arena.hosts.opening import require_sandbox
from arena.sandbox.template import Template

STARTERS = {
    "alpha_beta": "215911b6ea6fecf41996d5c047b9383808b2364c2ed8edd04e6be1b3764760c2",
    "first_legal": "671fdcdd09fe265d2ab5464057f0ff3ea7247d4245d420ab52d5c04110963796",
    "greedy": "bb1e4c5959e6666ff1803e0937cf1b1b61e43b0ac123f5891216737a7072cc66",
    "mirror": "0fa88122a494499ac1e49f69d4b6af020c8bcc9f5ac941c90cfa61155dd01943",
    "monte_carlo": "e055ca5b941cb9320504f41f876ef826b63590da04c975bd7fc45f42aea98157",
    "perfect": "c089c01726dbe1cc7da84cb4fae54367f12e6724906cffafdc3c8cb4f6e29dbc",
    "random_mover": "b17ca0bbcee9c53e6b92b08f8aafaddfa9df741a7281dd1d18d8a8b548baf685",
}
"""The hashes of the starter bots' files."""


def foreign(bots: tuple[Source, ...]) -> list[str]:
    """Return the names of bots that are not ours byte for byte."""
    return [bot.name for bot in bots if STARTERS.get(bot.name) != bot.version]


def isolation_for(config: str) -> str:
    """Return how a tournament can be played here; UserError if it has to be sandboxed and cannot be."""
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
