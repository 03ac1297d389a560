"""What of arena is within a bot's reach: the kernel, the wire, and the walls that stand around it already."""

from tests.hosts.games import FIRST_LEGAL, game

LISTING = """
import sys

def move(position):
    print(*sorted(name for name in sys.modules if name.partition(".")[0] == "arena"))
    return position.legal_moves[0]
"""
ROOMS = {"errors", "plaintext", "tomltext", "game", "referee", "inside", "sandbox"}
"""The kernel and what it rests on, what runs inside, and the walls, which were put up before the bot came."""


def test_a_live_bot_has_the_kernel_the_wire_and_its_walls(bot):
    """No log, no host, no plan, no other bot is imported in the process of a bot."""
    host = bot(LISTING)
    game(host, bot(FIRST_LEGAL))
    names = host.printed.split("\n", 1)[0].split()
    assert {name.split(".")[1] for name in names if "." in name} <= ROOMS
    assert "arena.inside.runner" in names
