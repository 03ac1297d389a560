"""Under which names a server may be asked for, and from where it can be reached."""

from __future__ import annotations

import socket
from collections.abc import Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from arena.errors import UserError, printable

LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine reaches a server on this host; a name that is not known is said so."""
    try:
        found = {str(each[4][0]).partition("%")[0] for each in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        raise UserError(f"--host {printable(host)}: this machine does not know such a host") from None
    return all(ip_address(each).is_loopback for each in found)


def read_public_name(url: str) -> str:
    """Return the name of the host in a public address; UserError if it is none."""
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname:
            return parts.hostname
    except ValueError:
        pass
    raise UserError(f"--public-url {printable(url)}: is no address such as https://arena.example.org")


def own_names(host: str, public_url: str) -> Callable[[str], bool]:
    """Return a function that says whether a Host header names this server.

    On loopback that is one of its names. A server for others also goes by any address in numbers, because
    nobody can bend these to another machine, and by the names of this machine.
    """
    names = {*LOOPBACK, host.lower()}
    if public_url:
        names.add(read_public_name(public_url))
    is_open = not is_loopback(host)
    if is_open:
        names |= {socket.gethostname().lower(), socket.getfqdn().lower()}

    def is_own(header: str) -> bool:
        name = _name_of(header)
        return name in names or (is_open and _is_number(name))

    return is_own


def _name_of(header: str) -> str:
    """Return the host of a Host header, without its port; nothing if it is malformed."""
    try:
        return (urlsplit(f"//{header}").hostname or "").rstrip(".") if header.isascii() else ""
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
