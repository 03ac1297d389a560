"""Hostile bots in a tournament: they lose their games and nothing else; the log is whole.

Each of them meets the same honest bot, which also meets another honest one. One of each kind is entered by default,
and all of them by `make soak`.
"""

import os
from contextlib import closing
from typing import Any

import arena
from arena.log.reading import Log
from arena.results.verify import mistakes
from tests.hostile.stage import Stage, hostile_bots
from tests.tournament import field

STEP = int(os.environ.get("ARENA_HOSTILE_STEP", "0"))
"""Every how manieth of them is entered; 0 for one of each kind."""
HONEST = {"honest-1": field.FIRST, "honest-2": field.CHANCE}
LIMITS = "[limits]\nmove_seconds = 0.2\ngame_seconds = 2.0\nstart_seconds = 1.0\nmemory_mib = 128\n"


def test_hostile_bots_in_a_tournament_cost_nobody_but_themselves(tmp_path):
    """The run ends, honest games are as without them, every record is right, nothing is void or reached."""
    of_kind = {hostile.kind: hostile for hostile in hostile_bots()}
    entered = hostile_bots()[::STEP] if STEP else list(of_kind.values())
    alone = played(tmp_path / "alone", [])
    with Stage() as stage:
        paths = [stage.write(hostile.name) for hostile in entered]
        everyone = played(tmp_path / "everyone", paths)
        assert stage.observed("") == set()
    assert honest_games(everyone) == honest_games(alone)
    games = everyone.games()
    assert len(games) == 4 * (len(entered) + 1)
    with closing(Log(everyone.folder)) as log:
        assert list(mistakes(log)) == []
        assert log.rows("SELECT * FROM voids") == []
        assert log.rows("PRAGMA integrity_check") == [("ok",)]
    for hostile in entered:
        own = games[(games["first"] == hostile.name) | (games["second"] == hostile.name)]
        endings = {"plays" if ending == "no-moves" else ending for ending in own["ending"]}
        assert endings <= set(hostile.expect), hostile.name
        forfeits = own[own["ending"] != "no-moves"]
        assert set(forfeits["winner"]) <= {"honest-1"}, hostile.name


def played(folder, paths):
    runs_it: dict[str, Any] = {"format": "gauntlet", "gauntlet": ["honest-1"]}
    config = field.write(folder, HONEST, variants=["grid-lock"], openings=2, limits=LIMITS, **runs_it)
    entries = "".join(f"[[bots]]\npath = '{path}'\nname = '{path.stem}'\n" for path in paths)
    config.write_text(config.read_text() + entries)
    return arena.run(config)


def honest_games(run):
    games = run.games()
    own = games[games["first"].isin(HONEST) & games["second"].isin(HONEST)]
    return {row.game: (row.winner, row.ending, row.moves) for row in own.itertuples()}
