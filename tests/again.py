"""Tests that failed, once more and alone: `make test` calls it if either of its parts failed.

    python -m tests.again

On two cores a few of thousands of tests that start processes and read clocks fail now and then because four of
them ran at once, or because a virtual machine stood still for half a second. Whatever is wrong by itself fails
again here. What passes is named, because something was brought out: a test that asks too much of a busy machine,
or a fault of arena's. Pure code has no second chance, and neither have more failures than a few.
"""

import json
import subprocess
import sys
from pathlib import Path

KEPT = ".pytest_cache/test"  # as in the Makefile
FAILED = Path(__file__).parent.parent / KEPT / "v/cache/lastfailed"
MOST = 5
WITH_PROCESSES = (
    "hosts",
    "executors",
    "hostile",
    "tournament",
    "cli",
    "browser",
    "sandbox",
    "results",
    "checking",
    "contest",
    "web",
)


def main() -> int:
    failed = sorted(json.loads(FAILED.read_text()))
    if not 0 < len(failed) <= MOST or not all(
        name.startswith(tuple(f"tests/{room}/" for room in WITH_PROCESSES)) for name in failed
    ):
        return 1
    print(f"\nonce more, alone: {', '.join(failed)}\n", flush=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-o", f"cache_dir={KEPT}", "-n", "0", "-m", "", *failed], check=False
    )
    if done.returncode == 0:
        print(f"\nPASSED ONLY AT THE SECOND TRY, and worth a look: {', '.join(failed)}\n", flush=True)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
