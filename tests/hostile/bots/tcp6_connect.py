"""Connects to a TCP port over IPv6.

kind: network
proof: received
control: yes, given ipv6
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.create_connection(("::1", int("@TCP6@")), timeout=2) as line:
        line.sendall(b"hello\n")
    return position.legal_moves[0]
