"""Sets the machine's name (to the one it has).

kind: kernel corners
proof: granted
control: yes, given root and all_calls
expect: plays
"""

import socket
from contextlib import suppress


def move(position):
    with suppress(Exception):
        socket.sethostname(socket.gethostname())
        print("granted @MARK@: the machine's name")
    return position.legal_moves[0]
