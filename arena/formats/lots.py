"""Lots: an order of names that looks like chance and is the same on every machine.

Where nothing else tells bots apart, the alphabet would favour the same ones in every tournament.
"""

from __future__ import annotations

import hashlib


def lot(seed: int, name: str) -> bytes:
    """Return what a bot drew; sorting by it mixes names in an order that the seed decides."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()
