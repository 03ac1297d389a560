"""Connects to an abstract unix socket, which no file permission and no mount namespace guards.

kind: network
proof: received
control: yes
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.socket(socket.AF_UNIX) as line:
        line.settimeout(2)
        line.connect("\0@ABSTRACT@")
    return position.legal_moves[0]
