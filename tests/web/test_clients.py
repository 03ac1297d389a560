"""By which address readers are told apart."""

import pytest

from arena.web.clients import HAS_PROXY, client_of


def ask(peer: str | None, *forwarded: str, has_proxy: bool = True) -> str:
    headers = [(b"host", b"localhost"), *((b"x-forwarded-for", each.encode()) for each in forwarded)]
    return client_of({"client": peer and (peer, 5), "headers": headers, HAS_PROXY: has_proxy})


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_a_proxy_on_this_machine_is_believed(peer):
    """It says for whom it asks."""
    assert ask(peer, "203.0.113.7") == "203.0.113.7"


def test_only_the_last_element_is_the_proxys_own():
    """A reader can send any others along, in one line or in several."""
    assert ask("127.0.0.1", "10.0.0.1, 203.0.113.7") == "203.0.113.7"
    assert ask("127.0.0.1", "10.0.0.1", "10.0.0.2 ,203.0.113.7 ") == "203.0.113.7"


@pytest.mark.parametrize("peer", ["203.0.113.9", "10.0.0.1", "0.0.0.0"])
def test_nobody_else_is_believed(peer):
    """Whoever reaches the server itself could be anyone otherwise."""
    assert ask(peer, "198.51.100.1") == peer


def test_without_a_public_address_there_is_no_proxy():
    """A page on this machine that sends such a line stays who it is."""
    assert ask("127.0.0.1", "198.51.100.1", has_proxy=False) == "127.0.0.1"
    assert (
        client_of({"client": ("127.0.0.1", 5), "headers": [(b"x-forwarded-for", b"1.2.3.4")]}) == "127.0.0.1"
    )


@pytest.mark.parametrize(
    "line", ["", ",", "unknown", "203.0.113.7,", "203.0.113.7:80", "<b>", "1.2.3", "\xe9"]
)
def test_what_is_no_address_is_not_believed(line):
    """Then all who come this way share one address, which is safe."""
    assert ask("127.0.0.1", line) == "127.0.0.1"
    assert ask("127.0.0.1") == "127.0.0.1"


def test_a_household_with_ipv6_is_one_reader():
    """It has 2**64 addresses to choose from."""
    assert (
        ask("127.0.0.1", "2001:db8:1:2:3:4:5:6") == ask("127.0.0.1", "2001:db8:1:2::9") == "2001:db8:1:2::/64"
    )
    assert ask("127.0.0.1", "2001:db8:1:3::9") == "2001:db8:1:3::/64"
    assert ask("2001:db8:1:2::9", "203.0.113.7") == "2001:db8:1:2::/64"
    assert ask("127.0.0.1", "::ffff:203.0.113.7") == "203.0.113.7"


def test_a_connection_without_an_address_has_none():
    """As one through a Unix socket."""
    assert ask(None, "203.0.113.7") == ""
