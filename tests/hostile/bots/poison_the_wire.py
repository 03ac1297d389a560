"""Replaces what its runner may use to read and write: os, struct and json.

kind: in-process
proof: none
control: no: it only hurts itself
expect: plays, crash, garbage, timeout, illegal
"""

import json
import os
import struct


def junk(*arguments, **named):
    return b"\xff" * 8


def move(position):
    os.read = os.readv = os.write = os.writev = junk
    struct.pack = struct.unpack = json.dumps = json.loads = junk
    return position.legal_moves[0]
