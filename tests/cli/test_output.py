"""The way out of every command: printable lines, whoever wrote them, and nothing else is changed."""

import io
import os
import re
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.executors.unit import Machine
from arena.plaintext import for_lines, for_terminal
from arena.referee.row import GAME_COLUMNS, GameRow
from arena.terminal import progress
from arena.terminal.output import PrintableStream, make_output_printable, stream_below
from tests.cli.command import ARENA, plain
from tests.hostile.texts import HALF, TRICKS


class Terminal(io.StringIO):
    """A terminal that remembers what it was sent."""

    def isatty(self):
        return True


def test_what_is_not_printable_leaves_as_escapes():
    """In one piece or character by character, and newlines stay."""
    below_whole, below_parts = io.StringIO(), io.StringIO()
    whole, parts = PrintableStream(below_whole), PrintableStream(below_parts)
    print(TRICKS + HALF, file=whole)
    for character in TRICKS + HALF + "\n":
        parts.write(character)
    assert below_whole.getvalue() == below_parts.getvalue() == for_lines(TRICKS + HALF + "\n")


def test_writing_says_how_much_was_written_as_any_stream_does():
    """The characters that were given, not those that they became."""
    assert PrintableStream(io.StringIO()).write("\x1b\n") == 2


def test_a_stream_is_the_one_below_in_all_else():
    """Whether somebody watches, its file, its encoding; and bytes have no way around it."""
    with open(os.devnull, "w", encoding="ascii", errors="backslashreplace") as below:
        stream = PrintableStream(below)
        assert (stream.fileno(), stream.encoding, stream.errors) == (
            below.fileno(),
            "ascii",
            "backslashreplace",
        )
        assert stream.isatty() is False
        assert stream.writable()
        assert not hasattr(stream, "buffer")
        with pytest.raises(TypeError):
            stream.write(b"")  # type: ignore[arg-type] # what it refuses
    assert PrintableStream(Terminal()).isatty() is True


def test_a_prompt_is_seen_before_its_newline(monkeypatch):
    """Flushing reaches the stream below."""
    reached = []
    below = Terminal()
    monkeypatch.setattr(below, "flush", lambda: reached.append(below.getvalue()))
    stream = PrintableStream(below)
    print("> ", end="", flush=True, file=stream)
    assert reached == ["> "]


def test_streams_are_covered_once(monkeypatch):
    """Also if the command line is called again; a stream that is closed stays closed."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys, "stderr", None)
    make_output_printable()
    first = sys.stdout
    make_output_printable()
    assert sys.stdout is first
    assert sys.stderr is None
    assert isinstance(stream_below(first), io.StringIO)


def test_a_large_table_costs_next_to_nothing():
    """A million lines take less than it takes to split them."""
    table = "aaaaaaaaaaaaaaaa,bbbbbbbbbbbbbbbb,1,2,3\n" * 1_000_000
    start = time.process_time()
    PrintableStream(io.StringIO()).write(table)
    assert time.process_time() - start < 2


def test_what_a_terminal_has_no_sign_for_is_shown_as_codes():
    """Without Unicode nothing fails, and typer does not write around the stream."""
    env = plain() | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [ARENA, "games", "--é\x9b\x1b"], env=env, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert re.search(rb"--\\xe9\\x9b\\x1b", done.stderr)


def test_a_reader_who_has_seen_enough_is_no_fault():
    """A pipe that is closed, as `head` closes it, ends a command without a word."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [ARENA, "variants"], env=plain(), stdout=writing, stderr=subprocess.PIPE, check=False, timeout=60
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_the_rule_books_pass_unchanged():
    """What comes with arena is printable, so nothing of ours is ever shown as an escape."""
    game = Path(arena.__file__).parent / "game"
    books = [game / "plain.toml", *(game / "rulebooks").glob("*.toml")]
    assert len(books) == 6
    for book in books:
        assert for_lines(book.read_text()) == book.read_text()


@contextmanager
def watched(monkeypatch):
    """A screen with a bar on it, and the terminal that it is drawn on."""
    from arena.terminal.progress import Screen

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", PrintableStream(terminal))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "400")
    with Screen() as screen:
        yield screen, terminal


def test_the_bar_is_drawn_with_no_escapes_but_its_own(monkeypatch):
    """Names, sentences and words of strangers are read as text, and not as rich's markup either."""
    row: dict[str, Any] = dict.fromkeys(GAME_COLUMNS, "")
    row |= {"first": "[red]" + TRICKS, "second": "b", "winner": "b", "ending": "crash"}
    with watched(monkeypatch) as (screen, terminal):
        screen.begin(10, [])
        screen.stand("[bold]" + TRICKS)
        screen.note_games([GameRow(**row)])
        screen.say("[link=x]" + TRICKS)
        screen._live.refresh()
    shown = re.sub(
        r"\x1b\[[0-9;?]*[A-LN-Za-ln-z]|\x1b\[[0-9;]*m", "", terminal.getvalue().replace("\x1b[31m", "RED")
    )
    assert "RED" not in shown
    assert set(re.findall(r"[^\n -~]", shown)) <= set("\r━╸╺•")
    flat = shown.replace("\n", "")
    for text in ("[red]", "[bold]", "[link=x]"):
        assert text + for_terminal(TRICKS)[:60] in flat


def test_what_others_print_during_a_run_is_printable_too(monkeypatch):
    """A library that warns while the bar is drawn goes through the same stream."""
    with watched(monkeypatch) as (_, terminal):
        print(TRICKS, file=sys.stderr)
    assert "\x1b]0;" not in terminal.getvalue()
    assert for_terminal(TRICKS)[:40] in terminal.getvalue()


MACHINES = [
    Machine("node-1", 8, 0, 12_000, 10.0),
    Machine("node-2." + "cluster." * 8 + "example", 6, 2, 30, 10.0),
    *(Machine(f"spare-{number}", 1, 0, 0, 0.0) for number in range(20)),
]


def test_the_live_view_shows_machines_how_fast_they_are_and_who_was_lost(monkeypatch):
    """Within 80 columns, as few lines as there is room for; at the end more of them, above the bar."""
    row: dict[str, Any] = dict.fromkeys(GAME_COLUMNS, "") | {"first": "a", "second": "b", "winner": "b"}
    with watched(monkeypatch) as (screen, terminal):
        screen._live.console.width = 80
        screen.begin(10, [])
        screen.note_machines(MACHINES)
        screen.note_games([GameRow(**row)])
        screen._live.refresh()
        during = terminal.getvalue()
        screen.note_machines(MACHINES, is_over=True)
        shown = terminal.getvalue()
    assert "node-1 1,200 games/s" in during
    assert re.search(r"node-2\.\S+\.\.\.\S+example 3.0 games/s \(2 of 8 workers lost\)", during)
    assert re.search(r"and\s+18\s+more", during)
    assert re.search(r"and\s+10\s+more", shown)
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown).replace("\r", "\n").split("\n")
    assert max(map(len, lines)) <= 80


def test_machines_are_a_plain_line_in_a_pipe(monkeypatch, capsys):
    """With the progress every ten seconds, and at the end; one that is quiet says nothing of it."""
    monkeypatch.setattr(progress, "LINE_SECONDS", -1.0)
    row: dict[str, Any] = dict.fromkeys(GAME_COLUMNS, "") | {"first": "a", "second": "b", "winner": "b"}
    for watch in (progress.Tally(), progress.Lines()):
        watch.begin(10, [])
        watch.note_machines(MACHINES[:1])
        watch.note_games([GameRow(**row)])
        watch.note_machines(MACHINES[:1], is_over=True)
    _, *told = capsys.readouterr().err.splitlines()
    assert told == ["1 machine: node-1 1,200 games/s"] * 2


def test_the_live_view_counts_trials_and_shows_as_many_bots_as_fit(monkeypatch):
    """Before the first game the trials; then the best bots within a third of the lines, and how many more."""
    monkeypatch.setenv("LINES", "24")
    rows = [("v", f"bot_{number}", "last", "last", "no-moves", "trusted", 1) for number in range(20)]
    with watched(monkeypatch) as (screen, terminal):
        screen.begin(100, rows)
        screen.note_trials(7, 63)
        screen._live.refresh()
    shown = terminal.getvalue()
    assert "trying the bots, 7 of 63 trials" in shown
    assert "last" in shown
    assert {f"bot_{number}" in shown for number in (0, 1)} == {True}
    assert "and 13 more" in shown
