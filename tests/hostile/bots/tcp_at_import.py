"""Connects to a TCP port while it is being imported.

kind: network
proof: received
control: yes
expect: plays
"""

import socket
from contextlib import suppress

with suppress(Exception):
    socket.create_connection(("127.0.0.1", int("@TCP@")), timeout=2).close()


def move(position):
    return position.legal_moves[0]
