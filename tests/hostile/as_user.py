"""Runs a share of the hostile bots in the sandbox as whoever calls it: `python -m tests.hostile.as_user 0 4`."""

import os
import sys


def main(part: int, parts: int) -> None:
    """Print what is not contained; the last line says whether all was."""
    from arena.sandbox.template import Template
    from tests.hostile.contained import contained
    from tests.hostile.stage import Stage, hostile_bots

    assert os.geteuid() != 0, "as an ordinary user"
    template = Template()
    failures = 0
    try:
        print("walls:", template.walls)
        for hostile in hostile_bots()[part::parts]:
            with Stage() as stage:
                wrong = contained(hostile, template, stage)
            failures += bool(wrong)
            for line in wrong:
                print(f"{hostile.name}: {line}")
    finally:
        template.close()
    print("all contained" if not failures else f"{failures} not contained")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
