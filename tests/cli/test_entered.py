"""Who plays in `arena run`: bad file names, folders, bots that are left out, and bots that are the same."""

import re

from arena.bots.starters import STARTERS
from arena.config.reading import read_tournament
from tests.cli.command import run

FIRST = "def move(position):\n    return position.legal_moves[0]\n"
LAST = "def move(position):\n    return position.legal_moves[-1]\n"
CUP = (
    '[tournament]\nvariants = ["blockade-line"]\nopenings = 1\nisolation = "trusted"\n[[bots]]\npath = "{}"\n'
)


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def play(folder, *options):
    return run("run", "cup.toml", "--executor", "serial", *options, cwd=folder)


def test_a_bad_file_name_is_refused_with_its_remedy_and_can_be_rescued(tmp_path):
    """One line, which says what to write; written as it says, the bot plays."""
    write(tmp_path, {"bots/a.py": FIRST, "bots/noah copy (1).py": LAST, "cup.toml": CUP.format("bots/*")})
    refused = play(tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    remedy = re.fullmatch(
        r"cup\.toml:6: bots\[0\]\.path: bots/noah copy \(1\)\.py: 'noah copy \(1\)' cannot be a bot's name \(.*\); "
        r"'noah_copy_1' can; rename it, or add a \[\[bots\]\] of its own with (path = .*) and (name = .*)\n",
        refused.stderr,
    )
    assert remedy
    with (tmp_path / "cup.toml").open("a") as file:
        file.write(f"[[bots]]\n{remedy[1]}\n{remedy[2]}\n")
    played = play(tmp_path)
    assert played.returncode == 0, played.stderr
    assert {"a", "noah_copy_1"} <= set(played.stdout.split())


def test_what_is_left_out_and_what_is_the_same_is_said_before_the_first_game(tmp_path):
    """By a run and by --dry-run; a table with three equal bots is not a surprise then."""
    files = {"bots/a.py": FIRST, "bots/b.py": FIRST, "bots/c.py": LAST, "bots/team/bot.py": LAST}
    write(tmp_path, files | {"cup.toml": CUP.format("bots/*.py")})
    left = "'bots/*.py' leaves out team, which is a folder with bot.py; 'bots/*' takes files and folders\n"
    same = r"the same files \(version [0-9a-f]{12}\): a and b; each is ranked by itself\n"
    for told in (play(tmp_path, "--dry-run").stdout, play(tmp_path).stderr):
        assert left in told
        assert re.search(same, told)


def test_the_sample_files_take_files_and_folders_and_nothing_else(tmp_path):
    """A folder bot that was submitted plays; caches, notes and examples in other languages do not."""
    assert run("init", cwd=tmp_path).returncode == 0
    others = {"__pycache__/x.py": FIRST, "README.md": "", "examples/js/bot.js": "", "_draft.py": "1 / 0"}
    write(tmp_path / "bots", {"team/bot.py": FIRST + "# of the team\n"} | others)
    for name in ("class", "ladder", "large", "round_robin", "swiss"):
        read = read_tournament(tmp_path / "configs" / f"{name}.toml")
        assert sorted(bot.name for bot in read.bots) == sorted([*STARTERS, "team"]), name
        assert read.notices == ()


def test_why_all_games_are_played_again_is_said(tmp_path):
    """Other limits and another seed make other games: `0 already played` has its reason beside it."""
    write(tmp_path, {"bots/a.py": FIRST, "bots/b.py": LAST, "cup.toml": CUP.format("bots/*")})
    assert "changed" not in play(tmp_path, "--no-grades").stderr
    other = (
        CUP.format("bots/*").replace("openings = 1", "openings = 1\nseed = 5")
        + "[limits]\nmove_seconds = 2\n"
    )
    write(tmp_path, {"cup.toml": other})
    told = "seed and move_seconds changed since the last run, so these are other games, and all are played\n"
    assert told in play(tmp_path, "--dry-run").stdout
    assert told in play(tmp_path, "--no-grades").stderr
    assert told not in play(tmp_path, "--no-grades").stderr
