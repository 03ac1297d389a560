"""Connects to a unix socket by its path.

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
        line.connect("@UNIX@")
    return position.legal_moves[0]
