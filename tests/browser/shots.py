"""Pictures of a page for those who change it: `python -m tests.browser.shots PAGE DIR`.

PAGE is a file, such as `results/quick/report.html`, maybe with `#game=...&ply=7` behind it. In DIR there is then
a picture of each part of the page on a phone, a desktop and a projector, in light and dark, and what a printer
would get. Tests see that nothing is broken; whether it is beautiful one sees here.
"""

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import Visit
from tests.browser.tools import NO_BROWSER, find_browser, launch

WINDOWS = {"phone": (360, 780), "desktop": (1280, 900), "projector": (1920, 1080)}


def take(visit, file, folder):
    """Write all pictures of a file into a folder."""
    for window, (width, height) in WINDOWS.items():
        for colours in ("light", "dark"):
            page = visit(file, width=width, height=height, colours=colours)
            page.screenshot(path=folder / f"{window}-{colours}.png")
            for part in page.locator("section[id]").all():
                name = f"{window}-{colours}-{part.get_attribute('id')}.png"
                part.screenshot(path=folder / name)
    visit(file).pdf(path=folder / "print.pdf", format="A4")


def main(file, folder):
    """Start a browser and take the pictures; say what the pages complained of."""
    program = find_browser() or sys.exit(NO_BROWSER)
    Path(folder).mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, launch(playwright, program) as browser:
        visit = Visit(browser)
        take(visit, Path(file).resolve(), Path(folder))
        visit.close()
    print(*visit.faults, sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
