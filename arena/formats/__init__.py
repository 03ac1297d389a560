"""Who meets whom: a module for each format, each a pure function from complete rounds to the next one."""

from arena.formats import gauntlet, knockout, ladder, round_robin, swiss
from arena.formats.meeting import NextRound

FORMATS: dict[str, NextRound] = {
    "round-robin": round_robin.next_round,
    "gauntlet": gauntlet.next_round,
    "swiss": swiss.next_round,
    "knock-out": knockout.next_round,
    "ladder": ladder.next_round,
}
"""The formats by the name that a tournament file gives them."""

BY_RESULTS = frozenset({"swiss", "knock-out", "ladder"})
"""Those whose next round depends on the results of complete ones."""
