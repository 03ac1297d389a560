"""What processes leave in the temporary folder when they are killed: removed by the next one, if it is ours."""

import os
import subprocess
import tempfile

import pytest

from arena.leftovers import name_after_us, remove_what_is_left_of, remove_what_the_dead_left

HERE = name_after_us("bots").split("-")[3]
"""Where process ids mean what they mean to us."""


@pytest.fixture
def leave(tmp_path, monkeypatch):
    """A function that leaves a folder as one with some process id does, in a temporary folder of its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def make(pid, kind="bots"):
        folder = tmp_path / f"arena-{pid}-{kind}-{HERE}-x"
        folder.mkdir()
        (folder / "file").write_text("text")
        return folder

    return make


@pytest.fixture(scope="module")
def dead():
    """The id of a process that has ended."""
    process = subprocess.Popen(["true"])
    process.wait()
    return process.pid


def test_folders_of_the_dead_are_removed_and_those_of_the_living_stay(leave, dead):
    """Whoever still plays needs them."""
    gone, kept = [leave(dead), leave(dead, "serve")], leave(os.getpid())
    leave("²")  # a digit that is no number
    remove_what_the_dead_left()
    assert not any(folder.exists() for folder in gone)
    assert (kept / "file").exists()
    remove_what_is_left_of(os.getpid())
    assert not kept.exists()


def test_who_lives_in_another_container_keeps_its_folders(leave, dead, tmp_path):
    """Containers may share the directory; there the same number is another process, which may be alive."""
    theirs = tmp_path / f"arena-{dead}-bots-1-x"
    theirs.mkdir()
    remove_what_the_dead_left()
    remove_what_is_left_of(dead)
    assert theirs.exists()


def test_a_link_of_such_a_name_is_not_followed(leave, dead, tmp_path):
    """Anybody may put one there; what it leads to stays."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("text")
    (tmp_path / f"arena-{dead}-bots-{HERE}-x").symlink_to(precious)
    remove_what_the_dead_left()
    assert (precious / "file").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root could remove what is somebody else's")
def test_what_another_user_has_left_is_not_removed(leave, dead):
    """It may be called as ours are."""
    theirs = leave(dead)
    os.chown(theirs, 65534, 65534)
    remove_what_the_dead_left()
    assert (theirs / "file").exists()
