"""Variants written by users: a file is a variant, or all of its mistakes at once."""

import os
import threading

import pytest

import arena
from arena.game.catalogue import RULE_BOOKS

GOOD = """\
rule = "snort"
board.edges = [[0, 1], [1, 2], [2, 0], [2, 3]]
"""

OWN_LOOK = """\
name = "kite"
title = "The Kite"
text = "A kite with a tail."
rule = "col"
board.size = 6
board.edges = [
  [0, 1], [1, 2], [2, 0], [2, 3],
]

[notation]
first = 1
printed = "cell {number}"
empty = "."
blocked = "x"
stones = ["#", "@"]

[dialogue]
welcome = "Hello, kite!"
prompt = "{player}> "
over = "{opponent} it is."

[dialogue.reasons]
letters = "{typed} indeed!"
"""


def write(tmp_path, text):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return file


def mistakes(tmp_path, text):
    """The mistakes of a text, as (line, rest), without the file's name."""
    file = write(tmp_path, text)
    with pytest.raises(arena.UserError) as refusal:
        arena.variant(file)
    lines = str(refusal.value).splitlines()
    assert all(line.startswith(f"{file}:") for line in lines)
    found = [line.removeprefix(f"{file}:").partition(": ") for line in lines]
    return [(int(number), rest) for number, _, rest in found]


def test_two_lines_make_a_variant(tmp_path):
    """Rule and edges are enough; the name is the file's, the look that of any rule:board."""
    variant = arena.variant(write(tmp_path, GOOD))
    assert (variant.name, variant.rule, variant.board.size) == ("mine", "snort", 4)
    assert variant.board.neighbours(2) == (0, 1, 3)
    assert str(variant.start().play(0)) == "X - - 3"
    assert arena.variant(str(tmp_path / "mine.toml")) == variant


def test_a_board_may_be_named(tmp_path):
    """A family's board needs no edges."""
    assert arena.variant(write(tmp_path, 'rule = "col"\nboard = "hex-3x3"')).board.size == 9


def test_a_file_may_have_its_own_look_and_words(tmp_path):
    """Names, glyphs and words of the file are used, and the plain ones for what it leaves out."""
    variant = arena.variant(write(tmp_path, OWN_LOOK))
    position = variant.start().play(variant.parse("cell 1"))
    assert (variant.name, variant.parse("6"), position.name(5)) == ("kite", 5, "cell 6")
    assert str(position) == "# . . . . ."
    assert str(position.play(5)).split() == ["#", "x", "x", ".", ".", "@"]
    assert variant.parse_moves("cell 1, cell 2") == variant.parse_moves("1 2") == (0, 1)
    words = variant.book.words
    assert (words.welcome, words.over) == ("Hello, kite!\n", "{opponent} it is.\n")
    assert (words.reasons["letters"], words.reasons["empty"]) == ("{typed} indeed!", "nothing was entered.")


def test_every_built_in_rule_book_is_a_file_that_is_read():
    """The table of names and the folder of files agree."""
    from pathlib import Path

    folder = Path(arena.game.catalogue.__file__).parent / "rulebooks"
    assert sorted(RULE_BOOKS.values()) == sorted(file.name for file in folder.iterdir())
    for name in RULE_BOOKS:
        assert arena.variant(name).name == name


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('rule = "snrt"\nboard = "line-3"', 1, "rule: unknown value 'snrt'; did you mean 'snort'?"),
        ('board = "line-3"', 1, "rule: missing; it must be one of 'kayles', 'snort', 'col'"),
        ('rule = ["snort"]\nboard = "line-3"', 1, "rule: unknown value '['snort']'; it must be one of"),
        ('rule = "col"', 1, "board: missing; write board ="),
        ('rule = "col"\nboard = 3', 2, "board: must be a text or a table"),
        ('rule = "col"\nboard = "gird-3x3"', 2, "board: unknown board 'gird-3x3'; did you mean 'grid-3x3'?"),
        (
            'rule = "col"\nboard = "grid-99x99"',
            2,
            "board: board 'grid-99x99': 9801 cells are too many; the limit is 4096",
        ),
        ('rule = "col"\nboard.edges = [[0, 1],\n[1, 1]]', 3, "board.edges[1]: joins cell 1 to itself"),
        (
            'rule = "col"\nboard.edges = [[0, 1],\n\n[1, 0]]',
            4,
            "board.edges[1]: joins cells 0 and 1 again; board.edges[0] does already",
        ),
        (
            'rule = "col"\nboard.size = 3\nboard.edges = [[0, 3]]',
            3,
            "board.edges[0]: there is no cell 3; the cells are 0 to 2",
        ),
        (
            'rule = "col"\nboard.edges = [[0, -1]]',
            2,
            "board.edges[0]: there is no cell -1; the cells are 0 to 0",
        ),
        (
            'rule = "col"\nboard.edges = [[0, 1, 2]]',
            2,
            "board.edges[0]: must be a pair of cells, such as [0, 1]",
        ),
        ('rule = "col"\nboard.edges = [[0, true]]', 2, "board.edges[0]: must be a pair"),
        ('rule = "col"\nboard.edges = "0-1"', 2, "board.edges: must be a list of pairs"),
        ('rule = "col"\nboard.edges = []', 2, "board.edges: the board has no cell"),
        ('rule = "col"\n[board]\nsize = 0', 3, "board.size: the board has no cell"),
        (
            'rule = "col"\n[board]\nsize = 4097',
            3,
            "board.size: the board has 4097 cells; the limit is 4096",
        ),
        ('rule = "col"\n[board]\nsize = 2.5', 3, "board.size: must be a whole number"),
        (
            'rule = "col"\nboard.edges = [[0, 5000]]',
            2,
            "board.edges: the board has 5001 cells; the limit is 4096",
        ),
        ('rule = "col"\nboard.edge = [[0, 1]]', 2, "board.edge: unknown key; did you mean 'edges'?"),
        (GOOD + 'nmae = "x"', 3, "nmae: unknown key; did you mean 'name'?"),
        (GOOD + 'name = "a b"', 3, "name: 'a b' must be at most 64 letters"),
        (GOOD + 'name = "grid-lock"', 3, "name: 'grid-lock' is the name of a built-in variant"),
        (GOOD + "title = 3", 3, "title: must be a text in quotes"),
        (GOOD + 'start = "me"', 3, "start: unknown value 'me'; it must be one of 'player 1', 'agreed'"),
        (GOOD + '[notation]\nstones = ["X", "X"]', 4, "notation.stones: stones[1] clashes with stones[0]"),
        (
            GOOD + '[notation]\nempty = "O"',
            4,
            "notation.empty: empty clashes with stones[1]: both are drawn as 'O'",
        ),
        (GOOD + '[notation]\nempty = "."\nblocked = "."', 5, "notation.blocked: blocked clashes with empty"),
        (
            GOOD + '[notation]\nblocked = "7"',
            4,
            "notation.blocked: blocked clashes with the numbers of empty cells",
        ),
        (
            GOOD + '[notation]\nblocked = "##"',
            4,
            "notation.blocked: must be one printable character, or false",
        ),
        (GOOD + '[notation]\nstones = "XO"', 4, "notation.stones: must be two characters"),
        (GOOD + "[notation]\nfirst = 2", 4, "notation.first: must be 0 or 1"),
        (GOOD + '[notation]\ntyped = "row column"', 4, "notation.typed: this board has no rows and columns"),
        (GOOD + '[notation]\nprinted = "cell"', 4, "notation.printed: must contain {number}"),
        (GOOD + '[notation]\nprinted = "{row}"', 4, "notation.printed: unknown placeholder {row}"),
        (
            GOOD + '[notation]\nprinted = "{number.real}"',
            4,
            "notation.printed: unknown placeholder {number.real}",
        ),
        (GOOD + '[notation]\nrow = "{} {}"', 4, "notation.row: must have a {} for each of the 4 columns"),
        (GOOD + '[notation]\nrow = "{} {} {} {0}"', 4, "notation.row: may contain {} and widths"),
        (
            GOOD + '[dialogue]\nwelcome = "{nobody}"',
            4,
            "dialogue.welcome: unknown placeholder {nobody}; known placeholders",
        ),
        (GOOD + '[dialogue]\nwelcome = "a { b"', 4, "dialogue.welcome: has a single brace"),
        (GOOD + '[dialogue]\nprompt = ["a", "b"]', 4, "dialogue.prompt: must be one text"),
        (GOOD + "[dialogue]\nturn = []", 4, "dialogue.turn: must be a text or a list of texts"),
        (
            GOOD + '[dialogue.reasons]\nletter = "x"',
            4,
            "dialogue.reasons.letter: unknown key; did you mean 'letters'?",
        ),
        (GOOD + "dialogue = 3", 3, "dialogue: must be a table"),
        (GOOD + '[[errata]]\nwhere = "x"', 3, "errata[0]: must have where and what"),
        (
            'rule = "col"\nboard = "grid-3x3"\n[notation]\ntyped = "row column"\nprinted = "{column} {row}"',
            5,
            "notation.printed: '0 1' may also mean another cell",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line_and_key(tmp_path, text, line, words):
    """The first line of the report is the mistake, at its place."""
    number, message = mistakes(tmp_path, text)[0]
    assert message.startswith(words)
    assert number == line


def test_all_mistakes_are_named_at_once_in_the_order_of_the_file(tmp_path):
    """A file with many mistakes is mended in one go."""
    text = """\
rule = "snrt"
nmae = "kite"
board.size = 3
board.edges = [
  [0, 1], [1, 1],
  [1, 0],
  [2, 9], [0],
]
[notation]
stones = ["#", "#"]
[dialogue]
turn = "{who}"
"""
    assert [(line, message.partition(":")[0]) for line, message in mistakes(tmp_path, text)] == [
        (1, "rule"),
        (2, "nmae"),
        (5, "board.edges[1]"),
        (6, "board.edges[2]"),
        (7, "board.edges[3]"),
        (7, "board.edges[4]"),
        (10, "notation.stones"),
        (12, "dialogue.turn"),
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xff\xfe", ":1: not valid TOML: the text is not UTF-8"),
        (b'rule = "col"\n\xff', ":2: not valid TOML: the text is not UTF-8"),
        (b'rule = "col"\nrule = "col"\n', ":2: not valid TOML: "),
        (b"#" * (1 << 20) + b"#", ": a variant file may have at most 1 MiB"),
        (b"", ":1: rule: missing"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path, data, words):
    """Whatever stands in the file, the user reads a sentence."""
    file = tmp_path / "mine.toml"
    file.write_bytes(data)
    with pytest.raises(arena.UserError) as refusal:
        arena.variant(file)
    assert f"{file}{words}" in str(refusal.value)


def test_a_file_from_windows_is_read(tmp_path):
    """A byte order mark and two-character line ends are no mistake, and lines are still counted right."""
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert arena.variant(file).board.size == 4
    file.write_bytes(b"\xef\xbb\xbf" + (GOOD + "nmae = 1\n").replace("\n", "\r\n").encode())
    with pytest.raises(arena.UserError, match=r"mine.toml:3: nmae"):
        arena.variant(file)


@pytest.mark.parametrize("name", ["no/such.toml", "no-such.toml", "."])
def test_a_file_that_is_not_there_says_so(name, tmp_path, monkeypatch):
    """The reason is the system's own."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(arena.UserError):
        arena.variant(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("blokade-4x4", "did you mean 'blockade-4x4'?"),
        ("snrt:grid-4x4", "unknown rule 'snrt' in 'snrt:grid-4x4'; did you mean 'snort'?"),
        ("snort:gird-4x4", "did you mean 'grid-4x4'?"),
        ("", "unknown variant ''"),
        ("\x1b[31m", "unknown variant '\\x1b[31m'"),
    ],
)
def test_a_name_of_no_variant_is_refused_with_the_nearest(name, words):
    """One sentence, with the nearest right word and without control characters."""
    with pytest.raises(arena.UserError) as refusal:
        arena.variant(name)
    assert words in str(refusal.value)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('rule = "col"\nboard.edges = ' + "[" * 5000 + "]" * 5000, "nested more than 100 deep"),
        ('rule = "col"\nboard = ' + "{a=" * 5000 + "1" + "}" * 5000, "nested more than 100 deep"),
        ("[" + ".".join("a" * 50_000) + "]", "nested more than 100 deep"),
        ('rule = "col"\nboard.size = ' + "9" * 5000, "not valid TOML: "),
        ('rule = "col"\nboard.size = 0x' + "f" * 5000, "a number has more than 64 bits"),
        ('board = "line-3"\nrule = 0x' + "f" * 5000, "a number has more than 64 bits"),
    ],
)
def test_a_file_that_attacks_the_parser_is_refused_in_a_sentence(tmp_path, text, words):
    """Depth and numbers without end are mistakes like others, found at once."""
    ((_, message),) = mistakes(tmp_path, text)
    assert words in message


def test_one_mistake_brings_no_others_along(tmp_path):
    """What depends on a board, or on how moves are typed, is not blamed when those are what is wrong."""
    own_look = '[notation]\ntyped = "row column"\nprinted = "({row},{column})"\nrow = "{} {} {} {}"\n'
    prompts = '[dialogue]\nprompt = ["Row: ", "Column: "]\n'
    wrong_board = 'rule = "col"\nboard = "gird-4x4"\n' + own_look + prompts
    assert [line for line, _ in mistakes(tmp_path, wrong_board)] == [2]
    wrong_typed = 'rule = "col"\nboard = "grid-4x4"\n' + own_look.replace("row column", "row colum") + prompts
    assert [line for line, _ in mistakes(tmp_path, wrong_typed)] == [4]
    assert len(mistakes(tmp_path, 'rule = "col"\nboard.edges = [[0, 5000]]')) == 1


def test_what_is_printed_of_a_file_is_printable(tmp_path):
    """Keys and file names are strangers' text too."""
    file = tmp_path / "a\x1b[31m\nb.toml"
    file.write_text('"\\u001b[31mred\\nline" = 1\nrule = "col"\nboard = "line-3"\nname = "x"\n')
    with pytest.raises(arena.UserError) as refusal:
        arena.variant(file)
    assert str(refusal.value).isprintable()


def test_a_file_whose_name_is_no_name_says_how_to_mend_it(tmp_path):
    """The name comes from the file, so the file may be renamed, or given a name."""
    file = tmp_path / "my variant.toml"
    file.write_text(GOOD)
    with pytest.raises(arena.UserError, match="rename the file, or give it a name"):
        arena.variant(file)


def test_a_path_with_a_nul_is_no_file():
    """It is refused like any other file that is not there."""
    with pytest.raises(arena.UserError):
        arena.variant("a\0.toml")


def test_rows_and_columns_are_drawn_without_numbers_that_nobody_can_type(tmp_path):
    """Where moves are typed as row and column, empty cells are dots unless the file says otherwise."""
    file = write(tmp_path, 'rule = "col"\nboard = "grid-2x2"\n[notation]\ntyped = "row column"\n')
    assert str(arena.variant(file).start()) == ". .\n. ."


@pytest.mark.parametrize(
    ("board", "key", "value", "message"),
    [
        ("line-3", "notation.printed", "{number}" + "x" * 40, "must have at most 40 characters"),
        ("grid-64x64", "notation.printed", "{number}" * 5000, "must have at most 40 characters"),
        ("grid-9x2", "notation.row", "{} {}" + "x" * 80, "must have at most 40 characters for each column"),
        ("line-3", "title", "x" * 201, "must have at most 200 characters"),
        ("line-3", "dialogue.between_moves", "x" * 41, "must have at most 40 characters"),
        ("line-3", "dialogue.between_neighbours", "x" * 41, "must have at most 40 characters"),
        ("line-3", "dialogue.welcome", "{picture}" * 21, "may have at most 20 placeholders, and has 21"),
        ("line-3", "dialogue.turn", "{title}" * 1000, "may have at most 20 placeholders, and has 1000"),
    ],
)
def test_what_is_repeated_for_every_cell_is_short(tmp_path, board, key, value, message):
    """A file of 1 MiB must not become gigabytes of names, rows or sentences."""
    found = mistakes(tmp_path, f'rule = "col"\nboard = "{board}"\n{key} = "{value}"\n')
    assert found == [(3, f"{key}: {message}")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('notation.printed = "{a\\u001b\\n}"', "notation.printed: unknown placeholder {a\\x1b\\n}; known"),
        (
            f'dialogue.welcome = "{{{"x" * 999}}}"',
            f"dialogue.welcome: unknown placeholder {{{'x' * 37}...}}; known",
        ),
        (
            f'start = 1\nboard = "line-{"1" * 999}"',
            f"board: board 'line-{'1' * 32}...': 1111111 cells are too many",
        ),
        (f"[{'a' * 999}]\n[{'a' * 999}]", f"not valid TOML: Cannot declare ('{'a' * 180}"),
    ],
)
def test_what_a_stranger_wrote_is_shown_printable_and_short(tmp_path, text, message):
    """Whatever of a file is repeated in a mistake: one printable line, and not a long one."""
    for _, found in mistakes(tmp_path, f'rule = "col"\n{text}\n'):
        assert found.isprintable()
        assert len(found) < 300
    assert any(found.startswith(message) for _, found in mistakes(tmp_path, f'rule = "col"\n{text}\n'))


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(tmp_path):
    """A received folder may hold one where a variant should be, and would hang whoever reads it."""
    pipe = tmp_path / "mine.toml"
    os.mkfifo(pipe)
    with pytest.raises(arena.UserError, match=r"mine\.toml:1: rule: missing"):
        arena.variant(pipe)


def test_a_pipe_that_somebody_writes_to_is_read(tmp_path):
    """As a shell gives it for <(...): the writer may be slow, and has opened it before."""
    reading, writing = os.pipe()
    later = threading.Timer(0.2, lambda: (os.write(writing, GOOD.encode()), os.close(writing)))
    later.start()
    try:
        assert arena.variant(f"/dev/fd/{reading}").board.size == 4
    finally:
        later.join()
        os.close(reading)
