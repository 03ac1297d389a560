"""What strangers are told of a fault does not say where things are."""

import tempfile
from pathlib import Path

import pytest

from arena.web.hiding import hide_places

BASE = Path("/home/teacher/class")
FOLDER, BOOK = BASE / "results" / "cup", BASE / "contests" / "book.sqlite"


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (f"{FOLDER}/games.sqlite: is damaged", "cup/games.sqlite: is damaged"),
        (f"{FOLDER.parent}/other/games.sqlite: is damaged", "other/games.sqlite: is damaged"),
        (f"{BOOK}: is locked", "the book: is locked"),
        (f"{BASE}/cup.toml:3: not valid TOML", "cup.toml:3: not valid TOML"),
        (OSError(28, "No space left", f"{BASE}/contests/x"), "[Errno 28] No space left: 'contests/x'"),
    ],
)
def test_a_place_of_a_contest_is_called_as_readers_know_it(why, said):
    """Its run, its book, its file, and whatever else is beside them."""
    assert hide_places(why, FOLDER, BOOK) == said


def test_nothing_is_said_of_the_temporary_directory():
    """Neither where it is nor what is in it; a run folder that is inside keeps its name."""
    place = Path(tempfile.gettempdir())
    why = OSError(28, "No space left on device", str(place / "arena-1-export-4-x" / "games.csv"))
    said = "[Errno 28] No space left on device: 'the temporary directory'"
    assert hide_places(why, FOLDER) == said
    assert hide_places(f"/home/me{place}/x: is locked", FOLDER) == f"/home/me{place}/x: is locked"
    assert hide_places(f"{place}/results/cup: is locked", place / "results" / "cup") == "cup: is locked"
