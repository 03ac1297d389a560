"""`arena variants` and `arena rules`, and how the command line says no."""

import pytest

import arena
from arena.game import RULE_BOOKS, RULES
from arena.game.families import FAMILIES
from tests.cli.command import run


def test_variants_lists_all_there_is():
    """Every rule book, every rule and every board family is named."""
    result = run("variants")
    assert (result.returncode, result.stderr) == (0, "")
    for name in RULE_BOOKS:
        assert f"\n{name} " in result.stdout
    for word in (*RULES, *(family.pattern for family in FAMILIES.values())):
        assert f"\n{word} " in result.stdout


@pytest.mark.parametrize("name", RULE_BOOKS)
def test_rules_show_how_a_book_is_read(name):
    """The text, the reading, the cells by name, the errata."""
    variant = arena.variant(name)
    text = run("rules", name).stdout
    assert text.startswith(f"{name}: {variant.book.title}\n")
    for part in (variant.book.text.strip(), variant.notation.names_picture(), RULES[variant.rule].whom):
        assert part in text
    unfolded = " ".join(text.split())
    for erratum in variant.book.errata:
        assert f"- {erratum.where}: {' '.join(erratum.what.split())}" in unfolded
    assert ("Errata" in text) == (name != "blockade-line")


def test_rules_of_a_composed_variant():
    """A variant without a book has its rules in plain words."""
    text = run("rules", "col:ring-5").stdout
    assert text.startswith("col:ring-5\n\nThe board has 5 cells.")
    assert "closed to the claimer" in text


def test_rules_of_a_file_show_its_graph(tmp_path):
    """Of a graph, the neighbours of each cell are listed."""
    (tmp_path / "kite.toml").write_text(
        'rule = "snort"\nboard.size = 5\nboard.edges = [[0,1],[1,2],[2,0],[2,3]]\n'
    )
    text = run("rules", "kite.toml", cwd=tmp_path).stdout
    assert text.startswith("kite\n")
    assert "2: 0, 1, 3\n3: 2\n4: none\n" in text


def test_a_bad_file_gets_all_its_mistakes_and_exit_code_1(tmp_path):
    """File, line and key, a line each, on standard error; no traceback."""
    (tmp_path / "bad.toml").write_text('rule = "snrt"\nboard.edges = [\n[0, 0],\n[0, 1], [1, 0]]\n')
    result = run("rules", "bad.toml", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        "bad.toml:1: rule: unknown value 'snrt'; did you mean 'snort'?\n"
        "bad.toml:3: board.edges[0]: joins cell 0 to itself\n"
        "bad.toml:4: board.edges[2]: joins cells 0 and 1 again; board.edges[1] does already\n"
    )


@pytest.mark.parametrize("command", ["rules", "play"])
@pytest.mark.parametrize("name", ["blokade-4x4", "snort:nothing", "no-such.toml", "../x"])
def test_an_unknown_variant_is_one_line_and_exit_code_1(command, name):
    """The user can mend it: one helpful line, no traceback."""
    result = run(command, name)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("arena: ")
    assert result.stderr.count("\n") == 1


def test_a_fault_of_our_own_is_exit_code_4_with_a_traceback():
    """What nobody foresaw is not hidden."""
    import subprocess
    import sys

    code = (
        "import sys; sys.argv = ['arena', 'rules', 'grid-lock']\n"
        "import arena.cli, arena.cli.rules\narena.cli.rules._page = None\narena.cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "TypeError" in done.stderr
    assert done.stderr.endswith("please report it\n")


def test_the_rules_page_says_how_a_move_is_typed():
    """In grid-block row and column are asked for one by one."""
    assert (
        "A move is typed as 2 and then 0 (row and column, asked for one by one"
        in run("rules", "grid-block").stdout
    )
    assert "A move is typed as 3 1 (row and column, numbered from 1)" in run("rules", "blockade-4x4").stdout
    assert "Dawson's Chess, octal 0.137" in run("rules", "blockade-line").stdout


def test_wrong_usage_is_exit_code_2():
    """Unknown commands, unknown options and missing arguments are wrong usage."""
    for arguments in (["paly"], ["play"], ["rules", "grid-lock", "--colour"]):
        result = run(*arguments)
        assert result.returncode == 2
        assert "Usage: arena" in result.stderr


def test_the_version_is_that_of_the_package():
    """`arena --version` prints one word."""
    assert run("--version").stdout == f"{arena.__version__}\n"


def test_output_to_a_pipe_has_no_colours():
    """No command writes control codes into a pipe."""
    for arguments in (["--help"], ["variants"], ["rules", "grid-lock"]):
        assert "\x1b" not in run(*arguments).stdout
