"""What a cluster costs beside worker processes: the same units on both, on this machine, in turns.

    python -m benchmarks.cluster                # six rounds, about four minutes on two quiet cores

Units are games of bots that think for about half a millisecond, sandboxed, as many in a unit as take 100 ms,
300 ms and 1 s of one core. A round plays them by the local executor and then on a dask cluster of as many
workers, which were started before and have met the bots. The best round of each counts. Beside it stands the
median of the rounds' own ratios: on a busy machine the best rounds of both may be of different moments. Aim:
at least 0.9 of the local executor.
"""

import argparse
import statistics
import time
from contextlib import closing

import arena
from arena.bots.source import Source
from arena.executors.dask import DaskExecutor
from arena.executors.local import LocalExecutor, own_cores
from arena.executors.unit import Unit
from arena.referee.game import GameSpec
from benchmarks.whole import TEXTS, write_section

UNIT_SECONDS = (0.1, 0.3, 1.0)
PLAY_SECONDS = 5.0
"""About how long one executor plays in a round."""

AIM = 0.9
BOTS = 4


def bots():
    """Return bots that think, each with a hash of its own."""
    texts = (f"{TEXTS['thinking']}# {number}\n" for number in range(BOTS))
    return [Source(f"bot_{number}", "bot.py", {"bot.py": text.encode()}) for number, text in enumerate(texts)]


def unit(number, size, field):
    """Return a unit of so many games of one pairing."""
    variant = arena.variant("blockade-5x5")
    first, second = (field[(number + step) % BOTS] for step in (0, 1))
    names = (first.name, second.name, first.version, second.version)
    specs = [
        GameSpec(f"{number:08x}{game:08x}", variant, *names, (game % variant.board.size,))
        for game in range(size)
    ]
    return Unit(tuple(specs), (first, second), "sandboxed")


def play(executor, units):
    """Return how many games a second an executor plays."""
    begun = time.perf_counter()
    games = sum(found.games for found in executor.play(units))
    return games / (time.perf_counter() - begun)


def measure(rounds, show):
    """Return the games in a unit of each length, and the rates of both executors in each round."""
    field, cores, found = bots(), len(own_cores()), {}
    with (
        closing(LocalExecutor(cores, is_sandboxed=True)) as local,
        closing(DaskExecutor(cores, is_sandboxed=True)) as cluster,
    ):
        cluster.walls()
        while cluster.workers < cores:
            cluster.crew.look()
            cluster.crew.hear()
        warm = [unit(number, 50, field) for number in range(4 * cores)]
        play(cluster, warm)
        seconds = cores / max(play(local, warm) for _ in range(2))  # of one core, for a game
        for number in range(rounds):
            for length in UNIT_SECONDS:
                size = max(1, round(length / seconds))
                count = max(2 * cores, round(PLAY_SECONDS * cores / length))
                units = [unit(place, size, field) for place in range(count)]
                rates = play(local, units), play(cluster, units)
                show(f"round {number + 1}, units of {length:g} s: {rates[1] / rates[0]:.2f}")
                found.setdefault(length, (size, []))[1].append(rates)
    return found


def table(found):
    """Return the rates as a table."""
    lines = [
        "| a unit takes | games in it | local, games/s | cluster, games/s | cluster / local | median |",
        "|--:|--:|--:|--:|--:|--:|",
    ]
    ratios = []
    for length, (size, rates) in found.items():
        local, cluster = (max(rate) for rate in zip(*rates, strict=True))
        ratios.append(cluster / local)
        middle = statistics.median(there / here for here, there in rates)
        lines.append(
            f"| {length:g} s | {size} | {local:,.0f} | {cluster:,.0f} | {ratios[-1]:.2f} | {middle:.2f} |"
        )
    return [*lines, "", f"Aim: at least {AIM:g}; {'reached' if min(ratios) >= AIM else 'NOT REACHED'}."]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--print", action="store_true", help="write no file")
    options = parser.parse_args()
    lines = table(measure(options.rounds, print))
    print("\n".join(lines))
    if not options.print:
        write_section("A cluster beside worker processes", lines)


if __name__ == "__main__":
    main()
