"""Who asks: the address by which readers are told apart, for what each of them may use up.

Behind a proxy every connection comes from the proxy, which says in `X-Forwarded-For` for whom it asks.
Anybody can write such a line. So it is believed only where a proxy must be: the server was told its public
address, and the connection comes from this machine. Of several elements the last one is the proxy's own;
whatever stands before it was sent by the reader.

Refused: an option that names proxies, as uvicorn has it. Set too wide, it lets every reader be anyone.
"""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

from starlette.types import Scope

HAS_PROXY = "arena.has_proxy"
"""The key under which a request says that the server has a public address; see `arena.web.app.Door`."""


def client_of(scope: Scope) -> str:
    """Return the address of whoever asks; nothing if there is none, as for a Unix socket.

    Of an IPv6 address it is the network (/64): whoever has one address has all of these.
    """
    peer = _read(scope["client"][0]) if scope.get("client") else ""
    if not scope.get(HAS_PROXY) or not _is_loopback(peer):
        return peer
    lines = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return _read(lines[-1].rpartition(",")[2].strip()) or peer if lines else peer


def _read(text: str) -> str:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(address) if address.is_loopback else str(IPv6Network((address, 64), strict=False))


def _is_loopback(address: str) -> bool:
    return bool(address) and "/" not in address and ip_address(address).is_loopback
