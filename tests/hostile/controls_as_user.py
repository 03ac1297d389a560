"""Tries a share of the controls as whoever calls it: `python -m tests.hostile.controls_as_user 0 4`."""

import json
import os
import sys

from tests.hostile.control import CONTROLS, failed

NEEDS_ROOT = {"root", "root_over_limits"}


def main(part: int, parts: int) -> None:
    """Print as JSON what each attack was seen to do instead of succeeding: nothing if it did succeed.

    Those that need root are tried as well, to see that they do, and are not waited for.
    """
    assert os.geteuid() != 0, "as an ordinary user"
    told = {}
    for bot in CONTROLS[part::parts]:
        if not set(bot.missing()) - NEEDS_ROOT:
            told[bot.name] = failed(bot, 0.1 if NEEDS_ROOT & set(bot.needs) else 2)
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
