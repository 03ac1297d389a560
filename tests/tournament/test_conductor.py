"""The conductor: every game of the plan is played, however the plan is cut."""

import pytest

from arena.tournament import conductor
from tests.tournament.field import CHANCE, FIRST, LAST
from tests.tournament.small import logged, play_games

BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE}


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 12])
def test_no_game_is_left_out_where_the_plan_is_cut(tmp_path, monkeypatch, chunk):
    """Looked for in the log a few at a time, all that is missing is played; also in a second sitting."""
    monkeypatch.setattr(conductor, "CHUNK", chunk)
    part = play_games(tmp_path, BOTS, openings=1)
    with part.log() as log:
        assert log.played == log.planned == 12
    whole = play_games(tmp_path, BOTS, openings=3)
    with whole.log() as log:
        assert log.played == log.planned == 36
    assert len({game.game for game in logged(whole)}) == 36
