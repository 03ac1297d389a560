"""Connects by multipath TCP, which is not TCP to those who filter by protocol.

kind: network
proof: received
control: yes, given mptcp
expect: plays
"""

import socket
from contextlib import suppress

IPPROTO_MPTCP = 262


def move(position):
    with suppress(Exception), socket.socket(socket.AF_INET, socket.SOCK_STREAM, IPPROTO_MPTCP) as line:
        line.settimeout(2)
        line.connect(("127.0.0.1", int("@TCP@")))
    return position.legal_moves[0]
