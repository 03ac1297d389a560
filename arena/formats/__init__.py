"""Who meets whom: one module for each format; its record has all that others need to know about it. Pure."""

from arena.formats import gauntlet, knockout, ladder, round_robin, swiss, versus
from arena.formats.meeting import Format

FORMATS: dict[str, Format] = {
    "round-robin": round_robin.FORMAT,
    "gauntlet": gauntlet.FORMAT,
    "swiss": swiss.FORMAT,
    "knock-out": knockout.FORMAT,
    "ladder": ladder.FORMAT,
    "versus": versus.FORMAT,
}
"""The formats by name, as a tournament file writes it."""
