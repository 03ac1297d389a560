"""Who meets whom: a module for each format, each a pure function from the field to pairings."""

from arena.formats import round_robin

FORMATS = {"round-robin": round_robin.pairings}
"""The formats by the name that a tournament file gives them."""
