"""The worker never takes apart what a bot sends, nor what a bot consists of, with anything clever."""

import ast
from pathlib import Path

import pytest

import arena
from arena.bots.source import Source
from arena.errors import NoSandbox
from arena.hosts import opening
from arena.sandbox.template import Template

PACKAGE = Path(arena.__file__).parent
ROOMS = ("bots", "hosts", "sandbox", "inside")

# What does not run in the worker, or not with a stranger's bot: canaries are our own, trusted bots the user's.
ELSEWHERE = {f"inside/{name}" for name in ("program", "runner", "seeding")}
ELSEWHERE |= {"sandbox/template_process", "hosts/canaries", "hosts/trusted"}
EVERY = {f"{room}/{file.stem}" for room in ROOMS for file in (PACKAGE / room).glob("*.py")}
WORKER = sorted(EVERY - ELSEWHERE)

CLEVER = {
    "loads",
    "load",
    "eval",
    "exec",
    "compile",
    "__import__",
    "import_module",
    "literal_eval",
    "parse",
    "Unpickler",
}


def calls(module: str) -> set[str]:
    tree = ast.parse((PACKAGE / f"{module}.py").read_text())
    functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {
        f.attr if isinstance(f, ast.Attribute) else f.id
        for f in functions
        if isinstance(f, ast.Attribute | ast.Name)
    }


def test_the_worker_unpickles_evaluates_imports_compiles_and_parses_nothing_of_a_bots():
    """None of its modules calls anything that could; the template's own words are the one exception."""
    found = {(module, name) for module in WORKER for name in calls(module) & (CLEVER - {"compile"})}
    assert found == {("sandbox/template", "loads")}  # JSON over a socket that no bot has


def test_regular_expressions_are_the_only_thing_compiled_in_the_worker():
    """`re.compile` of our own patterns; never a bot's source."""
    for module in WORKER:
        for node in ast.walk(ast.parse((PACKAGE / f"{module}.py").read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id != "compile", module


def test_what_runs_elsewhere_is_there():
    """A module that was moved or renamed must not leave its exception behind."""
    assert ELSEWHERE < EVERY


def test_without_a_sandbox_bots_are_refused_with_the_reason(monkeypatch):
    """On other systems, and where walls are missing, it is said what would mend it."""
    source = Source("b", "bot.py", {"bot.py": b""})
    monkeypatch.setattr(opening, "machine", lambda: None)
    with pytest.raises(NoSandbox, match="needs Linux on x86_64 or aarch64"):
        opening.open_host(source, None, "sandboxed", Template())
    monkeypatch.undo()

    from arena.sandbox.walls import Walls

    class Bare(Template):
        walls = Walls(seccomp=True, landlock=0, namespaces=False, pid_namespace=False)

    with pytest.raises(NoSandbox, match=r"Landlock .* is missing \(this machine has seccomp"):
        opening.open_host(source, None, "sandboxed", Bare())


@pytest.mark.parametrize(
    ("walls", "is_enough"),
    [
        ((True, 7, True, True), True),
        ((True, 1, False, False), True),
        ((True, 0, True, False), True),
        ((True, 0, False, True), False),
        ((False, 7, True, True), False),
    ],
)
def test_a_sandbox_is_seccomp_and_one_that_hides_files(walls, is_enough):
    """The least that is worth the name: seccomp, and Landlock or a mount namespace."""
    from arena.sandbox.walls import Walls

    assert Walls(*walls).is_enough == is_enough
