"""Which games of a run were asked for: by bot, opponent, variant, result, blunder or forfeit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import UserError
from arena.referee.endings import Ending
from arena.results.graded import THROWN_AWAY
from arena.results.run import Run

if TYPE_CHECKING:
    import pandas as pd


class Choice(NamedTuple):
    """What was asked for; all of it must hold. Empty names stand for all."""

    bot: str = ""
    against: str = ""
    variant: str = ""
    is_won: bool = False  # by the bot
    is_lost: bool = False
    is_blundered: bool = False  # thrown away by the loser; if a bot is named, by that one
    is_forfeited: bool = False  # by the loser; if a bot is named, by that one unless its wins are asked for


def choose_games(run: Run, choice: Choice) -> pd.DataFrame:
    """Return the games of a choice with all columns, and `thrown_away`."""
    _check(choice)
    is_own_forfeit = choice.is_forfeited and not choice.is_won
    games = run.games(choice.bot, choice.variant, is_own_forfeit, is_graded=True)
    is_chosen, is_won = games["game"].notna(), games["winner"] == choice.bot
    if choice.against:
        other = run.bot_name(choice.against)
        is_chosen &= (games["first"] == other) | (games["second"] == other)
    if choice.is_won:
        is_chosen &= is_won
    if choice.is_lost or (choice.is_blundered and choice.bot and not choice.is_won):
        is_chosen &= ~is_won
    if choice.is_blundered:
        is_chosen &= games[THROWN_AWAY].notna()
    if choice.is_forfeited:
        is_chosen &= games["ending"] != Ending.NO_MOVES.value
    return games[is_chosen].reset_index(drop=True)


def list_games(run: Run, has_details: bool = True) -> Iterator[tuple[object, ...]]:
    """Yield all games with `thrown_away` one by one, so that a million need no memory."""
    for row, thrown in run.graded_games():
        yield *(row if has_details else row._replace(detail="")), thrown


def _check(choice: Choice) -> None:
    """UserError if there can be no such games."""
    for is_asked, option in (
        (choice.is_won, "--won"),
        (choice.is_lost, "--lost"),
        (choice.against, "--against"),
    ):
        if is_asked and not choice.bot:
            raise UserError(f"{option} needs --bot BOT, the bot whose games are meant")
    if choice.is_won and choice.is_lost:
        raise UserError("--won and --lost: no game is both; say one of them, or neither for all games")
    if choice.against and choice.against == choice.bot:
        raise UserError(f"--bot and --against are both '{choice.bot}': no bot plays against itself")
