"""Asks the kernel for this machine's network interfaces.

kind: network
proof: granted
control: yes
expect: plays
"""

import socket
import struct
from contextlib import suppress

RTM_GETLINK, REQUEST_DUMP = 18, 0x301


def move(position):
    with suppress(Exception), socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as line:
        line.settimeout(2)
        line.send(struct.pack("=LHHLLBxHiLL", 32, RTM_GETLINK, REQUEST_DUMP, 1, 0, 0, 0, 0, 0, 0))
        if len(line.recv(65536)) > 32:
            print("granted @MARK@: the interfaces")
    return position.legal_moves[0]
