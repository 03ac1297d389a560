"""What is asked of a page again and again."""

UNFOLD = """() => {
  for (const each of document.querySelectorAll("details")) each.open = true;
  for (const each of document.querySelectorAll(".view")) each.hidden = false;
}"""


def unfold(page):
    """Open all that can be folded, and show the tables that else take turns."""
    page.evaluate(UNFOLD)


def overflow(page):
    """By how many pixels the page is wider than its window."""
    return page.evaluate("document.documentElement.scrollWidth - window.innerWidth")


def paper(page):
    """How bright the background is, from 0 to 255."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(","))) / 3


def barriers(page, axe):
    """What axe-core has to say against a page: each rule that is broken, and where."""
    page.evaluate(axe)
    found = page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations)"
    )
    return [f"{each['id']}: {each['help']}: {node['html'][:200]}" for each in found for node in each["nodes"]]
