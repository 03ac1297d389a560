"""Runs whose pages are looked at in a browser: small ones that have something of everything."""

import json
import re
from pathlib import Path

import arena.field
import arena.log.inventory
import arena.log.sound
from arena.bots.starters import starter_bots
from arena.results.run import Run
from tests.tournament.field import CHANCE, FAILING, FIRST
from tests.tournament.small import LIAR, change, copied, play

BOTS = {"chance": CHANCE, "first": FIRST, "liar": LIAR, "broken": FAILING["crash"]}
STARTERS = ("greedy", "mirror")
VARIANTS = ["blockade-4x4", "snort:hex-3x3", "col:line-1"]
"""One in which choices matter, and two that cannot rank: the second side always wins, or the first."""

NASTY_NAMES = {
    "greedy": "</script><script>document.title = 'taken'</script><img src=x onerror=alert(1)>",
    "mirror": "<svg onload=alert(1)><style>*{display:none}</style>\u202e\u2066'\"`{{ 7 * 7 }}",
    "chance": "w" * 64,
}
"""What a bot is called in the log, and what somebody would like it to be called."""

NASTY_DETAIL = "</td></table></script><script>alert(1)</script>&lt;b&gt;\"'\u202e\x1b[2J" + "m" * 300


def play_sample(folder: Path) -> Run:
    """A round robin on three variants, with blunders and with forfeits of two kinds."""
    starters = {name: starter_bots()[name].read_text() for name in STARTERS}
    return play(folder, BOTS | starters, variants=VARIANTS, openings=2)


def spoil(run: Run, folder: Path, monkeypatch) -> Run:
    """A copy of a run with hostile names and details; the door, which would refuse such names, is held open."""
    for module in (arena.field, arena.log.inventory, arena.log.sound):
        monkeypatch.setattr(module, "NAME", re.compile(".+", re.DOTALL))
    odd = copied(run, folder)
    for name, nasty in NASTY_NAMES.items():
        for table, column in [("games", "first"), ("games", "second"), ("games", "winner")]:
            change(odd, f"UPDATE {table} SET {column} = ? WHERE {column} = ?", nasty, name)
        for table, column in [("plan", "first"), ("plan", "second"), ("bots", "name")]:
            change(odd, f"UPDATE {table} SET {column} = ? WHERE {column} = ?", nasty, name)
        quoted = (json.dumps(name), json.dumps(nasty))
        change(odd, "UPDATE facts SET value = replace(value, ?, ?) WHERE name = 'field'", *quoted)
    change(odd, "UPDATE games SET detail = ? WHERE ending <> 'no-moves'", NASTY_DETAIL)
    change(odd, "UPDATE runs SET config = ?", NASTY_DETAIL)
    return Run(odd.folder)
