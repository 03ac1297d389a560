"""How far a run is, as those see it who look on."""

import pytest

from arena.results.progress import MOST_LATEST, read_progress
from arena.results.run import Run
from tests.tournament.small import change, copied, play_games


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A small run that is over."""
    return play_games(tmp_path_factory.mktemp("played"))


def test_a_run_that_is_over_has_played_what_it_planned(played):
    """And its last games are those that came last, the newest first."""
    progress = read_progress(played)
    assert progress.is_over
    assert not progress.is_open
    assert progress.played == progress.planned == len(played.games())
    with played.log() as log:
        last = [game for (game,) in log.rows("SELECT game FROM games ORDER BY rowid DESC LIMIT 5")]
    assert [row.game for row in progress.latest] == last
    assert len(last) == MOST_LATEST


def test_games_that_are_missing_are_still_to_be_played(played, tmp_path):
    """What the log lacks is not counted as played."""
    run = copied(played, tmp_path / "cup")
    change(run, "DELETE FROM games WHERE variant = 'snort:line-9'")
    progress = read_progress(Run(run.folder, is_whole=False))
    assert not progress.is_over
    assert progress.planned == read_progress(played).planned
    assert progress.played == int((played.games()["variant"] == "blockade-5x5").sum())
    assert {row.variant for row in progress.latest} == {"blockade-5x5"}
