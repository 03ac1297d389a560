"""arena from Python: what is public can be found, and takes whatever a user has at hand."""

import html
import sys
from collections.abc import Callable
from typing import Any

import pytest

import arena
from arena.referee.endings import Ending
from arena.tournament.watch import Watch
from tests.tournament.field import FAILING, FIRST, LAST
from tests.tournament.small import play


def first_legal(position):
    return position.legal_moves[0]


class Last:
    """A bot with memory, whose constructor wants the game."""

    def __init__(self, game):
        self.side = game.side

    def move(self, position):
        return position.legal_moves[-1]


class Plain:
    """A bot that is made by its user."""

    def move(self, position, clock):
        return position.legal_moves[-1]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working directory with bots of its own."""
    (tmp_path / "bots" / "team").mkdir(parents=True)
    for name, text in {
        "first": FIRST,
        "last": LAST,
        "broken": "def move(",
        "crash": FAILING["crash"],
    }.items():
        (tmp_path / "bots" / f"{name}.py").write_text(text)
    (tmp_path / "bots" / "team" / "bot.py").write_text("from help import move\n")
    (tmp_path / "bots" / "team" / "help.py").write_text(LAST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_everything_public_is_listed_and_is_there():
    """What the Tab key offers is what `__all__` says, also what is imported on first use only."""
    assert set(arena.__all__) <= set(dir(arena))
    assert [name for name in dir(arena) if name.startswith("_")] == ["__version__"]
    for name in dir(arena):
        assert getattr(arena, name) is not None
    with pytest.raises(AttributeError, match="module 'arena' has no attribute 'solv'"):
        arena.solv  # noqa: B018


def test_a_game_takes_whatever_a_bot_may_be(here):
    """A function, a class, an object, a name, a file and a folder play the same game."""
    bots = [Last, Plain(), lambda p: p.legal_moves[-1], "last", "bots/last.py", here / "bots" / "team"]
    records = [arena.play_game("blockade-line", first_legal, bot) for bot in bots]
    assert len({record.moves for record in records}) == 1
    names = ["Last", "Plain", "<lambda>", "last", "last", "team"]
    assert [record.second for record in records] == names
    assert len(records[3].second_version) == 64
    same = arena.play_game(arena.variant("kayles:line-5"), "first", "first")
    assert (same.first, same.second) == ("first-1", "first-2")


def test_an_installed_bot_needs_no_file_here(tmp_path, monkeypatch):
    """The starter bots can be named anywhere."""
    monkeypatch.chdir(tmp_path)
    record = arena.play_game("blockade-line", "greedy", "mirror")
    assert (record.first, record.second, record.ending) == ("greedy", "mirror", Ending.NO_MOVES)


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        (("frist", "last"), r"first: there is no bot 'frist'; did you mean 'first'\?"),
        (("first", "bots/lost.py"), "second: bots/lost.py: there is no such file or folder"),
        (("first", None), "second: None is no bot; a bot is a function, a Bot object or class, the name"),
        ((5, "last"), "first: 5 is no bot"),
    ],
)
def test_what_is_no_bot_is_the_callers_mistake(here, bots, told):
    """It is said at once, and nobody forfeits."""
    with pytest.raises(arena.UserError, match=told):
        arena.play_game("blockade-line", *bots)


WRONG: dict[str, Callable[[Any], object]] = {
    "None is no position; solve takes a position": lambda arena: arena.solve(None),
    "did you mean 'blockade-line'": lambda arena: arena.solve("blockade-lin"),
    "5 is no variant; a variant is a name such as 'blockade-5x5'": lambda arena: arena.variant(5),
    "None is no variant": lambda arena: arena.play_game(None, "first", "last"),
    "3 is no run; a run is its folder, or its name in results/": lambda arena: arena.open(3),
    "None is no run folder": lambda arena: arena.Run(None),
    "None is no tournament; it is the path of its file, or a dict": lambda arena: arena.run(None),
    r"\[\] is no tournament": lambda arena: arena.run([]),
    "5 is no folder for results": lambda arena: arena.run({}, results=5),
    "executor: unknown value 'remote'; it must be one of": lambda arena: arena.run("cup.toml", executor="remote"),
    "workers: must be a whole number": lambda arena: arena.run("cup.toml", workers="2"),
    r"again: must be a tuple of words, such as again=\('crash',\)": lambda arena: arena.run("cup.toml", again="crash"),
    "scheduler: 'node1' is no address of a scheduler, such as 'tcp://node1:8786'": lambda arena: arena.run(
        "cup.toml", scheduler="node1"
    ),
    "scheduler: '' is no address": lambda arena: arena.run("cup.toml", scheduler=""),
    "scheduler: 8786 is no address": lambda arena: arena.run("cup.toml", scheduler=8786),
    "scheduler: 'http://node1:80' is no address": lambda arena: arena.run("cup.toml", scheduler="http://node1:80"),
    "5 is no file for TLS": lambda arena: arena.run("cup.toml", scheduler="node1:8786", tls_ca=5),
    "tls_ca, tls_cert and tls_key go with a scheduler; there is none": lambda arena: arena.run("cup.toml", tls_ca="x"),
    "tls_cert and tls_key go together; there is no tls_key": lambda arena: arena.run(
        "cup.toml", scheduler="tls://node1:8786", tls_ca="ca.pem", tls_cert="own.pem"
    ),
    "tls_ca: there is no file ca.pem": lambda arena: arena.run(
        "cup.toml", scheduler="tls://node1:8786", tls_ca="ca.pem", tls_cert="own.pem", tls_key="own.key"
    ),
    "an address with tls:// needs tls_ca, tls_cert and tls_key": lambda arena: arena.run(
        "cup.toml", scheduler="tls://node1:8786"
    ),
    "opening: 5 is no list of cells": lambda arena: arena.play_game("grid-lock", "first", "last", opening=5),
    "seed: 'x' is no whole number": lambda arena: arena.play_game("grid-lock", "first", "last", seed="x"),
    r"limits: \{\} is no arena.Limits": lambda arena: arena.play_game("grid-lock", "first", "last", limits={}),
    "limits: move_seconds: '1' is no number": lambda arena: arena.play_game(
        "grid-lock", "first", "last", limits=arena.Limits(move_seconds="1")
    ),
    "3 is no text that names a cell": lambda arena: arena.variant("grid-lock").parse(3),
}  # fmt: skip


@pytest.mark.parametrize("told", WRONG)
def test_a_callers_mistake_is_one_sentence(here, told):
    """It says which argument is meant, and what would be right; never an AttributeError of ours."""
    with pytest.raises(arena.UserError, match=told):
        WRONG[told](arena)


def test_a_variant_stands_for_its_start(here):
    """Where a position is wanted and there is but one that can be meant."""
    variant = arena.variant("blockade-line")
    assert arena.variant(variant) is variant
    solved = arena.solve(variant.start())
    assert arena.solve("blockade-line") == arena.solve(variant) == solved


def test_a_variant_that_is_none_is_the_callers_mistake_too(here):
    """With the nearest right word."""
    with pytest.raises(arena.UserError, match="did you mean 'blockade-line'"):
        arena.play_game("blockade-lin", "first", "last")


def test_what_a_bot_does_wrong_is_its_own_fault(here):
    """It loses, and the record says why; also a file that cannot even be compiled."""
    broken = arena.play_game("blockade-line", "broken", "last")
    assert (broken.winner, broken.ending) == ("last", Ending.NO_START)
    assert "SyntaxError" in broken.detail
    crash = arena.play_game("blockade-line", "last", "crash")
    assert (crash.winner, crash.ending) == ("last", Ending.CRASH)


CUP = {"name": "cup", "variants": ["snort:line-4"], "openings": 1, "isolation": "trusted"}
BOTS = [{"path": "bots/first.py"}, {"path": "bots/last.py"}]


def test_a_dict_is_played_like_a_file(here, capfd):
    """Into results/ of the working directory, and again it plays nothing; a script is told nothing."""
    run = arena.run({"tournament": CUP, "bots": BOTS}, executor="serial", audit=False)
    assert run.folder.resolve() == here / "results" / "cup"
    assert len(run.games()) == 2
    again = arena.run({"tournament": CUP, "bots": BOTS}, executor="serial", audit=False)
    assert again.digest() == run.digest()
    assert "".join(capfd.readouterr()) == ""
    assert arena.open("cup").digest() == arena.open(run.folder).digest() == arena.Run("results/cup").digest()


def test_progress_is_shown_if_it_is_asked_for_or_somebody_watches(here, capfd, monkeypatch):
    """In a notebook, which has no terminal, and wherever `progress=True` says so."""
    same = {"tournament": CUP, "bots": [*BOTS, {"path": "bots/last.py", "name": "again"}]}
    for progress, is_notebook, is_told in (
        (None, False, False),
        (None, True, True),
        (False, True, False),
        (True, False, True),
    ):
        if is_notebook:
            monkeypatch.setitem(sys.modules, "ipykernel", arena)
        else:
            monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
        arena.run(same, executor="serial", audit=False, grades=False, progress=progress)
        assert ("the same files" in capfd.readouterr().err) == is_told


def test_a_run_is_opened_while_it_is_played(here):
    """Whoever looks on from a notebook sees what there is."""
    seen = []

    class Look(Watch):
        def note_games(self, rows):
            seen.append(len(arena.open("cup").games()))

    arena.run({"tournament": CUP, "bots": BOTS}, executor="serial", audit=False, watch=Look())
    assert seen[-1] == 2


def test_a_folder_without_a_run_is_one_sentence(here):
    """Whether it is asked for by name or by its folder."""
    with pytest.raises(arena.UserError, match="there is no run in results/ yet"):
        arena.open()
    with pytest.raises(arena.UserError, match="there is no run 'cup' here or in results/"):
        arena.open("cup")
    for look in (arena.open, arena.Run):
        with pytest.raises(arena.UserError, match=r"bots: there is no games.sqlite in it"):
            look("bots")


def test_a_notebook_shows_runs_and_positions_and_nothing_that_strangers_wrote_is_run(tmp_path):
    """Tables and boards as HTML, with every text escaped."""
    run = play(tmp_path / "<img src=x>", variants=["snort:line-4"], openings=1)
    shown = run._repr_html_()
    assert "<b>cup</b>: 6 games played" in shown
    assert shown.count("<tr>") == 4
    assert "<td>liar</td>" in shown
    assert "<img" not in shown
    assert "&lt;img src=x&gt;" in shown
    book = tmp_path / "wild.toml"
    book.write_text('rule = "snort"\nboard = "line-3"\n[notation]\nstones = ["<", "&"]\n')
    position = arena.variant(book).start().play(0)
    assert "<" in str(position)
    assert position._repr_html_() == f"<pre>{html.escape(str(position))}</pre>"


def test_frames_escape_what_bots_said():
    """pandas does so by itself; if it ever stopped, notebooks would run what a bot printed."""
    import pandas as pd

    assert "<b>" not in pd.DataFrame({"detail": ["<b>"]})._repr_html_()  # type: ignore[operator]
