"""Imports itself, by its own name, while it is being imported.

kind: source files
proof: none
control: no: it only hurts itself
expect: plays, no-start
"""

import os
import sys
from contextlib import suppress

with suppress(ImportError):
    sys.path.insert(0, os.path.dirname(__file__))
    __import__(os.path.basename(__file__)[:-3])


def move(position):
    return position.legal_moves[0]
