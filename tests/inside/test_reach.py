"""What of arena is within a bot's reach: the kernel, the wire, and the walls that stand around it already."""

from contextlib import closing

from arena.bots.source import Source
from arena.hosts.sandboxed import SandboxedHost
from arena.sandbox.template import Template
from tests.hosts.games import FIRST_LEGAL, game

LISTING = """
import sys

def move(position):
    print(*sorted(name for name in sys.modules if name.partition(".")[0] == "arena"))
    return position.legal_moves[0]
"""
ROOMS = {"errors", "plaintext", "tomltext", "game", "referee", "inside", "sandbox"}
"""The kernel and what it rests on, what runs inside, and the walls, which were put up before the bot came."""


STARTED = "import sys\n\ndef move(position):\n    print(sys.argv, sys.orig_argv)\n    return position.legal_moves[0]\n"


def test_no_template_is_known_by_how_it_was_started():
    """A bot that knew the audit's template by its arguments could hide there what it has learnt."""
    told = set()
    for _ in range(2):
        with closing(Template()) as own:
            spare = [own.new_folder() for _ in range(len(told))]  # another history
            host = SandboxedHost(Source("bot", "bot.py", {"bot.py": STARTED.encode()}), own)
            game(host, SandboxedHost(Source("bot", "bot.py", {"bot.py": FIRST_LEGAL.encode()}), own))
            told.add(host.printed)
            assert str(spare) not in host.printed
    assert len(told) == 1


def test_a_live_bot_has_the_kernel_the_wire_and_its_walls(bot):
    """No log, no host, no plan, no other bot is imported in the process of a bot."""
    host = bot(LISTING)
    game(host, bot(FIRST_LEGAL))
    names = host.printed.split("\n", 1)[0].split()
    assert {name.split(".")[1] for name in names if "." in name} <= ROOMS
    assert "arena.inside.runner" in names
