"""The shape of the house: imports point downwards, and the rooms at the bottom are pure."""

import ast
import sys
from pathlib import Path

import arena

PACKAGE = Path(arena.__file__).parent

# Top floor first. A room may import from lower floors only; rooms of one floor do not know each other.
FLOORS = [
    {"cli", "web", "adapters"},
    {"tournament"},
    {"executors", "log", "reports"},
    {"hosts"},
    {"standings"},
    {"formats", "referee", "solver"},
    {"game"},
    {"tomltext"},
    {"errors", "files"},
    {"plaintext"},
]
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
PURE = {"plaintext", "errors", "tomltext", "game", "formats", "referee", "solver"}

# What pure code may use of the standard library: nothing that has time, chance, processes or files.
PURE_IMPORTS = {"__future__", "collections", "difflib", "enum", "functools", "heapq", "itertools", "math"}
PURE_IMPORTS |= {"operator", "re", "string", "tomllib", "typing", "bisect", "hashlib", "json"}
# The kernel's one door to files, which says so itself.
EXCEPTIONS = {("game/catalogue.py", "os")}

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "core", "manager", "handler"}


def modules() -> dict[str, ast.Module]:
    """Every module of the package by its path, parsed."""
    files = sorted(PACKAGE.rglob("*.py"))
    return {file.relative_to(PACKAGE).as_posix(): ast.parse(file.read_text()) for file in files}


def room_of(path: str) -> str:
    return path.split("/")[0].removesuffix(".py")


def imported(tree: ast.Module) -> set[str]:
    """The full names of everything a module imports, wherever in it."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written out in full"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def misdirected(path: str, names: set[str]) -> set[str]:
    """The imports of a module that do not point downwards."""
    here = room_of(path)
    rooms = {name.split(".")[1] for name in names if name.startswith("arena.")}
    others = {room for room in rooms if room != here and room in FLOOR_OF}
    return {room for room in others if FLOOR_OF[room] <= FLOOR_OF[here]}


def test_imports_point_downwards():
    """No room imports from its own floor or from above."""
    wrong = {
        path: misdirected(path, imported(tree))
        for path, tree in modules().items()
        if room_of(path) != "__init__"
    }
    assert {path: rooms for path, rooms in wrong.items() if rooms} == {}


def test_an_upward_import_would_be_seen():
    """The check above is able to fail."""
    assert misdirected("game/board.py", {"arena.cli.play"}) == {"cli"}
    assert misdirected("solver/x.py", {"arena.referee.endings"}) == {"referee"}
    assert misdirected("cli/play.py", {"arena.game.variant", "arena.cli.rules", "typing.Any"}) == set()


def test_every_room_has_a_floor():
    """A new room must be given its place."""
    assert {room_of(path) for path in modules()} - {"__init__", "__main__"} <= set(FLOOR_OF)


def test_pure_rooms_use_nothing_that_has_time_chance_processes_or_files():
    """Below the line there are only values and functions."""
    used = {
        (path, name.split(".")[0])
        for path, tree in modules().items()
        if room_of(path) in PURE
        for name in imported(tree)
    }
    foreign = {(path, name) for path, name in used if name not in PURE_IMPORTS | {"arena"}}
    assert foreign == EXCEPTIONS


def test_only_the_catalogue_opens_files():
    """Nothing in a pure room calls open, print or input, but for the one door."""
    doors = {
        path
        for path, tree in modules().items()
        if room_of(path) in PURE
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id in ("open", "print", "input", "exec", "eval", "compile")
    }
    assert doors == {"game/catalogue.py"}


def test_modules_explain_themselves_and_have_telling_names():
    """Every module has a docstring, and none is called utils or the like."""
    for path, tree in modules().items():
        assert ast.get_docstring(tree), path
        assert Path(path).stem not in VAGUE


def test_the_kernel_needs_only_what_python_brings():
    """Whatever the lists above say: the pure rooms import from the standard library alone."""
    assert set(sys.stdlib_module_names) >= PURE_IMPORTS
