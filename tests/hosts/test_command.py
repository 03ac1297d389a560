"""Bots in any language: JSON lines, matched strictly, in the same sandbox."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arena.bots.source import read_command
from arena.hosts.command import CommandHost
from arena.referee import Ending
from arena.sandbox.template_process import NO_LIMIT
from tests.hosts.games import FIRST_LEGAL, QUICK, game
from tests.hosts.nobody import as_nobody, ordinary_python
from tests.hosts.test_sandboxed import FIXED, LIMITED, MIB, allowed, limits_told

EXAMPLES = Path(__file__).parent.parent.parent / "bots" / "examples"

GOOD = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    if message["type"] == "move":
        ANSWER
"""


def answering(code: str) -> str:
    return GOOD.replace("ANSWER", code)


LANGUAGES = {
    "c": ("cc -O2 -Wall -Wextra -Werror -o bot bot.c", "./bot"),
    "javascript": ("node --check bot.js", "node bot.js"),
    "java": ("javac -d . Bot.java && jar cfe bot.jar Bot Bot.class", "java -XX:+UseSerialGC -jar bot.jar"),
}
"""How each example is made, and how it is run."""


@pytest.mark.parametrize(
    "language", ["c", *(pytest.param(other, marks=pytest.mark.long) for other in ("javascript", "java"))]
)
def test_the_examples_play_in_the_sandbox(language, template, bot, tmp_path):
    """The examples in other languages play whole games on several variants, both sides."""
    make, run = LANGUAGES[language]
    if shutil.which(make.split()[0]) is None:
        pytest.skip(f"{make.split()[0]} is not installed")
    shutil.copytree(EXAMPLES / language, tmp_path / "bot")
    subprocess.run(make, shell=True, cwd=tmp_path / "bot", check=True)
    words = run.split()
    host = CommandHost(read_command(words, language, tmp_path / "bot"), template)
    limits = QUICK._replace(start_seconds=5.0, memory_mib=256)
    try:
        for variant in ("blockade-5x5", "grid-block", "blockade-line", "snort:hex-4x4", "kayles:grid-64x64"):
            for first, second in ((host, bot(FIRST_LEGAL)), (bot(FIRST_LEGAL), host)):
                record = game(
                    first, second, variant, limits=limits._replace(move_seconds=5.0, game_seconds=60.0)
                )
                assert (record.ending, record.detail) == (Ending.NO_MOVES, "")
    finally:
        host.close()


@pytest.mark.parametrize(
    "answer",
    [
        'print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)',
        'print(json.dumps({"move": message["legal"][0], "id": message["id"]}), flush=True)',
        'print(\' { "id" : "%s" , "move" : %d } \' % (message["id"], message["legal"][0]), flush=True)',
        'print("thinking", file=sys.stderr); print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)',
    ],
)
def test_a_reply_may_be_written_as_json_allows(command, bot, answer):
    """Blanks and the order of the two keys are free; what goes to standard error is printed text."""
    host = command(answering(answer))
    record = game(host, bot(FIRST_LEGAL))
    assert (record.ending, record.detail) == (Ending.NO_MOVES, "")
    assert ("thinking" in host.printed) == ("thinking" in answer)


@pytest.mark.parametrize(
    ("answer", "ending"),
    [
        ('print("hello", flush=True)', "garbage"),
        ('print(json.dumps({"id": "0" * 16, "move": 0}), flush=True)', "garbage"),
        ('print(json.dumps({"id": message["id"], "move": "0"}), flush=True)', "garbage"),
        ('print(json.dumps({"id": message["id"], "move": 0.0}), flush=True)', "garbage"),
        ('print(json.dumps({"id": message["id"], "move": True}), flush=True)', "garbage"),
        ('print(json.dumps({"id": message["id"], "move": 0, "more": 1}), flush=True)', "garbage"),
        ('print(json.dumps({"id": message["id"], "move": 0}) * 2, flush=True)', "garbage"),
        ('print((json.dumps({"id": message["id"], "move": 0}) + "\\n") * 2, flush=True)', "garbage"),
        ('print("[" * 100_000, flush=True)', "garbage"),
        ('print("x" * 10_000_000, flush=True)', "garbage"),
        ("sys.stdout.buffer.write(bytes(range(256))); sys.stdout.flush()", "garbage"),
        ('print(json.dumps({"id": message["id"], "move": 99}), flush=True)', "illegal"),
        ('print(json.dumps({"id": message["id"], "move": -1}), flush=True)', "illegal"),
        ('print(json.dumps({"id": message["id"], "move": 10**8}), flush=True)', "illegal"),
        ("sys.exit(3)", "crash"),
        ("1 / 0", "crash"),
        ("while True: pass", "timeout"),
        ("import time; time.sleep(60)", "timeout"),
        ('sys.stdout.write("{"); sys.stdout.flush(); import time; time.sleep(60)', "timeout"),
        ("while True: sys.stderr.write('x' * 1000)", "timeout"),
        ("x = [bytearray(1 << 20) for _ in range(100_000)]", "memory"),
    ],
)
def test_anything_else_loses(command, bot, answer, ending):
    """A reply that is not exactly one reply to this request is a forfeit, and the opponent plays on."""
    limits = QUICK._replace(start_seconds=3.0)
    if ending == "memory":  # on a busy machine it takes a while to get some
        limits = limits._replace(move_seconds=5.0)
    record = game(command(answering(answer)), opponent := bot(FIRST_LEGAL), limits=limits)
    assert (record.winner, str(record.ending)) == ("two", ending), record.detail
    assert game(opponent, bot(FIRST_LEGAL)).ending is Ending.NO_MOVES


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import sys; sys.exit(3)", "exit code 3"),
        ("print('hello', flush=True)\nimport time; time.sleep(9)", "instead of a reply"),
        ("while True: pass", "s of CPU without an answer"),
    ],
)
def test_a_command_that_does_not_get_ready_does_not_start(command, bot, text, words):
    """Anything but ready is `no-start`."""
    record = game(command(text), bot(FIRST_LEGAL))
    assert (record.winner, record.ending) == ("two", Ending.NO_START)
    assert words in record.detail


def test_a_program_that_is_not_there_does_not_start(command, bot):
    """It is said which one."""
    host = command("", words=("./nothing-here",))
    record = game(host, bot(FIRST_LEGAL))
    assert record.ending is Ending.NO_START
    assert "./nothing-here cannot be run: No such file or directory" in host.printed


def test_threads_are_allowed_up_to_a_number(command, bot):
    """A command may have threads, and cannot have hundreds."""
    code = (
        "import threading\n"
        "        stop, made = threading.Event(), 0\n"
        "        try:\n"
        "            for _ in range(100):\n"
        "                threading.Thread(target=stop.wait).start(); made += 1\n"
        "        except RuntimeError: pass\n"
        "        print(made, 'threads', file=sys.stderr); stop.set()\n"
        '        print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)'
    )
    host = command(answering(code))
    record = game(host, bot(FIRST_LEGAL), limits=QUICK._replace(move_seconds=2.0, game_seconds=5.0))
    assert record.ending is Ending.NO_MOVES
    counts = [int(line.split()[0]) for line in host.printed.splitlines() if "threads" in line]
    assert counts
    assert all(1 <= count <= 16 for count in counts)


def test_what_is_left_of_a_game_limits_a_move(command, bot):
    """A command that thinks on is ended when its game's seconds are used up, not when a move's would be."""
    limits = QUICK._replace(move_seconds=2.0, game_seconds=0.2)
    record = game(command(answering("while True: pass")), bot(FIRST_LEGAL), limits=limits)
    assert (record.ending, record.winner) == (Ending.TIMEOUT, "two")
    assert record.detail.endswith("may use 0.2 s")
    assert record.first_cpu_seconds < 1


def test_the_kernels_own_tables_for_a_bot_are_memory_of_the_bots(command, bot):
    """Pages that are only looked at have no memory of their own, but tables as large as one likes."""
    flags = "mmap.MAP_PRIVATE | 0x4000"  # without reserving any; older Pythons have no name for it
    look = f"import mmap; pages = mmap.mmap(-1, 64 << 30, {flags}, mmap.PROT_READ)\n"
    code = f"{look}        while True: sum(pages[at] for at in range(0, len(pages), 2 << 20))"
    limits = QUICK._replace(move_seconds=2.0, memory_mib=64)
    record = game(command(answering(code)), bot(FIRST_LEGAL), limits=limits)
    assert (record.ending, record.winner) == (Ending.MEMORY, "two"), record.detail
    assert "of resident memory" in record.detail


def test_a_command_hears_how_each_game_ends(command, bot):
    """Between games comes `end` with winner and ending."""
    host = command(
        answering(
            'print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)'
        ).replace(
            "    if message",
            "    print(message['type'], message.get('winner'), message.get('ending'), file=sys.stderr)\n    if message",
            1,
        )
    )
    game(host, bot(FIRST_LEGAL))
    game(host, bot(FIRST_LEGAL))
    heard = host.printed.split("\n")
    assert heard[0] == "end 1 no-moves" or heard[0].startswith("game")
    assert "game None None" in host.printed


def test_a_slow_reader_of_a_long_line_loses_nothing(command, bot):
    """A game line that fills the pipe waits until it is read, within the limit."""
    slow = GOOD.replace("for line in sys.stdin:", "import time\nfor line in sys.stdin:\n    time.sleep(0.05)")
    host = command(
        slow.replace(
            "ANSWER", 'print(json.dumps({"id": message["id"], "move": message["legal"][0]}), flush=True)'
        )
    )
    limits = QUICK._replace(move_seconds=2.0, game_seconds=120.0, start_seconds=2.0, memory_mib=256)
    for variant in ("snort:torus-44x40", "kayles:grid-64x64"):
        first = game(host, bot("def move(position):\n    return 99999\n"), variant, limits=limits)
        assert (first.winner, str(first.ending)) == ("one", "illegal")


@pytest.mark.parametrize("user", ["as we are", "as an ordinary user"])
def test_one_commands_threads_are_not_taken_from_another(user):
    """Two at once get the same number, whoever runs them."""
    if user == "as we are":
        done = subprocess.run(
            [sys.executable, "-m", "tests.hosts.threads_as_user"], capture_output=True, text=True, check=False
        )
    else:
        python = ordinary_python() if os.geteuid() == 0 else None
        if python is None:
            pytest.skip("there is no other user here, or no Python that one could start")
        done = as_nobody([python, "-P", "-m", "tests.hosts.threads_as_user"])
    first, second = json.loads(done.stdout or done.stderr)
    assert first == second
    assert 8 <= first <= 16


def test_a_command_finds_every_limit_that_is_set(command, bot):
    """Those of a Python bot, but for room that other languages ask for and never use, and sixteen threads."""
    tells = (
        f"for name in {LIMITED}:\n            import resource\n"
        "            print(name, *resource.getrlimit(getattr(resource, 'RLIMIT_' + name)), file=sys.stderr)\n"
        "        print(json.dumps({'id': message['id'], 'move': message['legal'][0]}), flush=True)"
    )
    host = command(answering(tells))
    assert game(host, bot(FIRST_LEGAL)).ending is Ending.NO_MOVES
    wanted = {"DATA": (128 + 1024) * MIB, "AS": NO_LIMIT * MIB, "NPROC": 16}
    assert limits_told(host.printed) == allowed(**FIXED, **wanted)
