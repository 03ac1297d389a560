"""`arena board`, as a user meets it."""

import xml.etree.ElementTree as ET

import pytest

from tests.cli.command import inside

SHOWN = """\
blockade-5x5 after 2 moves: X is to move

[ ][ ][ ][ ][ ]
[ ][X][ ][ ][ ]
[-][-][-][ ][ ]
[-][O][-][ ][ ]
[-][-][-][ ][ ]

- is closed to X
"""


def test_a_position_is_shown_on_the_terminal(tmp_path):
    """In the look of its rule book, with what is closed."""
    done = inside("board", "blockade-5x5", "--moves", "2 2, 4 2", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, SHOWN, "")
    done = inside("board", "col:line-1", "--moves", "0", cwd=tmp_path)
    assert done.stdout == "col:line-1 after 1 move: O has no move, X has won\n\nX\n"


def test_a_picture_is_written_whole_and_said(tmp_path):
    """One line, one file, and nothing beside it; what was there is replaced."""
    (tmp_path / "board.svg").write_text("old")
    done = inside("board", "grid-lock", "--moves", "6 16", "--svg", "board.svg", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "wrote the picture to board.svg\n", "")
    assert [file.name for file in tmp_path.iterdir()] == ["board.svg"]
    assert ET.parse(tmp_path / "board.svg").getroot().get("role") == "img"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("blockade-5x6",), "unknown variant"),
        (("blockade-5x5", "--moves", "2 2, 3 3"), "--moves: ply 2: cell (3,3) is closed to side 1"),
        (("blockade-5x5", "--moves", "6 1"), "row 6 is not within 1 to 5"),
        (("blockade-5x5", "--moves", "2 2, 3"), "is not two numbers, row and column"),
        (("grid-lock", "--svg", "."), "--svg: . is a folder; name a file, such as board.svg"),
        (("grid-lock", "--svg", "none/board.svg"), "--svg: none/board.svg: No such file or directory"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(arguments, words, tmp_path):
    """Exit 1, and what is wrong."""
    done = inside("board", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert words in done.stderr
    assert [*tmp_path.iterdir()] == []
