"""Lists of games: which are chosen, and how they look from one bot's side."""

import io
import json

import pandas as pd
import pytest

from arena.errors import UserError
from arena.reports.games import show_games
from arena.results.games import Choice, choose_games
from tests.cli.command import inside
from tests.tournament.small import play


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small run with forfeits."""
    return play(tmp_path_factory.mktemp("listed"))


def ids(run, **choice):
    """The games of a choice."""
    return set(choose_games(run, Choice(**choice))["game"])


def test_the_games_of_a_bot_are_won_or_lost(run):
    """Each is one of the two, and against one of the others."""
    own = ids(run, bot="first")
    won, lost = ids(run, bot="first", is_won=True), ids(run, bot="first", is_lost=True)
    assert (won | lost, won & lost) == (own, set())
    against = [ids(run, bot="first", against=other) for other in ("chance", "liar")]
    assert (against[0] | against[1], against[0] & against[1]) == (own, set())
    assert against[1] == ids(run, bot="liar", against="first")


def test_blunders_are_the_losers_or_those_of_the_bot_that_is_named(run):
    """Of a bot they are games that it lost, unless its wins are asked for."""
    games = run.games(is_graded=True)
    thrown = games[games["thrown_away"].notna()]
    assert ids(run, is_blundered=True) == set(thrown["game"])
    mine = thrown[((thrown["first"] == "liar") | (thrown["second"] == "liar")) & (thrown["winner"] != "liar")]
    assert ids(run, bot="liar", is_blundered=True) == set(mine["game"]) != set()
    gifts = ids(run, bot="first", is_won=True, is_blundered=True)
    assert gifts == ids(run, bot="first", is_won=True) & set(thrown["game"]) != set()


def test_forfeits_are_those_of_the_bot_unless_its_wins_are_asked_for(run):
    """A win by the opponent's forfeit is among the wins."""
    given = ids(run, bot="first", against="liar", is_won=True, is_forfeited=True)
    assert given == ids(run, bot="liar", against="first", is_forfeited=True) != set()
    assert ids(run, bot="first", is_forfeited=True) == set()


def test_people_see_a_bots_games_from_its_side(run):
    """Opponent, side and result; without a bot both names and the winner."""
    lines = show_games(run, Choice(bot="liar")).splitlines()
    assert lines[0].split()[3:6] == ["opponent", "side", "result"]
    results = [line.split()[5] for line in lines[2:]]
    assert results.count("lost") == len(ids(run, bot="liar", is_lost=True))
    assert show_games(run, Choice()).splitlines()[0].split()[3:6] == ["first", "second", "winner"]


def test_a_narrow_screen_keeps_where_a_game_was_thrown_away(run):
    """Before it goes what is the same in every row, and what is told elsewhere."""
    for choice in (Choice(bot="first"), Choice(bot="first", is_lost=True), Choice()):
        text = show_games(run, choice, width=80)
        assert "thrown_away" in text.splitlines()[0]
    assert "result (always lost)" in " ".join(
        show_games(run, Choice(bot="liar", is_lost=True), width=60).split()
    )
    forfeits = show_games(run, Choice(is_forfeited=True), width=60)
    assert "ending" in forfeits.splitlines()[0] or "ending (always illegal)" in " ".join(forfeits.split())


def test_a_list_without_forfeits_has_no_column_for_them(run):
    """The sentence about a forfeit is a column only if there is one."""
    assert "detail" in show_games(run, Choice(bot="liar")).splitlines()[0]
    assert "detail" not in show_games(run, Choice(bot="first", against="chance")).splitlines()[0]


def test_scripts_get_every_column(run):
    """Those of the log, and the ply at which the game was thrown away."""
    for choice in (Choice(), Choice(bot="liar")):
        columns = [*run.games().columns, "thrown_away"]
        assert list(pd.read_csv(io.StringIO(show_games(run, choice, "csv"))).columns) == columns
        assert list(json.loads(show_games(run, choice, "json"))[0]) == columns


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"is_won": True}, "--won needs --bot BOT"),
        ({"is_lost": True}, "--lost needs --bot BOT"),
        ({"against": "liar"}, "--against needs --bot BOT"),
        ({"bot": "liar", "is_won": True, "is_lost": True}, "no game is both"),
        ({"bot": "liar", "against": "liar"}, "no bot plays against itself"),
        ({"bot": "liar", "against": "frist"}, "there is no bot 'frist' in this run; did you mean 'first'"),
    ],
)
def test_what_cannot_be_is_a_sentence(run, choice, said):
    """It says what to type instead."""
    with pytest.raises(UserError, match=said):
        choose_games(run, Choice(**choice))


def test_a_game_alone_is_looked_for_in_the_newest_run(run):
    """`arena replay GAME` needs no RUN; three words are wrong usage."""
    cwd, game = run.folder.parent.parent, run.games()["game"].iloc[0]
    alone = inside("replay", game[:9], "--grade", cwd=cwd)
    assert alone.stdout == inside("replay", "cup", game, "--grade", cwd=cwd).stdout
    assert alone.stdout.startswith(f"game {game} on ")
    assert inside("replay", "cup", cwd=cwd).stderr.startswith("arena: results/cup: there is no game 'cup'")
    assert inside("replay", "cup", game, "more", cwd=cwd).returncode == 2


def test_the_commands_take_the_options(run):
    """`games` with all of them, and `crosstable --bot` for the row of one bot as a list."""
    cwd = run.folder.parent.parent
    words = ["--bot", "liar", "--against", "first", "--lost", "--blunders", "--forfeits"]
    listed = inside("games", "cup", *words, "--format", "json", cwd=cwd)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert {game["winner"] for game in json.loads(listed.stdout)} == {"first"}
    row = inside("crosstable", "cup", "--bot", "liar", "--format", "csv", cwd=cwd)
    assert row.stdout.splitlines()[0] == "opponent,games,wins,score,as_first,as_second"
    assert len(row.stdout.splitlines()) == 3
    assert "did you mean 'liar'" in inside("crosstable", "cup", "--bot", "lier", cwd=cwd).stderr
