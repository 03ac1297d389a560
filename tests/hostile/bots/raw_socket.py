"""Opens a raw socket, which can forge any packet.

kind: network
proof: granted
control: yes, given root
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP):
        print("granted @MARK@: a raw socket")
    return position.legal_moves[0]
