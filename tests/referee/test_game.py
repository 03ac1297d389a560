"""A game on paper: what identifies it, and what follows from that."""

import arena
from arena.referee import GameSpec


def test_two_bots_of_one_source_have_different_seeds():
    """The side is part of the seed, or a bot that plays its copy would know the other's chance."""
    spec = GameSpec("0" * 16, arena.variant("grid-lock"), "one", "copy", "same", "same")
    assert spec.bot_seed(0) != spec.bot_seed(1)
    swapped = spec._replace(first="copy", second="one")
    assert [swapped.bot_seed(side) for side in (0, 1)] == [spec.bot_seed(side) for side in (0, 1)]
