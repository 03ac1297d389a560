"""The two things that browser tests need beside Python: a browser of this machine, and axe-core.

Playwright would download a browser of its own; the one of the machine is what people have, and comes with its
packages. Where one of the two is missing the tests are skipped, and say what to install; one that is there
and does not work is a failure.

The headless shell is Chromium's engine without the windows, tabs and menus that nobody sees here, and takes half the
time. It is taken first; `make soak` asks for the whole browser, by its name in ARENA_BROWSER.
"""

import os
import shutil
import sys
from pathlib import Path

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NO_BROWSER = "there is no browser here; on Debian: `apt-get install chromium-headless-shell chromium`"

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
    """The program of the browser that is asked for, or of the first one that this machine has."""
    asked = os.environ.get("ARENA_BROWSER")
    return next(filter(None, map(shutil.which, [asked] if asked else BROWSERS)), None)


def launch(playwright, program):
    """Start a browser without a window; root cannot have its sandbox."""
    return playwright.chromium.launch(executable_path=program, args=list(FLAGS), chromium_sandbox=False)
