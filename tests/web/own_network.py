"""A network of one's own, in which a test has whatever addresses it wants, and nothing leads out of it."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

CLONE_NEWNET = 0x40000000


def call_in_own_network(addresses: list[str], do: Callable[[], None]) -> None:
    """Call something in a thread that has left the network of this machine; so have processes that it starts.

    It needs root: only a whole process can become root in a namespace of users, not a thread.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a network of its own needs Linux and root")

    def call() -> None:
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET):
            pytest.skip(f"there is no network of its own here: {os.strerror(ctypes.get_errno())}")
        try:
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        except FileNotFoundError:
            pytest.skip("there is no ip here: on Debian `apt-get install iproute2`")
        for address in addresses:
            subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)
        do()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(call).result()
