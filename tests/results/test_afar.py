"""Grading on a cluster: the same grades as in one process, whoever finds them, dies or lies on the way."""

import json
import pickle
from contextlib import closing

import pytest

import arena
from arena.executors.crew import Crew
from arena.executors.parcel import Lie
from arena.log.grades import open_grades
from arena.log.reading import Log
from arena.results import graders
from arena.results.afar import FOUND, Afar, grade_there, read_rows
from arena.results.graders import Batch, Graders
from arena.results.grading import _batches, count_graded, grade, read_evidence
from tests.executors import clusters
from tests.tournament.field import CHANCE, FIRST, LAST, write
from tests.tournament.small import change, copied

BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE}
VARIANTS = ["blockade-5x5", "grid-block", "snort:hex-3x3"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of some games, none of them graded."""
    folder = tmp_path_factory.mktemp("ungraded")
    config = write(folder, BOTS, variants=VARIANTS, openings=4, isolation="trusted")
    return arena.run(config, executor="serial", grades=False)


@pytest.fixture(scope="module")
def expected(run, tmp_path_factory):
    """What one process finds."""
    alone = copied(run, tmp_path_factory.mktemp("alone") / "run").folder
    grade(alone, lambda done, of: None, workers=1)
    return sorted(read_evidence(alone))


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Ask others without waiting whether grading takes long, each for a few games."""
    monkeypatch.setattr(graders, "PATIENCE_SECONDS", -1.0)
    monkeypatch.setattr("arena.results.grading.BATCH", 5)


def grade_on(folder, place, said):
    """Grade on a cluster; return what was found."""
    with Afar(place, said.append) as afar:
        grade(folder, lambda done, of: None, 2, afar.grade)
    assert count_graded(folder) == 72
    return sorted(read_evidence(folder))


@pytest.mark.long
def test_a_cluster_finds_the_grades_that_one_process_finds(run, tmp_path, expected):
    """Every row; and there is nothing to say about it."""
    said = []
    assert grade_on(copied(run, tmp_path / "run").folder, clusters.shared(), said) == expected
    assert said == []


def lie():
    """From now on this worker finds grades that may be, but are not so."""
    import arena.results.afar as there

    class Liar(Graders):
        def grade(self, batch):
            found = super().grade(batch)
            return found._replace(rows=[_gilded(row) for row in found.rows])

    setattr(there, "Graders", Liar)  # noqa: B010 - it is imported there


def _gilded(row):
    """A row with a ledger that is right: another share of moves is said to keep the win."""
    chance = row.first_chance / 2 if row.first_chance else 0.5 * row.first_weighed
    return row._replace(first_chance=chance, first_kept=row.first_kept // 2)


def be_honest():
    import arena.results.afar as there

    setattr(there, "Graders", Graders)  # noqa: B010 - it is imported there


@pytest.mark.long
def test_a_worker_that_grades_wrongly_is_named_and_nothing_of_it_stays(run, tmp_path, expected, monkeypatch):
    """Also what it sent before: all grades are found again without it."""
    monkeypatch.setattr("arena.results.afar.SHARE", 1.0)
    place, said = clusters.shared(), []
    crew = Crew(place)
    try:
        crew._client.wait_for_workers(2, timeout=30)
        address = sorted(crew._client.scheduler_info()["workers"])[0]
        crew._client.run(lie, workers=[address])
        assert grade_on(copied(run, tmp_path / "run").folder, place, said) == expected
        assert [f"worker {address} sent wrong grades (game" in sentence for sentence in said] == [True]
    finally:
        crew._client.run(be_honest, workers=[address])
        crew.close()


@pytest.mark.long
def test_a_cluster_that_is_lost_costs_only_time(run, tmp_path, expected, monkeypatch):
    """The scheduler dies after the first answer: this machine grades the rest, and says so."""
    said = []
    with clusters.own(workers=1) as (place, scheduler, _):
        honest = Afar._take

        def take(self, *given):
            found = honest(self, *given)
            scheduler.kill()
            return found

        monkeypatch.setattr(Afar, "_take", take)
        assert grade_on(copied(run, tmp_path / "run").folder, place, said) == expected
    assert "does not answer any more" in said[-1]
    assert said[-1].endswith("moves are graded on this machine")


def test_a_game_that_the_rules_do_not_allow_is_one_sentence_from_a_cluster_too(run, tmp_path):
    """A worker's word is not enough: it is graded here, where it fails likewise."""
    bad = copied(run, tmp_path / "bad")
    game = bad.games(variant="blockade-5x5").iloc[-1]["game"]
    change(bad, "UPDATE games SET moves = '0 0 0' WHERE game = ?", game)
    with (
        Afar(clusters.shared(), print) as afar,
        pytest.raises(arena.ArenaError, match=f"game {game} has moves that the rules do not allow"),
    ):
        grade(bad.folder, lambda done, of: None, 2, afar.grade)


@pytest.fixture(scope="module")
def graded(run, tmp_path_factory):
    """A batch, and what an honest worker sends for it."""
    folder = copied(run, tmp_path_factory.mktemp("graded") / "run").folder
    with closing(Log(folder)) as log, open_grades(log) as grades:
        batches = [Batch(variant, list(games)) for variant, games in _batches(log, grades)]
    batch = max(batches, key=lambda batch: len(batch.games))
    return batch, json.loads(grade_there(("run", pickle.dumps(batch))))["rows"]


def test_what_an_honest_worker_sends_is_taken(graded):
    """It is what is found here."""
    batch, told = graded
    assert read_rows(batch, told) == Graders().grade(batch).rows


START, STOOD, THROWS = FOUND - 3, FOUND - 2, FOUND - 1
WRONG = {
    "more kept than graded": lambda row: [row[1] + 1, *row[1:]],
    "more graded than asked": lambda row: [row[0], 99, *row[2:]],
    "less than nothing": lambda row: [-1, *row[1:]],
    "a word": lambda row: ["0", *row[1:]],
    "yes": lambda row: [True, *row[1:]],
    "more than sure": lambda row: [*row[:2], row[3] + 0.1, *row[3:]],
    "no number": lambda row: [*row[:2], float("nan"), *row[3:]],
    "another start": lambda row: [*row[:START], 1 - row[STOOD], *row[STOOD:]],
    "another winner": lambda row: [*row[:START], 1 - row[STOOD], 1 - row[STOOD], row[THROWS]],
    "a throw that nobody made": lambda row: [*row[:THROWS], (row[THROWS] + " 9").strip()],
    "throws of both": lambda row: [*row[:4], row[4] + 1, *row[5:9], row[9] + 1, *row[10:]],
    "no throws": lambda row: [*row[:THROWS], None],
    "a throw after the end": lambda row: [*row[:4], row[4] + 1, *row[5:9], row[9] + 1, *row[10:12], "98 99"],
    "a column less": lambda row: row[1:],
    "nothing": lambda row: None,
}


@pytest.mark.parametrize("wrong", WRONG)
def test_no_grade_that_cannot_be_is_taken(graded, wrong):
    """Whatever column is changed, the ledger of one game included."""
    batch, told = graded
    with pytest.raises(Lie):
        read_rows(batch, [WRONG[wrong](told[0]), *told[1:]])


def test_no_grades_for_other_games_are_taken(graded):
    """Not one more, and not one less."""
    batch, told = graded
    for rows in (told[1:], [*told, told[0]], {}, None):
        with pytest.raises(Lie):
            read_rows(batch, rows)
