"""What is said of variants: those that there are, and the rules of one."""

from __future__ import annotations

from typing import Any

from arena.game import RULE_BOOKS, RULES, Variant, variant
from arena.game.families import FAMILIES
from arena.solver.health import health

Answer = dict[str, Any]


def tell_variants(has_health: bool) -> Answer:
    """Return the rule books, and what any other variant may be made of."""
    books = [variant(name) for name in RULE_BOOKS]
    return {
        "variants": [
            {**_describe(book), "health": _tell_health(book) if has_health else None} for book in books
        ],
        "rules": [
            {"rule": rule.name, "closes_to": rule.whom, "literature": rule.literature}
            for rule in RULES.values()
        ],
        "boards": [
            {"board": family.pattern, "about": family.about, "example": family.example}
            for family in FAMILIES.values()
        ],
    }


def tell_rules(variant: Variant) -> Answer:
    """Return the rules of a variant as they are read, its cells, what is known of it, and its errata."""
    board, cells = variant.board, range(variant.board.size)
    return {
        **_describe(variant),
        "text": variant.book.text.strip() or None,
        "is_start_agreed": variant.book.is_start_agreed,
        "cells": board.size,
        "rows": board.rows,
        "columns": board.columns,
        "neighbours": [board.neighbours(cell) for cell in cells],
        "names": [variant.notation.name(cell) for cell in cells],
        "typed": [variant.notation.spell(cell) for cell in cells],
        "health": _tell_health(variant),
        "errata": [{"where": erratum.where, "what": erratum.what} for erratum in variant.book.errata],
    }


def _describe(variant: Variant) -> Answer:
    return {
        "variant": variant.name,
        "title": variant.book.title,
        "board": variant.board.name,
        "rule": variant.rule,
        "closes_to": RULES[variant.rule].whom,
        "literature": variant.book.literature,
    }


def _tell_health(variant: Variant) -> Answer:
    found = health(variant)
    census = found.census
    return {
        "winner": found.solution.winner,
        "winning_moves": found.solution.winning_moves,
        "shortest": census.shortest if census is not None else None,
        "longest": census.longest if census is not None else None,
        "first_share": census.first_share if census is not None else None,
        "verdict": found.verdict,
    }
