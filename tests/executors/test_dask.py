"""The executor for a cluster: whatever machines do, every game comes once, and none that the rules refuse."""

import logging
import os
import pickle
import platform
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import deque
from unittest.mock import Mock

import pytest

import arena
from arena.errors import UserError
from arena.executors import cluster, crew, dask
from arena.executors.cluster import OPEN, Cluster, _is_loopback
from arena.executors.dask import DaskExecutor
from arena.executors.parcel import (
    Lie,
    Missing,
    pack_games,
    pack_unit,
    unpack_games,
    unpack_parts,
    unpack_unit,
)
from arena.executors.serial import SerialExecutor
from arena.executors.unit import Finished, Place, Spoilt
from arena.plan.outlook import Options, read_checked
from tests.cli.command import ARENA
from tests.executors import clusters
from tests.executors.test_executors import CHANCE, SLOW, results, source, units
from tests.hosts.games import FIRST_LEGAL
from tests.log.test_machines import places
from tests.tournament import field
from tests.tournament.small import just_play


@pytest.fixture(scope="module")
def wanted():
    """Games of a bot with chance, in units of seven."""
    return units(source("chance", CHANCE), source("first", FIRST_LEGAL))


@pytest.fixture(scope="module")
def expected(wanted):
    """These games as this process plays them."""
    made = SerialExecutor()
    try:
        return results([row for games in made.play(wanted) for row in games.rows])
    finally:
        made.close()


def play(made, wanted):
    """All games that come back by id, and what is told about workers."""
    rows, news = [], []
    try:
        for games in made.play(wanted):
            rows += games.rows
            news += made.take_news()
    finally:
        made.close()
    assert len(results(rows)) == len(rows)
    return results(rows), news


def on_one_worker(made, function):
    """Let a function run on one of the workers, before it is asked anything; return its address."""
    made.crew._client.wait_for_workers(2, timeout=30)
    address = sorted(made.crew._client.scheduler_info()["workers"])[0]
    made.crew._client.run(function, workers=[address])
    return address


def meet_both(made):
    """Wait until both workers have said what they are."""
    while len(made.crew.stations) + len(made.crew.refused) < 2:
        made.crew.look()
        made.crew.hear()


def lie():
    """From now on this worker says that the other side has won."""
    from arena.executors import remote

    def pack(found):
        told = pack_games(found)
        told["rows"] = [row._replace(winner=row.loser) for row in told["rows"]]
        return told

    setattr(remote, "pack_games", pack)  # noqa: B010 - it is not this module's own


def be_older():
    from arena.executors import remote

    older = {"arena": "0.1", "python": "3.11.0", "numpy": "1.0"}
    setattr(remote, "versions", lambda: older)  # noqa: B010 - it is cached there


def have_other_walls():
    from arena.executors import remote

    remote._prove = lambda is_sandboxed: {"walls": "seccomp", "why": ""}


def have_no_sandbox():
    from arena.executors import remote

    remote._prove = lambda is_sandboxed: {"walls": "", "why": "there is no seccomp"}


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        pytest.param(lie, "sent what cannot be (game", marks=pytest.mark.long),
        pytest.param(
            be_older, "has arena 0.1, python 3.11.0, numpy 1.0; this is arena ", marks=pytest.mark.long
        ),
        pytest.param(
            have_no_sandbox,
            "has no sandbox, and so gets no bots: there is no seccomp",
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_worker_that_is_not_as_it_should_be_plays_nothing_that_counts(harm, words, wanted, expected):
    """It is named, with the reason, and others play its games."""
    with clusters.own() as (place, _, _):
        made = DaskExecutor(is_sandboxed=True, cluster=place)
        address = on_one_worker(made, harm)
        meet_both(made)
        found, news = play(made, wanted)
    assert found == expected
    assert [f"worker {address} {words}" in told for told in news].count(True) == 1, news


@pytest.mark.long
def test_games_are_logged_with_the_walls_that_they_were_played_behind(tmp_path):
    """Those of the worker that played them; and where that was changes no result."""
    config = field.write(
        tmp_path, {"a": SLOW, "b": SLOW + "#\n"}, variants=["blockade-5x5", "grid-lock"], openings=8
    )
    with clusters.own() as (place, _, _):
        looking = DaskExecutor(is_sandboxed=True, cluster=place)
        on_one_worker(looking, have_other_walls)
        meet_both(looking)  # so that nobody is late
        run = just_play(config, executor="dask", cluster=place)
        looking.close()
    with run.log() as log:
        found = list(places(log).values())
        assert log.number("SELECT COUNT(DISTINCT game) FROM audits") >= 20  # they are played there too
    assert len(found) == 32
    assert {name for name, _ in found} == {platform.node()}
    assert [walls.split(", ")[0] for walls in {walls for _, walls in found}] == ["seccomp"] * 2
    alone = just_play(config, name="alone")
    assert run.digest() == alone.digest()


@pytest.mark.long
def test_workers_that_are_killed_cost_no_game():
    """One after the other dies, and another one comes: every game comes back once."""
    wanted = units(source("slow", SLOW), source("first", FIRST_LEGAL), 60, 5)
    with clusters.own() as (place, _, workers):
        made, rows, new = DaskExecutor(is_sandboxed=True, cluster=place), [], []
        try:
            meet_both(made)
            for games in made.play(wanted):
                rows += games.rows
                if len(rows) > 10 and not new:
                    new.append(clusters.start_worker(place.address))
                    workers[0].kill()
            news = made.take_news()
            (machine,) = made.machines()
        finally:
            made.close()
            for process in new:
                process.kill()
                process.wait()
                process.stderr.close()
    assert len(results(rows)) == len(rows) == 60
    assert "is gone; what it had to do" in news[0]
    assert (machine.name, machine.lost, machine.games) == (platform.node(), 1, 60)
    assert 0 < machine.per_second < 1000


def lose_worker(*tasks):
    """What is played again, and what is void, after a worker with one thread was lost that had these tasks."""
    made, jobs = DaskExecutor.__new__(DaskExecutor), crew.Crew.__new__(crew.Crew)
    made._again, made._void, made.crew = deque(), [], jobs
    jobs.stations, jobs._news, jobs._lost = {"node7": crew.Station("node7", 1, Place("", ""))}, [], []
    jobs._tasks = {Mock(): crew.Task(dask.Job((unit,), losses), "node7", 0.0, 1.0) for unit, losses in tasks}
    jobs._drop("node7", "is gone")
    made._sort_out_lost()
    return [(job.units[0], job.losses) for job in made._again], made._void


def test_only_games_that_were_being_played_go_wrong_with_a_worker(wanted):
    """Workers may die all the time: a unit that waited keeps its chances, and a game gets its own."""
    unit, other = wanted[:2]
    alone = unit._replace(specs=unit.specs[:1])
    assert lose_worker((unit, 0), (other, 2)) == ([(unit, 1), (other, 2)], [])
    again, void = lose_worker((unit, 2), (other, 2))
    assert (again[0], again[-1], len(again), void) == ((alone, 0), (other, 2), len(unit.specs) + 1, [])
    assert lose_worker((alone, 2)) == ([], [Spoilt(alone.specs[0], "worker node7 is gone")])


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        pytest.param({"HANG_SECONDS": 3.0}, "has given no sign for 3 s", marks=pytest.mark.long),
        pytest.param({"HANG_SECONDS": 1e9}, "gave no answer", marks=pytest.mark.long),
    ],
)
def test_a_worker_that_hangs_is_given_up(bounds, words, monkeypatch):
    """After a bound others play its games; what it says later counts no more."""
    for name, seconds in bounds.items():
        monkeypatch.setattr(crew, name, seconds)
    if words == "gave no answer":  # it gives signs, but takes longer than its games may
        monkeypatch.setattr(dask, "_longest", lambda unit: 1.5 - 1e9)
    wanted = units(source("slow", SLOW), source("first", FIRST_LEGAL), 40, 4)
    with clusters.own() as (place, _, workers):
        made, rows, is_stopped = DaskExecutor(is_sandboxed=True, cluster=place), [], False
        made.crew._client.wait_for_workers(2, timeout=30)
        meet_both(made)
        try:
            for games in made.play(wanted):
                rows += games.rows
                if rows and not is_stopped:
                    workers[0].send_signal(signal.SIGSTOP)
                    is_stopped = True
            news = made.take_news()
        finally:
            workers[0].send_signal(signal.SIGCONT)
            made.close()
    assert len(results(rows)) == len(rows) == 40
    assert f"{words}; what it had to do is done by others" in news[0]


@pytest.mark.long
def test_a_scheduler_that_dies_ends_the_run_with_a_sentence():
    """It says how to go on; nobody waits for ever."""
    wanted = units(source("slow", SLOW), source("first", FIRST_LEGAL), 400, 5)
    with clusters.own() as (place, scheduler, _):
        made, rows = DaskExecutor(is_sandboxed=True, cluster=place), []
        begun = time.monotonic()

        def watch():
            for games in made.play(wanted):
                rows.extend(games.rows)
                if rows:
                    scheduler.kill()

        try:
            with pytest.raises(UserError, match="does not answer any more; finished games are kept"):
                watch()
        finally:
            made.close()
    assert 0 < len(rows) < 400
    assert time.monotonic() - begun < 60


def test_a_cluster_of_wrong_workers_is_one_short_sentence(monkeypatch):
    """A hundred workers with one fault are not named one by one."""
    made = crew.Crew.__new__(crew.Crew)
    made.stations, made._seen, made._asked, made._place = {}, {"node7"}, {}, "tcp://node7:8786"
    made.refused = [f"worker {number} has python 3.1" for number in range(100)]
    monkeypatch.setattr(made, "look", list)
    monkeypatch.setattr(made, "hear", list)
    with pytest.raises(UserError, match=r"worker 2 has python 3\.1; and so on, 100 workers in all$"):
        made.wait()


def test_a_scheduler_that_is_not_there_is_one_sentence(monkeypatch):
    """A mistyped address, or one where nobody listens."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(UserError, match="scheduler: there is none at tcp://"):
        DaskExecutor(cluster=Cluster("tcp://127.0.0.1:1"))


def test_dask_prints_no_traceback_of_its_own(monkeypatch):
    """Its import gives a level to some of its loggers, so they are told after it, one by one."""
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    logging.getLogger("distributed.client").setLevel(logging.WARNING)  # as its import does
    with pytest.raises(UserError, match="scheduler: there is none at"):
        cluster.connect(Cluster("tcp://127.0.0.1:1"), 0, [])
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR)


def test_a_network_without_certificates_is_warned_of(monkeypatch):
    """Loopback is nobody else's; everything else is, and the commands for certificates are given, a line each."""
    assert [_is_loopback(word) for word in ("tcp://127.0.0.1:8786", "localhost:1", "tcp://[::1]:1")] == [
        True
    ] * 3
    assert not any(map(_is_loopback, ("tcp://10.0.0.1:8786", "node7:8786")))
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    news = []
    with pytest.raises(UserError, match="scheduler: there is none at"):
        cluster.connect(Cluster("nobody.invalid:8786"), 0, news)
    assert [line.split()[:2] for line in news[-3:]] == [["openssl", word] for word in ("req", "req", "x509")]


def start_command(folder, *options):
    """The command, on its own as in a terminal of its own."""
    command = [str(ARENA), "run", "configs/cup.toml", "--no-grades", "--quiet", *options]
    return subprocess.Popen(command, cwd=folder, start_new_session=True, stderr=subprocess.PIPE, text=True)


@pytest.mark.long
def test_a_run_goes_on_after_its_scheduler_died_and_after_ctrl_c_to_one_digest(tmp_path):
    """From one cluster to another, and then here: every game once, one sentence each time, and no traceback."""
    config = field.write(tmp_path, {"a": SLOW, "b": SLOW + "#\n"}, variants=["blockade-5x5"], openings=60)
    folder = tmp_path / "results" / "cup"
    with clusters.own() as (place, scheduler, _):
        going = start_command(tmp_path, "--scheduler", place.address)
        field.wait_for_games(folder, 3)
        scheduler.kill()
        errors = going.communicate(timeout=60)[1]
    assert going.returncode == 1
    assert re.fullmatch(r"arena: the scheduler at tcp://\S+ does not answer any more; .*\n", errors), errors
    kept = set(field.rows(folder))
    assert 3 <= len(kept) < 120
    with clusters.own() as (place, _, _):
        going = start_command(tmp_path, "--scheduler", place.address)
        more = field.wait_for_games(folder, len(kept) + 3)
        os.killpg(going.pid, signal.SIGINT)
        errors = going.communicate(timeout=60)[1]
        assert (going.returncode, "Traceback" in errors) == (130, False), errors
        assert kept <= set(more) <= set(field.rows(folder))
        there = just_play(config, executor="dask", cluster=place)
    assert there.digest() == just_play(config, name="alone", executor="local").digest()


@pytest.mark.long
def test_ctrl_c_reaches_the_workers_of_an_own_cluster_and_says_nothing(tmp_path):
    """It goes to every process of a terminal: the command ends as on one machine, without a traceback."""
    field.write(tmp_path, {"a": SLOW, "b": SLOW + "#\n"}, variants=["blockade-5x5"], openings=50)
    going = start_command(tmp_path, "--executor", "dask")
    before = field.wait_for_games(tmp_path / "results" / "cup", 3)
    os.killpg(going.pid, signal.SIGINT)
    errors = going.communicate(timeout=60)[1]
    assert (going.returncode, "Traceback" in errors) == (130, False), errors
    assert "the same command goes on from there" in errors
    assert set(before) <= set(field.rows(tmp_path / "results" / "cup"))


def test_certificates_without_a_scheduler_are_one_sentence(tmp_path):
    """They would be for nobody."""
    config = field.write(tmp_path, {"a": FIRST_LEGAL, "b": SLOW}, variants=["grid-lock"], openings=1)
    with pytest.raises(UserError, match="go with a scheduler; there is none"):
        read_checked(config, Options(cluster=Cluster(ca="ca.pem")))


@pytest.mark.long
def test_python_names_a_scheduler_and_gets_the_same_tables(tmp_path, monkeypatch):
    """Grades included; `scheduler` is the only word that changes."""
    monkeypatch.setattr("arena.results.graders.PATIENCE_SECONDS", -1.0)  # also few games are graded there
    bots = {"a": FIRST_LEGAL, "b": field.LAST, "c": field.CHANCE}
    config = field.write(tmp_path, bots, variants=["blockade-5x5", "grid-block"], openings=3)
    here = arena.run(config, executor="serial", name="here", audit=False)
    there = arena.run(config, scheduler=clusters.shared().address, name="there", audit=False)
    assert there.digest() == here.digest()
    measured = "cpu_ms_per_move"
    assert there.standings().drop(columns=measured).equals(here.standings().drop(columns=measured))
    assert there.ledger().equals(here.ledger())
    assert here.standings()["graded"].sum() > 0


@pytest.mark.long
def test_a_script_without_a_main_guard_is_not_run_again_by_workers(tmp_path):
    """A cluster that is started here imports nothing of the caller's."""
    field.write(tmp_path, {"a": FIRST_LEGAL, "b": field.LAST}, variants=["grid-lock"], openings=1)
    script = tmp_path / "script.py"
    asked = "executor='dask', workers=1, isolation='trusted', grades=False"
    script.write_text(f"print('once')\nimport arena\nrun = arena.run('configs/cup.toml', {asked})\n")
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
    )
    assert (done.stdout, done.returncode) == ("once\n", 0), done.stderr


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Files for TLS, made by the commands that the warning gives."""
    folder = tmp_path_factory.mktemp("certificates")
    for command in re.findall(r"^openssl .*$", OPEN, re.M):
        subprocess.run(shlex.split(command), cwd=folder, capture_output=True, check=True)
    return {
        name: str(folder / file) for name, file in (("ca", "ca.pem"), ("cert", "own.pem"), ("key", "own.key"))
    }


@pytest.mark.long
def test_a_cluster_with_certificates_plays_for_whoever_has_some(tmp_path, certificates):
    """Those that the printed commands make are enough; strangers get one sentence, and files that are none too."""
    config = field.write(tmp_path, {"a": FIRST_LEGAL, "b": field.LAST}, variants=["grid-lock"], openings=2)
    here = just_play(config, name="here")
    files = {f"tls_{kind}": file for kind, file in certificates.items()}
    with clusters.own(workers=1, certificates=certificates) as (place, _, _):
        assert place.address.startswith("tls://")
        there = arena.run(config, scheduler=place.address, grades=False, **files)
        assert there.digest() == here.digest()
        bare = place.address.removeprefix("tls://")
        assert arena.run(config, scheduler=bare, name="bare", grades=False, **files).digest() == here.digest()
        with pytest.raises(UserError, match="write tls:// before it"):
            arena.run(config, scheduler=f"tcp://{bare}", **files)
        with pytest.raises(UserError, match="cannot be used"):
            arena.run(config, scheduler=bare, name="wrong", **files | {"tls_key": str(config)})
        with pytest.raises(UserError, match="there is none at"):
            arena.run(config, scheduler=bare, name="stranger")


@pytest.fixture(scope="module")
def finished(wanted):
    """The first unit and its games."""
    made = SerialExecutor()
    try:
        rows = [row for games in made.play(wanted[:1]) for row in games.rows]
        return wanted[0], Finished(rows, [], [], [])
    finally:
        made.close()


def test_what_comes_back_as_it_was_played_is_taken(finished):
    """Rows are the same after they went over the network."""
    unit, found = finished
    assert unpack_games(pack_games(found), unit) == found


CHANGES = {
    "winner": lambda row: row._replace(winner=row.loser),
    "move": lambda row: row._replace(moves="0 " + row.moves),
    "ending": lambda row: row._replace(ending="timeout"),
    "word": lambda row: row._replace(ending="cheated"),
    "bot": lambda row: row._replace(first="stranger"),
    "version": lambda row: row._replace(first_version="0" * 12),
    "id": lambda row: row._replace(game="f" * 16),
    "opening": lambda row: row._replace(opening_plies=row.opening_plies + 1),
    "number": lambda row: row._replace(opening=7),
    "seconds": lambda row: row._replace(first_cpu_seconds=-1.0),
    "type": lambda row: row._replace(moves=None),
    "text": lambda row: row._replace(detail="x" * 10_000),
    "walls": lambda row: row._replace(isolation="trusted"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_no_row_that_cannot_be_is_taken(finished, change):
    """Whatever column is changed; and games that are missing, or come twice."""
    unit, found = finished
    rows = [CHANGES[change](found.rows[0]), *found.rows[1:]]
    with pytest.raises(Lie):
        unpack_games(pack_games(found._replace(rows=rows)), unit)


def test_games_may_be_missing_but_none_may_come_twice(finished):
    """A unit may be cut anywhere, and others are asked for the rest."""
    unit, found = finished
    some = pack_games(found._replace(rows=found.rows[1:]))
    assert unpack_games(some, unit).games == len(found.rows) - 1
    with pytest.raises(Lie, match="each once"):
        unpack_games(pack_games(found._replace(rows=found.rows * 2)), unit)


@pytest.mark.long
def test_a_long_unit_is_shared_and_its_games_come_as_they_are_played():
    """Nobody waits for the last of many games of bots that think, and whoever is free plays some of them."""
    (whole,) = units(source("slow", SLOW), source("first", FIRST_LEGAL), 100, 100)
    made = DaskExecutor(is_sandboxed=True, cluster=clusters.shared())
    try:
        made.crew._client.wait_for_workers(2, timeout=30)
        parts = [games.games for games in made.play([whole]) if games.games]
    finally:
        made.close()
    assert sum(parts) == 100
    assert len(parts) > 1


def test_a_worker_answers_for_no_more_units_than_it_was_given(finished):
    """It may leave out the last ones, which others are asked for."""
    unit, found = finished
    told = pack_games(found)
    assert unpack_parts({"units": [told]}, [unit, unit]) == [found]
    for wrong in ({"units": [told] * 2}, {"units": told}, {"units": [None]}, {}):
        with pytest.raises(Lie):
            unpack_parts(wrong, [unit])


@pytest.mark.long
def test_short_units_are_sent_several_at_a_time(expected, wanted, monkeypatch):
    """What dask costs for each message would otherwise be more than what they take."""
    sent = []
    honest = crew.Crew.give

    def give(self, station, call, argument, job, most_seconds):
        sent.append(len(job.units))
        honest(self, station, call, argument, job, most_seconds)

    monkeypatch.setattr(crew.Crew, "give", give)
    made = DaskExecutor(is_sandboxed=True, cluster=clusters.shared())
    made._unit_seconds = dask.JOB_SECONDS / 3
    made.crew._client.wait_for_workers(2, timeout=30)
    meet_both(made)
    assert play(made, wanted) == (expected, [])
    assert (sum(sent), max(sent)) == (len(wanted), 3)


def test_bots_travel_once_and_are_checked_on_arrival(wanted):
    """A worker that has a bot is not sent it again; one that has it no more says so; a hash must fit."""
    unit = wanted[0]
    bots = [(bot.name, bot.version) for bot in unit.bots]
    known = {}
    assert unpack_unit(pack_unit(unit), known) == unit
    assert unpack_unit(pack_unit(unit, bots), known) == unit
    assert len(pack_unit(unit, bots)) < len(pack_unit(unit))
    with pytest.raises(Missing):
        unpack_unit(pack_unit(unit, bots), {})
    columns, names, new, rest = pickle.loads(pack_unit(unit))
    swapped = dict(zip(new, reversed(new.values()), strict=True))
    with pytest.raises(ValueError, match="is not what its hash says"):
        unpack_unit(pickle.dumps((columns, names, swapped, rest)), {})
