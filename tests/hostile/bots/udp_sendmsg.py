"""Sends a datagram in two parts by sendmsg, which filters on sendto do not see.

kind: network
proof: received
control: yes
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendmsg([b"hel", b"lo"], [], 0, ("127.0.0.1", int("@UDP@")))
    return position.legal_moves[0]
