"""arena beside others that play games between Python programs: µs per move, in interleaved rounds.

    python -m benchmarks.peers                # makes environments in benchmarks/.peers/; five rounds
    python -m benchmarks.peers --rounds 3 --only axelrod openspiel

Every peer is installed by its name into an environment of its own, and plays random moves in the way that
its documentation shows, in one process, with about as many moves as arena. None of them protects anybody:
their bots run in the process that judges them, without clocks, and can read and change everything.

Axelrod plays twice: matches of 50 turns, and matches of four, in which two players make about as many
decisions as our bots make moves in a game.

`whole` is a stop-watch around the whole process, its start included; `playing` leaves out the start, and what
is computed after the last game. arena's whole command has log, grades and tables in it, and no audit.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLACE = Path(__file__).parent / ".peers"
MOVES = 100_000
ISOLATIONS = ("sandboxed", "trusted")


def play_axelrod(moves, turns=50):
    """A round robin of 16 stochastic strategies; a move is one player's decision in one turn."""
    import axelrod

    players = [axelrod.Random(0.3 + number / 40) for number in range(16)]
    matches = len(players) * (len(players) + 1) // 2
    repetitions = max(1, round(moves / (matches * turns * 2)))
    with tempfile.TemporaryDirectory() as folder:
        tournament = axelrod.Tournament(players, turns=turns, repetitions=repetitions, seed=1)
        begun = time.perf_counter()
        tournament.play(build_results=False, progress_bar=False, filename=f"{folder}/played.csv")
        playing = time.perf_counter() - begun
        tournament.play(build_results=True, progress_bar=False)
        with_analysis = time.perf_counter() - begun - playing
    return {"moves": matches * repetitions * turns * 2, "playing": playing, "with analysis": with_analysis}


def play_axelrod_short(moves):
    return play_axelrod(moves, turns=4)


def play_openspiel(moves, name):
    """Tic-tac-toe between bots that choose by `random.choice`, through `evaluate_bots`."""
    import numpy
    import pyspiel
    from open_spiel.python.algorithms import evaluate_bots
    from open_spiel.python.games import tic_tac_toe  # noqa: F401 - registers the game in Python

    class Bot(pyspiel.Bot):
        def __init__(self):
            pyspiel.Bot.__init__(self)

        def restart_at(self, state):
            pass

        def step(self, state):
            nonlocal made
            made += 1
            return random.choice(state.legal_actions())

    game, bots, chance, made = pyspiel.load_game(name), [Bot(), Bot()], numpy.random.RandomState(1), 0
    begun = time.perf_counter()
    while made < moves:
        evaluate_bots.evaluate_bots(game.new_initial_state(), bots, chance)
    return {"moves": made, "playing": time.perf_counter() - begun}


def play_openspiel_python(moves):
    return play_openspiel(moves, "python_tic_tac_toe")


def play_openspiel_cpp(moves):
    return play_openspiel(moves, "tic_tac_toe")


def play_pettingzoo(moves):
    """Tic-tac-toe in the loop of the documentation (AEC), with a random legal action."""
    from pettingzoo.classic import tictactoe_v3

    env, made = tictactoe_v3.env(), 0
    begun = time.perf_counter()
    while made < moves:
        env.reset(seed=made)
        for _ in env.agent_iter():
            observation, _, is_over, is_cut, _ = env.last()
            mask = observation["action_mask"]
            action = None if is_over or is_cut else random.choice([n for n in range(9) if mask[n]])
            made += action is not None
            env.step(action)
    return {"moves": made, "playing": time.perf_counter() - begun}


def play_kaggle(moves):
    """Connect four between two Python functions in one process."""
    from kaggle_environments import make

    def agent(observation, configuration):
        return random.choice([n for n in range(configuration.columns) if observation.board[n] == 0])

    env, made = make("connectx"), 0
    begun = time.perf_counter()
    while made < moves / 50:  # it takes milliseconds for a move
        env.reset(2)
        made += len(env.run([agent, agent])) - 1
    return {"moves": made, "playing": time.perf_counter() - begun}


PEERS = {
    "axelrod, 50 turns": (["axelrod"], play_axelrod),
    "axelrod, 4 turns": (["axelrod"], play_axelrod_short),
    "openspiel-python": (["open_spiel", "numpy"], play_openspiel_python),
    "openspiel-cpp": (["open_spiel", "numpy"], play_openspiel_cpp),
    "pettingzoo": (["pettingzoo", "pygame", "numpy"], play_pettingzoo),
    "kaggle-environments": (["kaggle-environments"], play_kaggle),
}
"""By name: the packages that it needs, and how it plays."""


def python_of(name):
    """Return the interpreter of a peer's environment; made if it is missing, None if that fails."""
    folder = PLACE / PEERS[name][0][0]
    python, ready = folder / "bin" / "python", folder / "ready"
    if not ready.exists():
        uv = Path(sys.executable).parent / "uv"
        make = [uv, "venv", "--quiet", "--clear", "--python", sys.executable, folder]
        install = [uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", python, *PEERS[name][0]]
        for command in (make, install):
            if subprocess.run(list(map(str, command)), check=False).returncode:
                return None
        ready.touch()
    return python


def versions_of(name, python):
    """Return a peer's package with its version."""
    package = PEERS[name][0][0]
    code = f"from importlib.metadata import version; print(version({package!r}))"
    asked = [str(python), "-c", code]
    found = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    return f"{package} {found}"


def measure_peer(name, python):
    """Return µs per move of one run of a peer by kind: playing, with analysis if there is one, and whole."""
    begun = time.perf_counter()
    asked = [str(python), __file__, "--inside", name]
    done = subprocess.run(asked, check=True, capture_output=True, text=True, cwd=tempfile.gettempdir())
    whole = time.perf_counter() - begun
    found = json.loads(done.stdout.splitlines()[-1])
    moves = found.pop("moves")
    if "with analysis" in found:  # it was played twice
        whole -= found["playing"]
    return {kind: seconds / moves * 1e6 for kind, seconds in {**found, "whole": whole}.items()}


def measure_arena(isolation):
    """Return the same for arena; playing is timed in a second run, by a watch around it, without grades."""
    from benchmarks import whole

    case = whole.Case("random", "short", isolation, 1, 20)
    return {"playing": whole.time_playing(case), "whole": _measure_whole(case)}


def measure_arena_longer(isolation):
    """Return the same of ten times as many games, in which the start and the end count less."""
    from benchmarks import whole

    case = whole.Case("random", "short", isolation, 1, 20, 10)
    return {"playing": whole.time_playing(case), "whole": _measure_whole(case)}


def _measure_whole(case):
    from benchmarks import whole

    cost = whole.measure(case, *whole.BARE)
    return cost.wall / cost.moves * 1e6


def measure_limit():
    from benchmarks import whole

    return {"playing": whole.limit(whole.SHORT)}


def take_rounds(rounds, pythons):
    """Return the best µs per move by line and kind; every round runs everything once."""
    best = {}
    for number in range(rounds):
        lines = {f"arena, {isolation}": measure_arena(isolation) for isolation in ISOLATIONS}
        lines |= {
            f"arena, {isolation}, ten times the games": measure_arena_longer(isolation)
            for isolation in ISOLATIONS
        }
        lines |= {name: measure_peer(name, python) for name, python in pythons.items()}
        lines["limit: seeded, checked loop"] = measure_limit()
        for name, found in lines.items():
            kept = best.setdefault(name, found)
            best[name] = {kind: min(kept[kind], found[kind]) for kind in kept}
        print(f"round {number + 1}: {lines}", file=sys.stderr, flush=True)
    return best


def table(best):
    """Return the lines of the table; a ratio is to arena's whole sandboxed command."""
    ours = best["arena, sandboxed"]["whole"]
    heads = "µs per move, best round | playing | with analysis | whole process | whole / arena sandboxed"
    lines = [f"| {heads} |", "|---|--:|--:|--:|--:|"]
    for name, found in best.items():
        cells = [
            f"{found[kind]:.1f}" if kind in found else "" for kind in ("playing", "with analysis", "whole")
        ]
        ratio = f"{found['whole'] / ours:.2f}" if "whole" in found else ""
        lines.append(f"| {name} | {' | '.join(cells)} | {ratio} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=list(PEERS), help="some peers")
    parser.add_argument("--inside", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(PEERS[options.inside][1](MOVES)))
        return
    from benchmarks import whole

    whole.adopt_orphans()
    whole.be_usual()
    found = {name: python_of(name) for name in PEERS if any(word in name for word in options.only)}
    pythons = {name: python for name, python in found.items() if python is not None}
    lines = table(take_rounds(options.rounds, pythons))
    lines += ["", f"Peers: {'; '.join(dict.fromkeys(versions_of(*peer) for peer in pythons.items()))}."]
    absent = [name for name, python in found.items() if python is None]
    lines += [f"Could not be installed: {', '.join(absent)}."] if absent else []
    print("\n".join(lines))
    whole.write_section("Beside others", lines)


if __name__ == "__main__":
    main()
