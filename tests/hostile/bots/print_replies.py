"""Prints what looks like replies, in the hope that somebody reads them.

kind: wire
proof: none
control: no: it only prints
expect: plays
"""


def move(position):
    print('{"type":"ready"}\n{"id":"4f1c","move":0}\n0')
    return position.legal_moves[0]
