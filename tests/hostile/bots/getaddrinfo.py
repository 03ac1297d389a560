"""Lets the C library look up a name and connects to what it finds.

kind: network
proof: received
control: yes
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception):
        for family, kind, protocol, _, address in socket.getaddrinfo(
            "localhost", int("@TCP@"), socket.AF_INET
        ):
            if kind == socket.SOCK_STREAM:
                with socket.socket(family, kind, protocol) as line:
                    line.settimeout(2)
                    line.connect(address)
    return position.legal_moves[0]
