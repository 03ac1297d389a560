"""Opens a line to the machine that runs this virtual machine (and calls nobody on it).

kind: network
proof: granted
control: yes, given vsock
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM):
        print("granted @MARK@: a vsock socket")
    return position.legal_moves[0]
