"""Paths with wildcards: what `glob` finds, but through no link, and not for ever."""

import glob
import os
import time
from pathlib import Path

import pytest

from arena.config.places import MOST_SEEN, matching
from arena.errors import BotFileError

FILES = "a.py b.py .hidden.py bots/c.py bots/d/bot.py bots/d/e/f.py bots/[1].py _x/g.py .git/h.py other.txt".split()
PATTERNS = "* ** *.py bots/* bots/** **/*.py */*.py */bot.py bots/?.py **/e/* .*.py ./*.py x/* a.py/* bots/[cd]*".split()
PATTERNS += ["bots/../*.py", "**/**", "**/d/**", "bots//*", "bots/*/", "[[]1].py", "bots/[[]1].py", "_x/*"]


@pytest.fixture
def tree(tmp_path):
    """Some files in some folders."""
    for file in FILES:
        place = tmp_path / "tree" / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("")
    return tmp_path / "tree"


@pytest.mark.parametrize("is_absolute", [False, True])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_without_links_it_is_what_glob_finds(tree, pattern, is_absolute):
    """People know what wildcards mean."""
    pattern = f"{tree}/{pattern}" if is_absolute else pattern
    expected = {Path(found) for found in glob.glob(pattern, root_dir=tree, recursive=True)}
    assert matching(pattern, tree) == expected - {Path()}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_links_lead_wildcards_nowhere(tree, pattern):
    """Not into a folder that lies elsewhere, nor round and round; nothing is listed twice."""
    without = matching(pattern, tree)
    for link, target in {"again": ".", "bots/up": "..", "bots/d/out": "/usr", "bots/d/twice": ".."}.items():
        (tree / link).symlink_to(target)
    begun = time.process_time()
    found = matching(pattern, tree)
    assert time.process_time() - begun < 1
    assert {place for place in found if not (tree / place).is_symlink()} == without


def test_a_link_that_is_written_out_is_followed(tree):
    """Whoever types it means it."""
    (tree / "teams").symlink_to("bots")
    assert matching("teams/*.py", tree) == {Path("teams/c.py"), Path("teams/[1].py")}


def test_large_trees_are_not_looked_at_to_the_end(tree, monkeypatch):
    """Neither wide ones nor deep ones."""
    monkeypatch.setattr("arena.config.places.MOST_SEEN", 100)
    for number in range(200):
        (tree / "bots" / f"{number}.py").write_text("")
    with pytest.raises(BotFileError, match="leads to more than 100 files; give a more exact path"):
        matching("**", tree)
    assert MOST_SEEN == 20_000
    place = tree / "deep"
    os.makedirs(place.joinpath(*"d" * 300))
    assert max(len(found.parts) for found in matching("deep/**", tree)) == 17
