"""Grading in a run: who passes against the bosses, in grades.csv and in a line under the table."""

import pandas as pd
import pytest

import arena
from arena.reports.showing import leaderboard, notes
from arena.results.grading import EVIDENCE_COLUMNS, read_evidence
from arena.results.run import Run
from arena.standings.passing import COLUMNS
from tests.results.test_grading import naive_counts
from tests.tournament.field import CHANCE, FAILING, FIRST, LAST
from tests.tournament.small import just_play

BOTS = {"first": FIRST, "last": LAST, "chance": CHANCE, "bad": FAILING["garbage"]}


def write(folder, grading, variants=("snort:line-9", "grid-lock"), bots=BOTS):
    """Write bots and a tournament that grades; return the file."""
    (folder / "bots").mkdir(parents=True, exist_ok=True)
    for name, text in bots.items():
        (folder / "bots" / f"{name}.py").write_text(text)
    listed = ", ".join(f'"{name}"' for name in variants)
    config = folder / "cup.toml"
    config.write_text(
        f'[tournament]\nvariants = [{listed}]\nopenings = 3\nisolation = "trusted"\n{grading}\n'
        '[[bots]]\npath = "bots/*.py"\n'
    )
    return config


BY_SCORE = '[grading]\nbosses = ["first", "last"]\npass_mark = 0.4'


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A finished run with two bosses, on a variant that can rank and one that cannot."""
    return arena.run(write(tmp_path_factory.mktemp("graded"), BY_SCORE), executor="serial")


def grades_of(run):
    return pd.read_csv(run.folder / "grades.csv").set_index("bot")


def test_grades_are_those_of_games_against_the_bosses(graded):
    """Counted from the list of games: on variants that can rank, against either boss, forfeits being losses."""
    table = grades_of(graded)
    assert ["bot", *table.columns] == COLUMNS
    assert set(table.index) == {"chance", "bad"}
    games = graded.games(variant="snort:line-9")
    for bot in ("chance", "bad"):
        met = games[
            (games["first"] == bot) & games["second"].isin(["first", "last"])
            | (games["second"] == bot) & games["first"].isin(["first", "last"])
        ]
        share = (met["winner"] == bot).mean()
        assert table.loc[bot, "games"] == len(met) == 12
        assert table.loc[bot, "score"] == pytest.approx(share)
        assert table.loc[bot, "score_low"] <= share <= table.loc[bot, "score_high"]
        assert table.loc[bot, "passed"] == ("yes" if share >= 0.4 else "no")
    assert table.loc["bad", "score"] == 0
    assert (table["by"] == "score").all()
    assert (table["pass_mark"] == 0.4).all()


def test_accuracy_counts_moves_against_the_bosses_alone(graded):
    """As grading every move by hand gives it, without games against bots that are no bosses."""
    for boss in ("first", "chance"):
        expected = {}
        for (_, bot, _), (kept, of) in naive_counts(_Against(graded, boss)).items():
            if bot != boss:
                before = expected.get(bot, (0, 0))
                expected[bot] = (before[0] + kept, before[1] + of)
        found = pd.DataFrame(read_evidence(graded.folder, [boss]), columns=EVIDENCE_COLUMNS)
        sums = found.groupby("bot")[["kept", "graded"]].sum()
        shown = {bot: tuple(row) for bot, row in zip(sums.index, sums.to_numpy().tolist(), strict=True)}
        assert {bot: counts for bot, counts in shown.items() if counts[1]} == expected
        assert expected


class _Against:
    """A run of which only the games of one bot are seen."""

    def __init__(self, run, bot):
        self._run, self._bot = run, bot

    def games(self):
        return self._run.games(bot=self._bot)


def test_repeats_of_the_same_games_make_nothing_surer(tmp_path):
    """Played five times, bots that always play alike have the same shares, intervals and verdicts."""
    bots = {"first": FIRST, "last": LAST, "bad": FAILING["garbage"]}
    config = write(tmp_path, BY_SCORE.replace('"first", "last"', '"last"'), ["snort:line-9"], bots)
    once = grades_of(arena.run(config, executor="serial"))
    standing = Run(tmp_path / "results" / "cup").standings()
    config.write_text(config.read_text().replace("openings = 3", "openings = 3\nrepeats = 5"))
    often = grades_of(arena.run(config, executor="serial"))
    counted = ["games", "graded"]
    assert (often["games"] == 5 * once["games"]).all()
    pd.testing.assert_frame_equal(often.drop(columns=counted), once.drop(columns=counted))
    then = Run(tmp_path / "results" / "cup").standings()
    shares = [
        name
        for name in map(str, then.columns)
        if name.endswith(("_low", "_high", "over_next")) or name in ("low", "high")
    ]
    assert len(shares) == 7
    pd.testing.assert_frame_equal(then[shares], standing[shares])


def test_a_line_under_the_table_says_how_many_pass(graded):
    """It names the mark and the bosses, and where to look."""
    table = grades_of(graded)
    passed, unsure = (table["passed"] == "yes").sum(), (table["is_sure"] == "no").sum()
    (line,) = (line for line in notes(graded) if "grades.csv" in line)
    assert line.startswith(f"{passed} of 2 bots pass")
    assert "(score at least 0.4 against first, last)" in line
    assert (f"{unsure} verdict" in line) == (unsure > 0)
    assert line in leaderboard(graded)
    assert line in (graded.folder / "standings.md").read_text()


def test_another_mark_plays_nothing_again(tmp_path):
    """Changing who is graded and by what changes grades.csv alone."""
    config = write(tmp_path, BY_SCORE)
    before = just_play(config).digest()
    write(tmp_path, '[grading]\nbosses = ["last"]\nby = "accuracy"\npass_mark = 1')
    run = arena.run(config, executor="serial")
    table = grades_of(run)
    assert run.digest() == before
    assert set(table.index) == {"first", "chance", "bad"}
    assert set(table["by"]) == {"accuracy"}
    assert (table["passed"] == "yes").equals(table["accuracy"] >= 1)
    with run.log() as log:
        assert log.number("SELECT COUNT(*) FROM runs") == 1


def test_grades_go_when_nobody_is_graded_any_more(tmp_path):
    """A table of an old rule beside new standings would mislead; the next run takes it away."""
    config = write(tmp_path, BY_SCORE)
    folder = arena.run(config, executor="serial").folder
    assert (folder / "grades.csv").exists()
    write(tmp_path, "")
    run = arena.run(config, executor="serial")
    assert not (folder / "grades.csv").exists()
    assert "grades.csv" not in leaderboard(run)


def test_where_nothing_can_rank_nobody_passes(tmp_path):
    """On degenerate variants alone there is nothing to be graded by, and nothing crashes."""
    run = arena.run(write(tmp_path, BY_SCORE, ["grid-lock"]), executor="serial")
    table = grades_of(run)
    assert table["games"].tolist() == [0, 0]
    assert table[["passed", "is_sure"]].isna().all(axis=None)
    assert (
        "0 of 0 bots pass (score at least 0.4 against first, last); no verdict for 2 more bots: see grades.csv"
        in (notes(run))
    )


def test_a_gauntlet_can_have_bots_that_never_met_a_boss(tmp_path):
    """Whoever has not played the bosses is there, without a share, and neither passes nor fails."""
    config = write(tmp_path, BY_SCORE.replace('"first", "last"', '"last"'))
    text = config.read_text().replace(
        "[tournament]", '[tournament]\nformat = "gauntlet"\ngauntlet = ["first"]'
    )
    config.write_text(text)
    table = grades_of(arena.run(config, executor="serial"))
    assert table.loc["first", "games"] == 6
    assert table.loc["chance", "games"] == 0
    assert pd.isna(table.loc["chance", "score"])
    assert pd.isna(table.loc["chance", "passed"])


def test_a_folder_read_again_has_the_same_grades(graded):
    """The field that the log keeps says who is graded and how."""
    again = Run(graded.folder)
    assert again.field.grading is not None
    assert again.field.grading == graded.field.grading
    assert (
        again.passing(again.field.grading).to_csv(index=False) == (graded.folder / "grades.csv").read_text()
    )
