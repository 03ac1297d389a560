"""The games in the page: what the log says of each of them, and what the solver says of every position."""

import random

import pytest

from arena.game import Variant, variant
from arena.pages.packing import pack
from arena.pages.replay import describe, show_games
from arena.pages.verdicts import Verdicts, write_verdict
from arena.pictures.stage import draw_stage
from arena.referee.row import write_cells
from arena.solver import solve
from arena.solver.grades import Grader, Verdict
from arena.solver.solver import follow
from tests.pages.packed import grades, rows, unpack, winners, winning_moves
from tests.tournament.field import CHANCE, FIRST, LAST
from tests.tournament.small import LIAR, change, copied, logged, play

VARIANTS = ["blockade-line", "grid-block", "snort:torus-3x3", "kayles:hex-3x3"]
NO_START = "raise RuntimeError('not today')\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Bots that lie, that do not start, and that move by chance, on all three rules."""
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE, "liar": LIAR, "absent": NO_START}
    return play(tmp_path_factory.mktemp("packed"), bots, variants=VARIANTS, openings=3)


@pytest.fixture(scope="module")
def data(run):
    """Its games as the page has them."""
    return unpack(show_games(run, (), {}).packed)


def test_every_game_is_what_the_log_says(run, data):
    """Bots, opening, moves, winner, ending, sentence and CPU of every game; and when it was thrown away."""
    thrown, packed = run.thrown_away(), {row["game"]: row for row in rows(data)}
    games = logged(run)
    assert len(packed) == len(games)
    for game in games:
        row = packed[game.game]
        for name in ("variant", "opening", "first", "second", "ending", "moves"):
            assert row[name] == getattr(game, name)
        assert (row["winner"], row["openingPlies"]) == (game.winning_side, game.opening_plies)
        assert data["details"].get(game.game, "") == game.detail
        assert row["thrown"] == thrown.get(game.game, 0)
        assert row["firstCpu"] == pytest.approx(1e6 * game.first_cpu_seconds, rel=0.06, abs=1)
    assert {row["ending"] for row in packed.values()} == {"no-moves", "illegal", "no-start"}


def test_winners_and_grades_are_those_of_the_grader(data):
    """Ply by ply, for every game; the ply of a forfeit too."""
    graders = {name: Grader(variant(name)) for name in VARIANTS}
    for row in rows(data):
        is_asked = row["ending"] != "no-moves" and len(row["cells"]) % 2 != row["winner"]
        graded = graders[row["variant"]].game(row["cells"], row["openingPlies"], row["winner"], is_asked)
        assert winners(row) == list(graded.winners)
        assert grades(row) == list(graded.grades)


def test_winning_moves_are_those_of_the_solver(data):
    """In every position after the opening of some games of each variant."""
    seen = set()
    for row in rows(data):
        position = variant(row["variant"]).replay(row["cells"][: row["openingPlies"]])
        for plies, verdict in enumerate(row["verdicts"], row["openingPlies"]):
            if position.key not in seen and len(seen) < 400:
                seen.add(position.key)
                assert winning_moves(verdict, position.legal_moves) == list(solve(position).winning_moves)
            if plies < len(row["cells"]):
                position = position.play(row["cells"][plies])


def test_beyond_the_budget_the_blunder_that_decided_is_still_known(run):
    """Nothing is guessed: what comes before it is unknown, and who won from it on stands."""
    (game,) = [g for g in logged(run) if run.thrown_away().get(g.game) == g.plies - 3][:1]
    judge = Verdicts(variant(game.variant), budget=0)
    path = follow(variant(game.variant), game.cells, game.opening_plies)
    judge.learn([path])
    found = judge.judge(path, game.opening_plies, game.winning_side, game.plies - 3).split()
    assert found[-5:] == ["0?", "0?", "-", "0?", "-"]
    assert set(found[:-5]) <= {"?"}
    assert set(judge.judge(path, game.opening_plies, game.winning_side, None).split()) == {"?"}


@pytest.mark.parametrize(
    ("verdict", "written"),
    [
        (Verdict(None, False, ()), "?"),
        (Verdict(False, False, ()), "-"),
        (Verdict(True, False, (3, 5, 8)), "="),
        (Verdict(True, True, (3, 8)), "5"),
        (Verdict(True, None, (5,)), "2?"),
        (Verdict(True, True, ()), "0"),
    ],
)
def test_a_verdict_is_a_few_letters(verdict, written):
    """The bits are the winning ones among the legal moves, the first of them the lowest."""
    assert write_verdict(verdict, 1 << 3 | 1 << 5 | 1 << 8) == written


def test_strangers_text_is_made_printable_before_it_is_packed(run, tmp_path):
    """The script shows text as it is, so what turns the direction of writing must not get there."""
    odd = copied(run, tmp_path / "odd")
    change(odd, "UPDATE games SET detail = ? WHERE ending = 'illegal'", "a\u202eb\x1b[2J</template>")
    data = unpack(show_games(odd, (), {}).packed)
    assert "a\\u202eb\\x1b[2J</template>" in data["details"].values()


def test_the_words_of_a_variants_file_are_made_printable_too():
    """It may be a stranger's, like all that is in a folder."""
    plain = variant("snort:line-3")
    style = plain.notation.style._replace(stones=("\u202e", "O"))
    odd = Variant("a\u202e", plain.rule, plain.board, style, plain.book)
    told = describe(odd, draw_stage(odd))
    assert (told["name"], told["stones"]) == ("a\\u202e", ["\\u202e", "O"])
    assert "\u202e" not in draw_stage(odd).svg


def test_what_bots_printed_is_packed_only_if_it_is_given(run, data):
    """By whoever was asked for evidence."""
    game = logged(run)[0].game
    assert data["printed"] == {}
    assert unpack(show_games(run, (), {game: "one\ntwo\x07", "other": "no"}).packed)["printed"] == {
        game: "one\ntwo\\x07"
    }


def test_a_thousand_games_take_less_than_thirty_kilobytes(run):
    """Ten thousand and all the rest of a page must stay below a megabyte."""
    chosen, games = variant("blockade-line"), []
    draw, model = random.Random(1), logged(run)[0]
    for number in range(1000):
        position = chosen.start()
        while not position.is_over:
            position = position.play(draw.choice(position.legal_moves))
        moves = write_cells(position.history)
        id = f"{draw.getrandbits(64):016x}"
        games.append(model._replace(game=id, variant=chosen.name, moves=moves, opening=number % 8))
    games.sort(key=lambda game: game.cells)
    judge = Verdicts(chosen, 10**6)
    verdicts = [judge.judge(follow(chosen, game.cells), 0, 0, None) for game in games]
    assert len(pack(games, {chosen.name: {}}, verdicts, {}, {})) < 30_000


def test_positions_are_not_looked_at_together_beyond_the_budget():
    """On small boards all of them are found at once, but for one chunk no more than may be spent."""
    chosen = variant("blockade-5x5")
    path = follow(chosen, [0, 24, 4, 20, 12])
    judge = Verdicts(chosen, budget=0)
    judge.learn([path])
    assert set(judge.judge(path, 0, 0, None).split()) == {"?"}
