"""Tournament files: a file is a tournament, or all of its mistakes at once."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.bots.source import read_command, read_source
from arena.config.reading import Tournament, read_tournament
from arena.errors import FileMistakes, UserError
from arena.field import Grading
from arena.formats import FORMATS
from arena.formats.meeting import Settings
from arena.game import RULE_BOOKS, variant
from arena.referee.game import Limits

BOT = "def move(position):\n    return position.legal_moves[0]\n"
ALL = '[[bots]]\npath = "bots/*"\n'
KITE = 'rule = "snort"\nboard.edges = [[0, 1], [1, 2], [2, 0], [2, 3]]\n'

FILES = {
    "bots/alpha.py": BOT,
    "bots/greedy.py": BOT + "# greedy\n",
    "bots/deep/bot.py": BOT,
    "bots/deep/weights.py": "WEIGHTS = 1\n",
    "bots/alpha-2.py": BOT + "# two\n",
    "bots/_draft.py": BOT,
    "bots/.hidden.py": BOT,
    "bots/__pycache__/bot.py": BOT,
    "bots/notes.txt": "not a bot",
    "bots/empty/notes.txt": "not a bot",
    "drafts/my[1].py": BOT,
    "drafts/my bot.py": BOT,
    "drafts/own/alpha.py": BOT,
    "drafts/_old/zeta.py": BOT,
    "twins/alpha.py": BOT,
    "twins/alpha/bot.py": BOT,
    "programs/mybot": "#!/bin/sh\n",
    "programs/weights.bin": "1",
    "variants/kite.toml": KITE,
    "variants/kites.toml/README": "a folder",
    "variants/bad.toml": 'rule = "snrt"\nboard = "line-3"\ncolour = 1\n',
}


def furnish(folder):
    """Write bots, variants and an empty `configs` into a folder."""
    for path, text in {**FILES, "configs/README": ""}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A furnished folder that is also the working directory."""
    monkeypatch.chdir(furnish(tmp_path))
    return tmp_path


def read(text, path="configs/cup.toml", **options):
    Path(path).write_text(text)
    return read_tournament(path, **options)


def mistakes(text, **options):
    """The mistakes of a text, a line each, without the file's name."""
    with pytest.raises(FileMistakes) as refusal:
        read(text, **options)
    lines = list(refusal.value.mistakes)
    assert str(refusal.value) == "\n".join(lines)
    return [line.removeprefix("configs/cup.toml:") for line in lines]


def names(tournament):
    return [bot.name for bot in tournament.bots]


# What a file says, and what it leaves out


def test_bots_are_enough(folder):
    """Whatever else a file leaves out has the value that the contract shows, and its name is the file's."""
    tournament = read(ALL)
    assert tournament[:8] == (
        "cup",
        "round-robin",
        tuple(variant(name) for name in RULE_BOOKS),
        8,
        1,
        8721,
        "sandboxed",
        Limits(1.0, 10.0, 5.0, 512),
    )
    assert tournament.text == ALL
    assert tournament.config == folder.resolve() / "configs/cup.toml"
    assert tournament.results == folder.resolve() / "results"


def test_everything_may_be_said(folder):
    """Each key of the file is the field of that name."""
    tournament = read("""
        [tournament]
        name = "spring-cup"
        format = "round-robin"
        variants = ["grid-lock", "col:ring-11", "variants/kite.toml"]
        openings = 3
        repeats = 2
        seed = 0
        isolation = "trusted"
        [limits]
        move_seconds = 0.25
        game_seconds = 2
        start_seconds = 3600
        memory_mib = 16
        [[bots]]
        path = "bots/greedy.py"
        name = "mine-v1"
        """)
    assert (tournament.name, tournament.format) == ("spring-cup", "round-robin")
    assert [v.name for v in tournament.variants] == ["grid-lock", "col:ring-11", "kite"]
    assert (tournament.openings, tournament.repeats, tournament.seed) == (3, 2, 0)
    assert (tournament.isolation, tournament.limits) == ("trusted", Limits(0.25, 2.0, 3600.0, 16))
    assert isinstance(tournament.limits.game_seconds, float)
    assert names(tournament) == ["mine-v1"]


def test_every_format_may_be_chosen(folder):
    """What the table of formats names, a file may name."""
    for name in (name for name, format in FORMATS.items() if format.is_in_files):
        needed = 'tournament.gauntlet = ["alpha"]\n' if name == "gauntlet" else ""
        assert read(f'tournament.format = "{name}"\n{needed}{ALL}').format == name


def test_what_is_said_to_formats_and_graders_is_kept(folder):
    """Each key is the field of that name; secret variants come last; without a table nobody is graded."""
    swiss = read(f'tournament.format = "swiss"\ntournament.rounds = 5\ntournament.seed = 7\n{ALL}')
    assert (swiss.settings.rounds, swiss.settings.seed) == (5, 7)
    ladder = read(f'tournament.format = "ladder"\ntournament.interval_points = 40\n{ALL}')
    assert ladder.settings.interval_points == 40
    gauntlet = read(f'tournament.format = "gauntlet"\ntournament.gauntlet = ["deep", "alpha"]\n{ALL}')
    assert gauntlet.settings.gauntlet == ("deep", "alpha")
    plain = read(ALL)
    assert (plain.settings, plain.secret, plain.grading) == (Settings(), (), None)
    secret = read(f'tournament.variants = ["grid-lock"]\nfield.secret = ["variants/kite.toml"]\n{ALL}')
    assert ([v.name for v in secret.variants], secret.secret) == (["grid-lock", "kite"], ("kite",))
    assert read(f'grading.bosses = ["deep"]\n{ALL}').grading == Grading(("deep",), "score", 0.5)
    graded = read(
        f'grading = {{ bosses = ["deep", "alpha", "deep"], by = "accuracy", pass_mark = 1 }}\n{ALL}'
    )
    assert graded.grading == Grading(("deep", "alpha"), "accuracy", 1.0)


def test_a_text_is_kept_as_it_was_read(folder):
    """A mark at the beginning is no part of the text; other line ends are."""
    Path("cup.toml").write_bytes(b"\xef\xbb\xbf" + ALL.replace("\n", "\r\n").encode())
    assert read_tournament("cup.toml").text == ALL.replace("\n", "\r\n")


@pytest.mark.parametrize("isolation", ["trusted", "sandboxed"])
def test_a_caller_may_override_the_isolation(folder, isolation):
    """What the caller says counts, whatever the file says."""
    assert read(f'tournament.isolation = "sandboxed"\n{ALL}', isolation=isolation).isolation == isolation


def test_an_unknown_isolation_of_the_caller_is_refused(folder):
    """A caller's word is checked as the file's is."""
    with pytest.raises(UserError, match="unknown value 'trust'; did you mean 'trusted'"):
        read(ALL, isolation="trust")


# Where paths start


@pytest.mark.parametrize("path", ["configs/cup.toml", "cup.toml"])
@pytest.mark.parametrize("start", [".", "configs", "bots/deep", "/"])
def test_a_file_means_the_same_from_anywhere(folder, monkeypatch, path, start):
    """Paths start at the file's folder, or at the parent of `configs`; never at the working directory."""
    (folder / path).write_text('tournament.variants = ["variants/kite.toml"]\n' + ALL)
    monkeypatch.chdir(folder / start)
    for typed in (folder / path, os.path.relpath(folder / path)):
        tournament = read_tournament(typed)
        assert names(tournament) == ["alpha", "alpha-2", "deep", "greedy"]
        assert tournament.results == folder.resolve() / "results"
        assert tournament.paths["deep"] == folder.resolve() / "bots/deep"


def test_a_link_to_a_file_is_that_file(folder, tmp_path_factory):
    """A file that is linked from elsewhere finds its bots where it really lies."""
    read(ALL)
    link = tmp_path_factory.mktemp("elsewhere") / "link.toml"
    link.symlink_to(folder / "configs/cup.toml")
    tournament = read_tournament(link)
    assert (tournament.name, tournament.results) == ("cup", folder.resolve() / "results")


def test_absolute_paths_are_taken_as_they_are(folder, tmp_path_factory):
    """A bot, a glob and a variant may lie anywhere."""
    text = f"""
        tournament.variants = ["{folder}/variants/kite.toml"]
        bots = [{{ path = "{folder}/bots/deep" }}, {{ path = "{folder}/bots/a*.py" }}]
        """
    tournament = read(text, tmp_path_factory.mktemp("elsewhere") / "cup.toml")
    assert tournament.variants[0].name == "kite"
    assert names(tournament) == ["deep", "alpha", "alpha-2"]


# Bots


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("bots/*", ["alpha", "alpha-2", "deep", "greedy"]),
        ("bots/*.py", ["alpha", "alpha-2", "greedy"]),
        ("./bots/alph?.py", ["alpha"]),
        ("bots/[!a]*", ["deep", "greedy"]),
        ("bots/**", ["alpha", "alpha-2", "deep", "greedy"]),
        ("bots/alpha.py", ["alpha"]),
        ("bots/deep", ["deep"]),
        ("bots/deep/", ["deep"]),
        ("bots/_draft.py", None),
        ("drafts/my[1].py", None),
        ("drafts/**/*.py", None),
        ("drafts/o*/*.py", ["alpha"]),
        ("drafts/*/*.py", ["alpha"]),
        ("drafts/_old/*.py", ["zeta"]),
    ],
)
def test_a_path_is_a_bot_or_a_glob(folder, path, expected):
    """A glob stands for the bots it matches, by name; hidden things and what is no bot are passed over."""
    text = f'[[bots]]\npath = "{path}"\n'
    if expected is None:  # found, and then refused for their names
        assert all("cannot be a bot's name" in line for line in mistakes(text))
    else:
        assert names(read(text)) == expected


def test_a_glob_leaves_out_what_it_excludes(folder):
    """Names in `exclude` do not play; an empty list is the default."""
    assert names(read('[[bots]]\npath = "bots/*"\nexclude = ["deep", "alpha-2"]\n')) == ["alpha", "greedy"]
    assert len(names(read('[[bots]]\npath = "bots/*"\nexclude = []\n'))) == 4


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('path = "bots/*"\nexclude = ["gredy"]', "3: bots[0].exclude[0]: 'bots/*' has no bot 'gredy'; did you mean 'greedy'?"),
        ('path = "bots/*"\nexclude = ["zoe"]', "3: bots[0].exclude[0]: 'bots/*' has no bot 'zoe'; take it out of the list"),
        ('path = "bots/*"\nexclude = "zoe"', '3: bots[0].exclude: must be a list of bots in quotes, such as ["greedy"]'),
        ('path = "bots/*"\nexclude = [3]', "3: bots[0].exclude[0]: must be a text in quotes"),
        ('path = "bots/deep"\nexclude = ["x"]', '3: bots[0].exclude: is only for a path with wildcards, such as path = "bots/*"'),
        ('command = ["true"]\nname = "x"\nexclude = ["x"]', '4: bots[0].exclude: is only for a path with wildcards, such as path = "bots/*"'),
    ],
)  # fmt: skip
def test_an_exclude_that_excludes_nothing_is_a_mistake(folder, text, expected):
    """It may be a slip, and then a bot would play that should not."""
    assert mistakes(f"[[bots]]\n{text}\n") == [expected]


def test_a_table_of_its_own_rescues_a_file_name_that_a_glob_would_refuse(folder):
    """The glob passes over it then; a file with a good name plays under both."""
    for name in ("jörg_müller.py", "noah copy (1).py"):
        (folder / "bots" / name).write_text("def move(position): return position.legal_moves[0]\n")
    refused = mistakes('[[bots]]\npath = "bots/*"\n')
    assert len(refused) == 2
    assert 'path = "bots/jörg_müller.py" and name = "joerg_mueller"' in refused[0]
    assert "'noah_copy_1' can" in refused[1]
    rescued = read("""
        [[bots]]
        path = "bots/*"
        exclude = ["noah copy (1)"]
        [[bots]]
        path = "bots/jörg_müller.py"
        name = "joerg_mueller"
        """)
    assert names(rescued) == ["alpha", "alpha-2", "deep", "greedy", "joerg_mueller"]


def test_a_glob_says_which_bots_it_leaves_out(folder):
    """A folder with bot.py beside the files, and a folder of bots; not what is excluded or plays otherwise."""
    told = "'bots/*.py' leaves out deep, which is a folder with bot.py; 'bots/*' takes files and folders"
    assert read('[[bots]]\npath = "bots/*.py"\n').notices[0] == told
    deep = '[[bots]]\npath = "bots/deep"\n'
    for text in (
        '[[bots]]\npath = "bots/*"\n',
        '[[bots]]\npath = "bots/al*.py"\n',
        f'[[bots]]\npath = "bots/*.py"\n{deep}',
    ):
        assert not [line for line in read(text).notices if "leaves out" in line], text
    (folder / "bots" / "week1").mkdir()
    (folder / "bots" / "week1" / "zoe.py").write_text("def move(position): return 0\n")
    told = "'bots/*' leaves out 'zoe' in the folder bots/week1; path = \"bots/week1/*\" enters what is in it"
    assert told in read('[[bots]]\npath = "bots/*"\n').notices
    assert told not in read('[[bots]]\npath = "bots/**"\n').notices


def test_identical_bots_are_named(folder):
    """Whatever they are called, and however they were entered."""
    text = (folder / "bots" / "greedy.py").read_bytes() + b"# other\n"
    for name in ("noah", "noah-copy"):
        (folder / "bots" / f"{name}.py").write_bytes(text)
    notices = read('[[bots]]\npath = "bots/noah*"\n').notices
    assert len(notices) == 1
    assert notices[0].startswith("the same files (version ")
    assert notices[0].endswith("): noah and noah-copy; each is ranked by itself")


def test_a_name_gives_a_bot_another_name(folder):
    """A name stands in for that of the file, even of one that could not be a name; two versions can meet."""
    tournament = read("""
        [[bots]]
        path = "bots/alpha.py"
        [[bots]]
        path = "bots/alpha.py"
        name = "alpha.v2"
        [[bots]]
        path = "drafts/my[1].py"
        name = "mine"
        [[bots]]
        path = "bots/gr*"
        name = "only-match"
        """)
    assert names(tournament) == ["alpha", "alpha.v2", "mine", "only-match"]
    assert len({bot.version for bot in tournament.bots}) == 2


def test_bots_come_with_their_files_and_places(folder):
    """A source is what `read_source` or `read_command` gives; only a Python bot has a place."""
    tournament = read("""
        [[bots]]
        path = "bots/deep"
        [[bots]]
        name = "other"
        command = ["./programs/mybot", "--weights=weights/none.bin", "programs/weights.bin", "/no/such/file"]
        [[bots]]
        path = "bots/greedy.py"
        """)
    command = list(tournament.bots[1].command)
    assert tournament.bots == (
        read_source("bots/deep"),
        read_command(command, "other", folder),
        read_source("bots/greedy.py"),
    )
    assert sorted(tournament.bots[1].files) == ["programs/mybot", "programs/weights.bin"]
    base = folder.resolve()
    assert tournament.paths == {"deep": base / "bots/deep", "greedy": base / "bots/greedy.py"}


def test_one_bot_is_no_mistake(folder):
    """How many bots a tournament needs is not the file's business."""
    assert names(read('[[bots]]\npath = "bots/alpha.py"\n')) == ["alpha"]


# Mistakes, one by one. `{}` stands for the folder that relative paths start at.


PROPER = "must be at most 64 letters, digits and _ . -, starting with a letter or digit"
WHOLE, NUMBER, TEXT = "must be a whole number", "must be a number", "must be a text in quotes"
NAMES = 'must be a list of names in quotes, such as ["blockade-4x4", "snort:grid-6x6"]'

OF_VALUES = [
    ("name = 3", f"name: {TEXT}"),
    ('name = ""', f"name: '' {PROPER}"),
    ('name = "../x"', f"name: '../x' {PROPER}"),
    (f'name = "{"n" * 65}"', f"name: '{'n' * 37}...' {PROPER}"),
    ("format = true", f"format: {TEXT}"),
    ('format = "round_robin"', "format: unknown value 'round_robin'; did you mean 'round-robin'?"),
    ('isolation = "sandbox"', "isolation: unknown value 'sandbox'; did you mean 'sandboxed'?"),
    ('isolation = "no"', "isolation: unknown value 'no'; it must be one of 'trusted', 'sandboxed'"),
    ('variants = "grid-lock"', f"variants: {NAMES}"),
    ("variants = []", "variants: must not be empty"),
    ("variants = [1979-05-27]", f"variants[0]: {TEXT}"),
    ('variants = ["grid-lok"]', "variants[0]: unknown variant 'grid-lok'; did you mean 'grid-lock'?"),
    (
        'variants = ["snrt:grid-6x6"]',
        "variants[0]: unknown rule 'snrt' in 'snrt:grid-6x6'; did you mean 'snort'?",
    ),
    ('variants = ["snort:gird-6x6"]', "variants[0]: unknown board 'gird-6x6'; did you mean 'grid-6x6'?"),
    (
        'variants = ["variants/kit.toml"]',
        "variants[0]: variants/kit.toml: No such file or directory; did you mean 'kite.toml'?",
    ),
    ('variants = ["variants/"]', "variants[0]: variants: Is a directory"),
    ('variants = ["variants/kites.toml"]', "variants[0]: variants/kites.toml: Is a directory"),
    ('variants = ["./"]', "variants[0]: .: Is a directory"),
    (
        'variants = ["grid-lock", "col:line-3", "grid-lock"]',
        "variants[2]: 'grid-lock' is listed already, as variants[0]",
    ),
    (
        'variants = ["variants/kite.toml", "./variants/kite.toml"]',
        "variants[1]: 'kite' is listed already, as variants[0]",
    ),
    ("openings = 0", "openings: must be at least 1, and is 0"),
    ("openings = 1_000_001", "openings: must be at most 1000000, and is 1000001"),
    ('openings = "8"', f"openings: {WHOLE}"),
    ("openings = 8.0", f"openings: {WHOLE}"),
    ("openings = true", f"openings: {WHOLE}"),
    ("repeats = 0", "repeats: must be at least 1, and is 0"),
    ("repeats = 1_000_001", "repeats: must be at most 1000000, and is 1000001"),
    ("seed = -1", "seed: must be at least 0, and is -1"),
    ("seed = 9007199254740992", "seed: must be at most 9007199254740991, and is 9007199254740992"),
    ("seed = 1.5", f"seed: {WHOLE}"),
    ("opening = 8", "opening: unknown key; did you mean 'openings'?"),
    (
        "x = 8",
        "x: unknown key; known keys are name, format, variants, openings, repeats, seed, isolation, fresh, rounds, gauntlet, interval_points",
    ),
]

OF_LIMITS = [
    ("move_seconds = 0", "move_seconds: must be more than 0, and is 0"),
    ("move_seconds = -0.5", "move_seconds: must be more than 0, and is -0.5"),
    ("move_seconds = 3600.5", "move_seconds: must be at most 3600, and is 3600.5"),
    ("move_seconds = nan", "move_seconds: must be a finite number"),
    ("move_seconds = true", f"move_seconds: {NUMBER}"),
    ("game_seconds = inf", "game_seconds: must be a finite number"),
    ("game_seconds = 86401", "game_seconds: must be at most 86400, and is 86401"),
    ('game_seconds = "10"', f"game_seconds: {NUMBER}"),
    ("start_seconds = 0.0", "start_seconds: must be more than 0, and is 0.0"),
    ("start_seconds = 3601", "start_seconds: must be at most 3600, and is 3601"),
    ("memory_mib = 15", "memory_mib: must be at least 16, and is 15"),
    ("memory_mib = 1048577", "memory_mib: must be at most 1048576, and is 1048577"),
    ("memory_mib = 512.0", f"memory_mib: {WHOLE}"),
    ("memory_mb = 512", "memory_mb: unknown key; did you mean 'memory_mib'?"),
    (
        "wall = 1",
        "wall: unknown key; known keys are move_seconds, game_seconds, start_seconds, memory_mib, solver",
    ),
]

COMMAND = 'must be a list of texts in quotes, such as ["./mybot", "--fast"]'
RULE = "at most 64 letters from A to Z, digits and _ . -, and the first is a letter or digit"
MISNAMED = (
    f"'my bot' cannot be a bot's name ({RULE}); 'my_bot' can; rename it, or add a [[bots]] of its own with "
    'path = "drafts/my bot.py" and name = "my_bot"'
)

OF_BOTS = [
    ("path = 3", f".path: {TEXT}"),
    ('path = ""', ".path: must not be empty"),
    (r'path = "a\u0000b"', ".path: must not contain the character NUL"),
    (
        'path = "bots/gredy.py"',
        ".path: bots/gredy.py: there is no such file or folder; did you mean 'greedy.py'?",
    ),
    (
        'path = "bots/greedy"',
        ".path: bots/greedy: there is no such file or folder; did you mean 'greedy.py'?",
    ),
    ('path = "nowhere/x.py"', ".path: nowhere/x.py: there is no such file or folder"),
    ('path = "."\nname = "x"', ".path: .: is a folder without `bot.py`"),
    ('path = "bots/empty"', ".path: bots/empty: is a folder without `bot.py`"),
    (
        'path = "bots"',
        ".path: bots: is a folder without `bot.py`; add /* to enter the bots in that folder",
    ),
    (
        'path = "bots/notes.txt"',
        ".path: bots/notes.txt: a bot is a Python file, `notes.py`, or a folder with `bot.py`",
    ),
    ('path = "drafts/my bot.py"', f".path: drafts/my bot.py: {MISNAMED}"),
    ('path = "drafts/my*t.py"', f".path: drafts/my bot.py: {MISNAMED}"),
    (f'path = "{"x" * 5000}"', f".path: {'x' * 197}...: cannot be read: File name too long"),
    ('path = "bots/*.txt"', ".path: 'bots/*.txt' matches no bot; relative paths start at {}"),
    ('path = "bots/_*.py"', ".path: 'bots/_*.py' matches no bot; relative paths start at {}"),
    ('path = "bts/*.py"', ".path: 'bts/*.py' matches no bot; relative paths start at {}"),
    ('path = "bots/*.py"\nname = "x"', ".name: 'bots/*.py' matches 3 bots, which cannot share one name"),
    ('path = "bots/alpha.py"\nname = ""', f".name: '' {PROPER}"),
    ('path = "drafts/my bot.py"\nname = "my bot"', f".name: 'my bot' {PROPER}"),
    ('path = "bots/alpha.py"\nname = 3', f".name: {TEXT}"),
    ('path = "bots/alpha.py"\nnam = "x"', ".nam: unknown key; did you mean 'name'?"),
    ('path = "bots/alpha.py"\nx = 1', ".x: unknown key; known keys are path, command, name, exclude, solver"),
    ('name = "x"', ": has neither path nor command; it must have one of them"),
    (
        'path = "no.py"\ncommand = ["./no"]\nname = "x"',
        ": has both path and command; it must have one of them",
    ),
    ('command = "./programs/mybot"\nname = "x"', f".command: {COMMAND}"),
    ('command = []\nname = "x"', ".command: must not be empty"),
    ('command = [""]\nname = "x"', ".command[0]: must be a program"),
    ('command = [3]\nname = "x"', f".command[0]: {TEXT}"),
    (r'command = ["a", "\u0000"]' + '\nname = "x"', ".command[1]: must not contain the character NUL"),
    ('command = ["node"]', '.name: missing; a command needs a name, such as name = "mine"'),
    ('command = ["node"]\nname = "a b"', f".name: 'a b' {PROPER}"),
    ('command = ["./mybot"]\nname = "x"', ".command[0]: there is no file './mybot' below {}"),
    ('command = ["node", "js/x.js"]\nname = "x"', ".command[1]: there is no file 'js/x.js' below {}"),
    ('command = ["node", "bots/deep"]\nname = "x"', ".command[1]: there is no file 'bots/deep' below {}"),
    (
        'command = ["configs/../programs/mybot"]\nname = "x"',
        ".command[0]: there is no file 'configs/../programs/mybot' below {}",
    ),
]


@pytest.mark.parametrize(("line", "message"), OF_VALUES)
def test_a_wrong_value_is_said_at_its_line(folder, line, message):
    """Each wrong value of `[tournament]` is one mistake, in our words, at its line and key."""
    assert mistakes(f"{ALL}[tournament]\n{line}\n") == [f"4: tournament.{message}"]


@pytest.mark.parametrize(("line", "message"), OF_LIMITS)
def test_a_wrong_limit_is_said_at_its_line(folder, line, message):
    """Each wrong value of `[limits]` is one mistake, in our words, at its line and key."""
    assert mistakes(f"{ALL}[limits]\n{line}\n") == [f"4: limits.{message}"]


@pytest.mark.parametrize(("lines", "message"), OF_BOTS)
def test_a_wrong_bot_is_said_at_its_table(folder, lines, message):
    """Each wrong thing of `[[bots]]` is one mistake, in our words, at its key, or at the table's header."""
    text = f'[[bots]]\npath = "bots/deep"\n[[bots]]\n{lines}\n'
    (found,) = mistakes(text)
    number, _, rest = found.partition(": ")
    assert rest == f"bots[1]{message}".replace("{}", str(folder.resolve()))
    key = message.partition(":")[0].partition("[")[0].lstrip(".")
    at = [
        line for line, written in enumerate(text.split("\n"), 1) if line > 2 and written.startswith(f"{key} ")
    ]
    assert int(number) == (at[0] if at else 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", '1: bots: missing; write [[bots]] with path = "bots/*" below it'),
        ("bots = []", '1: bots: missing; write [[bots]] with path = "bots/*" below it'),
        ("\n[bots]\npath = 'bots/*'", "2: bots: must be tables, each headed [[bots]]"),
        ("bots = 'bots/*'", "1: bots: must be tables, each headed [[bots]]"),
        ("bots = [\n{ path = 'bots/deep' },\n'bots/alpha.py' ]", "3: bots[1]: must be a table"),
        (f"tournament = 3\n{ALL}", "1: tournament: must be a table"),
        (f"{ALL}[[limits]]\nmove_seconds = 1\n", "3: limits: must be a table"),
        (f"{ALL}[limit]\nmove_seconds = 1\n", "3: limit: unknown key; did you mean 'limits'?"),
        (
            f"openings = 3\n{ALL}",
            "1: openings: unknown key; known keys are tournament, limits, field, grading, bots",
        ),
        (
            f'"a\\nb" = 3\n{ALL}',
            "1: a\\nb: unknown key; known keys are tournament, limits, field, grading, bots",
        ),
        ("[[bots]]\npath = 'bots/*\n", '2: not valid TOML: Expected "\'"'),
    ],
)
def test_a_wrong_table_is_said_at_its_line(folder, text, message):
    """What is not the right kind of table, or no table that is known, is a mistake like any other."""
    (found,) = mistakes(text)
    assert found.startswith(message)


def test_a_bot_behind_a_link_is_refused_also_in_a_glob(folder):
    """What `read_source` refuses is said, not passed over, since it looks like a bot."""
    (folder / "bots/zz.py").symlink_to(folder / "bots/alpha.py")
    assert mistakes(ALL) == ["2: bots[0].path: bots/zz.py: is a symbolic link; give the file itself"]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (
            '[[bots]]\npath = "bots/*"\n[[bots]]\npath = "drafts/own/alpha.py"\n',
            "4: bots[1].path: there is already a bot 'alpha': bots[0] (bots/alpha.py)",
        ),
        (
            '[[bots]]\npath = "bots/deep"\n[[bots]]\nname = "deep"\npath = "bots/gone.py"\n',
            "4: bots[1].name: there is already a bot 'deep': bots[0] (bots/deep)",
        ),
        (
            '[[bots]]\ncommand = ["node"]\nname = "x"\n[[bots]]\npath = "bots/alpha.py"\nname = "x"\n',
            "6: bots[1].name: there is already a bot 'x': bots[0]",
        ),
        (
            '[[bots]]\npath = "twins/*"\n',
            "2: bots[0].path: there is already a bot 'alpha': bots[0] (twins/alpha)",
        ),
    ],
)
def test_a_name_given_twice_is_said_with_the_earlier_place(folder, tables, message):
    """Two bots of one name are a mistake, also where the second has no file, with the way out of it."""
    found = mistakes(tables)
    assert f'{message}; name = "..." lets two versions meet' in found


def test_a_wrong_name_is_not_also_a_name_given_twice(folder):
    """One mistake is said once: a bot whose name is wrong is not compared by the name of its file."""
    text = '[[bots]]\npath = "bots/alpha.py"\n[[bots]]\npath = "bots/alpha.py"\nname = "al pha"\n'
    assert mistakes(text) == [f"5: bots[1].name: 'al pha' {PROPER}"]


@pytest.mark.parametrize("options", [{"isolation": "trusted"}, {}])
def test_a_command_cannot_be_trusted(folder, options):
    """A command in a trusted tournament is a mistake, whoever chose that."""
    head = "" if options else 'tournament.isolation = "trusted"'
    text = f'{head}\n[[bots]]\nname = "x"\ncommand = ["node"]\n'
    advice = 'play with isolation = "sandboxed", or leave it out'
    assert mistakes(text, **options) == [f"4: bots[0].command: a command is always sandboxed; {advice}"]


def test_a_caller_can_sandbox_what_the_file_trusts(folder):
    """The isolation is replaced before commands are looked at."""
    text = 'tournament.isolation = "trusted"\n[[bots]]\nname = "x"\ncommand = ["node"]\n'
    assert read(text, isolation="sandboxed").bots[0].command == ("node",)


def test_a_file_whose_name_cannot_be_the_tournaments_must_give_one(folder):
    """The file's stem is a name like any other; the mistake says both ways out."""
    with pytest.raises(FileMistakes) as refusal:
        read(ALL, "configs/my cup.toml")
    advice = 'rename the file, or give it a name with name = "..."'
    assert str(refusal.value) == f"configs/my cup.toml:1: tournament.name: 'my cup' {PROPER}; {advice}"
    assert read(f'tournament.name = "x"\n{ALL}', "configs/my cup.toml").name == "x"
    with pytest.raises(FileMistakes) as refusal:
        read(f"tournament.name = 3\n{ALL}", "configs/my cup.toml")
    assert str(refusal.value) == f"configs/my cup.toml:1: tournament.name: {TEXT}"


BOT_NAMES = 'must be a list of bots in quotes, such as ["mine-v2"]'
BOSSES = 'must be a list of bots in quotes, such as ["greedy", "perfect"]'

OF_FORMATS = [
    ("swiss", "rounds = 0", "rounds: must be at least 1, and is 0"),
    ("swiss", "rounds = 1_000_001", "rounds: must be at most 1000000, and is 1000001"),
    ("swiss", "rounds = 2.5", f"rounds: {WHOLE}"),
    ("ladder", "interval_points = 0", "interval_points: must be more than 0, and is 0"),
    ("ladder", "interval_points = 10_001", "interval_points: must be at most 10000, and is 10001"),
    ("ladder", "interval_points = nan", "interval_points: must be a finite number"),
    ("ladder", 'interval_points = "60"', f"interval_points: {NUMBER}"),
    ("gauntlet", 'gauntlet = "deep"', f"gauntlet: {BOT_NAMES}"),
    ("gauntlet", "gauntlet = []", "gauntlet: must not be empty"),
    ("gauntlet", "gauntlet = [3]", f"gauntlet[0]: {TEXT}"),
    (
        "gauntlet",
        'gauntlet = ["deep", "alfa"]',
        "gauntlet[1]: there is no bot 'alfa' in this tournament; did you mean 'alpha'?",
    ),
    (
        "gauntlet",
        'gauntlet = ["unheard-of"]',
        "gauntlet[0]: there is no bot 'unheard-of' in this tournament; bots are entered with [[bots]]",
    ),
    (
        "gauntlet",
        'gauntlet = ["alpha", "alpha-2", "deep", "greedy"]',
        "gauntlet: names every bot, so no opponents are left",
    ),
    ("round-robin", "rounds = 5", 'rounds: is only for format = "swiss"; this one is "round-robin"'),
    ("knock-out", "rounds = 5", 'rounds: is only for format = "swiss"; this one is "knock-out"'),
    ("swiss", 'gauntlet = ["deep"]', 'gauntlet: is only for format = "gauntlet"; this one is "swiss"'),
    (
        "swiss",
        "interval_points = 60",
        'interval_points: is only for format = "ladder"; this one is "swiss"',
    ),
]


@pytest.mark.parametrize(("format", "line", "message"), OF_FORMATS)
def test_what_is_wrong_for_a_format_is_said_at_its_line(folder, format, line, message):
    """Types, bounds, bots that are not there, and keys of another format: each is one mistake at its key."""
    found = mistakes(f'{ALL}[tournament]\nformat = "{format}"\n{line}\n')
    assert found == [f"5: tournament.{message}"]


def test_a_gauntlet_must_say_who_runs_it(folder):
    """The format alone is not enough, and the mistake says what to write."""
    message = 'tournament.format: a gauntlet needs the bots that run it: name them with gauntlet = ["..."]'
    assert mistakes(f'{ALL}[tournament]\nformat = "gauntlet"\n') == [f"4: {message}"]


def test_a_format_that_is_not_known_wants_nothing_of_other_keys(folder):
    """A slip in its name is one mistake, and not also that its own keys are for another format."""
    found = mistakes(f'{ALL}[tournament]\nformat = "swis"\nrounds = 5\n')
    assert found == ["4: tournament.format: unknown value 'swis'; did you mean 'swiss'?"]


OF_GRADING = [
    ("", 'needs the bots to play against: name them with bosses = ["..."]'),
    ("bosses = []", ".bosses: must not be empty"),
    ('bosses = "deep"', f".bosses: {BOSSES}"),
    ("bosses = [true]", f".bosses[0]: {TEXT}"),
    (
        'bosses = ["deep", "gredy"]',
        ".bosses[1]: there is no bot 'gredy' in this tournament; did you mean 'greedy'?",
    ),
    (
        'bosses = ["deep", "alpha", "greedy", "alpha-2"]',
        ".bosses: names every bot, so no bots are left to be graded",
    ),
    ('bosses = ["deep"]\nby = "scores"', ".by: unknown value 'scores'; did you mean 'score'?"),
    ('bosses = ["deep"]\nby = "luck"', ".by: unknown value 'luck'; it must be one of 'score', 'accuracy'"),
    ('bosses = ["deep"]\nby = 1', f".by: {TEXT}"),
    ('bosses = ["deep"]\npass_mark = 1.5', ".pass_mark: must be at most 1, and is 1.5"),
    ('bosses = ["deep"]\npass_mark = -0.1', ".pass_mark: must be at least 0, and is -0.1"),
    ('bosses = ["deep"]\npass_mark = 55', ".pass_mark: must be at most 1, and is 55"),
    ('bosses = ["deep"]\npass_mark = nan', ".pass_mark: must be a finite number"),
    ('bosses = ["deep"]\npass_mark = "0.5"', f".pass_mark: {NUMBER}"),
    ('bosses = ["deep"]\nx = 0.5', ".x: unknown key; known keys are bosses, by, pass_mark"),
    ('boses = ["deep"]\nbosses = ["deep"]', ".boses: unknown key; did you mean 'bosses'?"),
]


@pytest.mark.parametrize(("lines", "message"), OF_GRADING)
def test_what_is_wrong_with_grading_is_said_at_its_line(folder, lines, message):
    """Each is one mistake with its line and key; what is missing is said at the table."""
    (found,) = mistakes(f"{ALL}[grading]\n{lines}\n")
    number, _, rest = found.partition(": ")
    assert rest == f"grading{message}" if lines else rest == f"grading: {message}"
    key = message[1:].partition(":")[0].partition("[")[0]
    at = [line for line, text in enumerate(lines.split("\n"), 4) if text.startswith(f"{key} ")]
    assert int(number) == (at[0] if at else 3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("secret = []", "secret: must not be empty"),
        ('secret = "grid-lock"', 'secret: must be a list of names in quotes, such as ["snort:grid-6x6"]'),
        ("secret = [3]", f"secret[0]: {TEXT}"),
        ('secret = ["grid-lok"]', "secret[0]: unknown variant 'grid-lok'; did you mean 'grid-lock'?"),
        ('secret = ["grid-lock"]', "secret[0]: 'grid-lock' is listed already, as variants[2]"),
        ('secret = ["col:line-4", "col:line-4"]', "secret[1]: 'col:line-4' is listed already, as secret[0]"),
        ('secrets = ["col:line-4"]', "secrets: unknown key; did you mean 'secret'?"),
    ],
)
def test_what_is_wrong_with_secrets_is_said_at_its_line(folder, line, message):
    """A secret variant is a variant like any other, and not also a public one."""
    assert mistakes(f"{ALL}[field]\n{line}\n") == [f"4: field.{message}"]


def test_names_are_not_looked_for_where_bots_are_wrong(folder):
    """Whoever mistyped a path has one mistake, not one more for every place that names the bot."""
    text = f'{ALL}[[bots]]\npath = "bots/alfa.py"\n[grading]\nbosses = ["alfa"]\n'
    (found,) = mistakes(text)
    assert found.startswith("4: bots[1].path: ")


# Mistakes, all at once


WRONG = """\
colour = "red"
[tournament]
name = "the cup"
openings = 0
formt = "round-robin"
variants = [
    "blockade-4x5",
    3,
    "variants/bad.toml",
    "grid-lock", "grid-lock",
    "variants/bad.toml",
]
[limits]
move_seconds = "1"
[[bots]]
path = "bots/*"
name = 7
[[bots]]
path = "bots/alfa.py"
[[bots]]
path = "bots/deep"
nmae = "deep-2"
[[bots]]
command = ["./mybot", 3, "js/bot.js"]
name = "deep"
"""

ALL_WRONG = """\
configs/cup.toml:1: colour: unknown key; known keys are tournament, limits, field, grading, bots
configs/cup.toml:3: tournament.name: 'the cup' must be at most 64 letters, digits and _ . -, starting with a letter or digit
configs/cup.toml:4: tournament.openings: must be at least 1, and is 0
configs/cup.toml:5: tournament.formt: unknown key; did you mean 'format'?
configs/cup.toml:7: tournament.variants[0]: unknown variant 'blockade-4x5'; did you mean 'blockade-5x5'?
configs/cup.toml:8: tournament.variants[1]: must be a text in quotes
configs/cup.toml:10: tournament.variants[4]: 'grid-lock' is listed already, as variants[3]
configs/cup.toml:14: limits.move_seconds: must be a number
configs/cup.toml:17: bots[0].name: must be a text in quotes
configs/cup.toml:19: bots[1].path: bots/alfa.py: there is no such file or folder; did you mean 'alpha.py'?
configs/cup.toml:22: bots[2].nmae: unknown key; did you mean 'name'?
configs/cup.toml:24: bots[3].command[1]: must be a text in quotes
configs/cup.toml:24: bots[3].command[0]: there is no file './mybot' below {base}
configs/cup.toml:24: bots[3].command[2]: there is no file 'js/bot.js' below {base}
configs/cup.toml:25: bots[3].name: there is already a bot 'deep': bots[2] (bots/deep); name = "..." lets two versions meet
variants/bad.toml:1: rule: unknown value 'snrt'; did you mean 'snort'?
variants/bad.toml:3: colour: unknown key; known keys are name, title, text, literature, rule, board, start, notation, dialogue, errata
"""


def test_all_mistakes_come_at_once_in_the_order_of_the_file(folder):
    """Whatever is wrong, with shapes, variants, files or names, is said in one go; variant files come last."""
    with pytest.raises(FileMistakes) as refusal:
        read(WRONG)
    assert str(refusal.value) == ALL_WRONG.format(base=folder.resolve()).rstrip("\n")


def test_mistakes_of_settings_come_with_the_others(folder):
    """What needs the bots to be known is said in the same go, in the order of the file."""
    found = mistakes(f"""\
[grading]
bosses = ["gredy", "deep"]
by = "points"
pass_mark = 2
[tournament]
format = "gauntlet"
rounds = 3
gauntlet = ["alfa"]
openings = 0
[field]
secret = ["grid-lock"]
{ALL}""")
    assert found == [
        "2: grading.bosses[0]: there is no bot 'gredy' in this tournament; did you mean 'greedy'?",
        "3: grading.by: unknown value 'points'; it must be one of 'score', 'accuracy'",
        "4: grading.pass_mark: must be at most 1, and is 2",
        '7: tournament.rounds: is only for format = "swiss"; this one is "gauntlet"',
        "8: tournament.gauntlet[0]: there is no bot 'alfa' in this tournament; did you mean 'alpha'?",
        "9: tournament.openings: must be at least 1, and is 0",
        "11: field.secret[0]: 'grid-lock' is listed already, as variants[2]",
    ]


def test_a_variant_files_mistakes_are_enough_to_refuse(folder):
    """A file that is right but names a wrong variant file is refused with the lines of that."""
    found = mistakes(f'tournament.variants = ["variants/bad.toml"]\n{ALL}')
    assert [line.partition(": ")[0] for line in found] == ["variants/bad.toml:1", "variants/bad.toml:3"]


def test_mistakes_name_the_file_as_it_was_typed(folder, monkeypatch):
    """The user reads the path that the user wrote."""
    Path("configs/cup.toml").write_text("x = 1\n" + ALL)
    for typed in ("configs/cup.toml", "./configs/../configs/cup.toml", str(folder / "configs/cup.toml")):
        with pytest.raises(FileMistakes) as refusal:
            read_tournament(typed)
        assert str(refusal.value).startswith(f"{typed}:1: x: ")


# Files that cannot be read


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("configs/round_robbin.toml", "No such file or directory; did you mean 'round_robin.toml'?"),
        ("round_robin", "No such file or directory; did you mean 'configs/round_robin.toml'?"),
        ("round_robin.toml", "No such file or directory; did you mean 'configs/round_robin.toml'?"),
        ("configs/round_robin", "No such file or directory; did you mean 'configs/round_robin.toml'?"),
        ("configs/quite-another.toml", "No such file or directory"),
        ("nowhere/cup.toml", "No such file or directory"),
        ("", "No such file or directory"),
        ("configs", "Is a directory"),
        ("configs/README/cup.toml", "Not a directory"),
        ("x" * 5000, "File name too long"),
        ("large.toml", "a tournament file may have at most 1 MiB"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_clear_line(folder, path, message):
    """The line says which file, why, and the nearest name in its folder if it is not there."""
    Path("configs/round_robin.toml").write_text(ALL)
    Path("large.toml").write_text(ALL + "#" * (1 << 20))
    with pytest.raises(UserError) as refusal:
        read_tournament(path)
    shown = path if len(path) < 200 else path[:197] + "..."
    assert str(refusal.value) == f"{shown}: {message}"


def test_a_path_with_a_nul_is_refused(folder):
    """A path that no system takes is a mistake of the user's, not of ours."""
    with pytest.raises(UserError, match="null byte"):
        read_tournament("a\0b")


def test_a_text_that_is_not_utf_8_is_refused_with_its_line(folder):
    """What is no text is no TOML."""
    Path("cup.toml").write_bytes(ALL.encode() + b"# caf\xe9\n")
    with pytest.raises(FileMistakes) as refusal:
        read_tournament("cup.toml")
    assert str(refusal.value) == "cup.toml:3: not valid TOML: the text is not UTF-8"


# Anything at all


WORDS = st.one_of(
    st.text(st.sampled_from('abé[]?{}./_:- \\"\n\t'), max_size=8),
    st.sampled_from(
        [*RULE_BOOKS, *FILES, "*", "bots/*", "bots/[", "trusted", "sandboxed", "round-robin", "\0"]
    ),
    st.sampled_from(["snort:grid-2x2", "col:line-0", "..", ".", "../..", "/", "x" * 300, "sh"]),
)
NUMBERS = st.one_of(st.integers(-(1 << 63), (1 << 63) - 1), st.integers(-1, 20), st.floats())
KEYS = ["name", "format", "variants", "openings", "repeats", "seed", "isolation", "path", "command", "x"]
KEYS += list(Limits._fields)
KEYS += ["rounds", "gauntlet", "interval_points", "secret", *Grading._fields]
VALUES = st.recursive(
    st.one_of(WORDS, NUMBERS, st.booleans(), st.dates(), st.lists(WORDS, max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=3)
    ),
    max_leaves=6,
)
TABLES = st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6)
BOTS = st.lists(
    st.fixed_dictionaries({}, optional={"path": VALUES, "name": VALUES, "command": VALUES, "x": VALUES}),
    max_size=4,
)
JUNK = st.fixed_dictionaries(
    {},
    optional={"bots": BOTS | VALUES, "x": VALUES}
    | dict.fromkeys(("tournament", "limits", "field", "grading"), TABLES | VALUES),
)


def written(value):
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(c):08x}" if c < " " or c in '"\\' else c for c in value) + '"'
    if isinstance(value, list):
        return f"[{', '.join(map(written, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {written(inner)}' for key, inner in value.items())}}}"
    return str(value)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    return furnish(tmp_path_factory.mktemp("junk"))


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(JUNK, st.sampled_from([None, "trusted", "sandboxed"]))
def test_anything_is_a_tournament_or_mistakes(furnished, data, isolation):
    """Whatever stands behind the keys is read, or refused in lines of ours: nothing else ever comes out."""
    file = furnished / "configs/junk.toml"
    file.write_text("".join(f"{key} = {written(value)}\n" for key, value in data.items()), encoding="utf-8")
    try:
        assert isinstance(read_tournament(file, isolation=isolation), Tournament)
    except FileMistakes as refusal:
        lines = str(refusal).split("\n")
        assert lines == list(refusal.mistakes)
        assert all(line.startswith((f"{file}:", str(furnished))) for line in lines)
        assert "not valid TOML" not in lines[0] or "junk" not in lines[0], "the test must write TOML"
        assert "nput should" not in str(refusal)


@given(
    st.fixed_dictionaries(
        {
            "openings": st.integers(1, 10**6),
            "repeats": st.integers(1, 10**6),
            "seed": st.integers(0, 2**53 - 1),
        }
    ),
    st.builds(
        Limits,
        st.floats(0, 3600, exclude_min=True),
        st.floats(0, 86_400, exclude_min=True),
        st.integers(1, 3600),
        st.integers(16, 1 << 20),
    ),
)
def test_whatever_is_within_bounds_is_taken_as_it_is(furnished, values, limits):
    """Every value between the bounds, and the bounds themselves, come out as they went in."""
    file = furnished / "configs/good.toml"
    tables = {"tournament": {**values, "isolation": "trusted"}, "limits": limits._asdict()}
    file.write_text("".join(f"{key} = {written(value)}\n" for key, value in tables.items()) + ALL)
    tournament = read_tournament(file)
    assert {key: getattr(tournament, key) for key in values} == values
    assert tournament.limits == limits


def test_only_a_tournament_pays_for_pydantic():
    """What a bot's process imports must stay small: the kernel and the hosts do without it."""
    import subprocess

    code = "import sys, arena.hosts.opening, arena.executors; print('pydantic' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_a_link_to_its_own_folder_lists_nothing_twice(folder):
    """`**` goes through no link: not round and round, and not once more under another name."""
    text = "[[bots]]\npath = 'bots/**'\n"
    before = [bot.name for bot in read(text).bots]
    (folder / "bots" / "again").symlink_to(".")
    (folder / "bots" / "up").symlink_to("..")
    assert [bot.name for bot in read(text).bots] == before


def test_a_path_that_leads_to_too_much_is_a_mistake_like_any_other(folder, monkeypatch):
    """It is said at its line, and nobody waits for it."""
    monkeypatch.setattr("arena.config.places.MOST_SEEN", 3)
    (found,) = mistakes("[[bots]]\npath = '**'\n")
    assert found == "2: bots[0].path: '**' leads to more than 3 files; give a more exact path"


def test_a_hint_at_an_odd_file_is_printable(folder):
    """Names of files are strangers' text as well, also where one of them was perhaps meant."""
    (folder / "ki\x1bte.toml").write_text(KITE)
    (folder / "kite.toml").unlink(missing_ok=True)
    (found,) = mistakes(f'tournament.variants = ["kit.toml"]\n{ALL}')
    assert found.endswith("; did you mean 'ki\\x1bte.toml'?")
    assert found.isprintable()


def test_a_pipe_that_nobody_writes_to_is_not_waited_for(folder):
    """Neither as a tournament file nor as one of its variants."""
    os.mkfifo(folder / "configs" / "pipe.toml")
    os.mkfifo(folder / "pipe.toml")
    with pytest.raises(FileMistakes, match=r"pipe\.toml:1: bots: missing"):
        read_tournament(folder / "configs" / "pipe.toml")
    with pytest.raises(FileMistakes, match=r"pipe\.toml:1: rule: missing"):
        read(f'tournament.variants = ["pipe.toml"]\n{ALL}')
