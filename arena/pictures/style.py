"""How pictures look: a style sheet with two palettes, light and dark.

Colours are written out instead of being CSS variables, which not every program that draws SVG knows.
Blue and orange differ for the colour-blind too, and stones differ by shape anyway.
"""

from __future__ import annotations

BOARD = "arena-board"
"""The class of every picture. All rules of the style sheet are about what is in it."""

LIGHT = {
    "paper": "#fbfaf8",
    "cell": "#ffffff",
    "line": "#a7adb5",
    "ink": "#20262d",
    "faint": "#5a636e",
    "closed": "#e6e6e4",
    "hatch": "#b0b4b9",
    "first": "#1558b0",
    "first-tint": "#d9e7f8",
    "second": "#b04a00",
    "second-tint": "#fbe5d2",
}
DARK = {
    "paper": "#16191d",
    "cell": "#23282e",
    "line": "#59626c",
    "ink": "#eceff2",
    "faint": "#a2abb5",
    "closed": "#14171a",
    "hatch": "#5d6772",
    "first": "#8cc0ff",
    "first-tint": "#1d3550",
    "second": "#ffb074",
    "second-tint": "#4a2f19",
}

_SHAPES = """
.{board} {{ max-width: 100%; height: auto }}
.{board} text {{ font-family: system-ui, sans-serif; text-anchor: middle; stroke: none }}
.{board} .stone, .{board} .hint, .{board} .last {{ fill: none; stroke-linecap: round }}
.{board} .stone {{ stroke-width: 4.5 }}
.{board} .hint {{ stroke-width: 2 }}
.{board} .last {{ stroke-width: 2.5 }}
.{board} .link {{ stroke-width: 2 }}
.{board} .ghost {{ fill: none; stroke-dasharray: 3 3 }}
"""

_COLOURS = """
{within}.{board} .paper {{ fill: {paper} }}
{within}.{board} .body {{ fill: {cell}; stroke: {line} }}
{within}.{board} .link, {within}.{board} .ghost {{ stroke: {line} }}
{within}.{board} .closed .body {{ fill: {closed} }}
{within}.{board} .hatch {{ stroke: {hatch} }}
{within}.{board} .name, {within}.{board} .label {{ fill: {faint} }}
{within}.{board} .last {{ stroke: {ink} }}
{within}.{board} .first .body {{ fill: {first-tint} }}
{within}.{board} .second .body {{ fill: {second-tint} }}
{within}.{board} .first .stone, {within}.{board} .first .hint {{ stroke: {first} }}
{within}.{board} .second .stone, {within}.{board} .second .hint {{ stroke: {second} }}
{within}.{board} .first .glyph {{ fill: {first} }}
{within}.{board} .second .glyph {{ fill: {second} }}
"""


def paint(palette: dict[str, str], within: str = "") -> str:
    """Return the rules that give pictures their colours; `within` is a selector that they are limited to."""
    return _COLOURS.format(board=BOARD, within=f"{within} " if within else "", **palette).lstrip()


def paint_page() -> str:
    """Return the style sheet for a page whose `color-scheme` says whether it is light or dark."""
    both = {name: f"light-dark({colour}, {DARK[name]})" for name, colour in LIGHT.items()}
    known = "@supports (color: light-dark(#000, #fff))"
    return f"{_SHAPES.format(board=BOARD).lstrip()}{paint(LIGHT)}{known} {{\n{paint(both)}}}\n"


STYLE = (
    _SHAPES.format(board=BOARD).lstrip()
    + paint(LIGHT)
    + f"@media (prefers-color-scheme: dark) {{\n{paint(DARK)}}}\n"
)
"""The style sheet of a picture that stands alone; a page that holds many pictures has it once."""
