"""`arena token`: secrets are printed once, a class's worth at a time, and never without being asked for."""

import json
from contextlib import closing

from arena.contest.book import Book
from tests.cli.command import inside
from tests.tournament.field import FIRST

CUP = '[tournament]\nvariants = ["snort:line-4"]\nopenings = 1\n[[bots]]\npath = "bots/*.py"\n'


def whose(base, secret):
    with closing(Book(base)) as book:
        found = book.whose(secret)
    return found and found.name


def test_a_token_is_printed_once_and_lets_in(tmp_path):
    """Standard output has the secret alone, for a pipe; the list never has it."""
    made = inside("token", "anna", cwd=tmp_path)
    secret = made.stdout.strip()
    assert (made.returncode, len(secret)) == (0, 32)
    assert "this token of anna is shown once" in made.stderr
    assert whose(tmp_path, secret) == "anna"
    again = inside("token", "anna", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr == "arena: anna has a token already; --replace makes a new one\n"
    listed = inside("token", "--list", cwd=tmp_path).stdout
    assert "anna" in listed
    assert secret not in listed
    assert len(inside("token", "anna", "--replace", cwd=tmp_path).stdout.strip()) == 32
    assert whose(tmp_path, secret) is None


def test_tokens_are_those_of_the_tournament_files_beside_whom_one_stands(tmp_path):
    """In `configs/` as in the folder above it; nothing is made by looking, and the first time it is said where."""
    configs = tmp_path / "configs"
    configs.mkdir()
    assert inside("token", "--list", cwd=configs).stdout.startswith("there are no tokens here yet")
    miss = inside("token", "--revoke", "anna", cwd=configs)
    assert (miss.returncode, miss.stderr.count("\n")) == (1, 1)
    assert "there is no token of 'anna': none was made in " in miss.stderr
    assert [*tmp_path.rglob("*.sqlite")] == []
    made = inside("token", "anna", cwd=configs)
    assert f"for tournament files of {tmp_path}, where none was made before\n" in made.stderr
    assert whose(tmp_path, made.stdout.strip()) == "anna"
    assert "none was made before" not in inside("token", "ben", cwd=tmp_path).stderr


def test_a_class_gets_its_tokens_at_once(tmp_path):
    """A table of names and tokens; bad names are told all at once, and then nobody has one."""
    (tmp_path / "class.csv").write_text("class,name\n7b,anna\n7b,Zoë Müller\n7a,x y\n")
    wrong = inside("token", "--from", "class.csv", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert wrong.stderr.count("class.csv:") == 2
    assert "'Zoe_Mueller' can" in wrong.stderr
    assert inside("token", "--list", cwd=tmp_path).stdout.startswith("there are no tokens here yet")
    (tmp_path / "class.csv").write_text("class,name\n7b,anna\n7b,zoe\n")
    head, _, *rows = inside("token", "--from", "class.csv", cwd=tmp_path).stdout.splitlines()
    assert head.split() == ["name", "token"]
    assert [whose(tmp_path, row.split()[1]) for row in rows] == ["anna", "zoe"]


def test_latecomers_get_their_tokens_from_the_same_list(tmp_path):
    """Whoever has a token, in whatever spelling, keeps it, and it is said who; also if that is everybody."""
    (tmp_path / "class.csv").write_text("name\nanna\nben\n")
    first = inside("token", "--from", "class.csv", cwd=tmp_path).stdout.split()
    inside("token", "--revoke", "ben", cwd=tmp_path)
    inside("token", "teacher", "--organiser", cwd=tmp_path)
    (tmp_path / "class.csv").write_text("name\nAnna\nben\nteacher\nx y\nzoe\n")
    wrong = inside("token", "--from", "class.csv", cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (1, "")
    (tmp_path / "class.csv").write_text("name\nAnna\nben\nteacher\nzoe\n")
    again = inside("token", "--from", "class.csv", cwd=tmp_path)
    *_, row = again.stdout.splitlines()
    assert (again.returncode, len(again.stdout.splitlines()), row.split()[0]) == (0, 3, "zoe")
    assert whose(tmp_path, row.split()[1]) == "zoe"
    assert whose(tmp_path, first[first.index("anna") + 1]) == "anna"
    assert "\nleft alone, for they had a token: anna, ben (revoked), teacher (as organiser); " in again.stderr
    all_have = inside("token", "--from", "class.csv", cwd=tmp_path)
    assert (all_have.returncode, all_have.stdout) == (0, "")
    assert all_have.stderr == (
        "no token was made, for all had one: anna, ben (revoked), teacher (as organiser), zoe; "
        "`arena token NAME --replace` makes a new one\n"
    )
    assert inside("token", "--from", "class.csv", "--format", "json", cwd=tmp_path).stdout == "[]\n"


def test_a_name_that_has_no_token_has_none_to_replace(tmp_path):
    """Misspelt, it would be one more participant, and the lost token would stay good; nothing is made by it."""
    first = inside("token", "ana", "--replace", cwd=tmp_path)
    assert (first.returncode, [*tmp_path.rglob("*.sqlite")]) == (1, [])
    assert first.stderr == "arena: ana has no token to replace; without --replace it is made anew\n"
    inside("token", "anna", cwd=tmp_path)
    miss = inside("token", "ana", "--replace", cwd=tmp_path)
    assert (miss.returncode, miss.stdout) == (1, "")
    words = "ana has no token to replace; did you mean 'anna'? Without --replace it is made anew"
    assert miss.stderr == f"arena: {words}\n"
    far = inside("token", "zoe", "--replace", cwd=tmp_path)
    assert far.stderr == first.stderr.replace("ana", "zoe")
    inside("token", "--revoke", "anna", cwd=tmp_path)
    assert inside("token", "ANNA", "--replace", cwd=tmp_path).returncode == 0


def test_a_whole_class_gets_new_tokens_if_it_is_asked_for(tmp_path):
    """With `--replace` the old ones are worth nothing, and who had none has one."""
    (tmp_path / "class.csv").write_text("anna\nben\n")
    old = inside("token", "anna", cwd=tmp_path).stdout.strip()
    made = inside("token", "--from", "class.csv", "--replace", cwd=tmp_path)
    assert [line.split()[0] for line in made.stdout.splitlines()[2:]] == ["anna", "ben"]
    assert whose(tmp_path, old) is None


def test_a_revoked_token_is_said_to_be_one(tmp_path):
    """Once; a name without a token says so, with the nearest one."""
    inside("token", "anna", cwd=tmp_path)
    miss = inside("token", "--revoke", "ana", cwd=tmp_path)
    assert (miss.returncode, "did you mean 'anna'?" in miss.stderr) == (1, True)
    assert "worth nothing now" in inside("token", "--revoke", "anna", cwd=tmp_path).stdout
    assert inside("token", "--revoke", "anna", cwd=tmp_path).returncode == 1
    [row] = json.loads(inside("token", "--list", "--format", "json", cwd=tmp_path).stdout)
    assert row["revoked_at"].endswith(" UTC")


def test_a_tournament_file_says_which_folder_and_which_names_are_taken(tmp_path):
    """Its own bots' names are nobody's; an organiser has a token of another kind."""
    (tmp_path / "cups" / "bots").mkdir(parents=True)
    (tmp_path / "cups" / "bots" / "first.py").write_text(FIRST)
    (tmp_path / "cups" / "bots" / "other.py").write_text(f"{FIRST}\n")
    (tmp_path / "cups" / "cup.toml").write_text(CUP)
    config = ("--config", "cups/cup.toml")
    assert "has this name; participants need others" in inside("token", "First", *config, cwd=tmp_path).stderr
    assert inside("token", "teacher", "--organiser", *config, cwd=tmp_path).returncode == 0
    with closing(Book(tmp_path / "cups")) as book:
        assert [token.role for token in book.tokens()] == ["organiser"]
    assert not (tmp_path / "contests").exists()


def test_one_thing_at_a_time(tmp_path):
    """Nothing, or two things at once, is a mistake of usage."""
    for words in ((), ("anna", "--list"), ("anna", "--revoke", "anna")):
        assert inside("token", *words, cwd=tmp_path).returncode == 2
