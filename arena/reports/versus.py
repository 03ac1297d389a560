"""The answer of `arena versus` in words: how it went, who is better, how often such an answer is wrong."""

from __future__ import annotations

from arena.reports.text import say_forfeits
from arena.results.run import Run
from arena.standings.shares import measure_shares
from arena.standings.sprt import Bounds, State, Verdict

STOPPED = "stopping early makes a difference look larger; points and interval allow for it"


def answer(run: Run, state: State, bounds: Bounds, games: int) -> list[str]:
    """Return the lines that answer a question; `games` is the limit after which it is given up."""
    one, other = run.field.bots
    lost, split, won = state.counts
    pairs = f"{state.pairs:,} pair{'s' * (state.pairs != 1)}"
    claim = say_risk(state.verdict, bounds)
    return [
        f"{one} against {other} on {', '.join(run.variants)}",
        f"{2 * state.pairs:,} games in {pairs}: {won:,} won, {split:,} split, {lost:,} lost",
        *say_score(state),
        f"log likelihood ratio {state.llr:+.2f}; the test ends at {bounds.lower:+.2f} or {bounds.upper:+.2f}",
        *_say_accuracies(run),
        *say_forfeits(run.counts),
        "",
        say_verdict(run, state, bounds, games),
        f"{claim[0].upper()}{claim[1:]}.",
        "",
        f"results are in {run.folder}/",
    ]


def say_score(state: State) -> list[str]:
    """Return score and estimate at the end of the test; the pairs are named if more were played."""
    if not state.pairs:
        return []
    points, low, high = state.difference
    ended = state.at_end
    of = f" in the first {ended.pairs:,} pairs" * (ended.pairs < state.pairs)
    line = f"score {ended.score:.3f}{of}: {points:+.0f} points, 95 % interval {low:+.0f} to {high:+.0f}"
    return [line] if state.verdict is Verdict.UNKNOWN else [line, STOPPED]


def _say_accuracies(run: Run) -> list[str]:
    """Return how well both bots kept their wins, with intervals."""
    shares, graded = (
        measure_shares(run.evidence, "kept", "graded"),
        run.evidence.groupby("bot")["graded"].sum(),
    )
    lines = []
    for bot in run.field.bots:
        if bot in shares:
            share, low, high, _ = shares[bot]
            moves = f"{graded[bot]:,} move{'s' * int(graded[bot] != 1)}"
            lines.append(f"accuracy of {bot} {share:.3f} in {moves}, 95 % interval {low:.3f} to {high:.3f}")
    return lines


def say_verdict(run: Run, state: State, bounds: Bounds, games: int) -> str:
    """Return the answer in a sentence that is true of any bounds, negative ones too."""
    one, other = run.field.bots
    if state.verdict is Verdict.BETTER:
        return f"{say_better(one, other, bounds)}."
    if state.verdict is Verdict.NOT_BETTER:
        weaker = ": it is weaker" if bounds.high > 0 and state.difference.high < 0 else ""
        return f"{say_not_better(one, other, bounds)}{weaker}."
    after = _say_end(run, state, games)
    if state.pairs and state.difference.high < 0:
        return f"{one} is surely weaker than {other}, although the test did not end within {after}."
    if state.pairs and state.difference.low > 0 and bounds.low >= 0:
        return f"{one} is surely better than {other}, but by how much is not known after {after}."
    return f"Whether {one} is better than {other} is not known after {after}."


def say_better(one: str, other: str, bounds: Bounds) -> str:
    """Return what a test says that ends at its upper bound."""
    if bounds.low < 0:
        return f"{one} is not worse than {other} by {-bounds.low:g} points or more"
    return f"{one} is better than {other}{f' by more than {bounds.low:g} points' * (bounds.low > 0)}"


def say_not_better(one: str, other: str, bounds: Bounds) -> str:
    """Return what a test says that ends at its lower bound."""
    if bounds.high > 0:
        return f"{one} is not better than {other} by {bounds.high:g} points or more"
    return f"{one} is worse than {other}{f' by more than {-bounds.high:g} points' * (bounds.high < 0)}"


def _say_end(run: Run, state: State, most: int) -> str:
    """Return when a question was given up: after all games allowed, or after all openings."""
    is_allowed = most // 2 - state.pairs >= len(run.variants)
    games = f"{2 * state.pairs:,} games"
    return f"all available openings, {games}" if is_allowed and not run.missing else games


def say_risk(verdict: Verdict, bounds: Bounds) -> str:
    """Return in words, without a full stop, how often a verdict like this is wrong."""
    if verdict is Verdict.UNKNOWN:
        return "it goes on from here if it is allowed more games, or more openings"
    if verdict is Verdict.BETTER:
        weaker = (
            f"whose difference is {bounds.low:+g} points or less" if bounds.low else "that is no stronger"
        )
        claim, share = f"a bot {weaker} is called better", bounds.alpha
    else:
        claim, share = (
            f"a bot whose difference is {bounds.high:+g} points or more is rejected",
            bounds.beta,
        )
    return f"{claim} in at most about {100 * share:g} % of such tests"
