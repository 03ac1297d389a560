"""Replaces the module that shows errors, then makes one.

kind: in-process
proof: none
control: no: it only hurts itself
expect: crash
"""

import os
import sys
from types import SimpleNamespace


def leave(*arguments, **named):
    os._exit(0)


def move(position):
    sys.modules["traceback"] = SimpleNamespace(TracebackException=leave, format_exc=leave)
    raise ValueError("show me")
