"""Boards in few bytes: every cell is there once, and what is marked is what was asked for."""

import re

import pytest

import arena
from arena.pictures import draw
from arena.pictures.layout import place
from arena.pictures.sketch import sketch

NAMES = ["blockade-5x5", "grid-block", "blockade-line", "col:ring-9", "snort:grid-3x4-rook"]
NAMES += ["kayles:torus-3x4", "col:hex-3x4", "snort:line-7"]


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_is_drawn_once_and_moves_are_marked(name):
    """In whatever state it is; a dot on each winning move, a frame around the one that was made."""
    variant = arena.variant(name)
    position = variant.start()
    position = position.play(position.legal_moves[1])
    played, *winning = position.legal_moves[:3]
    drawn = sketch(position, place(variant.board), played, winning)
    roles = {
        role: re.findall(rf'class="{role}" d="([^"]*)"', drawn) for role in ("body", "stone wins", "last")
    }
    assert "".join(roles["body"]).count("M") == variant.board.size
    assert [path.count("M") for path in roles["stone wins"]] == [2]
    assert [path.count("M") for path in roles["last"]] == [1]
    assert '<g class="second"><path class="stone wins"' in drawn
    assert "The last move was" in drawn


def test_a_sketch_is_much_smaller_than_a_picture():
    """Many of them have room in a page."""
    position = arena.variant("blockade-5x5").start().play(12).play(4)
    drawn = sketch(position, place(position.board), position.legal_moves[0], position.legal_moves[1:])
    assert len(drawn) < 0.6 * len(draw(position, is_alone=False))
