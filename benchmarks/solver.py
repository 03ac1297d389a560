"""How far perfect play reaches on one core: the rule books, beside plain searches, and the largest boards.

    python -m benchmarks.solver            # the largest boards within 1 s: some two minutes
    python -m benchmarks.solver 10         # within 1 and 10 s: some fifteen minutes
    python -m benchmarks.solver 60         # within 1, 10 and 60 s: about an hour and a half

Times are of this process's CPU, from a new solver to the winner of the start position; for the rule books to
all winning moves. Copying strategies decide many boards at once, however large (Kayles and Snort on odd
grids, Col on even ones); the table of the largest boards leaves them out, so that it shows the search alone.
OpenSpiel is used where pyspiel can be imported. The tables are Markdown.
"""

import sys
import time
from functools import lru_cache

try:
    import pyspiel
    from open_spiel.python.algorithms.minimax_solver import MinimaxSolver
except ImportError:
    pyspiel = None

import arena
from arena.game import RULE_BOOKS
from arena.game.board import MOST_CELLS
from arena.solver import Solver
from arena.solver import solver as solver_module
from arena.solver.mirror import mirrors_of
from arena.solver.shapes import shapes_of

RULES = ("kayles", "snort", "col")
SIDE_BY_SIDE = [
    "kayles:grid-5x5",
    "kayles:line-16",
    "snort:grid-4x4",
    "snort:line-12",
    "col:grid-4x4",
    "col:line-12",
]
MOST_IN_A_ROW = 2  # boards of one kind that are too hard before larger ones are left alone

FAMILIES = {
    "king grid": [f"grid-{r}x{c}" for r in range(3, 13) for c in (r, r + 1)],
    "rook grid": [f"grid-{r}x{c}-rook" for r in range(3, 13) for c in (r, r + 1)],
    "line": [f"line-{n}" for n in (*range(8, 60), 100, 200, 500, 1000, 4096)],
    "ring": [f"ring-{n}" for n in (*range(8, 60), 100, 200, 500, 1000, 4096)],
    "torus": [f"torus-{r}x{c}" for r in range(3, 10) for c in (r, r + 1)],
    "hex": [f"hex-{r}x{c}" for r in range(3, 12) for c in (r, r + 1)],
}


def timed(work, rounds=1):
    """Return the best CPU seconds of some rounds, and what the last one returned."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


def forget():
    """Let nothing made for a board before speed up the next measurement."""
    for remembered in (mirrors_of, shapes_of):
        remembered.cache_clear()


def within(variant, seconds):
    """Return the CPU seconds that the winner takes and the positions looked at; None if it takes longer."""
    forget()
    start = time.process_time()
    solver = Solver(variant)
    winner = solver.winner(variant.start(), is_out=lambda: time.process_time() - start > seconds)
    taken = time.process_time() - start
    return None if winner is None or taken > seconds else (taken, solver.looked_at)


def plain_wins(position, known):
    """Whether the side to move wins: every move of every position, remembered by what is open."""
    key = position.key
    if key not in known:
        known[key] = any(not plain_wins(position.play(cell), known) for cell in position.legal_moves)
    return known[key]


def plain(variant):
    known = {}
    wins = plain_wins(variant.start(), known)
    return 0 if wins else 1, len(known)


def solved(variant):
    forget()
    solver = Solver(variant)
    return solver.winner(variant.start()), solver.looked_at


def open_spiel(variant):
    """Solve a variant with OpenSpiel's minimax solver, which has a table as the plain search has."""
    table = MinimaxSolver(spiel_name(variant)).solve()
    return 0 if table[str(variant.start().key)].value > 0 else 1, len(table)


class Held:
    """A position that OpenSpiel, which copies states deeply, leaves as it is."""

    def __init__(self, position):
        self.position = position

    def __deepcopy__(self, memo):
        return self


@lru_cache
def spiel_name(variant):
    """Return the name of a variant as an OpenSpiel game written in Python."""
    name = "arena_" + variant.name.replace(":", "_").replace("-", "_")
    kind = pyspiel.GameType(
        short_name=name,
        long_name=variant.name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=variant.board.size,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=variant.board.size,
    )

    class State(pyspiel.State):
        def __init__(self, game):
            super().__init__(game)
            self.held = Held(variant.start())

        @property
        def position(self):
            return self.held.position

        def current_player(self):
            return pyspiel.PlayerId.TERMINAL if self.position.is_over else self.position.to_move

        def _legal_actions(self, player):
            return list(self.position.legal_moves)

        def _apply_action(self, action):
            self.held = Held(self.position.play(action))

        def is_terminal(self):
            return self.position.is_over

        def returns(self):
            if not self.position.is_over:
                return [0.0, 0.0]
            return [1.0, -1.0] if self.position.winner == 0 else [-1.0, 1.0]

        def _action_to_string(self, player, action):
            return variant.notation.name(action)

        def __str__(self):
            return str(self.position.key)

    class Game(pyspiel.Game):
        def __init__(self, params=None):
            super().__init__(kind, info, params or {})

        def new_initial_state(self):
            return State(self)

    pyspiel.register_game(kind, Game)
    return name


def rule_books():
    """Print what the rule books take, with all winning moves."""
    print("| rule book | winner | winning moves | positions | ms |\n|---|---|---|---|---|")
    total = 0.0
    for name in RULE_BOOKS:
        variant = arena.variant(name)

        def work(variant=variant):
            forget()
            return arena.solve(variant.start())

        seconds, found = timed(work, 5)
        total += seconds
        moves = " ".join(variant.notation.name(cell) for cell in found.winning_moves) or "none"
        print(f"| {name} | side {found.winner} | {moves} | {found.positions} | {seconds * 1000:.1f} |")
    print(f"| together | | | | {total * 1000:.1f} |\n")


def side_by_side():
    """Print the winner of start positions as the solver, a plain search and OpenSpiel find it."""
    searches = {"solver": solved, "plain search": plain}
    if pyspiel is None:
        print("OpenSpiel is not installed: its column is left out.\n")
    else:
        searches["OpenSpiel minimax"] = open_spiel
    print(f"| variant | {' | '.join(f'{name}, ms (positions)' for name in searches)} |")
    print("|---" * (1 + len(searches)) + "|")
    for name in SIDE_BY_SIDE:
        variant = arena.variant(name)
        cells, winners = [], set()
        for search in searches.values():
            seconds, (winner, count) = timed(lambda search=search: search(variant), 3)  # noqa: B023
            winners.add(winner)
            cells.append(f"{seconds * 1000:.2f} ({count:,})")
        assert len(winners) == 1, (name, winners)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print()


def largest(rule, boards, limits):
    """Return for each limit the last of the boards, which grow, that is solved within it."""
    best = dict.fromkeys(limits, "-")
    misses = 0
    for board in boards:
        variant = arena.variant(f"{rule}:{board}")
        found = within(variant, limits[-1])
        if found is None:
            misses += 1
            if misses == MOST_IN_A_ROW:
                break
            continue
        misses = 0
        seconds, positions = found
        for limit in limits:
            if seconds <= limit:
                best[limit] = f"{board} ({seconds:.2g} s, {positions:,})"
    return best


def largest_boards(limits):
    print("Largest boards whose winner is found by search alone (CPU seconds, positions):\n")
    solver_module.LARGE = MOST_CELLS + 1
    print(f"| rule | boards | {' | '.join(f'within {limit} s' for limit in limits)} |")
    print("|---" * (2 + len(limits)) + "|")
    for rule in RULES:
        for family, boards in FAMILIES.items():
            best = largest(rule, boards, limits)
            print(f"| {rule} | {family} | {' | '.join(best.values())} |", flush=True)


def main():
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    rule_books()
    side_by_side()
    largest_boards([limit for limit in (1, 10, 60) if limit <= most])


if __name__ == "__main__":
    main()
