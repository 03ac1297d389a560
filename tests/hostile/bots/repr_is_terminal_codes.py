"""Answers with an object that shows itself as codes for the terminal, lone surrogates and NUL.

kind: wire
proof: none
control: no: it only answers
expect: garbage
"""


class Reply:
    def __repr__(self):
        return "\x1b]0;owned\x07\x1b[2J\r\n\0\ud800\u202e| table | row |"


def move(position):
    return Reply()
