"""The three rules, as rows of a table: to whom does a claim close its neighbours? Node Kayles, Snort and Col.

A claimed cell is closed to both sides under every rule. A rule is only the two flags below. The rest of the
kernel reads them from here, so another rule is another row.
"""

from __future__ import annotations

from typing import NamedTuple


class Rule(NamedTuple):
    """To whom a claim closes its neighbours, and what the rule is called elsewhere."""

    name: str
    closes_to_claimer: bool
    closes_to_opponent: bool
    whom: str
    literature: str


RULES = {
    rule.name: rule
    for rule in (
        Rule("kayles", True, True, "both players", "Node Kayles"),
        Rule("snort", False, True, "the opponent", "Snort"),
        Rule("col", True, False, "the claimer", "Col"),
    )
}
