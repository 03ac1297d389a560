"""Pictures of positions: well-formed, complete, the same each time, and harmless.

python -m tests.pictures.test_svg      # draws the pictures in tests/fixtures/pictures and docs/pictures anew; look at them
"""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import arena
from arena.game.families import FAMILIES
from arena.pictures import draw, place
from arena.pictures.style import DARK, LIGHT, STYLE, paint

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures" / "pictures"
SVG = "{http://www.w3.org/2000/svg}"
KEPT = {
    FIXTURES / "blockade-line.svg": ("blockade-line", "7, 4"),
    FIXTURES / "hex-3x3.svg": ("col:hex-3x3", "4, 1, 8"),
    FIXTURES / "torus-3x4.svg": ("snort:torus-3x4", "0"),
    ROOT / "docs" / "pictures" / "blockade-5x5.svg": ("blockade-5x5", "3 3, 1 1, 2 4, 5 1"),
}
NASTY = """
name = "nasty"
title = "<script>alert(1)</script>"
rule = "snort"
board = "grid-3x3"
[notation]
printed = '''"><script>{number}&'</title>\\u202e'''
empty = "<"
stones = ["&", '"']
"""


def position(name, moves=""):
    variant = arena.variant(name)
    return variant.replay(variant.parse_moves(moves) if moves else ())


def of_class(picture, name):
    return [part for part in ET.fromstring(picture).iter() if name in part.get("class", "").split()]


@pytest.mark.parametrize("family", FAMILIES.values(), ids=FAMILIES)
@pytest.mark.parametrize("rule", ["kayles", "snort", "col"])
def test_every_family_has_a_picture(family, rule):
    """It is well-formed, shows every cell and every stone, has one last move, and is the same each time."""
    after = arena.variant(f"{rule}:{family.example}").start()
    for _ in range(3):
        after = after.play(after.legal_moves[0])
    picture = draw(after)
    assert len(of_class(picture, "cell")) == after.board.size
    assert len(of_class(picture, "stone")) == 3
    assert len(of_class(picture, "last")) == 1
    assert picture == draw(after, place(after.board))
    assert picture.isascii()


def test_a_graph_has_a_picture_too(tmp_path):
    """With a link for every edge."""
    (tmp_path / "kite.toml").write_text(
        'rule = "snort"\nboard.edges = [[0, 1], [1, 2], [2, 0], [2, 3], [3, 4]]\n'
    )
    picture = draw(arena.variant(tmp_path / "kite.toml").replay([2]))
    assert len(of_class(picture, "cell")) == 5
    (link,) = of_class(picture, "link")
    assert link.get("d").count("L") == 5


def states(picture):
    """What each cell says of itself, by its name."""
    said = [part.find(f"{SVG}title").text.partition(": ") for part in of_class(picture, "cell")]
    return {name: state for name, _, state in said}


@pytest.mark.parametrize(
    ("name", "closed"),
    [
        ("kayles:line-4", "closed to both"),
        ("snort:line-4", "open to X alone"),
        ("col:line-4", "open to O alone"),
    ],
)
def test_what_is_closed_is_seen_and_said(name, closed):
    """Hatched if it is closed to both; else in the colour of the side that may still claim it, with its stone."""
    picture = draw(position(name, "1"))
    assert states(picture) == {"0": closed, "1": "X, move 1", "2": closed, "3": "open to both"}
    hatched, hints = of_class(picture, "hatch"), of_class(picture, "hint")
    assert (len(hatched), len(hints)) == ((2, 0) if closed == "closed to both" else (0, 2))
    shape = {"open to X alone": "path", "open to O alone": "circle"}.get(closed)
    assert all(hint.tag == f"{SVG}{shape}" for hint in hints)


def test_stones_differ_by_shape():
    """X is two strokes, O is a circle; any other sign is a letter."""
    stones = of_class(draw(position("blockade-5x5", "1 1, 5 5")), "stone")
    assert [stone.tag for stone in stones] == [f"{SVG}path", f"{SVG}circle"]


def test_a_picture_is_told_to_those_who_do_not_see_it():
    """Role, label, title and description say which position it is, and where the stones are."""
    root = ET.fromstring(draw(position("blockade-line", "7, 4")))
    assert root.get("role") == "img"
    title = root.find(f"{SVG}title")
    assert title is not None
    assert root.get("aria-label") == title.text == "blockade-line after 2 moves: X is to move"
    assert root.findtext(f"{SVG}desc") == (
        "X has claimed 7; open to X: 1, 2, 9-13. O has claimed 4; open to O: 1, 2, 9-13. The last move was 4."
    )
    over = ET.fromstring(draw(position("col:line-1", "0")))
    assert over.get("aria-label") == "col:line-1 after 1 move: O has no move, X has won"


def test_names_are_where_the_rule_book_has_them():
    """Numbers in the cells, or along the border, counted as the book counts."""
    assert [part.text for part in of_class(draw(position("blockade-line")), "name")] == [
        str(number) for number in range(1, 14)
    ]
    labels = [part.text for part in of_class(draw(position("grid-block")), "label")]
    assert labels == [*"0123", *"0123"]


def test_what_strangers_write_is_text(tmp_path):
    """No tag, attribute or entity of theirs, and no mark that turns the direction of writing."""
    (tmp_path / "nasty.toml").write_text(NASTY, encoding="utf-8")
    nasty = arena.variant(tmp_path / "nasty.toml")
    picture = draw(nasty.replay([0, 8]))
    tags = {part.tag.removeprefix(SVG) for part in ET.fromstring(picture).iter()}
    assert tags == {"svg", "title", "desc", "style", "rect", "g", "path", "text"}
    assert {key for part in ET.fromstring(picture).iter() for key in part.attrib} == {
        *("class", "role", "aria-label", "viewBox", "width", "height", "rx", "d", "x", "y", "font-size")
    }
    assert "\u202e" not in picture
    assert states(picture)[nasty.notation.name(1)] == "open to & alone"


def test_a_picture_needs_nothing_from_elsewhere():
    """No script, no link, no id that pictures in one page would share; for a page also no style of its own."""
    alone, within = draw(position("blockade-5x5")), draw(position("blockade-5x5"), is_alone=False)
    for sign in ("<script", "href", "url(", " id=", " style=", "@import"):
        assert sign not in alone
    assert alone.replace(f"<style>\n{STYLE}</style>\n", "") == within


def test_light_and_dark_colour_the_same_things():
    """Each palette has every colour, and a page may choose by a selector of its own."""
    assert set(LIGHT) == set(DARK)
    assert paint(LIGHT) in STYLE
    assert f"(prefers-color-scheme: dark) {{\n{paint(DARK)}" in STYLE
    assert all(line.startswith(".dark .arena-board ") for line in paint(DARK, ".dark").splitlines())


@pytest.mark.parametrize("rest", ["light", "dark"])
def test_stones_names_and_hints_can_be_told_from_what_is_below_them(rest):
    """Contrast as WCAG counts it: 4.5 for letters and stones."""
    palette = {"light": LIGHT, "dark": DARK}[rest]
    pairs = [("faint", "cell"), ("faint", "paper"), ("faint", "closed"), ("ink", "first-tint")]
    pairs += [
        ("first", "first-tint"),
        ("second", "second-tint"),
        ("faint", "first-tint"),
        ("faint", "second-tint"),
    ]
    for ink, paper in pairs:
        light, dark = sorted((luminance(palette[ink]), luminance(palette[paper])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) > 4.5, (ink, paper)


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_the_largest_board_is_drawn_and_no_wider_than_a_screen():
    """As a file it says a size that can be shown."""
    picture = draw(position("snort:grid-64x64", "0, 4095"))
    assert len(of_class(picture, "cell")) == 4096
    assert float(ET.fromstring(picture).get("width", "")) <= 1600


@pytest.mark.parametrize("file", KEPT, ids=lambda file: file.stem)
def test_pictures_are_as_they_were_when_somebody_looked_at_them(file):
    """Whoever changes how pictures look draws them anew, and looks."""
    assert draw(position(*KEPT[file])) == file.read_text(encoding="utf-8")


if __name__ == "__main__":
    for kept, shown in KEPT.items():
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(draw(position(*shown)), encoding="utf-8")
