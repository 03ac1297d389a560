"""Connects to a TCP port of this machine and sends a line.

kind: network
proof: received
control: yes
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.create_connection(("127.0.0.1", int("@TCP@")), timeout=2) as line:
        line.sendall(b"hello\n")
    return position.legal_moves[0]
