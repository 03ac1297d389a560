"""Pictures of positions in a browser: every family of boards, on a page and alone."""

import pytest

import arena
from arena.game.catalogue import RULE_BOOKS
from arena.game.families import FAMILIES
from arena.pictures import draw
from tests.browser.looking import overflow

GRAPH = """
name = "house"
title = "House"
rule = "snort"
[board]
edges = [[0, 1], [0, 2], [1, 2], [1, 3], [2, 4], [3, 4]]
"""
CUT_OFF = """all => all.flatMap((picture) => {
  const frame = picture.getBoundingClientRect();
  const isOutside = (box) =>
    box.left < frame.left - 1 || box.top < frame.top - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
  return [...picture.querySelectorAll("path, circle, text, line, rect")].filter((part) => isOutside(part.getBoundingClientRect()));
}).map((part) => part.outerHTML)"""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    """The rule books, one board of each family, and a graph of one's own, each after two moves."""
    own = tmp_path_factory.mktemp("graph") / "house.toml"
    own.write_text(GRAPH)
    found = {}
    for name in [*RULE_BOOKS, *(f"snort:{family.example}" for family in FAMILIES.values()), own]:
        position = arena.variant(str(name)).start()
        for _ in range(2):
            position = position.play(position.legal_moves[-1])
        found[str(name)] = draw(position)
    return found


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.long)])
def test_every_family_is_drawn_whole(visit, pictures, tmp_path, width):
    """Nothing of a picture is cut off, and none is wider than the window."""
    page = (
        "<!DOCTYPE html><meta charset=utf-8><meta name=viewport content=width=device-width><title>all</title>"
    )
    (tmp_path / "all.html").write_text(page + "".join(pictures.values()))
    page = visit(tmp_path / "all.html", width=width)
    assert page.locator("svg").evaluate_all(CUT_OFF) == []
    assert overflow(page) <= 0


def test_a_picture_opens_alone(visit, pictures, tmp_path):
    """As a file, with its own colours for the dark."""
    (tmp_path / "torus.svg").write_text(pictures["snort:torus-5x5"])
    papers = set()
    for colours in ("light", "dark"):
        page = visit(tmp_path / "torus.svg", colours=colours)
        papers.add(page.locator(".paper").evaluate("part => getComputedStyle(part).fill"))
        assert page.locator(".cell").count() == 25
    assert len(papers) == 2
