"""The ledger: where each win came from, exactly.

Where every position is solved, a game is won exactly if its start was won, unless somebody threw it away. So
the wins of a bot are

    won starts + gifts - thrown + unjudged

where gifts are the wins that opponents threw away, thrown those that it threw away itself, and unjudged the
games that could be judged only from some ply on, in which it stood winning then. On boards that are solved
the last is 0. It adds up for every bot, every variant and every single game.

`held` is the share of won starts that were won, of which the best possible is 1; `taken` is the share of lost
starts that were won, which the opponent must have allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from arena.standings import OVERALL

COUNTED = ["games", "wins", "won_starts", "held", "lost_starts", "taken", "gifts", "thrown", "unjudged"]
COLUMNS = ["bot", "variant", *COUNTED]
"""The columns of a ledger, which scripts rely on; `held` and `taken` are shares here."""


def ledger(evidence: pd.DataFrame, bots: Sequence[str], degenerate: Collection[str] = ()) -> pd.DataFrame:
    """Return each bot's ledger over all variants but degenerate ones, and then on each variant.

    Bots come in the order given; those without games are left out.
    `evidence` has rows of bot, variant, opening and side with the counts, where `held` and `taken` are games.
    """
    overall = evidence[~evidence["variant"].isin(list(degenerate))].assign(variant=OVERALL)
    sums = pd.concat([overall, evidence]).groupby(["variant", "bot"])[COUNTED].sum()
    rows = pd.MultiIndex.from_product([[OVERALL, *evidence["variant"].unique()], bots])
    found = sums.loc[rows[rows.isin(sums.index)]]
    return _divide(found).rename_axis(["variant", "bot"]).reset_index()[COLUMNS]


def add_up(evidence: pd.DataFrame, part: str, every_row: pd.MultiIndex) -> pd.DataFrame:
    """Return held, taken, gifts and thrown by part and bot, in the order of a table; empty without games."""
    counted = evidence.astype(dict.fromkeys(COUNTED, "int64"))
    sums = counted.groupby([part, "bot"])[COUNTED].sum()
    return _divide(sums)[["held", "taken", "gifts", "thrown"]].reindex(every_row)


def _divide(sums: pd.DataFrame) -> pd.DataFrame:
    """Return counts with `held` and `taken` as shares of the won and the lost starts."""
    return sums.assign(
        held=sums["held"] / sums["won_starts"].where(sums["won_starts"] > 0),
        taken=sums["taken"] / sums["lost_starts"].where(sums["lost_starts"] > 0),
        gifts=sums["gifts"].astype("Int64"),
        thrown=sums["thrown"].astype("Int64"),
    )
