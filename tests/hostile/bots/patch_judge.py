"""Replaces the code of the referee by one that lets it win at once.

kind: in-process
proof: cheated
control: yes
expect: plays
"""

from contextlib import suppress
from importlib import import_module


def mine(position, reply, limits, seconds_before):
    return position, Outcome(position.to_move, Ending.NO_MOVES)  # noqa: F821 - found where the referee lives


def move(position):
    with suppress(Exception):
        judge = import_module("arena.referee.judge").judge
        judge.__code__ = mine.__code__
    return position.legal_moves[0]
