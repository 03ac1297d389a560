"""The page of a run in a real browser: from disk, by mouse and by keyboard, in both colours, wide and narrow."""

import re

import pytest

from tests.browser.looking import barriers, overflow, paper, unfold
from tests.browser.samples import BOTS, NASTY_DETAIL, NASTY_NAMES, STARTERS

NUMBER = re.compile(r"-?[\d,]+(\.\d+)?")
"""What every cell of a column begins with that is ordered by number."""


def test_the_page_opens_from_disk_with_the_network_off(visit, report):
    """Every part that the page leads to is there, and unfolding all of it loads nothing."""
    page = visit(report)
    assert page.locator("h1").is_visible()
    for link in page.locator("nav a").all():
        link.click()
        assert page.locator(":target h2").is_visible()
    unfold(page)
    assert page.get_by_text("Bradley-Terry").is_visible()


def test_the_standings_sort_by_any_column_with_mouse_and_keyboard(visit, report):
    """Both ways: rows stay whole, and what the heading says is true."""
    page = visit(report)
    table = page.locator("table.standings").first
    before = sorted(table.locator("tbody tr").all_inner_texts())
    for number, button in enumerate(table.locator("thead button").all()):
        button.click()
        once = check_order(page, table.evaluate(READ_COLUMN, number))
        button.press("Enter")
        assert {once, check_order(page, table.evaluate(READ_COLUMN, number))} == {"ascending", "descending"}
        assert sorted(table.locator("tbody tr").all_inner_texts()) == before
    assert table.get_by_role("button", name="forfeits").count() == 1


@pytest.mark.long
def test_every_table_that_can_be_sorted_is_in_order_afterwards(visit, report):
    """By any column, numbers as numbers, and what is empty at the end."""
    page = visit(report)
    unfold(page)
    for table in page.locator("table.sortable").all():
        for once, twice in table.evaluate(SORT_BY_EACH):
            assert {check_order(page, once), check_order(page, twice)} == {"ascending", "descending"}


READ_COLUMN = """(table, number) => ({
  orders: [...table.querySelectorAll("[aria-sort]")].map((each) => [each.cellIndex, each.ariaSort]),
  number,
  texts: [...table.tBodies[0].rows].map((row) => row.cells[number].innerText.trim().split("\\n")[0]),
})"""
SORT_BY_EACH = f"""table => [...table.tHead.rows[0].cells].map((head, number) => [1, 2].map(() => {{
  head.querySelector("button").click();
  return ({READ_COLUMN})(table, number);
}}))"""


def check_order(page, column):
    """Return the order that the one heading says, if the texts of its column are truly in it."""
    ((number, order),) = column["orders"]
    assert number == column["number"]
    texts = [text for text in column["texts"] if text]
    assert column["texts"] == texts + [""] * (len(column["texts"]) - len(texts))
    upwards = texts if order == "ascending" else texts[::-1]
    numbers = [float(found[0].replace(",", "")) for found in map(NUMBER.match, upwards) if found]
    if len(numbers) == len(upwards):
        assert numbers == sorted(numbers)
    else:
        assert page.evaluate(
            "all => all.slice(1).every((each, i) => all[i].localeCompare(each) <= 0)", upwards
        )
    return order


def test_the_standings_are_shown_by_variant_and_by_side(visit, report, sample):
    """One table at a time, and it is the one that was chosen."""
    page = visit(report)
    chooser = page.locator("#standings .filter select")
    options = chooser.locator("option").all_text_contents()
    assert options == ["all games", *sample.variants, "as first", "as second"]
    for option in options[1:]:
        chooser.select_option(label=option)
        (shown,) = page.locator("#standings .scroll").filter(visible=True).all()
        assert shown.get_attribute("aria-label").endswith(f": {option.removeprefix('as ')}")
        assert shown.locator("tbody tr").count() == len(BOTS) + len(STARTERS)


def test_the_colours_are_those_of_the_machine_until_one_chooses(visit, report):
    """Light and dark by `prefers-color-scheme`; the switch wins over it, by mouse and by arrow keys."""
    assert paper(visit(report)) > 240
    page = visit(report, colours="dark")
    assert paper(page) < 30
    page.get_by_text("light", exact=True).click()
    assert paper(page) > 240
    page.keyboard.press("ArrowRight")
    assert page.get_by_label("dark").is_checked()
    assert paper(page) < 30
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.get_by_label("auto").is_checked()
    assert paper(page) < 30


REACHABLE = (
    "a[href], button, summary, [tabindex='0'], input[type=radio]:checked, input:not([type=radio]), select"
)
MARK_FOCUS = """() => {
  const here = document.activeElement;
  const isNew = here !== document.body && !("reached" in here.dataset);
  const around = [here, here.nextElementSibling ?? here];
  here.dataset.reached = around.some((each) => getComputedStyle(each).outlineStyle !== "none");
  return { isNew, isFold: here.tagName === "SUMMARY" };
}"""


def test_the_keyboard_alone_reaches_everything(visit, report):
    """Tab comes to every link, button, fold and table that scrolls, and one sees where it is; Enter unfolds."""
    page = visit(report)
    page.keyboard.press("Tab")
    while (focus := page.evaluate(MARK_FOCUS))["isNew"]:
        if focus["isFold"]:
            page.keyboard.press("Enter")
        page.keyboard.press("Tab")
    assert page.locator("details:not([open])").filter(visible=True).count() == 0
    missed = (
        "all => all.filter(each => each.dataset.reached !== 'true').map(each => each.outerHTML.slice(0, 200))"
    )
    assert page.locator(REACHABLE).filter(visible=True).evaluate_all(missed) == []


def test_the_page_says_all_without_javascript(visit, report):
    """Everything but sorting and the replay is there, and nothing is offered that would not work."""
    page = visit(report, has_script=False)
    assert (
        page.locator("section h2").all_inner_texts() == visit(report).locator("section h2").all_inner_texts()
    )
    for bot in (*BOTS, *STARTERS):
        assert page.locator("article h3").filter(has_text=bot).is_visible()
    assert page.get_by_role("button").count() == 0
    page.get_by_text("dark", exact=True).click()
    assert paper(page) < 30
    page.get_by_text("The method", exact=True).click()
    assert page.get_by_text("Bradley-Terry").is_visible()


REFUSES = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })"
"""As browsers do that keep nothing for a page from the disk."""


@pytest.mark.parametrize("before", ["", REFUSES])
def test_the_chosen_colours_are_kept_if_the_browser_keeps_anything(visit, report, before):
    """From the disk too; where nothing is kept they hold as long as the page is shown."""
    page = visit(report, before=before)
    page.get_by_text("dark", exact=True).click()
    assert paper(page) < 30
    page.reload()
    assert (paper(page) < 30) == (not before)
    page.get_by_text("light", exact=True).click()
    assert paper(page) > 200


@pytest.mark.parametrize("width", [360, 1920])
def test_nothing_is_wider_than_the_window(visit, report, width):
    """On a phone and on a projector; what is too wide scrolls in its own box."""
    page = visit(report, width=width)
    assert overflow(page) <= 0
    unfold(page)
    assert overflow(page) <= 0


A4 = 700
"""Pixels between the margins of a sheet of paper."""


@pytest.mark.long
def test_it_prints(visit, report, hostile):
    """On white, without what is for the screen only, with all that is folded, and no wider than paper."""
    for file in (report, hostile):
        page = visit(file, colours="dark", width=A4)
        sheets = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
        assert 2 <= len(sheets) <= 60
        page.emulate_media(media="print")
        assert paper(page) == 255
        assert not page.locator("nav").is_visible()
        assert page.get_by_text("Bradley-Terry").bounding_box()["height"] > 0
        assert overflow(page) <= 0


@pytest.mark.parametrize(
    ("width", "colours"),
    [
        (360, "dark"),
        *(
            pytest.param(*other, marks=pytest.mark.long)
            for other in ((360, "light"), (1280, "dark"), (1280, "light"))
        ),
    ],
)
def test_nothing_on_the_page_hinders_anybody(visit, sample, report, axe, colours, width):
    """axe-core finds no violation, with all folds and a game open and its winning moves shown."""
    game, ply = min(sample.thrown_away().items())
    page = visit(f"{report}#game={game}&ply={ply - 1}", width=width, colours=colours)
    page.get_by_label("winning moves").check()
    unfold(page)
    assert barriers(page, axe) == []


TAGS = "[...new Set([...document.querySelectorAll('*')].map(each => each.tagName))].sort()"


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_strangers_text_is_shown_as_text_and_the_layout_is_whole(visit, report, hostile, width):
    """Names and details with tags, scripts, pictures, marks that turn the writing, and of great length."""
    page = visit(hostile, width=width)
    assert page.evaluate(TAGS) == visit(report, width=width).evaluate(TAGS)
    assert page.title() == "cup"
    for nasty in NASTY_NAMES.values():
        harmless = nasty.replace("\u202e", "\\u202e").replace("\u2066", "\\u2066")
        assert page.locator("article h3").filter(has_text=harmless).is_visible()
    forfeits = page.locator("#forfeits td.long").all_inner_texts()
    assert {text[:40] for text in forfeits} == {NASTY_DETAIL[:40]}
    unfold(page)
    assert overflow(page) <= 0
