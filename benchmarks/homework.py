"""What a class hands in during two weeks: bots that grow stronger, some broken, hostile or slow."""

import io
import random
import re
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
GOOD, ZIPPED, BROKEN, HOSTILE, UNCHANGED = "good", "zip", "broken", "hostile", "unchanged"
KINDS = {GOOD: 62, ZIPPED: 12, BROKEN: 10, HOSTILE: 6, UNCHANGED: 10}
"""Of a hundred uploads."""

WRONG = (
    "def move(position)\n    return 0\n",
    "import numpyy\n\n\ndef move(position):\n    return position.legal_moves[0]\n",
    "def move(position):\n    return -1\n",
    "def move(position):\n    return position.legal_moves[100]\n",
    "def move(position):\n    while True:\n        pass\n",
    "def mvoe(position):\n    return position.legal_moves[0]\n",
)
ATTACKS = (
    "fork_bomb",
    "read_passwd",
    "tcp_connect",
    "stdout_flood",
    "huge_list",
    "kill_parent",
    "thread_bomb",
    "write_tmp",
)
SLOW = """\
def move(position):
    total = 0
    for number in range(40_000):
        total += number & 3
    return position.legal_moves[total % len(position.legal_moves)]
"""
"""Takes some two milliseconds for a move: slow beside the others, and far within every limit."""


class Homework(NamedTuple):
    """Something that is handed in: by whom, which of theirs, on which day, and as which file."""

    student: str
    number: int
    day: int
    kind: str
    filename: str
    data: bytes


def list_names(count):
    """Return names as a class has them."""
    names = "anna bert cleo dora emil finn gina hans ida jan kim lena mia nils olga paul rosa sven tina uwe"
    rows = range(1 + count // 20)
    return [f"{name}_{row + 1}" if row else name for row in rows for name in names.split()][:count]


def assign(names, days, uploads, seed=19):
    """Return what everybody hands in, day by day; most come on the last days, as always."""
    draw = random.Random(seed)
    weights = [2.0, *[1.0] * (days - 2), 3.0] if days > 2 else [1.0] * days
    found = []
    for student in names:
        on = sorted(draw.choices(range(days), weights, k=uploads))
        last = b""
        for number, day in enumerate(on):
            kind = draw.choices(list(KINDS), list(KINDS.values()))[0]
            kind = GOOD if not last else kind  # a first one that plays
            filename, data = _make(student, number, kind, last, draw, uploads)
            last = data if kind == GOOD else b"" if kind == ZIPPED else last
            found.append(Homework(student, number, day, kind, filename, data))
    return sorted(found, key=lambda each: each.day)


def _make(student, number, kind, last, draw, uploads):
    mark = f"# {student}, version {number}\n"
    if kind == UNCHANGED:
        return "bot.py", last
    if kind == BROKEN:
        return "bot.py", (mark + draw.choice(WRONG)).encode()
    if kind == HOSTILE:
        text = (ROOT / f"tests/hostile/bots/{draw.choice(ATTACKS)}.py").read_text()
        return "bot.py", (mark + text).encode()
    text = mark + _good(number / uploads, draw)
    if kind == ZIPPED:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as zipped:
            zipped.writestr("mine/bot.py", text)
            zipped.writestr("mine/notes.txt", mark * 100)
        return "mine.zip", packed.getvalue()
    return f"{student}.py", text.encode()


def _good(share, draw):
    """Return a starter bot, the stronger the later; the strongest ones look less far than in `bots/`."""
    strength = share + draw.uniform(-0.2, 0.3)
    if draw.random() < 0.08:
        return SLOW
    if strength < 0.25:
        return _read(draw.choice(["first_legal", "random_mover"]))
    if strength < 0.6:
        return _read(draw.choice(["greedy", "mirror", "greedy"]))
    if draw.random() < 0.5:
        return re.sub(r"(?m)^PLAYOUTS = .*", f"PLAYOUTS = {draw.choice([16, 24, 32])}", _read("monte_carlo"))
    depth = draw.choice([1, 2])
    return re.sub(r"(?m)^DEPTHS = .*", f"DEPTHS = ((6, 6), (128, {depth}))", _read("alpha_beta"))


def _read(name):
    return (ROOT / f"bots/{name}.py").read_text()
