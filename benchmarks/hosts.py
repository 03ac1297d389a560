"""What a move costs by host, on one core: as a ratio to a bare checked loop, and beside a raw pipe.

First-legal bots; the worker and its bots are pinned to one core, as in a tournament. `a move` is one request
and its judged reply; `in lockstep` is that for many games in one message; `a game` is what beginning one on
both sides and writing its record costs on top. Aims: at most 25 µs a move one game at a time, at most 8 µs in
lockstep, a sandboxed bot started within 10 ms from a warm template. Where others use the machine, look at the
best times, at ratios to the raw pipe, and at the CPU of a start.
"""

import os
import random
import statistics
import time

import arena
from arena.bots.source import Source
from arena.hosts.batch import MOST_GAMES, play_batch
from arena.hosts.play import play
from arena.hosts.sandboxed import SandboxedHost
from arena.hosts.trusted import TrustedHost
from arena.referee import DEFAULT_LIMITS, Game, GameSpec
from arena.sandbox.template import Template
from benchmarks.position import bare_game, masks

VARIANTS = ("blockade-5x5", "blockade-line", "snort:grid-8x8")
FIRST = "def move(position):\n    return position.legal_moves[0]\n"
ROUNDS = 150


def source(text):
    return Source("bot", "bot.py", {"bot.py": text.encode()})


def first_legal(position):
    return position.legal_moves[0]


def best(measure):
    """Return the best of many rounds: what it costs when nothing else happens on the machine."""
    return min(measure() for _ in range(ROUNDS))


def specs(name, count):
    sides = [("a", "b") if number % 2 else ("b", "a") for number in range(count)]
    return [GameSpec(f"{n:016x}", arena.variant(name), *side, *side) for n, side in enumerate(sides)]


def timed(play_all):
    """Return µs of something that plays games."""
    start = time.perf_counter()
    play_all()
    return (time.perf_counter() - start) * 1e6


def split(play_all, name, count):
    """Return µs of a move and of a game: from whole games, and from the same stopped one ply before the end.

    A game that an opening brings to its last ply has all of a game's costs and a single move.
    """
    whole = specs(name, count)
    moves = first_legal_moves(name)
    short = [spec._replace(opening=moves[:-1]) for spec in whole]
    rounds = [(timed(lambda: play_all(whole)), timed(lambda: play_all(short))) for _ in range(ROUNDS)]
    taken, least = (min(times) for times in zip(*rounds, strict=True))
    a_move = (taken - least) / (count * (len(moves) - 1))
    return a_move, least / count - a_move


def first_legal_moves(name):
    position = arena.variant(name).start()
    while not position.is_over:
        position = position.play(position.legal_moves[0])
    return position.history


def one_at_a_time(hosts):
    return lambda games: [play(spec, hosts[spec.first], hosts[spec.second]) for spec in games]


def in_lockstep(hosts):
    return lambda games: play_batch(games, hosts)


def bare(name):
    arguments = masks(arena.variant(name))

    def measure():
        start = time.perf_counter()
        moves = sum(len(bare_game(*arguments)) for _ in range(50))
        return (time.perf_counter() - start) / moves * 1e6

    return best(measure)


def raw_pipe():
    """Return µs for a write and a read of few bytes to another process on the same core."""
    there, back = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(there[1])
        while data := os.read(there[0], 64):
            os.write(back[1], data)
        os._exit(0)
    os.close(there[0])

    def measure():
        start = time.perf_counter()
        for _ in range(100):
            os.write(there[1], b"x" * 20)
            os.read(back[0], 64)
        return (time.perf_counter() - start) / 100 * 1e6

    found = best(measure)
    os.close(there[1])
    os.waitpid(child, 0)
    return found


def start_milliseconds(template):
    """Return median and best time from nothing to a bot that has begun its first game, and its median CPU."""
    times, cpu = [], []
    game = Game(arena.variant("blockade-5x5"), 0, 1, DEFAULT_LIMITS)
    for _ in range(100):
        host = SandboxedHost(source(FIRST), template)
        begun = time.perf_counter()
        assert host.begin(game) is None
        times.append((time.perf_counter() - begun) * 1000)
        cpu.append(time.clock_gettime(~host.pid << 3 | 2) * 1000)
        host.close()
    return statistics.median(times), min(times), statistics.median(cpu)


def compare(name, template):
    hosts = {side: SandboxedHost(source(FIRST), template) for side in ("a", "b")}
    trusted = {side: TrustedHost(first_legal) for side in ("a", "b")}
    try:
        return {
            "trusted": split(one_at_a_time(trusted), name, 20),
            "sandboxed": split(one_at_a_time(hosts), name, 20),
            "in lockstep": split(in_lockstep(hosts), name, MOST_GAMES),
        }
    finally:
        for host in hosts.values():
            host.close()


def seeding():
    def measure():
        start = time.perf_counter()
        for number in range(200):
            random.seed(number)
        return (time.perf_counter() - start) / 200 * 1e6

    return best(measure)


def main():
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    template = Template()
    try:
        print(f"walls: {template.walls}")
        pipe = raw_pipe()
        print(f"raw pipe round trip {pipe:.1f} µs; random.seed {seeding():.1f} µs\n")
        print("µs                              a move   ratio to bare   to the pipe    a game")
        for name in VARIANTS:
            loop = bare(name)
            print(f"{name:16} bare          {loop:8.2f}             1.0")
            for host, (a_move, a_game) in compare(name, template).items():
                ratios = f"{a_move / loop:15.1f} {a_move / pipe:13.1f}"
                print(f"{'':16} {host:12} {a_move:9.1f} {ratios} {a_game:9.1f}")
        median, least, cpu = start_milliseconds(template)
        times = f"median {median:.1f} ms, best {least:.1f} ms"
        print(f"\nstart of a sandboxed bot: {times}; CPU of its process {cpu:.1f} ms")
    finally:
        template.close()


if __name__ == "__main__":
    main()
