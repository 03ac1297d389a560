"""What of a run may be published: tables and games, and nothing that a bot's author or its organiser wrote.

CSV files and `standings.md`, and no log: a log needs the tournament's seed, which is secret as long as a
contest goes on. The sentence about a forfeit may quote the bot, so it is left out. So is who passes: that is
between a teacher and each author.
"""

from __future__ import annotations

import copy
from pathlib import Path

from arena.export.folder import make_empty, refuse_hidden
from arena.log.door import explain_errors
from arena.reports.showing import write_files
from arena.results.run import Run


def export_tables(run: Run, folder: Path) -> int:
    """Write the tables and the games of a run into an empty folder; return how many files there are."""
    refuse_hidden(run)
    shown = copy.copy(run)
    shown.field = run.field._replace(grading=None)
    with explain_errors(folder), make_empty(folder):
        write_files(shown, folder, has_details=False)
        return len(list(folder.iterdir()))
