"""The replay: the games that the page holds, packed, and the boards on which its script shows them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from arena.errors import IllegalMove
from arena.game import Variant
from arena.game.rule import RULES
from arena.log.archive import kept_variant
from arena.log.door import wrong
from arena.pages.games import choose_games
from arena.pages.packing import pack
from arena.pages.verdicts import Verdicts
from arena.pictures.stage import Stage, draw_stage
from arena.plaintext import for_terminal
from arena.solver.grades import Pair
from arena.solver.solver import follow

if TYPE_CHECKING:
    from arena.referee.row import GameRow
    from arena.results.run import Run

BUDGET = 100_000
"""What the solving for a page may cost, as graders count it; the rule books need 60,000 at most."""


class Replay(NamedTuple):
    """What the template needs: how many games there are, and which; the games; a board for each variant."""

    games: int
    said: str
    packed: str
    boards: list[Markup]


def show_games(run: Run, wanted: Collection[str], printed: Mapping[str, str]) -> Replay:
    """Return the games of a run for the page; those in `wanted` are in it anyhow.

    `printed` is what bots printed, by game; it is empty unless evidence was asked for.
    """
    thrown = run.thrown_away()
    chosen = choose_games(run, thrown, wanted)
    variants = _read_variants(run)
    numbers = {name: number for number, name in enumerate(variants)}
    games = sorted(chosen.games, key=lambda game: (numbers[game.variant], game.cells, game.game))
    verdicts = _judge(run, variants, games, thrown)
    stages = {name: draw_stage(variant) for name, variant in variants.items()}
    described = {name: describe(variant, stages[name]) for name, variant in variants.items()}
    return Replay(
        len(games),
        chosen.said,
        pack(games, described, [verdicts[game.game] for game in games], thrown, printed),
        [Markup(stage.svg) for stage in stages.values()],
    )


def describe(variant: Variant, stage: Stage) -> dict[str, Any]:
    """Return what the script must know of a variant: its rule, how cells are called, and where they stand."""
    notation, board, rule = variant.notation, variant.board, RULES[variant.rule]
    cells = range(board.size)
    return {
        "name": for_terminal(variant.name),
        "stones": list(map(for_terminal, notation.style.stones)),
        "closes": [rule.closes_to_claimer, rule.closes_to_opponent],
        "neighbours": [board.neighbours(cell) for cell in cells],
        "names": [notation.name(cell) for cell in cells],
        "numbers": [notation.spell(cell) for cell in cells] if notation.style.empty is None else None,
        "points": stage.points,
        "echoes": stage.echoes,
    }


def _read_variants(run: Run) -> dict[str, Variant]:
    with run.log() as log:
        return {
            name: kept_variant(log, name, version)
            for name, version in run.field.variants
            if name in run.variants
        }


def _judge(
    run: Run, variants: Mapping[str, Variant], games: Sequence[GameRow], thrown: Mapping[str, int]
) -> dict[str, str]:
    """Return the verdicts of each game; small boards come first, because large ones may need all there is."""
    left, found = BUDGET, {}
    for variant in sorted(variants.values(), key=lambda variant: variant.board.size):
        own = [game for game in games if game.variant == variant.name]
        paths = [_follow(run, variant, game) for game in own]
        judge = Verdicts(variant, left)
        judge.learn(paths)
        for game, path in zip(own, paths, strict=True):
            about = (game.opening_plies, game.winning_side, thrown.get(game.game))
            found[game.game] = judge.judge(path, *about)
        left = judge.budget
    return found


def _follow(run: Run, variant: Variant, game: GameRow) -> list[Pair]:
    try:
        return follow(variant, game.cells, game.opening_plies)
    except (IllegalMove, ValueError):
        what = f"game {game.game} has moves that the rules do not allow"
        raise wrong(run.folder, f"{what}; `arena verify` looks at every game") from None
