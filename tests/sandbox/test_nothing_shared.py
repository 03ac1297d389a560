"""Nothing is shared between bots: no open file, no process id, no clock, nothing of the machine's state."""

import pytest

from arena.referee import Limits
from tests.hosts.friends import least_chance, suspicious, tail
from tests.hosts.games import game

LIMITS = Limits(move_seconds=5.0, game_seconds=60.0)
FLAGS = """
import fcntl, os

def move(position):
    for fd in range(5):
        flags = fcntl.fcntl(fd, fcntl.F_GETFL)
        print(fd, flags & os.O_APPEND)
        fcntl.fcntl(fd, fcntl.F_SETFL, flags | os.O_APPEND)
    return position.legal_moves[0]
"""


def test_the_flags_of_a_descriptor_are_seen_by_nobody_else(bot):
    """Descriptor 0 was one open file for all bots, and its flags a memory that they had in common."""
    one, other = bot(FLAGS, name="one"), bot(FLAGS, name="other")
    game(one, other, limits=LIMITS)
    again = bot(FLAGS, name="again")
    game(again, other, limits=LIMITS)
    told = again.printed.splitlines()[:5]
    assert told == ["0 0", "1 0", "2 1024", "3 0", "4 0"]  # 1 and 2 are one, and its own


@pytest.mark.parametrize("games", [40, pytest.param(400, marks=pytest.mark.long)])
@pytest.mark.long
def test_friends_find_no_channel_in_any_call(bot, games):
    """Over every call that the filter allows: what one has done shows in no answer that the other gets."""
    assert suspicious(bot, games) == []


def test_a_channel_would_be_found():
    """A value that always goes with the coin is one, and a value that never changes is none."""
    assert tail(40, 20, 20, 20) < 1e-10
    assert tail(40, 20, 40, 20) == 1.0
    assert least_chance([(game % 2 == 0, game % 2) for game in range(40)]) < 1e-9
    assert least_chance([(game % 2 == 0, game % 3) for game in range(40)]) > 0.1
