"""The examples in other languages: real programs at the other end of real pipes, playing by the kernel's rules."""

import json
import random
import re
import shlex
import shutil
import subprocess
import threading
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.game.catalogue import RULE_BOOKS
from arena.inside.program import Program
from arena.referee import Game, Limits

BOTS = Path(__file__).parents[2] / "bots"
EXAMPLES = BOTS / "examples"
SECONDS = 30  # after which a bot that says nothing is ended, so that its test fails and does not hang

VARIANTS = [
    *RULE_BOOKS,
    *("snort:line-1", "col:line-2", "kayles:ring-5", "col:hex-4x3", "snort:torus-3x4", "snort:grid-8x8"),
]

NEEDS = {
    "c": pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler (cc) here"),
    "javascript": pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here"),
}
C, JAVASCRIPT = (pytest.param(language, marks=needed) for language, needed in NEEDS.items())


@pytest.fixture(scope="module")
def commands(tmp_path_factory):
    """How each example is started, built by the words of its README."""
    found = {"javascript": ["node", str(EXAMPLES / "javascript" / "bot.js")]}
    if shutil.which("cc"):
        folder = tmp_path_factory.mktemp("c")
        shutil.copy(EXAMPLES / "c" / "bot.c", folder)
        build = [*shlex.split(re.findall(r"^    (cc .*)$", readme("c"), re.M)[0]), "-Werror"]
        subprocess.run(build, cwd=folder, check=True, timeout=60)
        found["c"] = [str(folder / "bot")]
    return found


def readme(language: str) -> str:
    return (EXAMPLES / language / "README.md").read_text(encoding="utf-8")


@contextmanager
def talking(command: list[str], write=json.dumps) -> Iterator["Line"]:
    """A line to a program that said it is ready; at the end of input it must end, with nothing more to say."""
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        watch = threading.Timer(SECONDS, process.kill)
        watch.start()
        try:
            line = Line(process, write)
            line.tell(type="hello", protocol=1)
            assert line.heard() == {"type": "ready"}
            yield line
            assert (*process.communicate(), process.returncode) == ("", "", 0)
        finally:
            watch.cancel()
            process.kill()


class Line:
    """Our end of the line to a program."""

    def __init__(self, process: subprocess.Popen[str], write: Callable[[object], str]) -> None:
        self.process = process
        self.write = write
        self.asked = 0

    def tell(self, **message) -> None:
        """Send a message at once."""
        assert self.process.stdin is not None
        self.process.stdin.write(self.write(message) + "\n")
        self.process.stdin.flush()

    def heard(self) -> dict[str, Any]:
        """Read one answer."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def begin(self, variant, side: int, seed: int) -> None:
        """Begin a game."""
        neighbours = [variant.board.neighbours(cell) for cell in range(variant.board.size)]
        self.tell(
            type="game",
            variant=variant.name,
            rule=variant.rule,
            size=variant.board.size,
            neighbours=neighbours,
            side=side,
            seed=seed,
            limits=Limits()._asdict(),
        )

    def ask(self, position: arena.Position) -> int:
        """Ask for a move; the answer must carry the id of the request and nothing else."""
        self.asked += 1
        name = f"{self.asked:04x}"
        self.tell(
            type="move",
            id=name,
            to_move=position.to_move,
            legal=position.legal_moves,
            owners="".join(stone(position.owner(cell)) for cell in range(position.board.size)),
            history=position.history,
            move_seconds=1.0,
            game_seconds_left=9.5,
        )
        answer = self.heard()
        assert answer == {"id": name, "move": answer["move"]}
        return answer["move"]


def stone(owner: int | None) -> str:
    return "." if owner is None else "XO"[owner]


def play(line: Line, variant, side: int, seed: int = 17) -> list[tuple[arena.Position, int]]:
    """Play a game against chance that depends on nothing; return what was asked and answered."""
    draw = random.Random(8721)
    line.begin(variant, side, seed)
    position, answers = variant.start(), []
    while not position.is_over:
        if position.to_move == side:
            answers.append((position, line.ask(position)))
            position = position.play(answers[-1][1])  # raises IllegalMove if it is not legal
        else:
            position = position.play(draw.choice(position.legal_moves))
    line.tell(type="end", winner=position.winner, ending="no-moves")
    return answers


def play_all(line: Line, seed: int = 17) -> list[tuple[arena.Position, int]]:
    """Play every variant on both sides over one line."""
    games = [(arena.variant(name), side) for name in VARIANTS for side in (0, 1)]
    return [answer for variant, side in games for answer in play(line, variant, side, seed)]


@pytest.mark.parametrize("language", [C, JAVASCRIPT])
def test_examples_play_many_legal_games_over_one_line_and_end_with_its_input(language, commands):
    """Ready when greeted, every answer with the id of its request, legal to the end, nothing else printed."""
    with talking(commands[language]) as line:
        assert len(play_all(line)) > 60


@pytest.mark.parametrize("language", [C, JAVASCRIPT])
def test_examples_read_json_however_it_is_written(language, commands):
    """Spaces, the order of fields, unknown fields and unknown types make no difference."""

    def tight(message):
        return json.dumps(message, separators=(",", ":"))

    def loose(message):
        later = {"later": {"size": 1, "legal": [9], "type": "x"}, 'a "rule": "col"': 'a "size": 1 \\'}
        return json.dumps(dict(reversed((message | later).items())), separators=(" , ", " : "))

    found = []
    for write in (tight, loose):
        with talking(commands[language], write) as line:
            line.tell(type="news", legal=[])
            found.append([move for _, move in play_all(line)])
    assert found[0] == found[1]


@pytest.mark.parametrize("language", [C, JAVASCRIPT])
def test_examples_end_when_nothing_was_asked(language, commands):
    """A greeting and the end of input are a whole session, and so is a game that is not played to its end."""
    with talking(commands[language]):
        pass
    with talking(commands[language]) as line:
        line.begin(arena.variant("grid-lock"), 0, 1)


@NEEDS["c"]
def test_the_c_bot_plays_as_greedy_does(commands):
    """Two programs, one strategy: the same move in every position."""
    program = Program(str(BOTS / "greedy.py"))
    with talking(commands["c"]) as line:
        for position, move in play_all(line):
            game = Game(position.variant, position.to_move, 0, Limits())
            assert program.begin(game).move(position) == move, position


@NEEDS["javascript"]
def test_the_javascript_bot_leaves_the_fewest_replies(commands):
    """It draws among the best moves only."""
    with talking(commands["javascript"]) as line:
        for position, move in play_all(line):
            fewest = min(len(position.play(cell).legal_moves) for cell in position.legal_moves)
            assert len(position.play(move).legal_moves) == fewest


@NEEDS["javascript"]
def test_the_javascript_bot_draws_from_its_seed(commands):
    """The same seed gives the same moves, and another seed gives others; seeds go up to 2**53 - 1."""
    seeds = [1, 2, 2**53 - 1, 1]
    with talking(commands["javascript"]) as line:
        games = [[move for _, move in play_all(line, seed)] for seed in seeds]
    assert games[0] == games[3]
    assert len({tuple(moves) for moves in games}) == 3


@pytest.mark.parametrize(("language", "command"), [("c", ["./bot"]), ("javascript", ["node", "bot.js"])])
def test_readmes_show_the_lines_of_a_tournament_file(language, command):
    """The `[[bots]]` lines can be copied as they stand."""
    block = re.findall(r"^    \[\[bots\]\]\n(?:    .*\n)+", readme(language), re.M)[0]
    (bot,) = tomllib.loads(block)["bots"]
    assert bot["command"] == command
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", bot["name"])


JAR = "javac -d . Bot.java && jar cfe bot.jar Bot Bot.class"


@pytest.mark.timeout(600)
@pytest.mark.long
def test_every_language_plays_a_tournament(tmp_path):
    """As a file names them, sandboxed, against each other and a bot in Python: nobody forfeits anything."""
    builds = {"c": "cc -O2 -o bot bot.c", "javascript": "node --check bot.js", "java": JAR}
    missing = [make.split()[0] for make in builds.values() if shutil.which(make.split()[0]) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed")
    entries = []
    for language, make in builds.items():
        shutil.copytree(EXAMPLES / language, tmp_path / language)
        subprocess.run(make, shell=True, cwd=tmp_path / language, check=True, timeout=120)
        block = re.findall(r"^    \[\[bots\]\]\n(?:    .*\n)+", readme(language), re.M)[0]
        command = tomllib.loads(block)["bots"][0]["command"]
        words = [f"./{language}/{Path(word).name}" if "." in word else word for word in command]
        entries.append(f'[[bots]]\nname = "{language}"\ncommand = {json.dumps(words)}\n')
    shutil.copy(BOTS / "greedy.py", tmp_path)
    settings = '[tournament]\nvariants = ["blockade-5x5", "col:hex-4x3"]\nopenings = 1\n'
    config = tmp_path / "languages.toml"
    config.write_text("\n".join([settings, '[[bots]]\npath = "greedy.py"\n', *entries]))
    run = arena.run(config, workers=2)
    assert set(run.games()["ending"]) == {"no-moves"}
    assert len(run.games()) == 6 * 2 * 2
    assert run.unrepeatable == []
