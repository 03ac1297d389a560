"""Games for the tests of hosts."""

import arena
from arena.hosts.play import play
from arena.referee import GameRecord, GameSpec, Limits

FIRST_LEGAL = "def move(position):\n    return position.legal_moves[0]\n"
QUICK = Limits(move_seconds=0.2, game_seconds=2.0, start_seconds=1.0, memory_mib=128)


def game(first, second, variant="grid-lock", limits=QUICK, opening=(), **changes) -> GameRecord:
    """Play one game between two hosts, `one` and `two`."""
    spec = GameSpec(
        "0123456789abcdef", arena.variant(variant), "one", "two", "v1", "v2", opening, limits=limits
    )
    return play(spec._replace(**changes), first, second)
