"""Folders of earlier versions: read, verified, and continued to the games that those would have played themselves.

Those of format 2 have ids and seeds of their own kind. Those of format 3 were written before the package was
taken apart into its rooms: no file, id or digest may change by such a thing.
"""

import json
import shutil
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.formats.ladder import OLDER
from arena.game.definition import define
from arena.log.archive import kept_openings
from arena.log.reading import Log
from arena.results.run import Run
from arena.results.verify import mistakes, redraw
from arena.solver.openings import openings
from arena.tournament.watch import Watch
from tests.tournament.field import FIRST, LAST, write
from tests.tournament.small import change, just_play, play_games

FIXTURES = Path(__file__).parents[1] / "fixtures"
FOLDERS = pytest.mark.parametrize(("format", "name"), list(product([2, 3], ["robin", "swiss"])))
SOME_FOLDERS = pytest.mark.parametrize(
    ("format", "name"),
    [
        (2, "robin"),
        (3, "swiss"),
        *(pytest.param(*which, marks=pytest.mark.long) for which in ((2, "swiss"), (3, "robin"))),
    ],
)
"""For what takes seconds: each format and each kind of tournament once, the other two in the soak."""


def digests(format):
    """The digests that an earlier version reached with its folders: half played, and played to their end."""
    return json.loads((FIXTURES / f"format-{format}" / "digests.json").read_text())


def copied(folder, format):
    """A copy of the bots and configs, with the run folders of a format, half played."""
    shutil.copytree(FIXTURES / "format-2", folder, ignore=shutil.ignore_patterns("folders"))
    shutil.copytree(FIXTURES / f"format-{format}" / "folders", folder / "results")
    return folder


@pytest.fixture
def here(tmp_path):
    """The folders of format 2."""
    return copied(tmp_path / "here", 2)


class Listening(Watch):
    """Who keeps all that is said."""

    def __init__(self):
        self.said = []

    def say(self, sentence):
        self.said.append(sentence)


def facts(run):
    """How a folder says that it names its games, and what its log has as its version."""
    with run.log() as log:
        return log.id_format, log.number("PRAGMA user_version")


@FOLDERS
def test_an_older_folder_is_read_as_it_is(tmp_path, format, name):
    """Standings, digest and verify work on it, and reading changes nothing of it."""
    run = Run(copied(tmp_path / "here", format) / "results" / name)
    before = (run.folder / "games.sqlite").read_bytes()
    assert run.digest() == digests(format)[f"{name} as it is"]
    assert len(run.standings()) == 6
    with run.log() as log:
        assert list(mistakes(log)) == []
        assert redraw(log).wrong == []
    assert facts(run) == (format, format)
    assert (run.folder / "games.sqlite").read_bytes() == before


@SOME_FOLDERS
def test_an_older_folder_goes_on_to_the_same_games(tmp_path, format, name):
    """Played on by this version, it has the very games, ids and chance that the older one reached."""
    here = copied(tmp_path / "here", format)
    before = set(Run(here / "results" / name).games()["game"])
    watch = Listening()
    run = just_play(here / "configs" / f"{name}.toml", watch)
    assert any("told apart by their stones, as this folder was begun" in line for line in watch.said)
    assert run.digest() == digests(format)[name]
    assert run.unrepeatable == []  # its chance is drawn by the id of a game, also when that is audited
    assert before < set(run.games()["game"])
    assert facts(run) == (format, 3)
    with run.log() as log:
        assert list(mistakes(log)) == []


def test_an_older_folder_that_was_touched_goes_on_as_it_was_begun(here):
    """One sitting with this version does not change the format for the next."""
    config = here / "configs" / "robin.toml"
    text = config.read_text()
    config.write_text(text.replace("openings = 3", "openings = 2"))
    assert just_play(config, isolation="trusted").digest() == digests(2)["robin as it is"]
    config.write_text(text)
    assert just_play(config, isolation="trusted").digest() == digests(2)["robin"]


def test_a_folder_goes_on_drawing_openings_as_it_was_begun(tmp_path):
    """By stones, where nothing else is noted: those that come later are those that it would have drawn itself."""
    bots = {"first": FIRST, "last": LAST}
    run = play_games(tmp_path, bots, variants=["blockade-line"], openings=2)
    change(run, "DELETE FROM facts WHERE name = 'drawing'")
    run = play_games(tmp_path, bots, variants=["blockade-line"], openings=150)
    line = arena.variant("blockade-line")
    with run.log() as log:
        kept = [cells for cells, _ in kept_openings(log, line, log.field().seed)]
        assert kept[2:] == [cells for cells, _ in openings(line, define(line), log.field().seed, 150, 1)][2:]
        assert redraw(log).wrong == []


def test_a_ladder_goes_on_by_the_rule_it_was_begun_with(tmp_path):
    """Without lots, every two bots from their first sheet on; and it says what such intervals lack."""
    bots = {f"b{number}": f"{FIRST if number % 2 else LAST}# {number}\n" for number in range(6)}
    settings: dict[str, Any] = {"format": "ladder", "variants": ["blockade-5x5"], "openings": 4}
    new = play_games(tmp_path / "new", bots, **settings, interval_points=400)
    run = play_games(tmp_path / "old", bots, **settings, interval_points=4000)
    change(run, "DELETE FROM facts WHERE name = 'drawing'")
    config = write(tmp_path / "old", bots, **settings, interval_points=400, isolation="trusted")
    watch = Listening()
    run = just_play(config, watch)
    assert watch.said[-1] == OLDER
    assert starts(run) == [0, 0, 0, 0, 0]
    assert starts(new) == [0, 1, 2, 3, 0]


def starts(run):
    """The sheet that the first meeting of each of the first five rounds is on."""
    with run.log() as log:
        found = dict(reversed(log.rows("SELECT round, start FROM rounds ORDER BY rowid")))
    return [found[number] for number in range(1, 6)]


def test_a_new_folder_is_begun_in_the_new_format(here, tmp_path):
    """The same tournament elsewhere has other ids, and other seeds for its bots."""
    run = just_play(here / "configs" / "robin.toml", results=tmp_path / "new", isolation="trusted")
    assert facts(run) == (3, 3)
    assert run.digest() != digests(2)["robin"]
    with Run(here / "results" / "robin").log() as log:
        assert not {game for (game,) in log.rows("SELECT game FROM plan")} & set(run.games()["game"])


def test_a_format_that_is_not_known_is_a_sentence(here):
    """Ids of a later arena are not guessed at."""
    run = Run(here / "results" / "robin")
    change(run, "INSERT INTO facts VALUES ('id format', '9')")
    with pytest.raises(arena.ArenaError, match="format 9"):
        Log(run.folder).id_format  # noqa: B018 - asking is the test
