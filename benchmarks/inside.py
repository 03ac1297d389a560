"""A bot's end of the line, sampled: the runner plays its side of some games here, without walls.

    python -m benchmarks.inside FOLDER BOT.py GAMES VARIANT...    # samples go to FOLDER

Bots in their sandbox cannot be sampled. This process does what they do: it begins as many games at a time as
a batch has, and answers as many requests. The other side's moves are made by the same bot.
"""

import os
import sys
from pathlib import Path

import arena
from arena.hosts.batch import MOST_GAMES
from arena.inside import wire
from arena.inside.runner import Runner
from arena.referee import DEFAULT_LIMITS
from benchmarks.sampler import BOT_START, Sampler

NONCE = bytes(8)


class Line:
    """Writes requests to a runner in this process, and reads its replies."""

    def __init__(self, bot):
        self._replies, end = os.pipe()
        self._runner = Runner(-1, end)
        self.ask(wire.frame(wire.LOAD, NONCE + bot.encode()))

    def tell(self, frame):
        _, kind = wire.REQUEST.unpack_from(frame)
        self._runner._handlers[kind](frame[wire.REQUEST.size :])

    def ask(self, frame):
        self.tell(frame)
        return os.read(self._replies, 65536)[wire.REPLY.size :]


def play_batch(line, number, variant, seed):
    """Play both sides of a batch: each game is in two slots of one bot's process."""
    slots = range(2 * MOST_GAMES)
    games = [(number, slot % 2, seed + slot // 2) for slot in slots]
    line.ask(wire.games_frame(NONCE, DEFAULT_LIMITS, games))
    positions = [variant.start()] * MOST_GAMES
    known = [0] * len(slots)
    while asked := [n for n, position in enumerate(positions) if not position.is_over]:
        sides = [2 * n + positions[n].to_move for n in asked]
        news = [positions[n].history[known[slot] :] for n, slot in zip(asked, sides, strict=True)]
        found = line.ask(wire.move_frame(NONCE, 1.0, list(zip(sides, news, strict=True))))
        for at, (n, slot) in enumerate(zip(asked, sides, strict=True)):
            positions[n] = positions[n].play(found[2 * at] | found[2 * at + 1] << 8)
            known[slot] = len(positions[n].history)
    line.tell(wire.frame(wire.FORGET, b""))


def main(folder, bot, games, *names):
    line, variants = Line(bot), [arena.variant(name) for name in names]
    for number, variant in enumerate(variants):
        line.tell(wire.variant_frame(number, variant))
    sampler = Sampler(folder)
    for batch in range(max(1, int(games) // MOST_GAMES)):
        number = batch % len(variants)
        play_batch(line, number, variants[number], batch * MOST_GAMES)
    sampler.end(BOT_START)


if __name__ == "__main__":
    main(str(Path(sys.argv[1])), *sys.argv[2:])
