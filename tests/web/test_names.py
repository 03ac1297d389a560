"""Under which names a server may be asked for."""

import socket

import pytest

from arena.errors import UserError
from arena.web.names import is_loopback, own_names, read_public_name


def test_a_server_for_others_also_goes_by_numbers_and_by_the_names_of_the_machine():
    """Nobody can bend an address in numbers; any other name must be given."""
    is_own = own_names("0.0.0.0", "https://arena.example.org/")
    for name in ("localhost:8000", "10.1.2.3", "[fe80::1]:80", "arena.example.org", "Arena.Example.Org:443"):
        assert is_own(name)
    assert is_own(socket.gethostname())
    for name in ("evil.example", "example.org", "10.1.2.3.evil.example", ""):
        assert not is_own(name)


def test_a_server_behind_a_proxy_goes_by_its_public_name():
    """And by those of loopback, but by no others."""
    is_own = own_names("127.0.0.1", "https://arena.example.org")
    assert [is_own(name) for name in ("arena.example.org", "localhost", "10.1.2.3")] == [True, True, False]


def test_loopback_is_what_leads_to_this_machine_alone():
    """By name or by number."""
    assert is_loopback("localhost")
    assert is_loopback("127.8.8.8")
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")
    assert not is_loopback("::")


@pytest.mark.parametrize("url", ["arena.example.org", "ftp://x", "https://", "https://[", ""])
def test_what_is_no_address_is_said(url):
    """One line, with an example."""
    with pytest.raises(UserError, match=r"is no address such as https://arena\.example\.org"):
        read_public_name(url)
