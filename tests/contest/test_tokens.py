"""Tokens: secrets that cannot be guessed, and a list of names read with all its mistakes at once."""

import pytest

from arena.contest.tokens import hash_secret, make_secret, read_names
from arena.errors import FileMistakes, UserError


def test_secrets_differ_and_have_192_bits():
    """32 signs of 6 bits each, that can be typed into a form and a shell."""
    made = {make_secret() for _ in range(100)}
    assert len(made) == 100
    assert all(len(secret) == 32 and secret.replace("-", "a").replace("_", "a").isalnum() for secret in made)
    assert len(hash_secret("x")) == 64


@pytest.mark.parametrize(
    "text",
    [
        "anna\nben\n",
        "name\nanna\nben\n",
        "anna,7b\nben,7a",
        "Class,Name\n7b,anna\n\n7a, ben \n",
        "\ufeffname;class\r\nanna;7b\r\nben;7a\r\n",
    ],
)
def test_names_come_from_the_column_name_or_the_first(tmp_path, text):
    """As spreadsheets of several countries write it."""
    file = tmp_path / "names.csv"
    file.write_text(text, newline="")
    assert read_names(file) == ["anna", "ben"]


@pytest.mark.parametrize(
    "text",
    [
        "Vorname,Nachname\nanna,x\nben,y\n",
        "Prénom;Classe\nanna;x\nben;y\n",
        "NOMBRE\nanna\nben\n",
        " user ,class\nanna,x\nben,y\n",
        "Nachname,name\nx,anna\ny,ben\n",
    ],
)
def test_a_heading_in_another_language_is_nobodys_name(tmp_path, text):
    """A first line that begins with a usual word for names is none; a column `name` is still the one to read."""
    file = tmp_path / "names.csv"
    file.write_text(text, encoding="utf-8")
    assert read_names(file) == ["anna", "ben"]


def test_a_name_is_no_heading_because_of_what_stands_beside_it(tmp_path):
    """Nor in a later line, nor with more to it than the word alone."""
    file = tmp_path / "names.csv"
    file.write_text("anna,student\nben,student\nuser,student\n")
    assert read_names(file) == ["anna", "ben", "user"]
    file.write_text("user1\nuser2\n")
    assert read_names(file) == ["user1", "user2"]


def test_all_bad_names_are_told_at_once_with_better_ones(tmp_path):
    """Each with its line; also one that is there twice."""
    file = tmp_path / "names.csv"
    file.write_text("name,class\nanna,7b\nJürgen Müller,7a\nANNA,7c\n,7d\nhuman,7e\n")
    with pytest.raises(FileMistakes) as found:
        read_names(file)
    assert [mistake.removeprefix(f"{file}:") for mistake in found.value.mistakes] == [
        "3: 'Jürgen Müller' cannot be a bot's name (at most 64 letters from A to Z, digits and _ . -, and the "
        "first is a letter or digit); 'Juergen_Mueller' can",
        "4: 'ANNA' is in line 2 already; two bots need two names",
        "5: there is no name in this line",
        "6: 'human' stands for a person in `arena play`; choose another name",
    ]


def test_what_is_no_list_of_names_is_a_sentence(tmp_path):
    """Nothing, no file, no text."""
    file = tmp_path / "names.csv"
    with pytest.raises(UserError, match="No such file"):
        read_names(file)
    file.write_bytes(b"\xff\xfe\0")
    with pytest.raises(UserError, match="save it as CSV UTF-8"):
        read_names(file)
    file.write_text("name\n")
    with pytest.raises(UserError, match="has no names in it"):
        read_names(file)
    file.write_text("x\n" * 20_000)
    with pytest.raises(UserError, match="may have 10,000 names"):
        read_names(file)
