"""The user's key: made once, readable by nobody else, and nothing that another key has signed is believed."""

import os
import stat

import pytest

from arena import key


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """A configuration folder of this test's own, and no key that was read before."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    key._key.cache_clear()
    yield
    key._key.cache_clear()


def again():
    key._key.cache_clear()


def test_a_key_is_made_once_and_is_nobody_elses():
    """The file has 32 bytes, mode 600, and the next process signs alike."""
    signature = key.sign("a", 1)
    stood = key.key_file().stat()
    assert (stat.S_IMODE(stood.st_mode), stood.st_size) == (0o600, 32)
    again()
    assert key.sign("a", 1) == signature
    assert key.is_signed(signature, "a", 1)


def test_a_signature_is_of_all_values_and_their_types():
    """No other values, in another order, of another type or cut elsewhere, have the same one."""
    signature = key.sign("a", 1, None)
    for values in (
        ("a", 1),
        ("a", "1", None),
        ("a", 1, "None"),
        ("a1", None),
        (1, "a", None),
        ("a", 1.0, None),
    ):
        assert not key.is_signed(signature, *values)
    assert not key.is_signed(None, "a", 1, None)
    assert not key.is_signed("a", "a", 1, None)
    assert not key.is_signed(b"", "a", 1, None)


def test_another_users_signature_is_none(tmp_path, monkeypatch):
    """Keys differ from user to user."""
    signature = key.sign("a")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    again()
    assert not key.is_signed(signature, "a")


@pytest.mark.parametrize("spoil", ["open to others", "open to the group", "too short", "a link", "a folder"])
def test_a_key_that_others_may_have_written_is_not_used(spoil, tmp_path):
    """Then the process signs with a key of its own, and leaves the file alone."""
    signature = key.sign("a")
    file = key.key_file()
    if spoil == "open to others":
        file.chmod(0o644)
    elif spoil == "open to the group":
        file.chmod(0o640)
    elif spoil == "too short":
        file.write_bytes(b"x")
    else:
        data = file.read_bytes()
        file.unlink()
        if spoil == "a link":
            (tmp_path / "theirs").write_bytes(data)
            (tmp_path / "theirs").chmod(0o600)
            file.symlink_to(tmp_path / "theirs")
        else:
            file.mkdir()
    again()
    assert not key.is_signed(signature, "a")
    assert key.is_signed(key.sign("a"), "a")


def test_without_a_home_each_process_has_its_own(monkeypatch):
    """Where no key can be kept, nothing fails."""
    monkeypatch.setenv("XDG_CONFIG_HOME", "/dev/null/nowhere")
    again()
    assert key.is_signed(key.sign("a"), "a")
    assert not os.path.exists("/dev/null/nowhere")
