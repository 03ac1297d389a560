"""Playing a game again: from the folder alone, the same game, and everything that its bots print."""

import shutil

import pytest

from arena.errors import StoreError, UserError
from arena.tournament.rerun import rerun
from tests.tournament.field import FAILING
from tests.tournament.small import BOTS, change, copied, everything, logged, play_games

CHATTY = (
    "class Bot:\n    def __init__(self, game):\n        print('hello from side', game.side)\n"
    "    def move(self, position):\n        print(f'ply {len(position.history) + 1}')\n"
    "        print('two lines')\n        return position.legal_moves[0]\n"
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A tournament that was played to its end, and whose bots are gone since."""
    folder = tmp_path_factory.mktemp("whole")
    run = play_games(folder, BOTS | {"crash": FAILING["crash"], "chatty": CHATTY}, openings=2)
    shutil.rmtree(folder / "bots")
    return run


def again(run, game):
    """Play a game again; return how it went, and what was shown of it."""
    shown = []
    return rerun(run, game, "trusted", shown.append), shown


def game_of(run, *names, ending="no-moves"):
    """The first game of the bots named, with that ending."""
    return next(
        game for game in logged(run) if {game.first, game.second} == set(names) and game.ending == ending
    )


def test_every_game_goes_as_it_went(whole):
    """Whatever the variant, the opening, the bots and the ending: winner, ending and moves are those of the log."""
    games = logged(whole)
    assert {game.ending for game in games} == {"no-moves", "illegal", "crash"}
    for game in games:
        found, shown = again(whole, game.game)
        assert found.is_same, game
        assert found.logged == game
        assert found.record.game == game.game
        assert found.record.detail == game.detail
        assert shown


def test_playing_again_writes_nothing(whole):
    """A folder is as it was, row by row."""
    before = everything(whole)
    again(whole, logged(whole)[0].game)
    assert everything(whole) == before


def test_every_move_is_shown_with_its_ply(whole):
    """One line for each ply that a bot was asked for, in order, the opening's not among them."""
    game = next(game for game in logged(whole) if game.opening_plies == 1 and game.ending == "no-moves")
    _, shown = again(whole, game.game)
    moves = [line for line in shown if " claims " in line]
    plies = [int(line.split(".")[0]) for line in moves]
    assert plies == list(range(2, game.plies + 1))
    for ply, line in zip(plies, moves, strict=True):
        assert (game.second, game.first)[ply % 2] in line


def test_what_a_bot_prints_is_shown_line_by_line_under_its_name(whole):
    """Each line once, when it was printed: before the move that it led to."""
    game = game_of(whole, "chatty", "first")
    side = int(game.second == "chatty")
    _, shown = again(whole, game.game)
    printed = [line.strip() for line in shown if "printed" in line]
    plies = [ply for ply in range(game.opening_plies + 1, game.plies + 1) if (ply - 1) % 2 == side]
    expected = [f"hello from side {side}"]
    for ply in plies:
        expected += [f"ply {ply}", "two lines"]
    assert printed == [f"chatty printed: {line}" for line in expected]
    for ply in plies:
        at = shown.index(f"     chatty printed: ply {ply}")
        assert shown[at + 2].startswith(f"{ply:3}. chatty claims ")


def test_a_forfeit_shows_what_led_to_it(whole):
    """What the bot printed last, the sentence of the log, and what it answered."""
    game = game_of(whole, "liar", "first", ending="illegal")
    found, shown = again(whole, game.game)
    assert "     liar printed: now for a lie" in shown
    assert found.record.ending == "illegal"
    assert found.record.printed == "now for a lie\n"
    assert "999" in found.record.detail


def test_a_crash_shows_its_traceback(whole):
    """The author sees the line that failed and the error, as of the bot's own file."""
    game = game_of(whole, "crash", "first", ending="crash")
    found, shown = again(whole, game.game)
    assert "     crash printed: about to fail" in shown
    assert "IndexError: list index out of range" in found.record.evidence
    assert "return [][0]" in found.record.evidence
    assert any("IndexError" in line for line in shown)


def test_a_game_is_named_by_the_beginning_of_its_id(whole):
    """Any beginning that fits one game will do, in capitals too."""
    game = logged(whole)[3]
    for text in (game.game[:8], game.game.upper(), f" {game.game} "):
        assert again(whole, text)[0].logged == game


@pytest.mark.parametrize("text", ["", " ", "xyz", "0123456789abcdef0", "%", "'"])
def test_a_game_that_there_is_not_is_one_line(whole, text):
    """Nothing is played, and the user is told where the games are listed."""
    with pytest.raises(UserError, match="there is no game") as refusal:
        again(whole, text)
    assert "\n" not in str(refusal.value)


def test_a_beginning_of_several_ids_is_one_line(whole):
    """Among forty games some share their first digit."""
    digits = [game.game[0] for game in logged(whole)]
    shared = next(digit for digit in digits if digits.count(digit) > 1)
    with pytest.raises(UserError, match="more than one game"):
        again(whole, shared)


def test_a_record_that_says_otherwise_is_noticed(whole, tmp_path):
    """If the log was tampered with, the game goes as it goes, and is not the same."""
    copy = copied(whole, tmp_path / "copy")
    game = game_of(copy, "chance", "first")
    loser = game.second if game.winner == game.first else game.first
    change(copy, "UPDATE games SET winner = ? WHERE game = ?", loser, game.game)
    found, _ = again(copy, game.game)
    assert not found.is_same
    assert found.record.winner == game.winner


def test_a_game_of_an_older_plan_is_one_line(tmp_path):
    """Once its variant is gone from the tournament, the user is told that the game is no longer planned."""
    before = logged(play_games(tmp_path, openings=1))
    run = play_games(tmp_path, openings=1, variants=["blockade-5x5"])
    gone = next(game for game in before if game.variant == "snort:line-9")
    kept = next(game for game in before if game.variant == "blockade-5x5")
    with pytest.raises(UserError, match=f"{gone.game} is no longer in the plan"):
        again(run, gone.game)
    assert again(run, kept.game)[0].is_same


def test_a_bot_that_the_folder_does_not_hold_is_one_line(whole, tmp_path):
    """Without its source a game cannot be played, and the bot is named."""
    copy = copied(whole, tmp_path / "copy")
    game = game_of(copy, "chance", "first")
    change(copy, "DELETE FROM bots WHERE name = 'chance'")
    with pytest.raises(StoreError, match="source of chance"):
        again(copy, game.game)
