"""How much of a round robin a format has to play to find its order, what pairing costs, how a ladder grows.

    python -m benchmarks.formats            # some ten minutes; writes docs/formats.svg
    python -m benchmarks.formats --fast     # a small field, no figure

A field of 200 bots whose strengths are normal, with a standard deviation of 200 points, plays games by
chance (Bradley-Terry), 16 for every two bots. A game is the same whichever format asks for it. The order by a
format's ratings after each round is compared with the order by those of the whole round robin: Kendall's
tau-b, mean over some fields. Aims: at least 0.9 after one tenth of the games; a Swiss round of 1,000 bots
paired within 50 ms; games of a ladder growing like n log n at most. Where others use the machine set
OPENBLAS_NUM_THREADS=1. The tables are Markdown.
"""

import gc
import sys
import time
from math import log
from pathlib import Path
from statistics import mean, median

import numpy as np
import pandas as pd

from arena.formats import FORMATS
from arena.formats.meeting import Meeting, Rating, Settings
from arena.standings.ratings import rate

SHEETS, SPREAD = 8, 200
FIGURE = Path(__file__).parent.parent / "docs" / "formats.svg"
MOST_SHARE = 0.3  # of the round robin; further on the curves only creep up
SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
AIM, TENTH = 0.9, 0.1
BOTS, FIELDS, SIZES = 200, 5, (25, 50, 100, 200, 400)
FAST_BOTS, FAST_FIELDS, FAST_SIZES = 60, 2, (25, 50)
PAIRED, ROUNDS = 1000, 30
LINES = {"ladder": ("Ladder", "#0b63b0", ""), "swiss": ("Swiss", "#c2500a", "7 4")}  # name, colour, dashes


class Field:
    """Bots of known strength, and the result of every game that any two of them might play.

    In points: `sd` of an effect of each bot on each sheet, the same against everybody, and `edge` of moving
    first.
    """

    def __init__(self, size, seed, sheets=SHEETS, sd=0, edge=0):
        chance = np.random.default_rng(seed)
        self.bots = [f"bot-{number:04}" for number in range(size)]
        self.number = {bot: number for number, bot in enumerate(self.bots)}
        self.strength = chance.normal(0, SPREAD, size)
        here = self.strength[:, None] + chance.spawn(1)[0].normal(0, sd, (size, sheets))
        gap = (here[:, None] - here)[..., None] + [edge, -edge]
        # wins[i, j, sheet]: of the two games of i and j, i < j, those with i as first and as second.
        self.wins = chance.random(gap.shape) < 1 / (1 + 10 ** (-gap / 400))
        self.every_sheet = size * (size - 1) // 2 * sheets

    def meeting(self, pairing):
        one, other, start, sheets = pairing
        i, j = sorted((self.number[one], self.number[other]))
        score = float(self.wins[i, j, start : start + sheets].mean())
        return Meeting(*pairing, score if self.bots[i] == one else 1 - score)

    def sheets(self, meetings):
        return [
            (*sorted((self.number[one], self.number[other])), sheet)
            for one, other, start, sheets, *_ in meetings
            for sheet in range(start, start + sheets)
        ]

    def rate(self, sheets):
        """Return the ratings that games on some sheets (two bots and a number each) give."""
        i, j, sheet = np.array(sheets).T
        bots = np.array(self.bots, dtype=object)
        wins = [self.wins[i, j, sheet, 0], ~self.wins[i, j, sheet, 1]]
        results = {
            "variant": "simulated",
            "opening": np.tile(sheet, 2),
            "first": bots[np.concatenate([i, j])],
            "second": bots[np.concatenate([j, i])],
            "mover": 0,
            "wins": np.concatenate(wins).astype(int),
            "games": 1,
        }
        return rate(pd.DataFrame(results))

    def round_robin(self):
        return self.rate([(i, j, s) for j in range(len(self.bots)) for i in range(j) for s in range(SHEETS)])


def play(field, name, settings, most_sheets):
    """Yield, after each round of a format, how many sheets were played so far and the ratings they give."""
    rounds, sheets, known = [], [], {}
    settings = settings._replace(drawn=tuple(field.bots))
    while pairings := FORMATS[name].next_round(field.bots, rounds, known, settings):
        rounds.append([field.meeting(pairing) for pairing in pairings])
        sheets += field.sheets(rounds[-1])
        if len(sheets) > most_sheets:
            return
        ratings = field.rate(sheets)
        known = {row.bot: Rating(row.rating, row.low, row.high) for row in ratings.table.itertuples()}
        yield len(sheets), ratings


def points(ratings):
    return ratings.table.set_index("bot")["rating"]


def tau(one, other):
    """Return Kendall's tau-b of two series: pairs in the same order less those in the other, as a share."""
    a, b = one.to_numpy(), other.reindex(one.index).to_numpy()
    x, y = (np.sign(values[:, None] - values) for values in (a, b))
    return (x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum())


def curve(name, size, fields):
    """Return (share of the games, mean tau, least tau) after each round."""
    settings = Settings(sheets=SHEETS, rounds=size, interval_points=0)
    curves = []
    for seed in range(fields):
        field = Field(size, seed)
        truth = points(field.round_robin())
        played = play(field, name, settings, MOST_SHARE * field.every_sheet)
        curves.append([(sheets / field.every_sheet, tau(truth, points(found))) for sheets, found in played])
    shares = [[share for share, _ in points] for points in zip(*curves, strict=False)]
    taus = [[value for _, value in points] for points in zip(*curves, strict=False)]
    return [(mean(share), mean(values), min(values)) for share, values in zip(shares, taus, strict=True)]


def orders(size, fields, is_drawn):
    curves = {name: curve(name, size, fields) for name in LINES}
    print(f"\nKendall's tau against the whole round robin: {size} bots, mean (least) of {fields} fields\n")
    print("| share of the games |", " | ".join(LINES[name][0] for name in curves), "|")
    print("|--:|" + "--:|" * len(curves))
    for share in SHOWN:
        reached = [[point for point in points if point[0] <= share + 1e-9] for points in curves.values()]
        cells = [f"{points[-1][1]:.3f} ({points[-1][2]:.3f})" if points else "" for points in reached]
        print(f"| {share:.0%} |", " | ".join(cells), "|")
    if is_drawn:
        FIGURE.write_text(figure(curves), encoding="utf-8")
        print(f"\nwritten: {FIGURE.relative_to(FIGURE.parent.parent)}")


def growth(sizes, fields):
    limit = Settings().interval_points
    print(f"\nGames of a ladder until every interval is at most {limit:g} points, mean of {fields} fields\n")
    print("| bots | games | of the round robin | games / n | games / (n ln n) | rounds |")
    print("|--:|--:|--:|--:|--:|--:|")
    for size in sizes:
        ends = []
        for seed in range(fields):
            field = Field(size, seed)
            sheets = [
                played for played, _ in play(field, "ladder", Settings(sheets=SHEETS), field.every_sheet)
            ]
            ends.append((2 * sheets[-1], sheets[-1] / field.every_sheet, len(sheets)))
        games, share, rounds = (mean(values) for values in zip(*ends, strict=True))
        each = games / size
        print(f"| {size} | {games:,.0f} | {share:.1%} | {each:.0f} | {each / log(size):.1f} | {rounds:.0f} |")


def pairing_times(name, settings):
    """Return the CPU milliseconds of each of some rounds of a large field."""
    field = Field(PAIRED, 0)
    rounds, times = [], []
    settings = settings._replace(drawn=tuple(field.bots))
    for number in range(ROUNDS):
        known = np.random.default_rng(number).normal(0, 300 / (number + 1), PAIRED)
        ratings = {
            bot: Rating(1500 + x, 1300 + x, 1700 + x) for bot, x in zip(field.bots, known, strict=True)
        }
        gc.disable()  # as timeit does: it would look through all of pandas now and then
        begun = time.process_time()
        pairings = FORMATS[name].next_round(field.bots, rounds, ratings if rounds else {}, settings)
        times.append((time.process_time() - begun) * 1000)
        gc.enable()
        rounds.append([field.meeting(pairing) for pairing in pairings])
    return times


def costs():
    print(f"\nCPU to pair a round of {PAIRED:,} bots, {ROUNDS} rounds, ms\n")
    print("| format | median | most |\n|---|--:|--:|")
    for name, settings in (("swiss", Settings(rounds=ROUNDS)), ("ladder", Settings())):
        times = pairing_times(name, settings)
        print(f"| {LINES[name][0]} | {median(times):.0f} | {max(times):.0f} |")


LEFT, TOP, WIDTH, HEIGHT, LEAST = 70, 20, 600, 340, 0.5


def across(share):
    return round(LEFT + WIDTH * share / MOST_SHARE, 1)


def up(value):
    return round(TOP + HEIGHT * (1 - value) / (1 - LEAST), 1)


def figure(curves):
    """Return the curves as a drawing of its own, on white so that dark pages show it as well."""
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 430" width="720" height="430" '
        'font-family="sans-serif" font-size="14" fill="#222">\n'
        "<title>Kendall's tau of the order by ratings, against the whole round robin</title>\n"
        '<rect width="720" height="430" fill="#fff"/>'
    )
    return "\n".join(
        [head, *axes(), *aims(), *(drawn(*LINES[name], curves[name]) for name in curves), "</svg>\n"]
    )


def line(x1, y1, x2, y2, colour, dashes=""):
    stroke = f'stroke="{colour}"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {stroke}/>'


def text(x, y, words, more='text-anchor="middle"'):
    return f'<text x="{x}" y="{y}" {more}>{words}</text>'


def axes():
    right, bottom = LEFT + WIDTH, TOP + HEIGHT
    for value in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        yield line(LEFT, up(value), right, up(value), "#ddd")
        yield text(LEFT - 8, up(value) + 5, f"{value:.1f}", 'text-anchor="end"')
    for share in (0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3):
        yield line(across(share), bottom, across(share), bottom + 5, "#222")
        yield text(across(share), bottom + 21, f"{share:.0%}")
    yield line(LEFT, bottom, right, bottom, "#222")
    yield line(LEFT, TOP, LEFT, bottom, "#222")
    yield text(LEFT + WIDTH / 2, bottom + 48, "share of the round robin's games that were played")
    yield text(
        22,
        TOP + HEIGHT / 2,
        "Kendall's tau",
        f'text-anchor="middle" transform="rotate(-90 22 {TOP + HEIGHT / 2})"',
    )


def aims():
    yield line(LEFT, up(AIM), LEFT + WIDTH, up(AIM), "#666", "3 3")
    yield line(across(TENTH), TOP, across(TENTH), TOP + HEIGHT, "#666", "3 3")
    yield text(
        across(TENTH) + 8, TOP + HEIGHT - 10, "one tenth of the games", 'text-anchor="start" fill="#666"'
    )


def drawn(name, colour, dashes, points):
    """Return a curve with its name in the legend at the right, as far as it is high enough to be seen."""
    seen = [(across(share), up(value)) for share, value, _ in points if value >= LEAST]
    path = "M" + " L".join(f"{x} {y}" for x, y in seen)
    style = f'fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes or "none"}"'
    row = TOP + HEIGHT - 90 + 24 * list(LINES.values()).index((name, colour, dashes))
    legend = f'<path d="M{LEFT + WIDTH - 150} {row} h40" {style}/>' + text(
        LEFT + WIDTH - 100, row + 5, name, ""
    )
    return f'<path d="{path}" {style}/>\n{legend}'


def main():
    is_fast = "--fast" in sys.argv[1:]
    size, fields, sizes = (FAST_BOTS, FAST_FIELDS, FAST_SIZES) if is_fast else (BOTS, FIELDS, SIZES)
    costs()
    growth(sizes, 2)
    orders(size, fields, is_drawn=not is_fast)


if __name__ == "__main__":
    main()
