"""`arena versus`: is A better than B? A sequential test (generalised SPRT), which plays until it is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.answering import PlainFormat, PlainFormatOption, print_json
from arena.cli.bots import CommandsOption
from arena.cli.completion import complete_bot
from arena.cli.page import show_page, write_page
from arena.cli.run import (
    OUR_FAULT,
    ExecutorName,
    ExecutorOption,
    IsolationChoice,
    QuietOption,
    ResultsOption,
    WorkersOption,
    say_stopped,
)
from arena.errors import UserError
from arena.plaintext import for_terminal
from arena.terminal.watching import watching

if TYPE_CHECKING:
    from arena.bots.source import Source
    from arena.results.run import Run
    from arena.standings.sprt import State

MOST_POINTS = 2000
"""Bounds beyond this make no sense: the odds are 100,000 to 1."""


OneArgument = Annotated[
    str,
    typer.Argument(
        metavar="A", help="A bot: a file, a folder or a name in bots/.", autocompletion=complete_bot
    ),
]
OtherArgument = Annotated[
    str | None,
    typer.Argument(metavar="B", help="The bot that it is compared with.", autocompletion=complete_bot),
]
ConfigOption = Annotated[
    str | None, typer.Option(metavar="F", help="A tournament file, for its variants, limits and bots.")
]
GamesOption = Annotated[int, typer.Option(min=2, max=10_000_000, help="Games after which to give up.")]
BoundsOption = Annotated[
    tuple[float, float],
    typer.Option(metavar="LOW HIGH", help="Elo points: is A better by LOW or less, or by HIGH or more?"),
]
AlphaOption = Annotated[
    float,
    typer.Option(min=0.0001, max=0.4999, help="How often a bot that is not better may be called better."),
]
BetaOption = Annotated[
    float, typer.Option(min=0.0001, max=0.4999, help="How often a bot that is better may be rejected.")
]


def versus(
    one: OneArgument,
    other: OtherArgument = None,
    config: ConfigOption = None,
    games: GamesOption = 20_000,
    bounds: BoundsOption = (0.0, 30.0),
    alpha: AlphaOption = 0.05,
    beta: BetaOption = 0.05,
    workers: WorkersOption = 0,
    isolation: IsolationChoice = None,
    executor: ExecutorOption = ExecutorName.LOCAL,
    results: ResultsOption = None,
    quiet: QuietOption = False,
    command: CommandsOption = None,
    format: PlainFormatOption = PlainFormat.TABLE,
) -> None:
    """Find out whether A is better than B: play until it is known, or until the games are spent."""
    from arena.checking.asked import read_commands
    from arena.config.versus import read_versus
    from arena.formats.meeting import Settings
    from arena.plan.outlook import Options
    from arena.runs import play_versus, prepare
    from arena.standings.sprt import Bounds

    _check_bounds(*bounds)
    settings = Settings(bounds=Bounds(*bounds, alpha, beta), games=games)
    commands = read_commands(command)
    opponent = _find_opponent(one, other, commands)
    options = Options(workers, isolation, executor, results)
    prepare(options)
    tournament, told = read_versus(one, opponent, config, isolation, settings, commands)
    _check_games(games, len(tournament.variants))
    try:
        with watching(quiet) as watch:
            for line in told:
                watch.say(line)
            run, state = play_versus(tournament, options, watch)
    except KeyboardInterrupt:
        raise say_stopped() from None
    _show(run, state, games, quiet, format)
    with run.log() as log:
        if log.voids:
            raise typer.Exit(OUR_FAULT)


def _show(run: Run, state: State, games: int, quiet: bool, format: PlainFormat) -> None:
    """Print the answer; `games` is the limit after which the question is given up."""
    from arena.answers.runs import tell_versus
    from arena.reports.versus import answer

    if format is PlainFormat.JSON:
        print_json(tell_versus(run, state, games, write_page(run, quiet)))
    else:
        print("\n".join(map(for_terminal, answer(run, state, state.bounds, games))))
        show_page(run, quiet)


def _find_opponent(one: str, other: str | None, commands: Sequence[Source]) -> str:
    """Return B: what was typed, or the bot that a command enters in its place."""
    names = [source.name for source in commands if source.name != one]
    unused = [name for name in names if name != other]
    if other is not None and unused:
        raise typer.BadParameter(f"{unused[0]} is neither A nor B; a --command stands for one of them")
    if other is None and len(names) != 1:
        raise typer.BadParameter("name both bots, A and B; a --command may stand for B")
    return other or names[0]


def _check_bounds(low: float, high: float) -> None:
    typed = f"--bounds {low:g} {high:g}"
    if not all(-MOST_POINTS <= points <= MOST_POINTS for points in (low, high)):
        raise UserError(f"{typed}: they must be between -{MOST_POINTS:,} and {MOST_POINTS:,} points")
    if low >= high:
        raise UserError(f"{typed}: the first must be less than the second")


def _check_games(games: int, variants: int) -> None:
    """UserError unless every variant can be played at least once, from either side."""
    if games < 2 * variants:
        raise UserError(
            f"--games {games}: a pair of games on each of {variants} variants takes {2 * variants}; "
            "allow that many, or name fewer variants in a file for --config"
        )
