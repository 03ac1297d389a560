"""Prints lone surrogates, NUL, and codes for the terminal.

kind: wire
proof: none
control: no: it only prints
expect: plays
"""

from contextlib import suppress


def move(position):
    for text in ("\ud800", "\0", "\x1b[2J\x1b]0;owned\x07", "\u202e", "\r"):
        with suppress(UnicodeError):
            print(text)
    return position.legal_moves[0]
