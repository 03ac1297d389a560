"""A browser for tests, which opens files from disk as somebody would who has no network.

A test asks for `visit` and opens a page with it. Whatever the page complains of, and whatever it would load
beside itself, fails the test in the end: `faults` of a visit are all of that.
"""

from pathlib import Path

import pytest

from arena.pages.report import write_report
from tests.browser.samples import play_sample, spoil
from tests.browser.tools import AXE, NO_AXE, NO_BROWSER, find_browser, launch

PATIENCE = 20_000
"""Milliseconds after which a page will not do any more what it has not done yet: the machine may be busy."""


@pytest.fixture(scope="session")
def program():
    """The program of the browser; without one no test plays a sample."""
    found = find_browser()
    if found is None:
        pytest.skip(NO_BROWSER)
    return found


@pytest.fixture(scope="module")
def browser(program):
    """The browser of this machine. It ends with the module, because it has threads and a child of this process."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright, launch(playwright, program) as started:
        yield started


class Visit:
    """Pages that a test has opened, and what went wrong on them."""

    def __init__(self, browser):
        self.faults, self._browser, self._contexts = [], browser, []

    def __call__(self, file, *, width=1280, height=900, colours="light", has_script=True, before=""):
        """Open a file, maybe with a `#` and more behind its name; return the page as playwright has it.

        It may also be an address of a server on this machine, and then whatever else that server has is its own.
        `before` is a script that runs before those of the page.
        """
        is_served = str(file).startswith("http://127.0.0.1:")
        context = self._browser.new_context(
            offline=not is_served,
            viewport={"width": width, "height": height},
            color_scheme=colours,
            java_script_enabled=has_script,
            reduced_motion="reduce",
        )
        self._contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(before)
        path, _, place = str(file).partition("#")
        address = path if is_served else Path(path).as_uri()
        own = "/".join(address.split("/")[:3]) + "/" if is_served else address
        self._watch(context, lambda url: url.startswith(own) if is_served else url == own)
        page = context.new_page()
        page.goto(address + (f"#{place}" if place else ""))
        return page

    def _watch(self, context, is_own):
        context.on(
            "request", lambda request: is_own(request.url.partition("#")[0]) or self._note(request.url)
        )
        context.on("console", lambda said: said.type not in ("error", "warning") or self._note(said.text))
        context.on("weberror", lambda raised: self._note(raised.error.message))
        context.on("dialog", lambda dialog: (self._note(f"a dialog: {dialog.message}"), dialog.dismiss()))

    def _note(self, fault):
        self.faults.append(fault)

    def close(self):
        while self._contexts:
            self._contexts.pop().close()


@pytest.fixture
def visit(browser):
    """Opens files; fails if one of the pages complained, or reached out."""
    visit = Visit(browser)
    yield visit
    visit.close()
    assert visit.faults == []


@pytest.fixture(scope="session")
def axe():
    """The source of axe-core, which knows what hinders people who use a page otherwise."""
    if not AXE.exists():
        pytest.skip(NO_AXE)
    return AXE.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def sample(program, tmp_path_factory):
    """A small run with blunders and forfeits; its page is `report.html` in its folder."""
    run = play_sample(tmp_path_factory.mktemp("sample"))
    write_report(run)
    return run


@pytest.fixture(scope="session")
def report(sample):
    """The page of the sample."""
    return sample.folder / "report.html"


@pytest.fixture(scope="session")
def hostile(sample, tmp_path_factory):
    """The page of the same run with names and details that mean harm."""
    with pytest.MonkeyPatch.context() as patch:
        return write_report(spoil(sample, tmp_path_factory.mktemp("hostile") / "cup", patch))
