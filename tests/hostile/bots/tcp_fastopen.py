"""Opens a TCP connection by sending, without any call of connect.

kind: network
proof: received
control: yes, given fastopen
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.socket() as line:
        line.settimeout(2)
        line.sendto(b"hello\n", socket.MSG_FASTOPEN, ("127.0.0.1", int("@TCP@")))
    return position.legal_moves[0]
