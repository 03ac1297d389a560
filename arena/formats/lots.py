"""Lots: a pseudo-random order of names that is the same on every machine.

It decides between bots that are equal in everything else; the alphabet would favour the same bots every time.
"""

from __future__ import annotations

import hashlib


def lot(seed: int, name: str) -> bytes:
    """Return what a bot drew; sorting by it mixes names in an order that the seed decides."""
    return hashlib.sha256(f"{seed} {name}".encode()).digest()
