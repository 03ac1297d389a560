"""Readers who play and solve as much as they can, for `benchmarks.serve`.

Every game and every question comes from another address of loopback, so that it is what all readers have
together that keeps them back: games at once, solvers at once. There are more of them than that, so all of it
is taken all the time. Whoever is refused asks again a moment later.
"""

import contextlib
import http.client
import json
import random
import socket
import statistics
import time
from itertools import count
from threading import Event, Thread

import arena

PLAYERS, SOLVERS = 8, 4
"""Two more than there are places."""

AGAIN_SECONDS = 0.25
VARIANTS = ("blockade-5x5", "grid-block", "blockade-line")
BOT = "bot{:02}"
OVER = "no-moves"


class Hungry:
    """All of them, in threads of this process; what they had is counted."""

    def __init__(self, port, run):
        self._port, self._run, self._done = port, run, Event()
        self._addresses = count()
        self.begun, self.moves, self.endings, self.solved = [], [], [], []
        self._cpu_before = time.process_time()
        self._threads = [
            Thread(target=self._go_on, args=(do, random.Random(number)))
            for number, do in enumerate([self._play] * PLAYERS + [self._solve] * SOLVERS)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self):
        """End them; what a server still computes for them is not waited for."""
        self.cpu = time.process_time() - self._cpu_before
        self._done.set()

    def join(self):
        """Wait until all have noticed that the server is gone."""
        for thread in self._threads:
            thread.join()

    def _go_on(self, do, random):
        while not self._done.is_set():
            number = next(self._addresses)
            address = f"127.1.{number >> 8 & 255}.{number & 255}"
            with contextlib.suppress(OSError, http.client.HTTPException), self._line(address) as line:
                if do(line, random):
                    continue
            self._done.wait(AGAIN_SECONDS)

    def _line(self, address):
        line = http.client.HTTPConnection("localhost", self._port)
        line.sock = socket.create_connection(("127.0.0.1", self._port), 300, (address, 0))
        return contextlib.closing(line)

    def _ask(self, line, path, sent):
        """Return what is told, nothing if it is refused, and how many seconds that took."""
        begun = time.perf_counter()
        body = json.dumps(sent).encode()
        line.request("POST", f"/runs/{self._run}/{path}", body, {"content-type": "application/json"})
        got = line.getresponse()
        text = got.read()
        return json.loads(text) if got.status == 200 else None, time.perf_counter() - begun

    def _play(self, line, random):
        """Play a game to its end, with moves at random; False if there is no place for it."""
        line.request("GET", f"/runs/{self._run}/play")
        line.getresponse().read()
        variant = random.choice(VARIANTS)
        sent = {"variant": variant, "bot": BOT.format(random.randrange(16)), "player": 1, "starter": 1}
        told, seconds = self._ask(line, "play/begin", sent)
        if told is None:
            return False
        self.begun.append(seconds)
        while told["winner"] is None:
            moves = told["moves"]
            cell = random.choice(arena.variant(variant).replay(moves).legal_moves)
            told, seconds = self._ask(
                line, "play/move", {"game": told["game"], "ply": len(moves), "cell": cell}
            )
            if told is None:
                return False
            self.moves.append(seconds)
        self.endings.append(told["ending"])
        return True

    def _solve(self, line, random):
        """Have all positions of a game judged that nobody has asked about; False if too many wait."""
        position = (variant := arena.variant(random.choice(VARIANTS))).start()
        while not position.is_over:
            position = position.play(random.choice(position.legal_moves))
        sent = {"variant": variant.name, "moves": position.history, "winner": 1 - position.to_move}
        told, seconds = self._ask(line, "solve/game", sent)
        if told is not None:
            self.solved.append(seconds)
        return told is not None


def middle(seconds):
    """Return the median; of nothing it is no number."""
    return statistics.median(seconds) if seconds else float("nan")
