"""`arena versus`: is A better than B? A sequential test (generalised SPRT), which plays until it is known."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.completion import complete_bot
from arena.cli.run import (
    OUR_FAULT,
    ExecutorName,
    ExecutorOption,
    IsolationChoice,
    QuietOption,
    ResultsOption,
    WorkersOption,
    say_stopped,
    watching,
)
from arena.errors import UserError
from arena.plaintext import for_terminal

MOST_POINTS = 2000
"""Bounds beyond this make no sense: the odds are 100,000 to 1."""


OneArgument = Annotated[
    str,
    typer.Argument(
        metavar="A", help="A bot: a file, a folder or a name in bots/.", autocompletion=complete_bot
    ),
]
OtherArgument = Annotated[
    str,
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
    other: OtherArgument,
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
) -> None:
    """Find out whether A is better than B: play until it is known, or until the games are spent."""
    from arena.config.versus import read_versus
    from arena.formats.meeting import Settings
    from arena.plan.outlook import Options
    from arena.reports.versus import answer
    from arena.runs import play_versus
    from arena.standings.sprt import Bounds

    _check_bounds(*bounds)
    asked = Bounds(*bounds, alpha, beta)
    settings = Settings(bounds=asked, games=games)
    tournament, told = read_versus(one, other, config, isolation, settings)
    _check_games(games, len(tournament.variants))
    options = Options(workers, isolation, executor, results)
    try:
        with watching(quiet) as watch:
            for line in told:
                watch.say(line)
            run, state = play_versus(tournament, options, watch)
    except KeyboardInterrupt:
        raise say_stopped() from None
    print("\n".join(map(for_terminal, answer(run, state, asked, games))))
    with run.log() as log:
        if log.voids:
            raise typer.Exit(OUR_FAULT)


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
