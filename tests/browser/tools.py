"""The two things that browser tests need beside Python: a browser of this machine, and axe-core.

Playwright would download a browser of its own; the one of the machine is what people have, and comes with its
packages. Where one of the two is missing the tests are skipped, and say what to install; one that is there
and does not work is a failure.
"""

import shutil
import sys
from pathlib import Path

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "there is no browser here: install chromium, on Debian with `apt-get install chromium`"

AXE = Path(sys.prefix) / "axe" / "node_modules" / "axe-core" / "axe.min.js"
NO_AXE = "there is no axe-core here: `make axe` installs it, and needs npm and the network"

FLAGS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find_browser() -> str | None:
    """The program of the first browser that this machine has."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def launch(playwright, program):
    """Start a browser without a window; root cannot have its sandbox."""
    return playwright.chromium.launch(executable_path=program, args=list(FLAGS), chromium_sandbox=False)
