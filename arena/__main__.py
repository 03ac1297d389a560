"""The command `arena`. `python -m arena` is the same for profilers and debuggers: it ends as Python does."""

from __future__ import annotations

import atexit
import os
import sys
import threading

from arena.cli import main


def command() -> None:
    """Run the command line, and end the process with its exit code.

    Python would first take apart all that was imported: a tenth of a second and more, at every command and
    after every Ctrl-C, for memory that the kernel takes back at once.
    """
    try:
        main()
    except SystemExit as leaving:
        if isinstance(leaving.code, int) and not _others_go_on():
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(leaving.code)
        raise


def _others_go_on() -> bool:
    """Is there a thread that Python would wait for?"""
    others = set(threading.enumerate()) - {threading.main_thread()}
    return any(not thread.daemon for thread in others)


if __name__ == "__main__":
    main()
