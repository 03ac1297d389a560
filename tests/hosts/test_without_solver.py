"""`[limits] solver = false`: arena's solver is out of a bot's reach."""

import json
import os
import sys

import pytest

import arena
from arena.hosts.opening import program_at
from arena.hosts.trusted import TrustedHost
from arena.inside.without_solver import REFUSAL
from arena.referee import Game, Limits
from tests.hosts.games import QUICK, game
from tests.hosts.nobody import as_nobody, ordinary_python
from tests.hosts.solver_seen import seen

PERFECT = """
import arena

def move(position):
    return (arena.solve(position).winning_moves or position.legal_moves)[0]
"""
IMPORTS = {
    "arena.solver": "from arena.solver import solve",
    "a module of it": "import arena.solver.snort",
    "arena.solve": "from arena import solve",
    "importlib": "import importlib; importlib.import_module('arena.solver')",
    "what imports it": "import arena.plan.plan",
}


def require_hidden(found):
    """Neither kind of bot has read or imported it; what else there is of arena can still be read."""
    for kind in found.values():
        assert (kind["read"], kind["imported"], kind["kernel"]) == ([], [], True)
    assert found["python"]["said"] == REFUSAL


def test_no_bot_can_import_or_read_the_solver():
    """Not without the finder that refuses it, and not as a file: the walls hide it from every bot."""
    require_hidden(seen(Limits(solver=False)))


def test_the_search_for_it_would_find_it():
    """The test above is able to fail: where the solver is free, the same bots read and import it."""
    found = seen(Limits())
    assert found["python"]["imported"] == ["by its name", "without the finder"]
    assert len(found["command"]["read"]) > 10


@pytest.mark.parametrize("before", [[], ["tests.hosts.landlock_alone"]], ids=["namespaces", "landlock"])
def test_an_ordinary_user_hides_it_too(before):
    """Without root, and where namespaces are refused: then Landlock leaves it out."""
    python = ordinary_python() if os.geteuid() == 0 else None
    if python is None:
        pytest.skip("there is no Python here that root can start as an ordinary user")
    done = as_nobody([python, "-P", "-m", *before, "tests.hosts.solver_seen"])
    assert done.returncode == 0, done.stderr
    require_hidden(json.loads(done.stdout))


@pytest.mark.parametrize("statement", IMPORTS.values(), ids=IMPORTS.keys())
def test_every_import_is_refused_in_a_sentence(statement, bot):
    """It says what is not there and why, whichever way a bot asks for it."""
    text = f"{statement}\n\ndef move(position):\n    return position.legal_moves[0]\n"
    failure = bot(text).begin(Game(arena.variant("grid-lock"), 0, 1, QUICK._replace(solver=False)))
    assert failure.detail == f"raised ImportError: {REFUSAL} while it was loaded"


def test_a_bot_that_keeps_it_meets_one_that_does_not(bot):
    """A perfect player of four lines crashes with the sentence; with `keep_solver` it plays."""
    limits = Limits(solver=False)
    lost = game(bot(PERFECT), bot(PERFECT), limits=limits, keep_solver=(False, True))
    assert (lost.winner, lost.detail) == ("two", f"ply 1: raised ImportError: {REFUSAL}")
    played = game(bot(PERFECT), bot(PERFECT), limits=limits, keep_solver=(True, True))
    assert played.ending == "no-moves"


@pytest.mark.parametrize("statement", [IMPORTS["arena.solver"], IMPORTS["arena.solve"]])
def test_a_trusted_bot_cannot_import_it_while_it_runs(statement, tmp_path):
    """Neither when it is loaded nor when it moves; whoever runs it has the solver all the same."""
    import arena.solver

    (tmp_path / "a.py").write_text(f"{statement}\n\ndef move(position):\n    return 0\n")
    (tmp_path / "b.py").write_text(f"def move(position):\n    {statement}\n")
    begin = Game(arena.variant("grid-lock"), 0, 1, Limits(solver=False))
    loading, moving = (TrustedHost(program_at(tmp_path / name)) for name in ("a.py", "b.py"))
    package = sys.modules["arena.solver"]
    assert REFUSAL in str(loading.begin(begin))
    assert moving.begin(begin) is None
    assert REFUSAL in str(moving.ask(begin.variant.start(), 10).failure)
    assert sys.modules["arena.solver"] is arena.solver is package
    assert TrustedHost(program_at(tmp_path / "a.py")).begin(begin._replace(limits=Limits())) is None
