"""`--format json`: every command has it, and gives the keys that docs/json.md lists, and no others.

The page is the schema. A path such as `games[].winner` stands for the key `winner` of every element of `games`, `*`
for any key, and `rows of X` or `row of X` for what the section X lists. `As X, and:` adds to another section.
"""

import json
import re
import shutil
from functools import cache

import pytest

from arena.answers import variants
from arena.cli import app
from arena.reports.asjson import write_json
from arena.results.run import Run
from tests.cli.command import inside
from tests.test_docs import text_of
from tests.tournament.field import CHANCE, FIRST
from tests.tournament.small import change, copied, play, play_games

KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
KINDS |= {list: "array", dict: "object"}
HERE = ("--isolation", "trusted", "--executor", "serial", "--quiet")
SMALL = '[tournament]\nvariants = ["snort:line-4", "grid-lock"]\nopenings = 1\n[grading]\nbosses = ["chance"]\n[[bots]]\npath = "bots/*.py"\n'
SECRET = SMALL + '[field]\nsecret = ["col:line-7"]\n'

CASES: dict[str, list[tuple[str, ...]]] = {
    "arena run": [("run", "small.toml", *HERE, "--no-audit")],
    "arena run --dry-run": [("run", "small.toml", "--dry-run"), ("run", "twins.toml", "--dry-run")],
    "arena leaderboard": [("leaderboard", "cup"), ("leaderboard", "cup", "--variant", "snort:line-9")],
    "arena leaderboard --ledger": [("leaderboard", "cup", "--ledger")],
    "arena crosstable": [("crosstable", "cup")],
    "arena crosstable --bot": [("crosstable", "cup", "--bot", "liar")],
    "arena bot": [("bot", "cup", "liar"), ("bot", "small", "first"), ("bot", "edited", "first")],
    "arena bot --all": [("bot", "cup", "--all", "pages")],
    "arena games": [("games", "cup")],
    "arena replay": [("replay", "cup", "LIED", "--grade"), ("replay", "cup", "LIED")],
    "arena rerun": [("rerun", "cup", "LIED", "--isolation", "trusted")],
    "arena report": [("report", "cup"), ("report", "cup", "--anonymous"), ("report", "cup", "--svg", "charts")],
    "arena token": [("token", "anna"), ("token", "--from", "names.csv", "--replace")],
    "arena token --list": [("token", "--list")],
    "arena token --revoke": [("token", "--revoke", "anna")],
    "arena digest": [("digest", "cup"), ("digest", "odd")],
    "arena verify": [("verify", "cup"), ("verify", "odd")],
    "arena diff": [("diff", "cup", "cup"), ("diff", "cup", "odd")],
    "arena merge": [("merge", "half", "cup")],
    "arena export": [("export", "cup", "copy"), ("export", "odd", "another")],
    "arena export --without-sources": [("export", "cup", "tables", "--without-sources")],
    "arena init": [("init", "sub")],
    "arena new": [("new", "mine")],
    "arena check": [("check", "bots/first.py", "--isolation", "trusted"), ("check", "class", "--isolation", "trusted")],
    "arena submit": [
        ("submit", "class/b b.py", "--as", "bb", "--isolation", "trusted"),
        ("submit", "class", "--isolation", "trusted"),
    ],
    "arena bots": [("bots",)],
    "arena variants": [("variants",), ("variants", "--health")],
    "arena rules": [("rules", "grid-block"), ("rules", "blockade-line"), ("rules", "col:line-3")],
    "arena board": [("board", "col:line-3", "--moves", "1"), ("board", "col:line-1", "--moves", "0", "--svg", "x.svg")],
    "arena solve": [("solve", "blockade-line"), ("solve", "snort:grid-8x8", "--seconds", "0.05")],
    "arena play": [("play", "blockade-line", "--first", "liar", "--second", "first", "--isolation", "trusted")],
    "arena versus": [("versus", "first", "chance", "--games", "6", *HERE)],
    "arena doctor": [("doctor",)],
}  # fmt: skip
FAILING = {"verify odd": 1, "diff cup odd": 1, "check class": 1, "submit class --iso": 1}
"""Exit codes by the beginning of the command; else 0."""


@cache
def sections():
    """The text of each section of the page, by its title."""
    parts = re.split(r"^## ", text_of("docs/json.md"), flags=re.M)[1:]
    return {part.partition("\n")[0]: part for part in parts}


@cache
def schema(title):
    """The paths of a section, with the types that their values may have."""
    text, paths = sections()[title], {}
    if like := re.search(r"^As `(.+)`, and:$", text, re.M):
        paths |= schema(like[1])
    for cell, kinds in re.findall(r"^\| (`.+?`) \| ([^|]+) \|", text, re.M):
        for path in re.findall(r"`([^`]+)`", cell):
            paths |= resolve(path, kinds)
    return paths


def resolve(path, kinds):
    """A path, and what belongs to it if it is a row, or rows, of another section."""
    referred = re.fullmatch(r"(rows?) of `(.+)`", kinds)
    if referred is None:
        return {path: kinds}
    inner = path + "[]" * (referred[1] == "rows")
    rest = {f"{inner}.{each.removeprefix('[].')}": kind for each, kind in schema(referred[2]).items()}
    return {path: "array" if inner != path else "object"} | rest


def compare(value, paths, at=""):
    """Yield the paths that were seen; fail unless keys and types are those of the paths."""
    if isinstance(value, dict):
        before = f"{at}." if at else ""
        inside_it = [path.removeprefix(before) for path in paths if path.startswith(before)]
        keys = {re.split(r"[.\[]", path)[0] for path in inside_it} - {""}
        assert keys in ({"*"}, set(value)), at
        for key, each in value.items():
            yield from compare(each, paths, f"{before}{'*' if keys == {'*'} else key}")
    elif isinstance(value, list):
        for each in value:
            yield from compare(each, paths, f"{at}[]")
    if at in paths:
        kinds = paths[at].split(" or ")
        assert KINDS[type(value)] in kinds or ("number" in kinds and type(value) is int), (at, value)
        yield at
    else:
        assert isinstance(value, dict | list), at


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    """A folder with a run in which a bot forfeits, one with half of it, one that somebody has changed, and one with an edited bot."""
    folder = tmp_path_factory.mktemp("json")
    run = play(folder)
    change(copied(run, folder / "results" / "half"), "DELETE FROM games WHERE ending = 'illegal'")
    odd = copied(run, folder / "results" / "odd")
    change(odd, "UPDATE games SET moves = '0 ' || moves WHERE game = (SELECT min(game) FROM games)")
    change(odd, "UPDATE bots SET is_repeatable = 0 WHERE name = 'chance'")
    for text in (FIRST, f"{FIRST}# edited\n"):
        edited = play_games(
            folder / "away", {"first": text, "chance": CHANCE}, variants=["snort:line-4"], openings=1
        )
    copied(edited, folder / "results" / "edited")
    (folder / "small.toml").write_text(SMALL)
    (folder / "twins.toml").write_text(SECRET + '[[bots]]\npath = "bots/first.py"\nname = "twin"\n')
    (folder / "names.csv").write_text("anna\nben\n")
    (folder / "class").mkdir()
    for name, text in {"a": "def move(", "b b": (folder / "bots" / "first.py").read_text()}.items():
        (folder / "class" / f"{name}.py").write_text(text)
    shutil.copy(folder / "class" / "b b.py", folder / "class" / "c.py")
    return folder


def lied(here):
    games = Run(here / "results" / "cup").games(forfeits=True)
    return str(games["game"].iloc[0])


def test_every_command_gives_the_keys_that_the_page_lists(here, monkeypatch):
    """Standard output has JSON alone, with numbers of at most 6 decimals; exit codes are as without it."""
    monkeypatch.setattr(variants, "RULE_BOOKS", ["blockade-line"])  # the health of all of them takes seconds
    for title, calls in CASES.items():
        seen = set()
        for call in calls:
            words = [word.replace("LIED", lied(here)) for word in call]
            done = inside(*words, "--format", "json", cwd=here)
            typed = " ".join(call)
            code = next((code for start, code in FAILING.items() if typed.startswith(start)), 0)
            assert done.returncode == code, (typed, done.stderr)
            assert not re.search(r"\d\.\d{7}", re.sub(r'"[^"\n]*"', "", done.stdout)), typed
            seen |= set(compare(json.loads(done.stdout), schema(title)))
        never = set(schema(title)) - seen
        assert never <= UNSEEN.get(title, set()), f"{title} never gives this"


UNSEEN = {
    "arena bot": {"unrated[]"},
    "arena submit": {"bots[].same_as[]"},
}
"""Elements of lists that are empty here."""


def test_every_command_is_on_the_page():
    """A command that prints and has no section is one that no script can use."""
    titles = {title.split(" --")[0] for title in CASES}
    others = {"serve"}  # it answers browsers
    assert titles == {
        f"arena {command.name}" for command in app.registered_commands if command.name not in others
    }
    assert set(sections()) - {"A game"} == set(CASES)


def test_json_holds_what_python_and_pandas_have():
    """Empty cells are null, numbers are plain and rounded, texts exact; a lone surrogate is written out."""
    import numpy as np
    import pandas as pd

    found = json.loads(
        write_json({"a": [np.float64(0.12345678), np.int64(3), True], "b": (None, pd.NA, float("nan"))})
    )
    assert found == {"a": [0.123457, 3, True], "b": [None, None, None]}
    assert json.loads(write_json(["<b>\x1b\x7f", "\ud800"])) == ["<b>\x1b\x7f", "\\ud800"]
    assert "\x7f" not in write_json("\x7f")


def test_a_crosstable_is_numbers(here):
    """The same as in the cells that people read, and nothing that a script would have to take apart."""
    run = Run(here / "results" / "cup", is_whole=False)
    cells = run.crosstable().set_index("bot")
    found = json.loads(inside("crosstable", "cup", "--format", "json", cwd=here).stdout)
    assert [row["bot"] for row in found] == list(cells.index)
    for bot, met in ((row["bot"], met) for row in found for met in row["opponents"]):
        sides = f"({met['wins_first']}+{met['wins_second']})"
        assert cells.loc[bot, met["opponent"]] == f"{met['wins']}/{met['games']} {sides}"
        assert met["games_first"] + met["games_second"] == met["games"]
    assert sum(met["games"] for row in found for met in row["opponents"]) == 2 * run.counts["games"].sum()


def test_a_mistake_of_the_user_is_no_json(here):
    """One line on standard error, exit code 1, and nothing for the script to parse."""
    done = inside("digest", "cpu", "--format", "json", cwd=here)
    assert (done.returncode, done.stdout) == (1, "")
    assert "did you mean 'cup'?" in done.stderr


def test_a_secret_variant_is_not_named_by_an_outlook(here):
    """It is counted, and no more."""
    (here / "hidden.toml").write_text(SECRET)
    done = inside("run", "hidden.toml", "--dry-run", "--format", "json", cwd=here)
    assert json.loads(done.stdout)["secret_variants"] == 1
    assert "col:line-7" not in done.stdout + done.stderr


def test_what_is_said_at_the_board_goes_to_stderr(here):
    """A match for scripts: the games on stdout, the dialogue beside it."""
    words = (
        "play",
        "kayles:line-5",
        "--first",
        "first",
        "--second",
        "chance",
        "--rounds",
        "3",
        "--isolation",
        "trusted",
    )
    done = inside(*words, "--format", "json", cwd=here)
    match = json.loads(done.stdout)
    assert match["players"] == ["first (X)", "chance (O)"]
    assert sum(match["wins"]) == len(match["games"]) == 3
    assert [game["starter"] for game in match["games"]] == [1, 2, 1]
    assert "Game 3 of 3" in done.stderr
