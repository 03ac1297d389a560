"""How the installed command ends: at once, but with all that Python would have waited for."""

import subprocess
import sys

import pytest

CODE = """
import atexit, sys, threading, time
import arena.__main__

class Imported:
    def __del__(self):
        print("taken apart", file=sys.__stderr__)

kept = Imported()
atexit.register(print, "said at the end")

def answer():
    {started}
    print("answered")
    sys.exit({code!r})

arena.__main__.main = answer
arena.__main__.command()
"""
LATE = 'threading.Thread(target=lambda: (time.sleep(0.3), print("late")), daemon={daemon}).start()'


def end(code: object, started: str = "pass") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(started=started, code=code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("code", [0, 1, 130])
def test_nothing_is_taken_apart(code):
    """What is to be done at the end is done, and what was printed is there."""
    assert end(code) == (code, "answered\nsaid at the end\n", "")


def test_a_thread_is_waited_for():
    """Python ends only when its last thread does, and so do we."""
    code, printed, _ = end(3, LATE.format(daemon=False))
    assert (code, printed) == (3, "answered\nlate\nsaid at the end\n")


def test_a_thread_in_the_background_is_not_waited_for():
    """Such as the server's, which may still hear a reader."""
    assert end(3, LATE.format(daemon=True)) == (3, "answered\nsaid at the end\n", "")


def test_an_exit_with_words_says_them():
    """Python prints what `sys.exit` was given, if that is no number."""
    code, _, error = end("no such thing")
    assert code == 1
    assert error.startswith("no such thing\n")
