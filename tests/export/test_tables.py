"""What may be published of a run: its tables and games, and not a byte that somebody wrote in confidence."""

import csv

import pandas as pd
import pytest

import arena
from arena.export.tables import export_tables
from tests.cli.command import inside
from tests.tournament.field import FIRST, LAST, write

QUOTING = '''"""My secret idea: count the cells."""
print("printed while loading")


def move(position):
    print("printed while thinking")
    if len(position.history) > 3:
        raise ValueError("a text from inside")
    return position.legal_moves[0]
'''
LYING = 'def move(position):\n    return "forty-two words"\n'
GRADING = '# a remark of the teacher\n[grading]\nbosses = ["first"]\n'
SEED = 123456789123


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run with prints, tracebacks, evidence, details that quote bots, and grades."""
    bots = {"first": FIRST, "last": LAST, "quoting": QUOTING, "lying": LYING}
    config = write(
        tmp_path_factory.mktemp("run"), bots, variants=["snort:line-9"], openings=2, seed=SEED, limits=GRADING
    )
    run = arena.run(config, executor="serial", isolation="trusted")
    assert (run.folder / "faults").is_dir()
    assert (run.folder / "grades.csv").exists()
    return run


def confidential(run):
    """Everything that must not be found: lines of sources, of the config and of the evidence, and details."""
    config = run.folder.parent.parent / "configs" / "cup.toml"
    places = [config, *(config.parent.parent / "bots").iterdir(), *(run.folder / "faults").rglob("*")]
    lines = {line.strip() for file in places if file.is_file() for line in file.read_text().splitlines()}
    details = set(run.games()["detail"])
    quoted = {"secret idea", "printed while", "a text from inside", "forty-two", "a remark", str(SEED)}
    numbers = {line for line in lines if line.isdigit()}  # such as a line of a picture
    return {text for text in lines | details | quoted if len(text) > 5} - numbers


def test_no_file_has_a_byte_of_sources_config_evidence_or_prints(run, tmp_path):
    """Line by line, in the bytes of every file."""
    export_tables(run, tmp_path / "public")
    wanted = confidential(run)
    assert {
        "def move(position):",
        'variants = ["snort:line-9"]',
        'raise ValueError("a text from inside")',
    } < ({text.replace("'", '"') for text in wanted})
    seen = [path for path in (tmp_path / "public").rglob("*") if path.is_file()]
    assert {path.suffix for path in seen} == {".csv", ".md"}
    for path in seen:
        data = path.read_bytes().decode()
        assert not [text for text in wanted if text in data], path.name


def test_tables_and_games_are_those_of_the_run(run, tmp_path):
    """All but the sentences about forfeits, and who passes."""
    count = export_tables(run, tmp_path / "public")
    names = {path.name for path in (tmp_path / "public").iterdir()}
    assert len(names) == count
    beside = {path.name for path in run.folder.iterdir() if path.suffix in (".csv", ".md")}
    assert names == beside - {"grades.csv"}
    for name in names - {"games.csv", "standings.md"}:
        assert (tmp_path / "public" / name).read_text() == (run.folder / name).read_text()
    games = pd.read_csv(tmp_path / "public" / "games.csv", keep_default_na=False)
    pd.testing.assert_frame_equal(
        games, pd.read_csv(run.folder / "games.csv", keep_default_na=False).assign(detail="")
    )
    page = (tmp_path / "public" / "standings.md").read_text()
    assert "lying" in page
    assert "grades.csv" not in page


def test_the_command_says_what_it_wrote(run, tmp_path):
    """And that a folder of tables is no run folder."""
    done = inside("export", run.folder, "public", "--without-sources", cwd=tmp_path)
    said = "wrote 9 tables to public/: no sources, no tournament file, no evidence\n"
    assert (done.returncode, done.stdout) == (0, said)
    with (tmp_path / "public" / "standings.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 4
    refused = inside("leaderboard", "public", cwd=tmp_path)
    assert refused.returncode == 1
    assert "there is no games.sqlite in it, so it is not a run folder" in refused.stderr
