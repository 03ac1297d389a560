"""Claims any cell. Teaches: chance that can be repeated.

arena seeds `random` before every move from the bot's own seed and the ply, so the same game comes out twice,
and another game brings other moves. Never take chance from anywhere else: a bot that asks the time or the
system for it cannot be repeated, and its author cannot look at a lost game again.

The file is not called `random.py`: `import random` would then find this file instead of Python's.
"""

import random


def move(position):
    """Claim a cell drawn from all legal ones."""
    return random.choice(position.legal_moves)
