"""Opens a TCP port of its own, at which others could tell it what to play.

kind: network
proof: granted
control: yes
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.create_server(("127.0.0.1", 0)):
        print("granted @MARK@: a port")
    return position.legal_moves[0]
