"""The page on which one plays against a bot and has positions solved: all boards, packed, and who plays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

import arena
from arena.game import Variant
from arena.game.rule import RULES
from arena.pages.packing import ENDINGS, deflate
from arena.pages.rendering import render
from arena.pages.replay import describe
from arena.pictures.layout import place_narrow
from arena.pictures.stage import draw_stage
from arena.plaintext import for_lines, for_terminal

PHONE_ROW = 7
"""So many cells of a line are in a row on a phone: they are large enough for a finger."""


def make_play_page(
    name: str,
    address: str,
    own: Sequence[Variant],
    books: Sequence[Variant],
    bots: Sequence[str],
    switches: tuple[bool, bool],
    is_hosted: bool = False,
) -> str:
    """Return the page of a run; `address` is the run's own, and `switches` are playing and solving.

    `is_hosted` if it is the run of a contest, for which bots can be handed in.
    """
    variants = [*own, *books]
    stages = [draw_stage(variant) for variant in variants]
    described = [
        {**describe(variant, stage), **_describe_book(variant), "isOwn": number < len(own)}
        for number, (variant, stage) in enumerate(zip(variants, stages, strict=True))
    ]
    for variant, told_of in zip(variants, described, strict=True):
        if layout := place_narrow(variant.board, PHONE_ROW):
            narrow = draw_stage(variant, layout)
            told_of["narrow"] = {"stage": len(stages), "points": narrow.points}
            stages.append(narrow)
    told = {
        "variants": described,
        "bots": list(map(for_terminal, bots)),
        "endings": ENDINGS,
        "canPlay": switches[0],
        "canSolve": switches[1],
    }
    values = {
        "title": name,
        "address": address,
        "packed": deflate(json.dumps(told, separators=(",", ":"))),
        "boards": [Markup(stage.svg) for stage in stages],
        "can_play": switches[0],
        "can_solve": switches[1],
        "is_hosted": is_hosted,
        "arena_version": arena.__version__,
    }
    return render("play.html.j2", values, is_live=True)


def _describe_book(variant: Variant) -> dict[str, Any]:
    book, rule = variant.book, RULES[variant.rule]
    plain = (
        f"On your turn you claim a cell. It is then closed to everybody, and its neighbours to {rule.whom}. "
        "Whoever cannot claim a cell loses."
    )
    return {
        "title": for_terminal(book.title),
        "rules": for_lines(" ".join(book.text.split()) or plain),
        "isStartAgreed": book.is_start_agreed,
    }
