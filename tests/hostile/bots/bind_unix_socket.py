"""Makes a socket file, at which others could call it.

kind: files
proof: touched
control: yes
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception), socket.socket(socket.AF_UNIX) as line:
        line.bind("@FOLDER@/socket")
    return position.legal_moves[0]
