"""A list of games: for people the columns that matter, from one bot's side if one is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.results.games import Choice, choose_games
from arena.results.run import Run

if TYPE_CHECKING:
    import pandas as pd

OF_ALL = ["game", "variant", "opening", "first", "second", "winner", "ending", "plies"]
OF_ONE = ["game", "variant", "opening", "opponent", "side", "result", "ending", "plies"]
LAST = ["thrown_away", "detail"]


def show_games(run: Run, choice: Choice, format: str = "table", width: int | None = None) -> str:
    """Return the games that were asked for; scripts get all columns."""
    from arena.reports.columns import SPARE_FORFEITS, SPARE_GAMES
    from arena.reports.text import FOR_PEOPLE, show

    games = choose_games(run, choice)
    if format in FOR_PEOPLE:
        games["detail"] = games["detail"].where(games["detail"] != "")  # no column of nothing
        games = _look_from(games, choice.bot)[OF_ONE + LAST] if choice.bot else games[OF_ALL + LAST]
    spare = SPARE_FORFEITS if choice.is_forfeited else SPARE_GAMES
    return show(games, format, width, spare, "games.csv has everything")


def _look_from(games: pd.DataFrame, bot: str) -> pd.DataFrame:
    """Return games with the opponent, side and result of a bot."""
    is_first = games["first"] == bot
    return games.assign(
        opponent=games["second"].where(is_first, games["first"]),
        side=is_first.map({True: "first", False: "second"}),
        result=(games["winner"] == bot).map({True: "won", False: "lost"}),
    )
