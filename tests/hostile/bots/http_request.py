"""Asks a web server for its next move.

kind: network
proof: received
control: yes
expect: plays
"""

from contextlib import suppress
from http.client import HTTPConnection


def move(position):
    with suppress(Exception):
        HTTPConnection("127.0.0.1", int("@TCP@"), timeout=2).request("GET", "/move")
    return position.legal_moves[0]
