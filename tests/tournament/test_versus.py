"""`arena versus`: played pair by pair until it is known, and never a game more than was allowed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena import runs
from arena.config.versus import read_versus
from arena.errors import UserError
from arena.formats import versus
from arena.formats.meeting import Settings
from arena.log.reading import LOG
from arena.plan.outlook import Options
from arena.reports.showing import leaderboard
from arena.results.run import Run
from arena.results.verify import mistakes
from arena.runs import play_versus
from arena.standings import sprt
from arena.standings.sprt import Bounds, Verdict
from arena.tournament.watch import Watch
from tests.tournament.field import CHANCE, FAILING, FIRST, LAST

STARTERS = Path(__file__).parent.parent.parent / "bots"
FAR = Bounds(0, 200)
"""Bounds so far apart that a dozen pairs are enough."""


@pytest.fixture
def here(folder, monkeypatch):
    """The folder, with no tables written in it: they would take longer than all games."""
    monkeypatch.setattr(runs, "write_tables", lambda run: None)
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with some bots, in which things are typed."""
    (tmp_path / "bots").mkdir()
    bots = {"first": FIRST, "last": LAST, "chance": CHANCE} | {
        f"bad-{k}": text for k, text in FAILING.items()
    }
    for name, text in bots.items():
        (tmp_path / "bots" / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(*variants, name="some"):
    """Write a tournament file that names variants; return it."""
    listed = ", ".join(f'"{variant}"' for variant in variants)
    text = f'[tournament]\nvariants = [{listed}]\n[[bots]]\npath = "bots/first.py"\n'
    Path(f"{name}.toml").write_text(text)
    return f"{name}.toml"


def match(one, other, *variants, games=20_000, bounds=FAR, watch=None, grades=False):
    """Ask whether one bot is better than another; return the run and where the test ended."""
    named, settings = config(*(variants or ["snort:line-9"])), Settings(bounds=bounds, games=games)
    tournament, _ = read_versus(one, other, named, "trusted", settings)
    options = Options(executor="serial", isolation="trusted", grades=grades)
    return play_versus(tournament, options, watch or Watch())


def pairs_in(run, one):
    """How many of two games a bot won from each opening, from the list of games, in the order of openings."""
    variants = [name for name, _ in run.field.variants]
    games = run.games()
    games["number"] = games["variant"].map(variants.index)
    wins = (games["winner"] == one).groupby([games["opening"], games["number"]])
    assert (wins.size() == 2).all()
    return wins.sum().tolist()


def step_by_step(pairs, bounds):
    """Look after every pair, as the definition of a sequential test says."""
    counts = [0, 0, 0]
    for outcome in pairs:
        counts[outcome] += 1
        state = sprt.test((counts[0], counts[1], counts[2]), bounds)
        if state.verdict is not Verdict.UNKNOWN:
            return state.verdict, state.llr
    return state.verdict, state.llr


def test_the_better_bot_is_found_from_either_side(here):
    """Perfect play is better than the first legal move, and the first legal move is not better than it."""
    run, state = match("perfect", "first", "snort:line-9", "blockade-line", bounds=Bounds())
    assert state.verdict is Verdict.BETTER
    assert run.folder.name == "versus-perfect-first"
    back, reverse = match("first", "perfect", "snort:line-9", "blockade-line", bounds=Bounds())
    assert reverse.verdict is Verdict.NOT_BETTER
    assert reverse.counts == state.counts[::-1]
    assert back.folder.name == "versus-first-perfect"
    assert len(run.games()) == 2 * state.pairs


def test_the_verdict_is_that_of_looking_after_every_pair(here):
    """It is the one of the first pair, in the order of openings, at which the test ends; all pairs are counted."""
    for one, other in (("perfect", "first"), ("first", "perfect"), ("chance", "last")):
        run, state = match(one, other, "snort:line-9", "kayles:line-11")
        pairs = pairs_in(run, one)
        assert state.counts == tuple(map(pairs.count, range(3)))
        assert (state.verdict, pytest.approx(state.llr)) == step_by_step(pairs, FAR)


def test_a_copy_of_a_bot_is_not_better(here):
    """Between a bot and itself under another name nothing is found, after all openings or before."""
    (here / "bots" / "twin.py").write_text(LAST)
    run, state = match("last", "twin", "snort:line-9", bounds=Bounds())
    assert state.verdict is not Verdict.BETTER
    assert state.counts[0] == state.counts[2] == 0
    assert state.score == 0.5
    assert run.standings()["score"].tolist() == [0.5, 0.5]


def test_no_opening_is_played_again_as_another_pair(here):
    """When all openings are played the question stays open, and asking again plays nothing."""
    run, state = match("first", "last", "snort:line-5", bounds=Bounds(0, 5))
    games = run.games()
    assert state.verdict is Verdict.UNKNOWN
    assert (games.groupby(["variant", "opening"]).size() == 2).all()
    assert set(games["repeat"]) == {0}
    again, same = match("first", "last", "snort:line-5", bounds=Bounds(0, 5), games=10_000_000)
    assert again.digest() == run.digest()
    assert same == state


@pytest.mark.parametrize("games", [4, 5, 6, 17, 18, 30])
def test_no_more_games_are_played_than_were_allowed(here, games):
    """The cap is never passed, and no sheet that would fit under it is left out."""
    run, state = match("first", "last", "snort:line-9", "kayles:line-11", games=games, bounds=Bounds(0, 5))
    assert state.verdict is Verdict.UNKNOWN
    assert games - 4 < len(run.games()) <= games
    assert 2 * state.pairs == len(run.games())


def test_allowing_more_games_goes_on(here):
    """What was played stays, the rest follows, and the end is that of whoever allowed as many at once."""
    close = Bounds(0, 10)  # which so few games cannot tell apart
    some, _ = match("chance", "last", games=10, bounds=close)
    before = set(some.games()["game"])
    more, state = match("chance", "last", games=30, bounds=close)
    assert len(before) == 10
    assert before < set(more.games()["game"])
    more.folder.rename("elsewhere")
    at_once, same = match("chance", "last", games=30, bounds=close)
    assert (same, at_once.digest()) == (state, Run(Path("elsewhere")).digest())


def test_other_bounds_use_the_games_that_there_are(here):
    """Asking another question of the same bots plays only what it needs besides."""
    run, state = match("perfect", "first", bounds=Bounds(0, 100))
    played = set(run.games()["game"])
    wider, easier = match("perfect", "first", bounds=Bounds(0, 300))
    assert state.verdict is easier.verdict is Verdict.BETTER
    assert set(wider.games()["game"]) == played
    assert easier.counts == state.counts


@pytest.mark.parametrize("pairs", [1, 3, 50])
def test_the_answer_does_not_depend_on_how_rounds_are_cut(here, monkeypatch, pairs):
    """Rounds of one pair stop at once, longer ones play on; verdict and estimate are the same."""
    _, usual = match("perfect", "first")
    Path("results").rename("usual")
    monkeypatch.setattr(versus, "PAIRS_A_ROUND", pairs)
    _, state = match("perfect", "first")
    assert (state.verdict, state.llr, state.difference) == (usual.verdict, usual.llr, usual.difference)
    assert state.at_end == usual.at_end


def test_degenerate_variants_are_left_out_with_a_word(here):
    """They could tell nothing; where there are no others, that is one line."""
    tournament, told = read_versus("first", "last", config("grid-lock", "snort:line-9"), None, Settings())
    assert [variant.name for variant in tournament.variants] == ["snort:line-9"]
    assert told == [
        "grid-lock is degenerate and left out: every legal game lasts 4 plies; the second side always wins"
    ]
    with pytest.raises(UserError, match="none of the variants can rank anybody: grid-lock; blockade-4x4"):
        read_versus("first", "last", config("grid-lock", "blockade-4x4"), None, Settings())
    default, told = read_versus("first", "last", None, None, Settings())
    assert [variant.name for variant in default.variants] == ["blockade-5x5", "grid-block", "blockade-line"]
    assert len(told) == 2


def test_a_file_gives_variants_and_limits(here):
    """Its format, openings and grading do not matter here, and what is secret in it stays so."""
    Path("cup.toml").write_text(
        '[tournament]\nformat = "knock-out"\nvariants = ["snort:line-9"]\nopenings = 1\nrepeats = 3\nseed = 5\n'
        "[limits]\nmove_seconds = 0.5\n"
        '[field]\nsecret = ["kayles:line-11"]\n[grading]\nbosses = ["first"]\n[[bots]]\npath = "bots/[fl]*.py"\n'
    )
    tournament, _ = read_versus("chance", "last", "cup.toml", "trusted", Settings())
    assert [variant.name for variant in tournament.variants] == ["snort:line-9"]
    assert (tournament.limits.move_seconds, tournament.seed, tournament.repeats) == (0.5, 5, 1)
    assert (tournament.secret, tournament.grading) == ((), None)
    assert tournament.openings > 1000
    assert [bot.name for bot in tournament.bots] == ["chance", "last"]


def names(one, other):
    """What two bots are called in a match."""
    return [bot.name for bot in read_versus(one, other, None, None, Settings())[0].bots]


@pytest.mark.parametrize(
    ("folders", "expected"),
    [
        (("old", "new"), ["old-alpha", "new-alpha"]),
        (("v1/bots", "v2/bots"), ["v1-alpha", "v2-alpha"]),
        (("my old/x", ".new/x"), ["my_old-alpha", "new-alpha"]),
        (("a" * 80 + "1", "b" * 80), ["a" * 58 + "-alpha", "b" * 58 + "-alpha"]),
    ],
)
def test_two_bots_of_one_name_are_told_apart_by_their_folders(here, folders, expected):
    """The nearest folder that differs comes before the name, in letters that a name may have."""
    for number, folder in enumerate(folders):
        (here / folder).mkdir(parents=True)
        (here / folder / "alpha.py").write_text(FIRST + f"# {number}\n")
    typed = [f"{folder}/alpha.py" for folder in folders]
    assert names(*typed) == expected
    assert names(*typed[::-1]) == expected[::-1]
    run, _ = match(*typed)
    assert run.folder.name == f"versus-{'-'.join(expected)}"
    assert set(run.games()["first"]) == set(expected)


def test_bots_whose_names_leave_no_room_are_one_line(here):
    """Rather than being cut in two equal halves."""
    for folder in ("old", "new"):
        Path(folder).mkdir()
        Path(folder, f"{'x' * 64}.py").write_text(FIRST)
    with pytest.raises(UserError, match=f"both bots are called {'x' * 64}; rename one of them"):
        names(f"old/{'x' * 64}.py", f"new/{'x' * 64}.py")


def test_a_bot_is_not_compared_with_itself(here):
    """However it was typed; a file that is not there, and a name that is nobody's, are one line each."""
    (here / "link.py").symlink_to(here / "bots" / "first.py")
    for typed in ("first", "bots/first.py", str(here / "bots" / "first.py"), "bots/../bots/first.py"):
        with pytest.raises(UserError, match="are the same bot; there is nothing to compare"):
            read_versus("first", typed, None, None, Settings())
    with pytest.raises(UserError, match="there is no bot 'frist'; did you mean 'first'"):
        read_versus("first", "frist", None, None, Settings())
    with pytest.raises(UserError, match=r"nowhere\.py: there is no such file"):
        read_versus("first", "nowhere.py", None, None, Settings())


@pytest.mark.parametrize(
    "kind",
    ["crash", "no-start", *(pytest.param(kind, marks=pytest.mark.long) for kind in ("garbage", "illegal"))],
)
def test_a_bot_that_fails_loses_and_the_question_is_answered(here, kind):
    """A run in which every game is a forfeit ends as any other, with the same verdict from either side."""
    run, state = match(f"bad-{kind}", "last")
    assert state.verdict is Verdict.NOT_BETTER
    assert state.counts[1] == state.counts[2] == 0
    assert set(run.games()["ending"]) == {kind}
    assert match("last", f"bad-{kind}")[1].verdict is Verdict.BETTER
    assert f"bad-{kind} forfeited" in leaderboard(run)


def test_two_bots_that_fail_end_too(here):
    """The side to move loses every time: the pairs are split, and nobody is better."""
    _, state = match("bad-crash", "bad-no-start", bounds=Bounds(0, 5))
    assert state.verdict is not Verdict.BETTER


def test_where_it_stands_is_told_while_it_goes_on(here):
    """After every round the watcher hears the ratio and its limits; the last words are those of the answer."""

    class Listening(Watch):
        def __init__(self):
            self.words, self.games = [], []

        def stand(self, words):
            self.words.append(words)

        def extend(self, round, games):
            self.games.append(games)

    watch = Listening()
    run, state = match("perfect", "first", watch=watch)
    assert len(watch.words) == len(watch.games) + 1
    assert watch.games == sorted(set(watch.games))
    assert watch.games[-1] == len(run.games())
    assert watch.words[0] == "log ratio +0.00, ends at -2.94 or +2.94"
    assert watch.words[-1] == f"log ratio {state.llr:+.2f}, ends at -2.94 or +2.94"


def test_its_folder_is_a_run_like_any_other(folder):
    """Standings, files, digest and verification are those of a tournament of two."""
    run, state = match("perfect", "first", grades=True)
    table = run.standings()
    assert table["bot"].tolist() == ["perfect", "first"]
    assert table["score"].iloc[0] == state.score
    assert table["rating"].notna().all()
    assert len(run.digest()) == 64
    assert run.is_over
    with run.log() as log:
        assert list(mistakes(log)) == []
        assert log.planned == log.played == 2 * state.pairs
    assert "2 bots on 1 variant" in leaderboard(run)
    assert {"standings.csv", "games.csv", "crosstable.csv", "ratings.csv", "standings.md"} <= {
        file.name for file in run.folder.iterdir()
    }


def test_an_edited_bot_begins_anew(here):
    """Its old self's games stay in the log and count for nobody; the answer is about the new one."""
    run, state = match("last", "first")
    old = set(run.games()["game"])
    (here / "bots" / "last.py").write_text((STARTERS / "perfect.py").read_text())
    edited, better = match("last", "first")
    assert better.verdict is Verdict.BETTER
    assert better.pairs > 0
    fresh = {game for (game,) in _rows(edited, "SELECT game FROM games")} - old
    assert len(fresh) == 2 * better.pairs
    table = edited.standings().set_index("bot")
    assert table.loc["last", "games"] == 2 * better.pairs
    assert table.loc["last", "score"] == better.score
    (here / "bots" / "last.py").write_text(LAST)
    back, same = match("last", "first")
    assert same.counts == state.counts
    assert len(_rows(back, "SELECT game FROM games")) == len(old | fresh)


def _rows(run, query):
    with closing(sqlite3.connect(run.folder / LOG)) as database:
        return database.execute(query).fetchall()
