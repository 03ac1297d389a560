"""The shape of the house: imports point downwards, and the rooms at the bottom are pure."""

import ast
import re
import sys
from functools import cache
from pathlib import Path

import arena

PACKAGE = Path(arena.__file__).parent

# Top floor first. A room may import from lower floors only; rooms of one floor do not know each other.
FLOORS = [
    {"cli", "adapters", "library"},
    {"web"},
    {"contest"},
    {"answers"},
    {"runs", "export"},
    {"terminal", "pages"},
    {"reports"},
    {"tournament", "checking"},
    {"results"},
    {"plan"},
    {"config", "executors"},
    {"hosts", "log"},
    {"sandbox", "field"},
    {"inside", "bots", "key"},
    {"formats"},
    {"standings"},
    {"referee", "solver", "pictures"},
    {"game"},
    {"tomltext"},
    {"errors", "files", "leftovers"},
    {"plaintext"},
]
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
PURE = {"plaintext", "errors", "tomltext", "game", "formats", "standings", "referee", "solver", "pictures"}

# What pure code may use of the standard library: nothing that has time, chance, processes or files.
PURE_IMPORTS = {"__future__", "collections", "difflib", "enum", "functools", "heapq", "itertools", "math"}
PURE_IMPORTS |= {"operator", "re", "string", "tomllib", "typing", "bisect", "hashlib", "json"}
# The kernel's one door to files, which says so itself; the picture of a graph that nobody has drawn yet; and
# what is solved for thousands of positions at once.
EXCEPTIONS = {("game/catalogue.py", "os"), ("pictures/graph.py", "numpy"), ("solver/many.py", "numpy")}
ARRAYS = {"numpy", "pandas", "statistics"}  # what standings reckon with

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc", "core", "manager", "handler"}


@cache
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
        if room_of(path) not in ("__init__", "__main__")
    }
    assert {path: rooms for path, rooms in wrong.items() if rooms} == {}


def test_an_upward_import_would_be_seen():
    """The check above is able to fail."""
    assert misdirected("game/board.py", {"arena.cli.play"}) == {"cli"}
    assert misdirected("solver/x.py", {"arena.referee.endings"}) == {"referee"}
    assert misdirected("cli/play.py", {"arena.game.variant", "arena.cli.rules", "typing.Any"}) == set()


def module_name(path: str) -> str:
    return "arena." + path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def inner_imports(path: str, tree: ast.Module, known: set[str]) -> set[str]:
    """The modules of the same room that a module imports when it is imported itself."""
    typed = [
        node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
    ]
    eager = ast.Module([node for node in tree.body if node not in typed], [])
    functions = [node for node in ast.walk(eager) if isinstance(node, ast.FunctionDef)]
    lazy = {child for function in functions for child in ast.walk(function)}
    names = set()
    for node in ast.walk(eager):
        if isinstance(node, ast.ImportFrom) and node not in lazy:
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    room = f"arena.{room_of(path)}"
    return {name for name in names & known if f"{name}.".startswith(f"{room}.") and name != module_name(path)}


def cycles(edges: dict[str, set[str]]) -> set[str]:
    """The modules that import themselves by way of others: what is left when those that do not are taken out."""
    left = {name: set(targets) for name, targets in edges.items()}
    while leaves := {name for name, targets in left.items() if not targets & left.keys()}:
        left = {name: targets for name, targets in left.items() if name not in leaves}
    return set(left)


def test_no_modules_of_a_room_import_each_other_in_a_circle():
    """Inside a room too there is an order in which it can be read."""
    trees = modules()
    known = {module_name(path) for path in trees}
    edges = {module_name(path): inner_imports(path, tree, known) for path, tree in trees.items()}
    assert cycles(edges) == set()


def test_a_circle_would_be_seen():
    """The check above is able to fail."""
    assert cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == {"a", "b", "c", "d"}
    assert cycles({"a": {"b"}, "b": set()}) == set()


SQL = re.compile(
    r"\b(SELECT .* FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE|PRAGMA) ?\b", re.S
)


BOOK = {f"contest/{part}.py" for part in ("tables", "database", "token_book", "deeds", "book")}


def test_sql_is_spoken_in_the_room_of_the_log_and_in_the_book_of_contests_alone():
    """Everybody else asks the log by named methods; the book is no run's, and is nobody else's to read."""
    speakers = {
        path
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value)
    }
    assert {room_of(path) for path in speakers - BOOK} == {"log"}


def test_what_runs_inside_a_bot_imports_the_kernel_and_the_wire_alone():
    """The trust boundary: nothing of ours is within a bot's reach but what it needs to play."""
    rooms = {
        name.split(".")[1]
        for path, tree in modules().items()
        if room_of(path) == "inside"
        for name in imported(tree)
        if name.startswith("arena.")
    }
    assert rooms <= {"inside", "game", "referee", "errors"}


def test_the_referee_makes_every_outcome_and_every_record():
    """What a game came to is decided in one room, whoever asked the bots."""
    makers = {
        path
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("Outcome", "GameRecord")
    }
    assert {room_of(path) for path in makers} == {"referee"}


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
    of_numbers = {(path, name) for path, name in foreign if room_of(path) == "standings" and name in ARRAYS}
    assert foreign - of_numbers == EXCEPTIONS


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
