"""Tables as text and as files: every format, every reader."""

import errno
import io
import json
import re

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.plaintext import are_plain, for_csv
from arena.reports import files, games_file, text
from arena.reports.columns import SPARE, choose_columns, explain_columns
from arena.standings import tables
from tests.hostile.texts import HALF, TRICKS
from tests.reports.harmless import CHECKS, check_csv, check_harmless, check_markdown

COLUMNS = (
    "variant first second winner ending isolation games "
    "first_moves second_moves first_cpu_seconds second_cpu_seconds"
).split()
BOTS = pd.DataFrame(
    {"bot": ["ada", "1e5", "wob_bly"], "version": ["0" * 12, "1" * 12, "2" * 12], "is_repeatable": [1, 1, 0]}
)


def counts_of(*rows):
    """Counts of games, as the log gives them."""
    return pd.DataFrame(rows, columns=COLUMNS)


NOTHING = counts_of()
COUNTS = counts_of(
    ("line", "ada", "1e5", "ada", "no-moves", "sandboxed", 2, 10, 8, 0.5, 0.1),
    ("line", "1e5", "ada", "1e5", "timeout", "sandboxed", 1, 3, 2, 0.5, 2.0),
    ("snort:grid-3x3", "wob_bly", "ada", "ada", "crash", "trusted", 3, 0, 3, 0.0, 0.003),
)
STANDINGS = tables.standings(COUNTS, BOTS)
ALL_FRAMES = {
    "standings": STANDINGS,
    "by side": tables.standings_by_side(COUNTS, BOTS),
    "no games": tables.standings(NOTHING, BOTS),
    "no bots": tables.standings(NOTHING, BOTS[:0]),
    "crosstable": tables.crosstable(COUNTS, tables.standings(COUNTS, BOTS)["bot"].tolist()),
    "crosstable of nobody": tables.crosstable(NOTHING, []),
    "no forfeits": tables.forfeits(NOTHING),
}
TRICKY = "a|b & <b>x</b> 50% ~ \\ _ \x1b[31m\nnext"


@pytest.mark.parametrize("frame", ALL_FRAMES.values(), ids=ALL_FRAMES)
@pytest.mark.parametrize("format", text.FORMATS)
def test_every_format_renders_every_table(frame, format):
    """No format fails, ends with an empty line, or shows what is empty as nan or <NA>."""
    shown = text.render(frame, format)
    assert shown
    assert not shown.endswith("\n")
    assert not re.search("nan|NaN|<NA>|None", shown)


def test_a_table_lines_up_and_leaves_out_what_is_empty():
    """People see rounded numbers, whole numbers as such, and no column in which there is nothing."""
    assert text.leaderboard(STANDINGS, BOTS, "table").splitlines() == [
        "rank  bot        version       games  wins  score  wins_first  wins_second  forfeits  cpu_ms_per_move",
        "----  ---------  ------------  -----  ----  -----  ----------  -----------  --------  ---------------",
        "   1  ada        000000000000      6     5  0.833           2            3         1          166.867",
        "   2  1e5        111111111111      3     1  0.333           1            0         0           54.545",
        "   3  wob_bly ~  222222222222      3     0  0.000           0            0         3",
    ]


def test_markdown_is_a_table_for_github():
    """Pipes, a line of dashes, one line for each bot."""
    lines = text.leaderboard(STANDINGS[["rank", "bot", "score"]], BOTS, "markdown").splitlines()
    assert lines == [
        "| rank | bot       | score |",
        "|-----:|:----------|------:|",
        "|    1 | ada       | 0.833 |",
        "|    2 | 1e5       | 0.333 |",
        "|    3 | wob_bly ~ | 0.000 |",
    ]


def test_latex_needs_booktabs_and_nothing_else():
    """Names are escaped, and every row has as many cells as the table has columns."""
    assert text.leaderboard(STANDINGS[["rank", "bot", "score"]], BOTS, "latex").splitlines() == [
        r"\begin{tabular}{rlr}",
        r"\toprule",
        r"rank & bot & score \\",
        r"\midrule",
        r"1 & ada & 0.833 \\",
        r"2 & 1e5 & 0.333 \\",
        r"3 & wob\_bly \textasciitilde{} & 0.000 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_latex_without_rows_still_has_its_columns():
    """A table of nothing is one that LaTeX accepts."""
    assert text.render(tables.forfeits(NOTHING), "latex").startswith(r"\begin{tabular}{lllr}")


def test_csv_has_every_column_exactly():
    """What pandas reads back is what was written: plain names, exact numbers, empty where there is none."""
    written = text.leaderboard(STANDINGS, BOTS, "csv")
    assert written.splitlines()[0] == ",".join(tables.COLUMNS)
    back = pd.read_csv(io.StringIO(written), dtype={"bot": str, "version": str})
    assert back["bot"].tolist() == ["ada", "1e5", "wob_bly"]
    numbers = back.astype(STANDINGS.dtypes.to_dict())
    pd.testing.assert_frame_equal(numbers, STANDINGS, rtol=1e-14)


def test_json_is_a_list_with_a_line_for_each_record():
    """Whole numbers are whole, fractions have 6 decimals, what is empty is null, every column is there."""
    shown = text.leaderboard(STANDINGS, BOTS, "json")
    assert len(shown.splitlines()) == 5
    records = json.loads(shown)
    assert [list(record) for record in records] == [tables.COLUMNS] * 3
    assert [record["bot"] for record in records] == ["ada", "1e5", "wob_bly"]
    assert records[0]["score"] == 0.833333
    assert (records[0]["rating"], records[0]["graded"], records[2]["cpu_ms_per_move"]) == (None, None, None)
    assert '"games":6,' in shown
    assert json.loads(text.render(tables.forfeits(NOTHING), "json")) == []


def test_json_survives_strange_text():
    """A newline in a cell is no new record."""
    records = json.loads(text.render(pd.DataFrame({"detail": [TRICKY, "plain"]}), "json"))
    assert records == [{"detail": TRICKY}, {"detail": "plain"}]


def test_a_crosstable_of_a_bot_called_bot_is_json():
    """No two columns share a name, which JSON could not say."""
    counts = counts_of(("line", "bot", "ada", "bot", "no-moves", "sandboxed", 1, 0, 0, 0, 0))
    records = json.loads(text.render(tables.crosstable(counts, ["bot", "ada"]), "json"))
    assert records[1] == {"bot": "ada", "(bot)": "0/1 (0+0)", "ada": ""}


@pytest.mark.parametrize("width", [40, 80, 100, 120, 160, 400])
def test_a_table_fits_the_screen(width):
    """What matters least is left out of a narrow one and named; what matters most is always there."""
    rows = text.leaderboard(STANDINGS, BOTS, "table", width).split("\n\n")
    headings = rows[0].splitlines()[0].split()
    assert {"rank", "bot", "score"} <= set(headings)
    is_least = not set(headings) & set(SPARE)
    assert is_least or max(map(len, rows[0].splitlines())) <= width
    everything = text.leaderboard(STANDINGS, BOTS, "table").splitlines()[0].split()
    gone = [name for name in everything if name not in headings]
    said = f"not on this screen: {', '.join(gone)}; standings.csv has everything"
    assert [" ".join(row.split()) for row in rows[1:]] == ([said] if gone else [])
    assert (width < 400) or headings == everything


def test_a_table_one_character_too_wide_is_made_narrower():
    """The natural width fits; one character less does not, and costs a column."""
    whole = text.leaderboard(STANDINGS, BOTS, "table", 10_000)
    width = max(map(len, whole.splitlines()))
    assert text.leaderboard(STANDINGS, BOTS, "table", width) == whole
    table = text.leaderboard(STANDINGS, BOTS, "table", width - 1).split("\n\n")[0]
    assert max(map(len, table.splitlines())) < width


def test_every_interval_stands_beside_its_number():
    """In one column, with the decimals of the number; Swiss points come first, and scripts keep all columns."""
    frame = STANDINGS.assign(score_low=0.5, score_high=0.91, low=1401.4, high=1620.0, accuracy_low=None)
    shown = choose_columns(frame, {"ada": 2.5, "1e5": 1.0, "wob_bly": 0.0})
    names = shown.columns.tolist()
    assert names[:3] == ["rank", "bot", "points"]
    assert names[names.index("score") + 1] == "score 95 %"
    assert shown[["points", "score 95 %", "rating 95 %"]].to_numpy().tolist()[0] == [
        2.5,
        "0.500-0.910",
        "1401-1620",
    ]
    assert shown["accuracy 95 %"].isna().all()
    assert not {"score_low", "high", "losses", "repeatable", "unrated"} & set(names)


def test_accuracy_is_explained_where_there_is_some():
    """What it is, what chance is, and what held and taken are."""
    assert explain_columns(STANDINGS) == []
    assert [line.split(":")[0] for line in explain_columns(STANDINGS.assign(accuracy=0.5))] == [
        "accuracy",
        "held",
    ]


def test_html_escapes_what_strangers_wrote():
    """Cells and headings cannot become tags."""
    shown = text.render(pd.DataFrame({"<i>": [TRICKY]}), "html")
    assert "&lt;b&gt;x&lt;/b&gt;" in shown
    assert "&lt;i&gt;" in shown
    assert set(re.findall(r"<(\w+)", shown)) == {"table", "thead", "tbody", "tr", "th", "td"}


def test_markdown_escapes_what_strangers_wrote():
    """A pipe in a cell is no new cell, and a tag no tag."""
    (cell,) = re.findall(r"(?<!\\)\| (.*) (?<!\\)\|", text.render(pd.DataFrame({"x": [TRICKY]}), "markdown"))[
        1:
    ]
    assert cell.startswith(r"a\|b \& \<b>x\</b>")


def test_latex_escapes_what_strangers_wrote():
    """No cell can end its row or begin a command."""
    shown = text.render(pd.DataFrame({"x": ["[" + TRICKY]}), "latex").splitlines()[4]
    assert shown.startswith(
        r"{[}a|b \& \textless{}b\textgreater{}x\textless{}/b\textgreater{} 50\% \textasciitilde{} "
    )
    assert r"\textbackslash{} \_ " in shown


@pytest.mark.parametrize("format", sorted(text.FOR_PEOPLE))
def test_what_people_see_has_no_control_characters(format):
    """Colour codes and newlines in somebody's text arrive as words."""
    shown = text.render(pd.DataFrame({"x": [TRICKY]}), format)
    assert "\x1b" not in shown
    assert all(line.isprintable() for line in shown.splitlines())
    assert len(shown.splitlines()) == len(text.render(pd.DataFrame({"x": ["y"]}), format).splitlines())


HOSTILE_NAMES = [sign + TRICKS for sign in ("", *"=+-@#>~[*", "    ", "1. ")]
HOSTILE = pd.DataFrame(
    {"bot": HOSTILE_NAMES, "=1" + TRICKS: [TRICKS + HALF, None, *HOSTILE_NAMES[2:]], "score": -0.5}
)


@pytest.mark.parametrize("format", text.FORMATS)
def test_hostile_tables_are_harmless_in_every_format(format):
    """Names, details and headings do nothing, make no line, cell or tag, and lose no letter."""
    harmless = pd.DataFrame(
        {"bot": ["a"] * len(HOSTILE), "b": ["c", None, *HOSTILE["bot"][2:].str[:0]], "d": -0.5}
    )
    bots = pd.DataFrame({"bot": HOSTILE_NAMES, "is_repeatable": 0})
    for shown in (text.render(HOSTILE, format), text.leaderboard(HOSTILE, bots, format)):
        CHECKS[format](shown)
        check_harmless(shown)
        assert len(shown.split("\n")) == len(text.render(harmless, format).split("\n"))
        cells = 2 * len(HOSTILE) - 1  # one is empty
        assert shown.count("forged") == cells + (len(HOSTILE) if format == "json" else 1)


def test_json_keeps_hostile_texts_exactly():
    """It has escapes of its own, so scripts get what was written."""
    records = json.loads(text.render(HOSTILE[["bot"]], "json"))
    assert [record["bot"] for record in records] == HOSTILE_NAMES


def test_numbers_are_no_formulas():
    """A negative number in CSV stays a number; the same as a text is one that no spreadsheet runs."""
    frame = pd.DataFrame({"change": [-1.5], "left": pd.array([-1], dtype="Int64"), "detail": ["-1"]})
    assert text.render(frame, "csv").splitlines()[1] == "-1.5,-1,'-1"


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_sentences_are_harmless(name):
    """What stands under a table names bots too: a line each on a screen, a paragraph each in Markdown."""
    counts = counts_of(("line", name, "ada", "ada", "crash", "sandboxed", 1, 0, 0, 0, 0))
    lines = [*text.notes(counts, BOTS), *text.explain_ratings(RATINGS, [[name, "a", "b"]])]
    check_harmless(text.sentences(lines, "table"))
    assert len(text.sentences(lines, "table").split("\n")) == len(lines)
    markdown = text.sentences(lines, "markdown")
    check_harmless(markdown)
    check_markdown(markdown)
    assert len(markdown.split("\n\n")) == len(lines)


def test_no_line_of_a_drawing_ends_it():
    """Nor is any of it Markdown."""
    check_markdown(text.fence("a\n````\n<script>\n# x\n```"))
    assert text.fence("a\nb") == "```\na\nb\n```"


def test_hostile_tables_are_harmless_as_files(tmp_path):
    """What a spreadsheet opens by a double click."""
    variants = HOSTILE.assign(variant=HOSTILE_NAMES)
    files.write_tables(tmp_path, {"standings": HOSTILE}, variants, "# x")
    games_file.write_games(tmp_path / "games.csv", HOSTILE.itertuples(index=False), ["a", "b", "c"])
    assert len(list(tmp_path.glob("*.csv"))) == 2 + len(HOSTILE)
    for file in tmp_path.glob("*.csv"):
        shown = file.read_bytes().decode()
        check_csv(shown)
        check_harmless(shown)


def test_the_formats_are_those_of_the_contract():
    """FORMAT is one of six words."""
    assert list(text.FORMATS) == ["table", "markdown", "csv", "json", "html", "latex"]
    assert set(text.FORMATS) - {"csv", "json"} == text.FOR_PEOPLE


def test_notes_say_what_a_reader_should_know():
    """How much was played, who forfeited how, what cannot be repeated, isolation, what is missing or void."""
    assert text.notes(COUNTS, BOTS, missing=1194, voids=2) == [
        "6 games between 3 bots on 2 variants",
        "wob_bly forfeited 3 games: 3 crash",
        "ada forfeited 1 game: 1 timeout",
        "~ cannot be repeated exactly",
        "3 games sandboxed, 3 trusted",
        "1,194 of 1,200 games are still to be played",
        "2 games are void, spoilt by arena itself: they do not count",
    ]


def test_notes_say_nothing_that_need_not_be_said():
    """A whole, sandboxed, repeatable run without forfeits has one line."""
    counts = counts_of(("line", "ada", "1e5", "ada", "no-moves", "sandboxed", 1200, 1, 1, 0, 0))
    assert text.notes(counts, BOTS[:2], missing=0, voids=0) == ["1,200 games between 2 bots on 1 variant"]


def test_notes_say_when_all_was_trusted():
    """A run without any sandbox says so, and one of anything is singular."""
    counts = counts_of(("line", "ada", "ada", "ada", "no-moves", "trusted", 1, 1, 1, 0, 0))
    assert text.notes(counts, BOTS[:1], missing=1, voids=1) == [
        "1 game between 1 bot on 1 variant",
        "1 game trusted",
        "1 of 2 games is still to be played",
        "1 game is void, spoilt by arena itself: it does not count",
    ]


def test_notes_before_the_first_game():
    """Nothing played is said in words."""
    assert text.notes(NOTHING, BOTS[:2], missing=40, voids=0) == [
        "no games yet between 2 bots",
        "40 of 40 games are still to be played",
    ]


def test_notes_say_how_many_games_differ():
    """Beside the number of games, with thousands told apart."""
    counts = counts_of(("line", "ada", "1e5", "ada", "no-moves", "sandboxed", 36_000, 1, 1, 0, 0))
    assert text.notes(counts, BOTS[:2], distinct=1034) == [
        "36,000 games, 1,034 distinct, between 2 bots on 1 variant"
    ]
    assert text.notes(NOTHING, BOTS[:2], distinct=0) == ["no games yet between 2 bots"]


RATINGS = pd.DataFrame({"part": ["overall"], "bot": ["ada"], "rating": [1500.0], "widening": [1.0]})


def test_ratings_are_explained_where_there_are_some():
    """How to read them, and the chances if these are shown; nothing where nobody is rated."""
    scale, chances = text.explain_ratings(RATINGS, [])
    assert (
        scale == "rating: Elo scale, 400 points are odds of 10:1; 95 %: the interval of the number before it"
    )
    assert chances.startswith("over_next: ")
    wide = text.explain_ratings(RATINGS.assign(widening=1.96), [])
    said = "bots repeat their strengths on the same openings: intervals are widened x 2.0"
    assert wide == [scale, said, chances]
    assert text.explain_ratings(RATINGS[:0], [["a", "b", "c"]]) == []


def test_circles_are_named_and_those_beyond_five_counted():
    """Each from a bot back to itself."""
    circles = [["a", "b", "c"]] * 7
    lines = text.explain_ratings(RATINGS, circles)[2:]
    assert lines == ["in a circle: a beats b beats c beats a"] * 5 + ["and 2 circles more"]
    assert text.explain_ratings(RATINGS, circles[:6])[-1] == "and 1 circle more"
    assert len(text.explain_ratings(RATINGS, circles[:5])) == 7


def test_secret_variants_are_counted_in_words():
    """One is, two are, and of none nothing is said."""
    assert text.say_hidden(0) == []
    assert text.say_hidden(1) == ["1 secret variant is shown when all games are played"]
    assert text.say_hidden(2) == ["2 secret variants are shown when all games are played"]


@pytest.mark.parametrize(
    ("passed", "sure", "expected"),
    [
        ("yes", "yes", "1 of 1 bot passes (score at least 0.5 against ada, bea): see grades.csv"),
        (
            "yes no",
            "yes no",
            "1 of 2 bots passes (score at least 0.5 against ada, bea); 1 verdict is not sure "
            "(more openings of each variant would settle it, if there are so many: bot-1 some 1,001): see grades.csv",
        ),
        (
            "no no no",
            "no no yes",
            "0 of 3 bots pass (score at least 0.5 against ada, bea); 2 verdicts are not sure "
            "(more openings of each variant would settle it, if there are so many: bot-1 some 1,001): see grades.csv",
        ),
    ],
)
def test_who_passes_is_said_in_a_line(passed, sure, expected):
    """How many, by what, against whom, and for how many it is not sure."""
    names = [f"bot-{number}" for number in range(len(passed.split()))]
    more = pd.array([None, 1001, 3][: len(names)], dtype="Int64")
    table = pd.DataFrame(
        {"bot": names, "passed": passed.split(), "is_sure": sure.split(), "more_openings": more}
    )
    assert text.say_passed(table, ["ada", "bea"], "score", 0.5) == expected


def test_ratings_are_rounded_for_people_and_exact_for_scripts():
    """Whole points in a table, all digits in CSV and JSON."""
    frame = pd.DataFrame(
        {"bot": ["ada"], "rating": [1510.57], "low": [1401.49], "high": [1620.0], "over_next": [0.9876]}
    )
    assert text.render(frame, "table").splitlines()[2].split() == ["ada", "1511", "1401", "1620", "0.988"]
    assert text.render(frame, "csv").splitlines()[1] == "ada,1510.57,1401.49,1620.0,0.9876"
    assert json.loads(text.render(frame, "json"))[0]["rating"] == 1510.57


def test_forfeits_of_a_bot_are_listed_by_how_often():
    """Kinds are added up over variants and sides, the commonest first."""
    counts = counts_of(
        ("line", "ada", "1e5", "1e5", "crash", "sandboxed", 1, 0, 0, 0, 0),
        ("line", "ada", "1e5", "1e5", "timeout", "sandboxed", 1, 0, 0, 0, 0),
        ("grid", "1e5", "ada", "1e5", "timeout", "sandboxed", 1, 0, 0, 0, 0),
    )
    assert text.notes(counts, BOTS[:2], 0, 0)[1:] == ["ada forfeited 3 games: 2 timeout, 1 crash"]


def write(folder, counts=COUNTS, markdown="# standings"):
    """Write the files of a run."""
    written = {
        "standings": tables.standings(counts, BOTS),
        "crosstable": tables.crosstable(counts, BOTS["bot"].tolist()),
        "forfeits": tables.forfeits(counts),
    }
    files.write_tables(folder, written, tables.standings_by_variant(counts, BOTS), markdown)


def test_a_run_folder_gets_all_its_tables(tmp_path):
    """Each file is there under its name, with the columns that scripts rely on, and nothing else is."""
    write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        *("standings.csv", "standings.md", "crosstable.csv", "forfeits.csv"),
        *("standings-line.csv", "standings-snort-grid-3x3.csv"),
    }
    for name in ("standings.csv", "standings-line.csv"):
        assert (tmp_path / name).read_text().splitlines()[0] == ",".join(tables.COLUMNS)
    assert (tmp_path / "standings.csv").read_text() == text.render(STANDINGS, "csv") + "\n"
    assert pd.read_csv(tmp_path / "standings-snort-grid-3x3.csv")["games"].tolist() == [3, 3, 0]
    assert (tmp_path / "standings.md").read_text() == "# standings\n"
    assert (tmp_path / "forfeits.csv").read_text().splitlines()[1] == "ada,line,timeout,1"


def test_files_of_variants_that_are_gone_go_too(tmp_path):
    """After a variant left the plan no old table of it misleads anybody; other files stay."""
    write(tmp_path)
    (tmp_path / "games.sqlite").touch()
    write(tmp_path, COUNTS[COUNTS["variant"] == "line"])
    names = {path.name for path in tmp_path.iterdir()}
    assert "standings-snort-grid-3x3.csv" not in names
    assert {"standings-line.csv", "standings.csv", "standings.md", "games.sqlite"} <= names


def test_every_variant_gets_a_file_of_its_own():
    """Names that are safe stay; others are made safe, told apart by numbers whatever the case, and not too long."""
    variants = ["grid-lock", "snort:grid-6x6", "snort/grid 6x6", "snort_grid_6x6", "snort-GRID-6x6", "../é"]
    assert files.file_names(variants) == {
        "grid-lock": "standings-grid-lock.csv",
        "snort:grid-6x6": "standings-snort-grid-6x6.csv",
        "snort/grid 6x6": "standings-snort_grid_6x6.csv",
        "snort_grid_6x6": "standings-snort_grid_6x6-2.csv",
        "snort-GRID-6x6": "standings-snort-GRID-6x6-2.csv",
        "../é": "standings-..__.csv",
    }
    assert len(files.file_names(["x" * 255])["x" * 255]) < 255
    assert len(set(files.file_names(["a b", "a_b", "a_b-2", "a?b"]).values())) == 4


def test_games_are_written_while_they_come(tmp_path):
    """Rows go through one by one; csv reads back what was given, with line breaks and formulas to be read only."""
    rows = ((-number, "x,y", 'say "hi"\n', "=1+1") for number in range(3))
    games_file.write_games(tmp_path / "games.csv", rows, ["game", "moves", "detail", "first"])
    back = pd.read_csv(tmp_path / "games.csv")
    assert back.to_dict("split")["data"] == [[-number, "x,y", r'say "hi"\n', "'=1+1"] for number in range(3)]


def test_a_reader_never_sees_half_a_file(tmp_path):
    """Until the last row is written the old file is there; after a failure too, and no rubbish."""
    path = tmp_path / "games.csv"
    path.write_text("old")

    def rows():
        yield ["one"]
        assert path.read_text() == "old"
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        games_file.write_games(path, rows(), ["game"])
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.csv"]
    assert path.read_text() == "old"


def test_text_that_no_file_can_hold_is_written_in_words(tmp_path):
    """A lone surrogate in somebody's detail does not cost the table."""
    games_file.write_games(tmp_path / "games.csv", [["\ud800"]], ["detail"])
    assert (tmp_path / "games.csv").read_text() == "detail\n\\ud800\n"


CELLS = st.one_of(
    st.none(), st.integers(), st.text(max_size=3), st.sampled_from(["", "=1", "-a", "a\n", "a b"])
)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=2), min_size=1, max_size=4))
def test_rows_are_plain_if_every_cell_is(rows):
    """Rows are looked at together only to save time: the answer is that of cell by cell."""
    assert are_plain(rows) == all(for_csv(cell) == cell for row in rows for cell in row)
