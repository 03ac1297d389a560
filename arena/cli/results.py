"""Commands that read run folders: leaderboard, crosstable, games, digest, verify, diff; and merge."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.completion import complete_run
from arena.plaintext import for_terminal
from arena.terminal.output import screen_width

if TYPE_CHECKING:
    from arena.referee.row import GameRow
    from arena.results.compare import Difference
    from arena.results.run import Run

SHOWN_DIFFERENCES = 20


class Format(StrEnum):
    """How a table is printed."""

    TABLE = "table"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"
    HTML = "html"
    LATEX = "latex"


class By(StrEnum):
    """What standings are split by."""

    OVERALL = "overall"
    VARIANT = "variant"
    SIDE = "side"


NewestArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="RUN",
        help="A run folder, or a name in results/; by default the newest.",
        autocompletion=complete_run,
    ),
]
RunArgument = Annotated[
    str,
    typer.Argument(metavar="RUN", help="A run folder, or a name in results/.", autocompletion=complete_run),
]
FormatOption = Annotated[Format, typer.Option(help="The output format.")]


def _show(table: str, run: Run, typed: str | None) -> None:
    """Print a table; the newest run is named on stderr, lest it is taken for another."""
    if typed is None:
        print(for_terminal(f"{run.folder}, the newest"), file=sys.stderr)
    print(table)


def leaderboard(
    run: NewestArgument = None,
    variant: Annotated[str, typer.Option(metavar="V", help="Only this variant.")] = "",
    by: Annotated[By, typer.Option(help="One table, or one for each variant or side.")] = By.OVERALL,
    format: FormatOption = Format.TABLE,
    without_forfeits: Annotated[
        bool, typer.Option("--without-forfeits", help="Leave forfeited games out of the ratings.")
    ] = False,
    ledger: Annotated[
        bool, typer.Option("--ledger", help="Where the wins came from: won starts, gifts, thrown away.")
    ] = False,
) -> None:
    """Print the standings of a run, or where the wins came from."""
    from arena.reports.ledger import show_ledger
    from arena.reports.showing import leaderboard
    from arena.terminal.grading import find_graded

    found = find_graded(run)
    if ledger:
        _show(show_ledger(found, by, variant, format, screen_width()), found, run)
    else:
        _show(leaderboard(found, by, variant, format, without_forfeits, screen_width()), found, run)


def crosstable(
    run: NewestArgument = None,
    bot: Annotated[str, typer.Option(metavar="B", help="Only this bot's row, as a list.")] = "",
    format: FormatOption = Format.TABLE,
) -> None:
    """Print who beat whom, with wins by side; or how one bot did against each other one."""
    from arena.reports.asjson import write_json
    from arena.reports.crosstable import show_crosstable
    from arena.reports.text import show
    from arena.results.finding import find_run
    from arena.standings.tables import record

    found = find_run(run, is_whole=False)  # who beat whom needs no grades
    if bot:
        shown = show(record(found.counts, found.bot_name(bot)), format, screen_width())
    elif format is Format.JSON:
        from arena.answers.runs import tell_crosstable

        shown = write_json(tell_crosstable(found))
    else:
        shown = show_crosstable(found.crosstable(), format, screen_width())
    _show(shown, found, run)


def games(
    run: NewestArgument = None,
    bot: Annotated[str, typer.Option(metavar="BOT", help="Only games of this bot.")] = "",
    against: Annotated[str, typer.Option(metavar="BOT", help="Only its games against this one.")] = "",
    won: Annotated[bool, typer.Option("--won", help="Only games that --bot won.")] = False,
    lost: Annotated[bool, typer.Option("--lost", help="Only games that --bot lost.")] = False,
    blunders: Annotated[
        bool, typer.Option("--blunders", help="Only games that the loser (with --bot: that bot) threw away.")
    ] = False,
    variant: Annotated[str, typer.Option(metavar="V", help="Only this variant.")] = "",
    forfeits: Annotated[bool, typer.Option("--forfeits", help="Only games that a bot forfeited.")] = False,
    format: FormatOption = Format.TABLE,
) -> None:
    """List the games of a run, or of one bot in it."""
    from arena.reports.games import show_games
    from arena.results.games import Choice
    from arena.terminal.grading import find_graded

    found = find_graded(run)
    chosen = Choice(bot, against, variant, won, lost, blunders, forfeits)
    _show(show_games(found, chosen, format, screen_width()), found, run)


def digest(run: RunArgument, format: PlainFormatOption = PlainFormat.TABLE) -> None:
    """Print one hash over all games of a run: the same for the same results."""
    from arena.answers.runs import tell_digest
    from arena.results.finding import find_run

    answer = tell_digest(find_run(run))
    for name in answer["unrepeatable"]:
        line = f"{name} cannot be repeated exactly: its games may differ from run to run"
        print(for_terminal(line), file=sys.stderr)
    missing, played = answer["missing"], answer["games"]
    if missing:
        print(
            f"{missing:,} of {played + missing:,} games are still to be played and are not in the digest",
            file=sys.stderr,
        )
    if format is PlainFormat.JSON:
        print_json(answer)
    else:
        print(answer["digest"])


def verify(run: RunArgument, format: PlainFormatOption = PlainFormat.TABLE) -> None:
    """Replay every record of a run through the rules; exit with 1 if a record breaks them."""
    from arena.plan.outlook import SECRET
    from arena.results.finding import find_run
    from arena.results.verify import list_unchecked, mistakes, redraw, wrong_verdicts

    found = find_run(run)
    with found.log() as log:
        count, bots = log.in_all, len(log.bots())
        wrong = list(mistakes(log))
        drawing = redraw(log)
        beside = [
            (SECRET if name in found.hidden else name, why)
            for name, why in (*drawing.wrong, *wrong_verdicts(log))
        ]
    unchecked = list_unchecked(found.field, drawing)
    if format is PlainFormat.JSON:
        from arena.answers.runs import tell_verified

        print_json(tell_verified(found, count, wrong, beside, unchecked))
    else:
        for what, reason in (*wrong, *beside):
            print(for_terminal(f"{what}: {reason}"))
    if wrong or beside:
        also = f", and {len(beside):,} other things are wrong" if beside else ""
        print(f"arena: {len(wrong):,} of {count:,} games are not what the rules say{also}", file=sys.stderr)
        raise typer.Exit(1)
    if format is not PlainFormat.JSON:
        _say_sound(count, bots, drawing.drawn, unchecked)


def _say_sound(games: int, bots: int, openings: int, unchecked: Sequence[str]) -> None:
    """Print what was checked, and what was not."""
    print(f"{games:,} games, all as the rules say")
    hashes = f"the hashes of {bots:,} bots; {openings:,} openings, as the seed draws them"
    print(f"checked: every move, winner, ending and id; {hashes}")
    for line in unchecked:
        print(f"not checked: {line}")


def diff(one: RunArgument, other: RunArgument, format: PlainFormatOption = PlainFormat.TABLE) -> None:
    """Show what differs between two run folders; exit with 1 if anything does."""
    from arena.answers.runs import tell_difference
    from arena.results.compare import differences
    from arena.results.finding import find_run

    runs = find_run(one), find_run(other)
    if format is PlainFormat.JSON:
        answer = tell_difference(*runs, differences(*runs))
        print_json(answer)
        raise typer.Exit(0 if answer["same"] else 1)
    kinds = {"only in": [0, 0], "differ": [0]}
    for found in differences(*runs):
        if found.one is not None and found.other is not None:
            kinds["differ"][0] += 1
            is_hidden = found.one.variant in runs[0].hidden | runs[1].hidden
            if kinds["differ"][0] <= SHOWN_DIFFERENCES and not is_hidden:
                print(_difference(found))
        else:
            kinds["only in"][found.one is None] += 1
    for run, count in zip(runs, kinds["only in"], strict=True):
        if count:
            print(for_terminal(f"{count:,} {_games(count)} only in {run.folder}"))
    differ = kinds["differ"][0]
    if not differ and not any(kinds["only in"]):
        print("The two runs have the same games, with the same results.")
        return
    print(f"{differ:,} {_games(differ)} in both, with different results")
    raise typer.Exit(1)


def _difference(found: Difference) -> str:
    assert found.one is not None
    assert found.other is not None
    one, other = found.one, found.other
    bots = f"{one.first} - {one.second}"
    return for_terminal(f"{one.game}  {one.variant}  {bots}: {_result(one)}; in the other {_result(other)}")


def _result(game: GameRow) -> str:
    return f"{game.winner} by {game.ending} in {game.plies} plies"


def _games(count: int) -> str:
    return "game is" if count == 1 else "games are"


def merge(into: RunArgument, source: RunArgument, format: PlainFormatOption = PlainFormat.TABLE) -> None:
    """Add the games of the second run folder to the first."""
    from arena.answers.runs import tell_merged
    from arena.results.finding import find_run
    from arena.runs import merge

    runs = find_run(into), find_run(source)
    done = merge(*runs)
    if format is PlainFormat.JSON:
        print_json(tell_merged(runs[0], done))
        return
    counted = f", {done.counted:,} of which its plan counts" if done.added else ""
    noun = "game" if done.added == 1 else "games"
    print(for_terminal(f"{done.added:,} {noun} added to {runs[0].folder}{counted}"))
    if done.counted < done.added:
        print("the others count once their bots and openings are in its tournament file and it is run again")
    if done.left_out:
        why = "their seed, limits, openings or ids differ, so they could never count there"
        print(f"{done.left_out:,} were left out: {why}")
    if done.there_already:
        print(f"{done.there_already:,} were already there" + _otherwise(done.differing))


def _otherwise(count: int) -> str:
    return f", {count:,} of them with another result; the old results stay" if count else ""
