"""`arena token`: who may hand in bots by a browser, and who may organise; each secret is printed once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.errors import UserError, did_you_mean, printable
from arena.plaintext import for_terminal
from arena.terminal.output import screen_width

if TYPE_CHECKING:
    from arena.contest.book import Book
    from arena.contest.tokens import Token


def token(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Of the participant, and of the bot to be handed in.")
    ] = None,
    names: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="F",
            help="A CSV of names, in the column `name` or else the first: a token for each that has none.",
        ),
    ] = None,
    organiser: Annotated[
        bool, typer.Option("--organiser", help="For somebody who runs the contest, and hands in nothing.")
    ] = False,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace", help="Make a new one where there is one; the old one is worth nothing then."
        ),
    ] = False,
    revoke: Annotated[str | None, typer.Option(metavar="NAME", help="Make a token worth nothing.")] = None,
    is_list: Annotated[bool, typer.Option("--list", help="Show whose tokens there are.")] = False,
    config: Annotated[
        str | None,
        typer.Option(metavar="F", help="A tournament file, if it belongs to another folder than this one."),
    ] = None,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Make a token with which somebody hands in a bot at `arena serve CONFIG`; it is printed once."""
    from arena.contest.book import Book
    from arena.contest.tables import FILE, FOLDER

    if sum((name is not None, names is not None, revoke is not None, is_list)) != 1:
        raise typer.BadParameter("give a NAME, or --from, --revoke or --list: one of them")
    base, own_names = _find_base(config)
    wanted = _read_wanted(name, names)
    if taken := [each for each in wanted if each.lower() in own_names]:
        raise UserError(f"{', '.join(taken)}: a bot of {config} has this name; participants need others")
    is_new, where = not (base / FOLDER / FILE).exists(), printable(str(base.absolute()), 200)
    if is_new:
        _refuse_without_book(where, revoke, name if replace else None)
    if is_new and is_list:
        _list([], format)
        return
    with closing(Book(base)) as book:
        if is_list:
            _list(book.tokens(), format)
        elif revoke is not None:
            _revoke(book, revoke, format)
        else:
            role = "organiser" if organiser else "participant"
            made, had = _make(book, name, wanted, role, replace)
            _show(made, role, names is not None, format)
            _say_left_alone(had, role, not made)
            if is_new:
                print(f"it is for tournament files of {where}, where none was made before", file=sys.stderr)


def _refuse_without_book(where: str, revoke: str | None, replaced: str | None) -> None:
    """Raise UserError if somebody asks for a token that cannot be: nothing is made by a slip."""
    from arena.contest.token_book import require_replaceable

    if revoke is not None:
        raise UserError(f"there is no token of '{printable(revoke)}': none was made in {where}")
    if replaced is not None:
        require_replaceable(replaced, [])


def _find_base(config: str | None) -> tuple[Path, set[str]]:
    """Return the folder whose book is meant, and the names of its bots that nobody can take."""
    from arena.config.reading import base_of, read_tournament

    if config is None:
        return base_of(Path.cwd() / "cup.toml"), set()  # as of a tournament file that lies here
    tournament = read_tournament(config)
    return tournament.results.parent, {bot.name.lower() for bot in tournament.bots}


def _read_wanted(name: str | None, file: Path | None) -> list[str]:
    from arena.contest.tokens import read_names

    if file is not None:
        return read_names(file)
    return [] if name is None else [name]


def _make(
    book: Book, name: str | None, wanted: Sequence[str], role: str, replace: bool
) -> tuple[dict[str, str], Sequence[Token]]:
    """Return the secrets of new tokens by name, and the tokens of those of a list who keep theirs."""
    from arena.contest.token_book import require_replaceable

    if name is None and not replace:
        return book.make_missing_tokens(wanted, role)
    if name is not None and replace:
        require_replaceable(name, book.tokens())
    return book.make_tokens(wanted, role, replace), ()


def _show(made: dict[str, str], role: str, is_table: bool, format: PlainFormat) -> None:
    if format is PlainFormat.JSON:
        print_json([{"name": name, "role": role, "token": secret} for name, secret in made.items()])
        return
    if not made:
        return
    if is_table:
        _print_table(("name", "token"), [*made.items()])
    else:
        print(*made.values())
    whose = "these tokens are" if len(made) > 1 else f"this token of {' '.join(made)} is"
    print(f"{whose} shown once: arena keeps a hash. Whoever has one acts under that name", file=sys.stderr)


def _say_left_alone(had: Sequence[Token], role: str, is_all: bool) -> None:
    """Say who of a list had a token before: a list is given again for those who came late."""
    if not had:
        return
    about = ", ".join(f"{each.name}{_say_difference(each, role)}" for each in had)
    left = "no token was made, for all had one" if is_all else "left alone, for they had a token"
    print(f"{left}: {about}; `arena token NAME --replace` makes a new one", file=sys.stderr)


def _say_difference(token: Token, role: str) -> str:
    if token.revoked_at is not None:
        return " (revoked)"
    return f" (as {token.role})" * (token.role != role)


def _list(tokens: Sequence[Token], format: PlainFormat) -> None:
    if format is PlainFormat.JSON:
        times = [(each, _say_time(each.made_at), _say_time(each.revoked_at)) for each in tokens]
        print_json(
            [
                {"name": each.name, "role": each.role, "made_at": made, "revoked_at": revoked}
                for each, made, revoked in times
            ]
        )
        return
    if not tokens:
        print("there are no tokens here yet; `arena token NAME` makes one")
        return
    rows = [
        (each.name, each.role, _say_time(each.made_at) or "", _say_time(each.revoked_at) or "")
        for each in tokens
    ]
    _print_table(("name", "role", "made", "revoked"), rows)


def _revoke(book: Book, name: str, format: PlainFormat) -> None:
    if not book.revoke(name):
        good = [each.name for each in book.tokens() if each.revoked_at is None]
        raise UserError(f"there is no token of '{printable(name)}' that is good{did_you_mean(name, good)}")
    if format is PlainFormat.JSON:
        print_json({"name": name, "revoked": True})
    else:
        print(for_terminal(f"the token of {name} is worth nothing now; what was handed in with it stays"))


def _print_table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from arena.reports.screen import Table, lay_out

    cells = [[for_terminal(cell) for cell in row] for row in rows]
    print(lay_out(Table(headings, cells, names=("name",)), screen_width()))


def _say_time(seconds: float | None) -> str | None:
    return None if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S} UTC"
