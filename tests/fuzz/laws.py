"""What must hold whatever a stranger writes: one function for each door, from bytes to nothing or AssertionError.

The tests beside this file draw the bytes with hypothesis, `guided.py` with atheris. A law opens the door with
the bytes, takes the one exception that is meant for it, and looks at all that came out: what is said is
printable and short, what is taken is within bounds, and it took little CPU.
"""

import contextlib
import math
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

from hypothesis import HealthCheck, settings

import arena
from arena.bots.source import NAME
from arena.config.reading import Tournament, read_tournament
from arena.errors import FileMistakes, UserError
from arena.formats import FORMATS
from arena.game import Variant
from arena.game.board import MOST_CELLS
from arena.game.definition import define, read_definition
from arena.game.dialogue import Dialogue
from arena.referee.row import ISOLATIONS

MOST_LINE = 2_000
"""Characters of one line that we say: a path, a key, somebody's word and our sentence."""

MOST_PICTURE = 2_000_000
"""Characters of a board drawn: a row of templates may be wide, but not without end."""

MOST_CPU_SECONDS = 3.0
MARK = b"NONCE..."
"""Stands in a reply for the nonce of its request."""


def examples(count: int) -> settings:
    """Return hypothesis's settings for a test of so many examples; ARENA_FUZZ multiplies them, else a third are tried."""
    return settings(
        max_examples=round(count * float(os.environ.get("ARENA_FUZZ", "0.33"))),
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


@contextlib.contextmanager
def quickly() -> Iterator[None]:
    """AssertionError if what is done within takes much CPU, whatever else the machine does."""
    begun = time.process_time()
    yield
    used = time.process_time() - begun
    assert used < MOST_CPU_SECONDS, f"took {used:.1f} s of CPU"


def said(text: str, most: int = MOST_LINE) -> None:
    """One printable line, and not a long one."""
    assert text.isprintable(), ascii(text[:500])
    assert len(text) <= most, f"{len(text)} characters: {text[:200]}"


def said_of_file(error: UserError, *names: str) -> None:
    """Each line is printable, short, and begins with the name of the file it is about."""
    lines = list(error.mistakes) if isinstance(error, FileMistakes) else [str(error)]
    assert lines
    for line in lines:
        said(line)
        assert line.startswith(names), ascii(line[:300])


def tournament_law(folder: Path, data: bytes) -> Tournament | None:
    """A tournament file is refused in lines of ours, or is a tournament within bounds."""
    file = folder / "configs" / "cup.toml"
    file.write_bytes(data)
    with quickly():
        try:
            found = read_tournament(file)
        except UserError as refusal:
            said_of_file(refusal, f"{file}:", f"{folder}/")
            return None
    within_bounds(found)
    return found


def within_bounds(found: Tournament) -> None:
    """What the page on tournament files promises of every value."""
    names = [bot.name for bot in found.bots]
    assert all(map(NAME.fullmatch, (found.name, *names)))
    assert len(set(names)) == len(names) > 0
    assert found.format in FORMATS
    assert found.isolation in ISOLATIONS
    for count in (found.openings, found.repeats, found.settings.rounds or 1):
        assert type(count) is int
        assert 1 <= count <= 1_000_000
    assert type(found.seed) is int
    assert 0 <= found.seed < 1 << 53
    move, game, start, memory, has_solver = found.limits
    assert all(math.isfinite(seconds) and 0 < seconds <= 86_400 for seconds in (move, game, start))
    assert type(memory) is int
    assert 16 <= memory <= 1 << 20
    assert type(has_solver) is bool
    assert found.keep_solver <= set(names)
    assert len({variant.name for variant in found.variants}) == len(found.variants) > 0
    assert set(found.secret) <= {variant.name for variant in found.variants}
    assert set(found.settings.gauntlet) <= set(names)
    assert 0 < found.settings.interval_points <= 10_000
    if found.grading:
        assert set(found.grading.bosses) < set(names)
        assert 0 <= found.grading.pass_mark <= 1


def variant_law(folder: Path, data: bytes) -> Variant | None:
    """A variant file is refused in lines of ours, or is a variant that plays, looks and comes back well."""
    file = folder / "mine.toml"
    file.write_bytes(data)
    with quickly():
        try:
            found = arena.variant(file)
        except UserError as refusal:
            said_of_file(refusal, f"{file}:")
            return None
        plays_well(found)
    with quickly():
        assert read_definition(found.name, define(found)) == found
    return found


def definition_law(name: str, text: str) -> Variant | None:
    """A definition is refused in a line, or is the definition of a variant that plays and looks well."""
    with quickly():
        try:
            found = read_definition(name, text)
        except UserError as refusal:
            for line in refusal.mistakes if isinstance(refusal, FileMistakes) else [str(refusal)]:
                said(line)
            return None
        assert define(found) == text
        plays_well(found)
    return found


def plays_well(variant: Variant) -> None:
    """A game by chance comes to its end, its pictures and names are printable, and its cells are found again."""
    assert type(variant.board.size) is int
    assert 0 < variant.board.size <= MOST_CELLS
    cells = range(variant.board.size)
    for cell in (0, cells[-1], *random.Random(1).choices(cells, k=5)):
        said(variant.notation.name(cell), 200)
        assert (
            variant.parse(variant.notation.name(cell)) == variant.parse(variant.notation.spell(cell)) == cell
        )
    position, chance = variant.start(), random.Random(2)
    drawn(str(position))
    drawn(variant.notation.names_picture())
    while not position.is_over:
        position = position.play(chance.choice(position.legal_moves))
    assert len(position.history) <= variant.board.size
    assert position.winner in (0, 1)
    drawn(str(position))
    if variant.board.size <= 100:
        talks_well(variant)


def drawn(picture: str) -> None:
    """Printable lines that fit into memory many times over."""
    assert len(picture) <= MOST_PICTURE, f"{len(picture)} characters"
    assert picture.replace("\n", "").isprintable(), ascii(picture[:300])


def talks_well(variant: Variant) -> None:
    """What a rule book says at each turn is bounded too."""
    dialogue, start = Dialogue(variant), variant.start()
    after = start.play(start.legal_moves[0])
    texts = [
        dialogue.welcome(start),
        dialogue.turn(start),
        *dialogue.prompts(start),
        dialogue.say_placed(after),
    ]
    texts += [dialogue.over(after), dialogue.say_refused(start, "range", "x", 0)]
    assert all(len(text) <= MOST_PICTURE for text in texts)
