"""`arena variants` and `arena rules`: what there is to play, and how it is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.completion import complete_variant
from arena.game import RULE_BOOKS, RULES, Variant, variant
from arena.game.board import GRAPH
from arena.game.families import FAMILIES
from arena.plaintext import for_lines, for_terminal
from arena.reports.screen import wrap_line
from arena.terminal.output import screen_width

VariantArgument = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT",
        help="A name from `arena variants`, rule:board, or a TOML file.",
        autocompletion=complete_variant,
    ),
]


def variants(
    health: Annotated[
        bool, typer.Option("--health", help="Who wins the rule books, and which of them can rank anybody.")
    ] = False,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """List the variants: the rule books, and what any other may be made of."""
    if format is PlainFormat.JSON:
        from arena.answers.variants import tell_variants

        print_json(tell_variants(health))
        return
    books = [variant(name) for name in RULE_BOOKS]
    if health:
        print(_healths(books))
        return
    headings = ("variant", "rule book", "board", "a claim closes its neighbours to", "in the literature")
    rows = [(v.name, v.book.title, v.board.name, RULES[v.rule].whom, v.book.literature) for v in books]
    print(_fit(headings, rows))
    print("\nAny other variant is written rule:board, such as snort:grid-6x6, with these rules and boards:\n")
    print(
        _fit(("rule", ""), [(r.name, f"a claim closes its neighbours to {r.whom}") for r in RULES.values()])
    )
    print()
    boards = [(f.pattern, f"{f.about}, such as {f.example}") for f in FAMILIES.values()]
    print(_fit(("board", ""), boards))
    print("\nA TOML file is a variant too; `arena rules FILE` reads it and names every mistake in it.")


def _fit(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table for this screen; all columns but the first are texts."""
    from arena.reports.screen import Table, lay_out

    return lay_out(Table(headings, rows, texts=headings[1:]), screen_width())


def _healths(books: list[Variant]) -> str:
    from arena.solver.health import health

    headings = ("variant", "with perfect play", "plies", "first side by chance", "verdict")
    found = [(book.name, health(book)) for book in books]
    return _fit(headings, [(name, h.perfect_play, h.lengths, h.by_chance, h.verdict) for name, h in found])


def rules(name: VariantArgument, format: PlainFormatOption = PlainFormat.TABLE) -> None:
    """Show the rules as they are read, the board with its cell names, and the rule book's errata."""
    if format is PlainFormat.JSON:
        from arena.answers.variants import tell_rules

        print_json(tell_rules(variant(name)))
    else:
        print(_page(variant(name)))


def _page(variant: Variant) -> str:
    title = for_terminal(variant.book.title)
    parts = [
        f"{variant.name}: {title}" if title != variant.name else title,
        _paragraphs(variant.book.text.strip() or _generic_text(variant)),
        _reading(variant),
        f"The cells\n\n{variant.notation.names_picture()}",
        _typing(variant),
        _neighbours(variant) if variant.board.name == GRAPH else "",
        _health(variant),
        _errata(variant),
    ]
    return "\n\n".join(part for part in parts if part)


def _paragraphs(text: str) -> str:
    """Return a text whose lines are wider than the screen with its paragraphs filled anew; else as it is."""
    width = screen_width()
    if width is None or max(map(len, text.splitlines()), default=0) <= width:
        return text
    return "\n\n".join(wrap_line(" ".join(part.split("\n")), width) for part in text.split("\n\n"))


def _generic_text(variant: Variant) -> str:
    return (
        f"The board has {_cells(variant)}. On your turn you claim one cell that is open to you. A\n"
        f"claimed cell is closed to both players, its neighbours are closed to {RULES[variant.rule].whom}.\n"
        "A player who cannot claim a cell on their turn loses. There are no draws."
    )


def _reading(variant: Variant) -> str:
    rule = RULES[variant.rule]
    starter = "agreed; Player 1 unless you say otherwise" if variant.book.is_start_agreed else "Player 1"
    return (
        f"As read\n\n"
        f"board         {variant.board.name}, {_cells(variant)}\n"
        f"rule          {rule.name}: a claim closes its neighbours to {rule.whom}\n"
        f"known as      {for_terminal(variant.book.literature)}\n"
        f"who starts    {starter}"
    )


def _cells(variant: Variant) -> str:
    return "1 cell" if variant.board.size == 1 else f"{variant.board.size} cells"


def _typing(variant: Variant) -> str:
    notation = variant.notation
    middle = variant.board.size // 2
    typed, first = notation.spell(middle), notation.style.first
    if len(notation.fields) == 1:
        how = f"{typed} (the cell's number, numbered from {first})"
    elif len(variant.book.words.prompt) == 1:
        how = f"{typed} (row and column, numbered from {first})"
    else:
        parts = " and then ".join(typed.split())
        how = f"{parts} (row and column, asked for one by one, numbered from {first})"
    return f"A move is typed as {how} and printed as {notation.name(middle)}."


def _health(variant: Variant) -> str:
    from arena.solver.health import health

    found = health(variant)
    return (
        f"What is known\n\n"
        f"perfect play  {found.perfect_play}\n"
        f"plies         {found.lengths}\n"
        f"by chance     the first side's share of random games: {found.by_chance}\n"
        f"verdict       {found.verdict}"
    )


def _neighbours(variant: Variant) -> str:
    board, name = variant.board, variant.notation.name
    lines = [
        f"{name(cell)}: {', '.join(map(name, board.neighbours(cell))) or 'none'}"
        for cell in range(board.size)
    ]
    return "The neighbours of each cell\n\n" + "\n".join(lines)


def _errata(variant: Variant) -> str:
    if not variant.book.errata:
        return ""
    entries = [_entry(for_lines(f"{erratum.where}: {erratum.what}")) for erratum in variant.book.errata]
    return "Errata: where the rule book contradicts its own rules; the rules decide\n\n" + "\n".join(entries)


def _entry(text: str) -> str:
    """Return a text as an item of a list; lines are broken, but never inside the name of a cell."""
    import re
    from textwrap import fill

    unbroken = re.sub(r"\(\d+, \d+\)", lambda name: name[0].replace(" ", "\N{NO-BREAK SPACE}"), text)
    return fill(
        unbroken, min(100, screen_width() or 100), initial_indent="- ", subsequent_indent="  "
    ).replace("\N{NO-BREAK SPACE}", " ")
