"""This user's own key: what it has signed was computed here, and not by the sender of a folder (HMAC).

It is a file in the user's configuration folder, made on first use, readable by nobody else. Where it cannot
be made, each process has its own key, and nothing that was signed is recognised later.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import stat
from functools import cache
from pathlib import Path

SIZE = 32


def sign(*parts: object) -> bytes:
    """Return the HMAC signature of some values: only the owner of the key can make it."""
    return hmac.digest(_key(), repr(parts).encode(), "sha256")[:16]


def is_signed(signature: object, *parts: object) -> bool:
    """Whether this user's key has signed these values."""
    return isinstance(signature, bytes) and hmac.compare_digest(signature, sign(*parts))


def key_file() -> Path:
    """Return where the key is stored."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return Path(home, "arena", "key")


@cache
def _key() -> bytes:
    file = key_file()
    with contextlib.suppress(OSError):  # no home folder, or we cannot write there: a key for this process
        return _read(file) or _make(file)
    return secrets.token_bytes(SIZE)


def _read(file: Path) -> bytes | None:
    """Return the key; None if there is none, or if another user could have written it."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    with open(descriptor, "rb") as opened:
        found = os.fstat(descriptor)
        is_own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077
        key = opened.read(SIZE + 1) if is_own else b""
    return key if len(key) == SIZE else None


def _make(file: Path) -> bytes:
    """Write a new key; if two processes do so at once, the first one's key is used."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    half = file.with_name(f".key.{secrets.token_hex(8)}.new")
    descriptor = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with open(descriptor, "wb") as opened:
            opened.write(secrets.token_bytes(SIZE))
        with contextlib.suppress(FileExistsError):
            os.link(half, file)
    finally:
        os.unlink(half)
    found = _read(file)
    if found is None:
        raise PermissionError(f"{file} can be read by others, or is not a key")
    return found
