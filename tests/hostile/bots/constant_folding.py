"""Has constants whose folding, or else whose evaluation, takes for ever.

kind: source files
proof: none
control: no: it only fails to load
expect: no-start, memory
"""

NUMBER = 9**9**9**9
TEXT = "x" * 10**12


def move(position):
    return position.legal_moves[0]
