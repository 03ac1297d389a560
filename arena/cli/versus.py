"""`arena versus`: is A better than B? Plays until it is known."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.results import screen_width
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

if TYPE_CHECKING:
    from arena.results.run import Run
    from arena.standings.sprt import Bounds, State

MOST_POINTS = 2000
"""Bounds beyond this are no question: the odds are 100,000 to 1."""


OneArgument = Annotated[str, typer.Argument(metavar="A", help="A bot: a file, a folder or a name in bots/.")]
OtherArgument = Annotated[str, typer.Argument(metavar="B", help="The bot that it is compared with.")]
ConfigOption = Annotated[
    str | None, typer.Option(metavar="F", help="A tournament file, for its variants and limits.")
]
GamesOption = Annotated[int, typer.Option(min=2, max=10_000_000, help="Games after which to give up.")]
BoundsOption = Annotated[
    tuple[float, float],
    typer.Option(metavar="LOW HIGH", help="Points: is A better by LOW or less, or by HIGH or more?"),
]
AlphaOption = Annotated[
    float, typer.Option(min=0.0001, max=0.4999, help="How often a bot that is not better may pass.")
]
BetaOption = Annotated[
    float, typer.Option(min=0.0001, max=0.4999, help="How often one that is better may be turned away.")
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
    width = screen_width()
    lines = list(map(for_terminal, _answer(run, state, asked, games)))
    print("\n".join(lines if width is None else [fill(line, width) for line in lines]))
    with run.log() as log:
        if log.voids:
            raise typer.Exit(OUR_FAULT)


def _check_bounds(low: float, high: float) -> None:
    typed = f"--bounds {low:g} {high:g}"
    if not all(-MOST_POINTS <= points <= MOST_POINTS for points in (low, high)):
        raise UserError(f"{typed}: they must lie between -{MOST_POINTS:,} and {MOST_POINTS:,} points")
    if low >= high:
        raise UserError(f"{typed}: the first must be less than the second")


def _check_games(games: int, variants: int) -> None:
    """UserError unless every variant can be played at least once, from either side."""
    if games < 2 * variants:
        raise UserError(
            f"--games {games}: a pair of games on each of {variants} variants takes {2 * variants}; "
            "allow as many, or name fewer variants in a file for --config"
        )


def _answer(run: Run, state: State, bounds: Bounds, games: int) -> list[str]:
    from arena.reports.text import say_forfeits
    from arena.standings.sprt import risk

    one, other = run.field.bots
    lost, split, won = state.counts
    pairs = f"{state.pairs:,} pair{'s' * (state.pairs != 1)}"
    claim = risk(state.verdict, bounds)
    return [
        f"{one} against {other} on {', '.join(run.variants)}",
        f"{2 * state.pairs:,} games in {pairs}: {won:,} won, {split:,} split, {lost:,} lost",
        *_score(state),
        f"log likelihood ratio {state.llr:+.2f}; it ends at {bounds.lower:+.2f} or {bounds.upper:+.2f}",
        *_accuracies(run),
        *say_forfeits(run.counts),
        "",
        _verdict(run, state, bounds, games),
        f"{claim[0].upper()}{claim[1:]}.",
        "",
        f"results are in {run.folder}/",
    ]


def _score(state: State) -> list[str]:
    if not state.pairs:
        return []
    points, low, high = state.difference
    return [f"score {state.score:.3f}: {points:+.0f} points, 95 % interval {low:+.0f} to {high:+.0f}"]


def _accuracies(run: Run) -> list[str]:
    """Return how well both bots kept their wins, with intervals."""
    from arena.standings.passing import wilson

    sums = run.grades.groupby("bot")[["kept", "graded"]].sum()
    lines = []
    for bot in run.field.bots:
        kept, graded = (int(sums[column].get(bot, 0)) for column in ("kept", "graded"))
        if graded:
            low, high = wilson(kept / graded, graded)
            interval = f"95 % interval {low:.3f} to {high:.3f}"
            moves = f"{graded:,} move{'s' * (graded != 1)}"
            lines.append(f"accuracy of {bot} {kept / graded:.3f} in {moves}, {interval}")
    return lines


def _verdict(run: Run, state: State, bounds: Bounds, games: int) -> str:
    """Return the answer in a sentence that is true of any bounds, negative ones too."""
    from arena.standings.sprt import Verdict

    one, other = run.field.bots
    low, high = bounds.low, bounds.high
    if state.verdict is Verdict.BETTER:
        if low < 0:
            return f"{one} is not worse than {other} by {-low:g} points or more."
        return f"{one} is better than {other}{f' by more than {low:g} points' * (low > 0)}."
    if state.verdict is Verdict.NOT_BETTER:
        if high > 0:
            weaker = ": it is weaker" if state.difference.high < 0 else ""
            return f"{one} is not better than {other} by {high:g} points or more{weaker}."
        return f"{one} is worse than {other}{f' by more than {-high:g} points' * (high < 0)}."
    return f"Whether {one} is better than {other} is not known after {_end(run, state, games)}."


def _end(run: Run, state: State, most: int) -> str:
    """Return after what a question was given up: if another sheet was allowed, there was none."""
    is_allowed = most // 2 - state.pairs >= len(run.variants)
    games = f"{2 * state.pairs:,} games"
    return f"all openings there are, {games}" if is_allowed and not run.missing else games
