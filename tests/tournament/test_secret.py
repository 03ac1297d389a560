"""Secret variants: played from the start, and shown nowhere before the last game is played."""

import base64
import signal
import zlib
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

import arena
from arena.errors import FileMistakes, UserError
from arena.export.folder import export
from arena.pages.report import write_report
from arena.plan.outlook import Options, look_ahead, read_checked
from arena.reports.bot import show_bot
from arena.reports.outlook import say_outlook
from arena.reports.showing import leaderboard, notes
from arena.results.earlier import read_earlier
from arena.results.run import Run
from arena.runs import sit
from arena.terminal.progress import Tally
from arena.tournament import conductor, writing
from arena.tournament.evidence import open_seals
from arena.tournament.stopping import Stop
from arena.tournament.watch import Watch
from tests.tournament.field import CHANCE, FIRST, LAST, rows
from tests.tournament.field import arena as command
from tests.tournament.small import change, copied

SECRET = "kayles:line-11"
# Fails on the secret variant alone, so that its forfeits would give that away.
STUMBLING = "def move(position):\n    if position.variant.rule == 'kayles': return 999\n    return position.legal_moves[0]\n"
BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE, "stumbling": STUMBLING}
FIELD = f'[field]\nsecret = ["{SECRET}"]\n[grading]\nbosses = ["first"]\n'


class Stopping(Watch):
    """Whoever presses Ctrl-C after some games."""

    def __init__(self, games):
        self.left = games

    def note_games(self, rows):
        if 0 < self.left <= len(rows):
            signal.raise_signal(signal.SIGINT)
        self.left -= len(rows)


class Listening(Watch):
    """Keeps what a run says."""

    def __init__(self):
        self.said = []

    def say(self, line):
        self.said.append(line)


def write(folder, format="round-robin"):
    """Write bots and a tournament with a secret variant; return the file."""
    (folder / "bots").mkdir(parents=True)
    for name, text in BOTS.items():
        (folder / "bots" / f"{name}.py").write_text(text)
    config = folder / "cup.toml"
    config.write_text(
        f'[tournament]\nformat = "{format}"\nvariants = ["snort:line-9"]\nopenings = 4\nisolation = "trusted"\n'
        f'{FIELD}[[bots]]\npath = "bots/*.py"\n'
    )
    return config


def stop_after(config, games):
    """Play some games of a tournament; return its run, which is not over."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "COMMIT_SECONDS", 0)
        patch.setattr(conductor, "MOST_IN_UNIT", 8)  # so that some games of either kind are among the first
        with pytest.raises(KeyboardInterrupt):
            arena.run(config, executor="serial", watch=Stopping(games))
    return Run(config.parent / "results" / "cup")


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    """A tournament file with a secret variant."""
    return write(tmp_path_factory.mktemp("secret"))


@pytest.fixture(scope="module")
def half(config):
    """A run that was stopped with games on either variant, and forfeits on the secret one."""
    run = stop_after(config, 40)
    played = rows(run.folder, "SELECT variant, ending, game FROM games")
    assert {SECRET, "snort:line-9"} == {variant for variant, _, _ in played}
    assert "illegal" in {ending for _, ending, _ in played}
    assert not run.is_over
    return run


def secret_games(run):
    return [game for (game,) in rows(run.folder, f"SELECT game FROM games WHERE variant = '{SECRET}'")]


def written(run):
    """What stands beside the log, by name, for whoever is shown the folder's tables."""
    return {file.name: file.read_text() for file in run.folder.iterdir() if file.suffix in (".csv", ".md")}


def test_no_file_names_a_secret_variant_before_the_end(half):
    """Neither its name nor a game of it is in any table, and it has no table of its own."""
    files = written(half)
    assert {"standings.csv", "standings.md", "games.csv", "crosstable.csv", "ratings.csv"} < files.keys()
    assert {"grades.csv", "blunders.csv", "forfeits.csv", "standings-snort-line-9.csv"} < files.keys()
    assert "standings-kayles-line-11.csv" not in files
    for text in files.values():
        assert "kayles" not in text
        assert not any(game in text for game in secret_games(half))


def test_no_number_rests_on_secret_games_before_the_end(half):
    """All tables are those of a tournament without the variant."""
    (public,) = rows(half.folder, "SELECT COUNT(*) FROM games WHERE variant = 'snort:line-9'")[0]
    for table in (half.standings(), pd.read_csv(half.folder / "standings.csv")):
        assert table["games"].sum() == 2 * public
        assert table["forfeits"].sum() == 0
    assert len(half.games()) == len(pd.read_csv(half.folder / "games.csv")) == public
    assert len((half.folder / "forfeits.csv").read_text().splitlines()) == 1
    assert half.ratings()["part"].unique().tolist() == ["all variants", "snort:line-9"]
    against = half.games(bot="first")
    grades = pd.read_csv(half.folder / "grades.csv")
    assert grades["games"].sum() == len(against)
    assert f"{public}" in notes(half)[0]


def test_nothing_that_is_printed_shows_it(half):
    """Leaderboards, lists and the crosstable are silent; a game of it, and its name, are refused."""
    shown = [
        leaderboard(half, by, format=format)
        for by in ("overall", "variant", "side")
        for format in ("table", "json")
    ]
    shown += [
        half.crosstable().to_csv(),
        half.games(is_graded=True).to_csv(),
        half.games(forfeits=True).to_csv(),
    ]
    for text in shown:
        assert "kayles" not in text
        assert not any(game in text for game in secret_games(half))
    with pytest.raises(UserError, match="is on a secret variant, which is shown when all games are played"):
        half.game(secret_games(half)[0])
    for refused in (half.standings, half.games):
        with pytest.raises(
            UserError, match=f"there is no variant '{SECRET}' in this run; there are snort:line-9"
        ):
            refused(variant=SECRET)


def test_the_notes_say_that_there_is_something_to_come(half):
    """How many variants are secret is no secret; what is missing is counted without them."""
    lines = notes(half)
    assert "1 secret variant is shown when all games are played" in lines
    (planned,) = rows(half.folder, "SELECT COUNT(*) FROM plan WHERE variant = 'snort:line-9'")[0]
    missing = planned - len(half.games())
    assert missing > 0
    assert f"{missing} of {planned} games are still to be played" in lines


def test_commands_keep_the_secret(half, tmp_path):
    """`games`, `replay`, `rerun` and `diff` do not tell either, and say in one line why not."""
    cwd = half.folder.parent.parent
    for name in ("replay", "rerun"):
        refused = command(name, half.folder, secret_games(half)[0], cwd=cwd)
        assert refused.returncode == 1
        assert "kayles" not in refused.stdout + refused.stderr
        assert refused.stderr.count("\n") == 1
    for format in ("table", "markdown", "html", "json"):
        page = show_bot(half, "stumbling", format)
        assert "kayles" not in page
        assert not any(game in page for game in secret_games(half))
    listed = command("games", half.folder, cwd=cwd)
    assert (listed.returncode, "kayles" in listed.stdout) == (0, False)
    other = copied(half, tmp_path / "other")
    change(other, "UPDATE games SET winner = CASE winner WHEN first THEN second ELSE first END")
    differing = command("diff", half.folder, other.folder, cwd=cwd).stdout
    assert "kayles" not in differing
    assert "snort:line-9" in differing
    assert f"{len(rows(half.folder))} games are in both, with different results" in differing


def test_evidence_is_sealed_until_the_end(half):
    """What failed on the secret variant is kept in faults/, and cannot be read there by mistake."""
    names = [path.name for path in (half.folder / "faults").iterdir()]
    assert names
    assert {name.removesuffix(".sealed") for name in names} <= set(secret_games(half))
    assert all(name.endswith(".sealed") for name in names)


def test_no_byte_beside_the_databases_names_it(half):
    """Not in faults/ or any other file of the folder; the log and its cache are for arena alone."""
    files = [path for path in half.folder.rglob("*") if path.is_file() and ".sqlite" not in path.name]
    assert len(files) > 8
    assert [path.name for path in files if b"kayles" in path.read_bytes() or b"kayles" in bytes(path)] == []


def test_neither_the_outlook_nor_the_pre_flight_names_it(tmp_path):
    """How it fails, how few openings it has, and that it ranks nobody: said without its name or its size."""
    config = write(tmp_path)
    unfit = "col:line-1"
    text = config.read_text().replace(f'["{SECRET}"]', f'["{SECRET}", "{unfit}"]')
    crash = (
        "def move(position):\n    return {'snort:line-9': position.legal_moves[0]}[position.variant.name]\n"
    )
    (tmp_path / "bots" / "crash.py").write_text(crash)
    config.write_text(text)
    watch = Listening()
    arena.run(config, executor="serial", watch=watch)
    said = "\n".join([*watch.said, *say_outlook(look_ahead(config, Options()))])
    assert not any(word in said for word in ("kayles", "line-11", unfit, "col"))
    assert "stumbling: illegal on a secret variant" in watch.said
    assert "crash: crash on a secret variant" in watch.said
    assert "a secret variant cannot rank anybody" in watch.said
    assert "a secret variant has fewer openings than 4, and all are used" in watch.said
    assert "  and 2 secret variants" in said.split("\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no base64",
        "bm8gemxpYg==",
        base64.b64encode(zlib.compress(b"[]")).decode(),
        base64.b64encode(zlib.compress(b'{"../../escaped.txt": "x", "printed.txt": 3}')).decode(),
        base64.b64encode(zlib.compress(bytes(1 << 24))).decode(),
    ],
    ids=["empty", "no base64", "no zlib", "no table", "elsewhere", "too large"],
)
def test_a_seal_that_somebody_else_made_opens_to_nothing(tmp_path, text):
    """A folder may come from a stranger: only what arena writes is taken out, and nothing else is written."""
    faults = tmp_path / "run" / "faults"
    faults.mkdir(parents=True)
    (faults / f"{'0' * 16}.sealed").write_text(text)
    (faults / "..sealed").symlink_to(tmp_path / "elsewhere")
    open_seals(faults)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_after_the_end_all_is_there(config, half, tmp_path):
    """The next run plays the rest, and the variant has its name, its table, its games and its ratings."""
    run = arena.run(config, executor="serial")
    assert run.is_over
    assert run.variants == ["snort:line-9", SECRET]
    files = written(run)
    for name in ("games.csv", "ratings.csv", "forfeits.csv", "blunders.csv", "standings-kayles-line-11.csv"):
        assert name in files
    assert SECRET in files["games.csv"]
    assert "stumbling,kayles:line-11,illegal," in files["forfeits.csv"]
    assert run.standings()["games"].sum() == 2 * len(rows(run.folder))
    assert run.game(secret_games(run)[0])
    assert run.ratings()["part"].unique().tolist() == ["all variants", "snort:line-9", SECRET]
    assert not any("secret" in line or "still to be played" in line for line in notes(run))
    grades = pd.read_csv(run.folder / "grades.csv").set_index("bot")
    assert grades.loc["stumbling", "games"] == 16
    faults = [path for path in (run.folder / "faults").iterdir() if path.name in secret_games(run)]
    assert faults
    assert all(SECRET in (path / "what-happened.txt").read_text() for path in faults)
    assert not list((run.folder / "faults").glob("*.sealed"))


def test_a_tournament_in_rounds_shows_it_after_the_last_round(tmp_path):
    """Between rounds every planned game is played, and yet it is not the end."""
    config = write(tmp_path, "swiss")
    half = stop_after(config, 20)
    assert half.variants == ["snort:line-9"]
    assert "kayles" not in "".join(written(half).values())
    run = arena.run(config, executor="serial")
    assert run.is_over
    assert SECRET in (run.folder / "games.csv").read_text()
    between = copied(run, tmp_path / "between")
    change(between, "DELETE FROM facts WHERE name = 'over'")
    assert Run(between.folder).variants == ["snort:line-9"]


def test_a_variant_is_public_or_secret(tmp_path):
    """Naming it in both places is a mistake, and so is naming one that does not exist."""
    config = write(tmp_path)
    text = config.read_text().replace(f'["{SECRET}"]', '["snort:line-9", "kayles:lin-11"]')
    config.write_text(text)
    with pytest.raises(FileMistakes) as refusal:
        arena.run(config)
    lines = [line.removeprefix(f"{config}:") for line in refusal.value.mistakes]
    assert lines[0] == "7: field.secret[0]: 'snort:line-9' is listed already, as variants[0]"
    assert lines[1].startswith("7: field.secret[1]: unknown board 'lin-11'")
    assert not Path(tmp_path / "results").exists()


def test_the_table_of_a_run_under_way_has_no_secret_games(tmp_path):
    """They move the bar; who won them is not shown, whether they were played before or now."""
    config = write(tmp_path)
    before = len(stop_after(config, 20).games())
    tally = Tally([SECRET])
    run = arena.run(config, executor="serial", watch=tally)
    shown = run.games(variant="snort:line-9")
    assert 0 < before < len(shown)
    assert tally.done == tally.total == len(run.games())
    assert tally.wins == Counter(shown["winner"])
    assert tally.games == Counter([*shown["first"], *shown["second"]])


# What a module of Python has is not taken back between two games of a process.
TATTLING = """\
import random
def move(position):
    seen = random.__dict__.setdefault("seen", [])
    if position.variant.rule == "snort" and seen:
        raise RuntimeError(seen[0])
    if position.variant.rule != "snort":
        seen.append(f"{position.variant.name} {position.history}")
        print(seen)
    return position.legal_moves[0]
"""


@pytest.mark.parametrize("format", ["round-robin", "ladder"])
def test_a_bot_cannot_tell_in_one_game_what_it_saw_in_a_secret_one(tmp_path, format):
    """No process that has met a secret variant plays another one, in the pre-flight neither."""
    config = write(tmp_path, format)
    (tmp_path / "bots" / "stumbling.py").unlink()
    (tmp_path / "bots" / "tattling.py").write_text(TATTLING)
    config.write_text(config.read_text().replace("trusted", "sandboxed"))
    watch = Listening()
    run = arena.run(config, executor="serial", watch=watch, audit=False)
    games = run.games(bot="tattling")
    assert {*games["variant"]} == {SECRET, "snort:line-9"}
    assert {*games["ending"]} == {"no-moves"}
    assert not any("tattling: crash" in line for line in watch.said)


def sit_in_contest(config, is_open):
    """Play all that is missing of a contest, and write it out."""
    options = Options(executor="serial", isolation="trusted", is_open=is_open)
    assert sit(read_checked(config, options), options, Watch(), Stop())
    return Run(config.parent / "results" / "cup")


def test_the_earlier_state_counts_no_secret_games(tmp_path):
    """The page names that number beside the one of all games that may be seen."""
    config = write(tmp_path)
    before = len(sit_in_contest(config, True).games())
    (tmp_path / "bots" / "late.py").write_text(f"# late\n{FIRST}")
    earlier = read_earlier(sit_in_contest(config, True))
    assert earlier is not None
    assert f"when {before} of the games had been played" in earlier.state


@pytest.mark.long
def test_an_open_contest_keeps_its_secret_however_often_all_is_played(tmp_path):
    """Neither another sitting nor `arena run` shows it, nor the file and its seed; closing it shows all."""
    config = write(tmp_path)
    for run in (sit_in_contest(config, True), sit_in_contest(config, True), arena.run(config)):
        assert run.missing == 0
        assert not run.is_over
        assert run.variants == ["snort:line-9"]
        assert "kayles" not in "".join(written(run).values())
        assert all(path.suffix == ".sealed" for path in (run.folder / "faults").iterdir())
        assert "1 secret variant is shown when the contest is closed" in notes(run)
        page = write_report(run).read_text()
        assert "kayles" not in page
        assert "openings = 4" not in page
        with pytest.raises(
            UserError, match="is on a secret variant, which is shown when the contest is clos"
        ):
            run.game(secret_games(run)[0])
        with pytest.raises(UserError, match="are shown when the contest is closed; export it then"):
            export(run, tmp_path / "exported")
    closed = sit_in_contest(config, False)
    assert closed.is_over
    assert SECRET in written(closed)["games.csv"]
    assert not list((closed.folder / "faults").glob("*.sealed"))
    assert "openings = 4" in write_report(closed).read_text()
