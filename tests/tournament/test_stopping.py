"""Requests to stop: what is being written is written whole, and whoever insists is heard."""

import os
import signal

import pytest

from arena.tournament.stopping import stopping_later


def test_ctrl_c_waits_until_the_moment_is_over():
    """What stands in the block is done, and then the request is heard."""
    done = []

    def write():
        with stopping_later():
            os.kill(os.getpid(), signal.SIGINT)
            done.append("written")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert done == ["written"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_ctrl_c_is_heard_at_once():
    """Whoever insists does not wait."""
    done = []

    def write():
        with stopping_later():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            done.append("written")

    with pytest.raises(KeyboardInterrupt):
        write()
    assert done == []


def test_without_a_request_nothing_is_raised():
    """And the handlers are as before."""
    before = signal.getsignal(signal.SIGTERM)
    with stopping_later():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
