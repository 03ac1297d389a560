"""Answers with a list nested 100,000 deep.

kind: wire
proof: none
control: no: it only answers
expect: garbage, crash
"""


def move(position):
    reply = []
    for _ in range(100_000):
        reply = [reply]
    return reply
