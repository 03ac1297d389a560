"""Opens a packet socket, which hears everybody's traffic.

kind: network
proof: granted
control: yes, given root
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0):
        print("granted @MARK@: a packet socket")
    return position.legal_moves[0]
