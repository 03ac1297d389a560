"""What must not be imported, so that bots' processes stay small and the command line quick."""

import subprocess
import sys
from pathlib import Path

HEAVY = {"pandas", "numpy", "typer", "rich", "pydantic", "multiprocess", "tabulate", "dill", "jinja2"}
ROOT = Path(__file__).parent.parent


def loaded_by(code: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after running some code."""
    program = f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines()[-1].split())


def test_import_arena_imports_nothing_heavy():
    """`import arena`, and playing a game with it, needs the standard library alone."""
    code = "import arena\np = arena.variant('blockade-5x5').start()\nstr(p.play(12))"
    assert HEAVY & loaded_by(code) == set()


def test_import_arena_does_not_even_read_toml():
    """Naming no variant reads no rule book."""
    assert "tomllib" not in loaded_by("import arena")


def test_help_imports_nothing_heavy_but_typer():
    """`arena --help` stays quick: pandas, rich and the like wait until a command needs them."""
    code = (
        "import sys\nsys.argv = ['arena', '--help']\n"
        "from arena.cli import main\ntry:\n    main()\nexcept SystemExit as leave:\n    assert not leave.code"
    )
    assert HEAVY & loaded_by(code) == {"typer"}


def test_the_kernel_runs_in_a_bare_interpreter():
    """No site packages, no environment: what a bot's process has."""
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
    code += "import arena; print(arena.variant('grid-lock').start())"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.startswith("1   2   3   4\n")
