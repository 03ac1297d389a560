"""An exported run: a folder that can be played anywhere, to the same digest; or a sentence says why not."""

import json
import os
import shutil
import sys
import sysconfig
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from arena.config.reading import read_tournament
from arena.config.versus import read_versus
from arena.errors import StoreError, UserError
from arena.export.folder import export
from arena.formats.meeting import Settings
from arena.log.writing import Setting, Store
from arena.plan.freezing import write_plan
from arena.plan.outlook import Options, read_checked
from arena.results.run import Run
from arena.runs import play_versus
from arena.tournament.conductor import Conductor
from arena.tournament.watch import Watch
from tests.cli.command import inside
from tests.hosts.nobody import NOBODY, ROOT, as_nobody, ordinary_python
from tests.tournament.field import CHANCE, FIRST, GLOBALS, LAST, write
from tests.tournament.small import change, copied

FIXTURES = Path(__file__).parents[1] / "fixtures"
BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE}
KITE = 'name = "kite"\nrule = "snort"\nboard.edges = [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [4, 5]]\n'
PROGRAM = """import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print('{"type": "ready"}', flush=True)
    elif said["type"] == "move":
        print(json.dumps({"id": said["id"], "move": said["legal"][0]}), flush=True)
"""
PLAIN = (
    'rule = "col"\nboard = "grid-2x3"\n[notation]\ntyped = "row column"\nprinted = "\\"{row}\\"/{column}"\n'
)
PLAIN += 'first = 1\nempty = " "\nblocked = false\nstones = ["\\\\", "ö"]\nrow = "{}|{:>3}|{}"\n'
"""A variant whose notation needs every kind of escape."""


def play(config, seed=None):
    """Play a tournament cheaply: in this process, without tables."""
    options = Options(isolation="trusted", executor="serial", seed=seed)
    with Conductor(read_checked(config, options), options, Watch()) as conductor:
        assert conductor.play()
    return Run(conductor.folder)


def played(folder, bots=BOTS, openings=2, **settings):
    """Play a small tournament in a folder."""
    return play(write(folder, bots, variants=["snort:line-9"], openings=openings, **settings))


def planned(config):
    """Begin a run of a tournament, and play nothing."""
    tournament = read_tournament(config)
    folder = tournament.results / tournament.name
    with closing(Store(folder)) as store:
        write_plan(store, tournament)
        store.begin_run(Setting(tournament.text, tournament.limits, "sandboxed", "", "serial", 1))
    return Run(folder)


def play_exported(done, place):
    """Move an exported folder elsewhere and play it there."""
    folder = done.config.parent.parent
    folder.rename(place)
    return play(place / "configs" / done.config.name)


@pytest.fixture(scope="module")
def robin(tmp_path_factory):
    """A round robin that was played to its end."""
    return played(tmp_path_factory.mktemp("robin"))


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("format", "settings"),
    [
        ("gauntlet", {"gauntlet": ["last"]}),
        ("swiss", {"rounds": 2}),
        ("knock-out", {}),
        ("ladder", {"interval_points": 900}),
    ],
)
def test_every_format_comes_to_the_same_digest(tmp_path, format, settings):
    """Settings of one format survive, and rounds follow from the same results."""
    run = played(tmp_path / "here", BOTS | {"globals": GLOBALS}, format=format, **settings)
    done = export(run, tmp_path / "out")
    assert (done.reasons, done.digest) == ([], run.digest())
    assert play_exported(done, tmp_path / "elsewhere").digest() == run.digest()


def test_a_versus_becomes_a_round_robin_of_its_openings(tmp_path, monkeypatch):
    """No tournament file can ask for a sequential test; the games that it has played are a round robin."""
    write(tmp_path, {"first" * 8: FIRST, "last" * 8: LAST}, variants=["snort:line-9", "kayles:line-7"])
    monkeypatch.chdir(tmp_path)
    bots = "first" * 8, "last" * 8
    settings = Settings(games=24)
    tournament, _ = read_versus(*bots, str(tmp_path / "configs" / "cup.toml"), "trusted", settings)
    run, _ = play_versus(tournament, Options(executor="serial", isolation="trusted", grades=False), Watch())
    done = export(run, tmp_path / "out")
    assert done.reasons == []
    assert len(done.config.stem) == 64
    assert play_exported(done, tmp_path / "elsewhere").digest() == run.digest()


def test_everything_that_a_file_can_say_survives(tmp_path):
    """Limits, who keeps the solver, grading, variants of one's own, rescued names, folders, commands, `fresh`."""
    here = tmp_path / "here"
    (here / "bots" / "deep").mkdir(parents=True)
    (here / "bots" / "deep" / "bot.py").write_text("from more import move\n")
    (here / "bots" / "deep" / "more.py").write_text(LAST)
    (here / "bots" / "noah copy (1).py").write_text(FIRST)
    (here / "bots" / "noah.py").write_text(LAST)
    (here / "programs").mkdir()
    (here / "programs" / "echo.py").write_text(PROGRAM)
    (here / "kite.toml").write_text(KITE)
    (here / "odd name.toml").write_text('name = "plain"\n' + PLAIN)
    config = here / "cup.toml"
    config.write_text(
        '[tournament]\nname = "big-cup"\nvariants = ["kite.toml", "grid-lock", "odd name.toml"]\nopenings = 3\n'
        "repeats = 2\nseed = 77\nfresh = true\n"
        "[limits]\nmove_seconds = 0.5\ngame_seconds = 7\nmemory_mib = 300\nsolver = false\n"
        '[grading]\nbosses = ["echo"]\nby = "accuracy"\npass_mark = 0.25\n'
        '[[bots]]\npath = "bots/deep"\nsolver = true\n[[bots]]\npath = "bots/noah copy (1).py"\nname = "noah.py"\n'
        '[[bots]]\npath = "bots/noah.py"\n'
        f'[[bots]]\nname = "echo"\ncommand = ["{sys.executable}", "./programs/echo.py", "--say=\\"\\\\\\t"]\n'
    )
    run = planned(config)
    done = export(run, tmp_path / "out")
    assert files(tmp_path / "out") == {
        "configs/big-cup.toml",
        "bots/deep/bot.py",
        "bots/deep/more.py",
        "bots/noah.py/noah copy (1).py",
        "bots/noah/noah.py",
        "programs/echo.py",
        "variants/kite.toml",
        "variants/plain.toml",
    }
    assert os.access(tmp_path / "out" / "programs" / "echo.py", os.X_OK)
    assert done.notes == [f"echo needs the program {sys.executable}, which is not in the folder"]
    written, again = read_tournament(config), read_tournament(done.config)
    for part in set(written._fields) - {"config", "text", "paths", "results", "notices"}:
        assert getattr(again, part) == getattr(written, part), part


def test_seed_and_name_of_the_command_line_are_those_of_the_export(tmp_path):
    """The log's tournament file says otherwise, and does not decide."""
    config = write(tmp_path, BOTS, variants=["snort:line-9"], openings=2)
    run = play(config, seed=5)
    done = export(run, tmp_path / "out")
    assert done.config.name == "cup-5.toml"
    assert (read_tournament(done.config).seed, done.reasons) == (5, [])


def test_a_trusted_run_is_exported_sandboxed(robin, tmp_path):
    """Whoever receives it does not know these bots; that it was trusted is told."""
    done = export(robin, tmp_path / "out")
    assert read_tournament(done.config).isolation == "sandboxed"
    assert done.notes == [
        "12 of its games were played trusted: a bot that did what the sandbox forbids will play otherwise"
    ]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_another_user_in_another_place_comes_to_the_same_digest(robin):
    """The folder is moved and given to nobody, who plays it in the sandbox."""
    python = ordinary_python()
    start = ["/usr/bin/env", f"PYTHONPATH={ROOT}:{sysconfig.get_path('purelib')}", str(python), "-m", "arena"]
    if python is None:
        pytest.skip("there is no Python that nobody can start")
    place = Path(tempfile.mkdtemp())
    try:
        export(robin, place / "made")
        shutil.move(place / "made", place / "moved")
        for path in (place, *place.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        config = place / "moved" / "configs" / "cup.toml"
        options = ["--quiet", "--no-audit", "--no-grades", "--executor", "serial"]
        done = as_nobody([*start, "run", str(config), *options])
        if "No module named" in done.stderr:
            pytest.skip("arena's packages are for another Python than the one that nobody can start")
        assert done.returncode == 0, done.stderr
        run = Run(place / "moved" / "results" / "cup")
        assert run.folder.stat().st_uid == NOBODY
        assert set(run.games()["isolation"]) == {"sandboxed"}
        assert (run.digest(), len(run.games())) == (robin.digest(), 12)
    finally:
        shutil.rmtree(place)


def test_a_copy_that_cannot_be_written_is_exported(robin, tmp_path):
    """Nothing is written beside a log that somebody sent on a medium that is read-only."""
    run = copied(robin, tmp_path / "copy")
    before = files(run.folder)
    for path in (run.folder, *run.folder.rglob("*")):
        path.chmod(path.stat().st_mode & 0o555)
    try:
        assert export(run, tmp_path / "out").reasons == []
        assert files(run.folder) - {"cache.sqlite"} == before - {"cache.sqlite"}
    finally:
        run.folder.chmod(0o755)


def edit(folder, **changes):
    """Change bots of a swiss and play on; a text is a bot's file, None takes it out."""
    for name, text in changes.items():
        file = folder / "bots" / f"{name}.py"
        file.write_text(text) if text else file.unlink()
    config = folder / "configs" / "cup.toml"
    config.write_text(config.read_text().replace("rounds = 1", "rounds = 2"))
    return play(config)


def test_who_was_not_there_in_all_rounds_is_named(tmp_path):
    """The rounds cannot come out the same, and the folder can still be played."""
    played(tmp_path, BOTS | {"globals": GLOBALS}, format="swiss", rounds=1)
    done = export(edit(tmp_path, late=GLOBALS, last=LAST + "# 2\n", chance=None), tmp_path / "out")
    assert done.reasons == [
        "late joined after the first round was drawn",
        "chance was withdrawn after a round was drawn",
        "last was edited after a round was drawn",
    ]
    assert {bot.name for bot in read_tournament(done.config).bots} == {"first", "globals", "last", "late"}


def test_a_late_bot_of_a_round_robin_changes_nothing(tmp_path):
    """Its games follow from who is there now, so the digest is the same, also after an edit."""
    played(tmp_path / "here", openings=1)
    run = played(tmp_path / "here", {"late": GLOBALS, "last": LAST + "# 2\n"})
    done = export(run, tmp_path / "out")
    assert done.reasons == []
    assert play_exported(done, tmp_path / "elsewhere").digest() == run.digest()


def test_bots_that_cannot_be_repeated_are_named(robin, tmp_path):
    """As in the standings."""
    run = copied(robin, tmp_path / "copy")
    change(run, "UPDATE bots SET is_repeatable = 0 WHERE name = 'chance'")
    assert export(Run(run.folder), tmp_path / "out").reasons == ["chance cannot be repeated exactly (~)"]


def test_half_a_run_is_said_to_be_half(robin, tmp_path):
    """The digest of a run covers what is played."""
    run = copied(robin, tmp_path / "copy")
    change(run, "DELETE FROM games WHERE rowid > 7")
    assert export(run, tmp_path / "out").reasons == ["5 of its 12 games are still to be played"]


def test_a_plan_that_does_not_follow_is_found(robin, tmp_path):
    """Somebody has frozen another opening than the seed draws: only making the plan anew shows it."""
    run = copied(robin, tmp_path / "copy")
    change(run, "DELETE FROM plan WHERE first = 'chance'")
    change(run, "DELETE FROM games WHERE first = 'chance'")
    (told,) = export(run, tmp_path / "out").reasons
    assert told == "its plan is not the one that follows from its bots, settings and results now"


def test_games_that_came_out_otherwise_before_are_told(robin, tmp_path):
    """`--again` is for a machine that was at fault."""
    run = copied(robin, tmp_path / "copy")
    with closing(Store(run.folder)) as store:
        rows = list(store.games_by_id())
        store.set_aside("bot", "chance", "--again chance")
        store.write(row for row in rows if "chance" in (row.first, row.second))
    change(run, "UPDATE replaced SET moves = '0 1' WHERE rowid < 4")
    done = export(run, tmp_path / "out")
    assert done.reasons == []
    assert "3 of its games had another result before they were played again (`--again`)" in done.notes


@pytest.mark.parametrize(("format", "name"), [(2, "robin"), (2, "swiss"), (3, "robin"), (3, "swiss")])
def test_an_older_folder_is_exported_and_says_that_its_digest_will_differ(tmp_path, format, name):
    """Its ids, or its openings, are made by older rules."""
    shutil.copytree(FIXTURES / f"format-{format}" / "folders" / name, tmp_path / "here")
    done = export(Run(tmp_path / "here"), tmp_path / "out")
    older = ["its games have ids of format 2, and a new folder has format 3"] * (format == 2)
    assert done.reasons[: len(older) + 1] == [*older, "its openings were drawn by an older rule"]
    assert "variants/kite.toml" in files(tmp_path / "out")
    assert len(read_tournament(done.config).bots) == 6


REFUSED = {
    "another source": (
        "UPDATE bots SET source = 'def move(p): return 1' WHERE name = 'last'",
        "source of last",
    ),
    "a path that leads out": ("UPDATE bots SET main = '../x.py' WHERE name = 'last'", "source of last"),
    "another definition": ("UPDATE variants SET definition = '{}'", "the definition of snort:line-9"),
    "another field": (
        "UPDATE facts SET value = replace(value, '\"first\"', '\"fir/st\"')",
        "field of its plan",
    ),
    "another format": ("UPDATE facts SET value = replace(value, 'round-robin', 'cup')", "does not know: cup"),
    "an impossible winner": ("UPDATE games SET winner = 'nobody'", "is not as arena writes games"),
}


@pytest.mark.parametrize("attack", REFUSED)
def test_what_is_not_as_arena_writes_it_is_refused(robin, tmp_path, attack):
    """In a sentence, and no folder is left."""
    statement, told = REFUSED[attack]
    run = copied(robin, tmp_path / "copy")
    change(run, statement)
    with pytest.raises(StoreError, match=told):
        export(Run(run.folder), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_no_games_can_be_sent_as_files_of_a_command(tmp_path):
    """They would be in the exported folder as if they had been played there."""
    config = write(tmp_path, {"first": FIRST}, variants=["snort:line-9"], openings=1)
    (tmp_path / "Results").mkdir()
    (tmp_path / "Results" / "echo.py").write_text(PROGRAM)
    command = f'[[bots]]\nname = "echo"\ncommand = ["{sys.executable}", "Results/echo.py"]\n'
    config.write_text(config.read_text() + command)
    run = planned(config)
    with pytest.raises(StoreError, match="echo has files in results/, where arena writes"):
        export(run, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_in_use_is_left_alone(robin, tmp_path):
    """One line, exit 1; an empty folder will do."""
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "empty").mkdir()
    for name, told in {"used": "is not empty; give a new folder", "file": "is not a folder"}.items():
        for more in ([], ["--without-sources"]):
            done = inside("export", robin.folder, name, *more, cwd=tmp_path)
            assert (done.returncode, done.stdout) == (1, "")
            assert done.stderr == f"arena: {name}: {told}\n"
    assert files(tmp_path) == {"used/mine.txt", "file"}
    assert export(robin, tmp_path / "empty").games == 12


def test_the_command_says_how_to_play_it_and_whether_it_is_the_same(robin, tmp_path):
    """For people, and for scripts."""
    done = inside("export", robin.folder, "my folder", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == [
        "wrote my folder/: 3 bots, 1 variant, 12 games to play",
        "play it with: arena run 'my folder/configs/cup.toml'",
    ]
    assert lines[2] == f"its digest will be that of {robin.folder}: {robin.digest()}"
    change(run := copied(robin, tmp_path / "half"), "DELETE FROM games WHERE rowid > 7")
    told = inside("export", run.folder, "out", cwd=tmp_path).stdout.splitlines()
    assert told[2:4] == [
        f"its digest may not be that of {run.folder}:",
        "  5 of its 12 games are still to be played",
    ]
    as_json = json.loads(inside("export", run.folder, "again", "--format", "json", cwd=tmp_path).stdout)
    assert as_json == {
        "folder": "again",
        "config": "again/configs/cup.toml",
        "same_digest": False,
        "bots": 3,
        "variants": 1,
        "games": 12,
        "digest": run.digest(),
        "reasons": ["5 of its 12 games are still to be played"],
        "notes": [
            "7 of its games were played trusted: a bot that did what the sandbox forbids will play otherwise"
        ],
    }


def test_a_run_with_a_secret_that_is_still_kept_is_not_exported(tmp_path):
    """An export would show its name; after the end it is there, and secret again."""
    config = write(tmp_path, BOTS, variants=["snort:line-9"], openings=1)
    config.write_text(config.read_text() + '[field]\nsecret = ["kayles:line-7"]\n')
    run = play(config)
    half = copied(run, tmp_path / "half")
    change(half, "DELETE FROM games WHERE rowid > 3")
    for more in ([], ["--without-sources"]):
        done = inside("export", half.folder, "out", *more, cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert "kayles" not in done.stderr
        assert not (tmp_path / "out").exists()
    assert read_tournament(export(run, tmp_path / "out").config).secret == ("kayles:line-7",)


def test_a_full_disk_or_a_place_that_cannot_be_is_one_sentence(robin, tmp_path):
    """A file where a folder should be made."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="Not a directory"):
        export(robin, tmp_path / "file" / "out")
