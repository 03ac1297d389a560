"""A cluster over a network: every machine is a network namespace with an address of its own, joined by a bridge."""

import os
import shutil
import subprocess
from contextlib import ExitStack

import pytest

from arena.executors.cluster import OPEN
from tests.cli.command import ARENA, plain
from tests.executors import clusters
from tests.tournament import field

HOSTS = ("head", "node1", "node2", "desk")
MADE = "--tls-ca-file", "ca.pem", "--tls-cert", "own.pem", "--tls-key", "own.key"
OURS = "--tls-ca", "ca.pem", "--tls-cert", "own.pem", "--tls-key", "own.key"


def ip(*words):
    """Call `ip`; its complaint is the error's."""
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")


def join(stack):
    """Make the namespaces, and let them go with the stack; return the words that run something on each host."""
    mark = f"arena{os.getpid()}"

    def add(name):
        ip("netns", "add", f"{mark}{name}")
        stack.callback(ip, "netns", "del", f"{mark}{name}")

    add("net")
    ip("-n", f"{mark}net", "link", "add", "bridge", "type", "bridge")
    ip("-n", f"{mark}net", "link", "set", "bridge", "up")
    for number, host in enumerate(HOSTS, 1):
        there = f"{mark}{host}"
        add(host)
        ip("link", "add", "eth0", "netns", there, "type", "veth", "peer", "name", host, "netns", f"{mark}net")
        ip("-n", f"{mark}net", "link", "set", host, "master", "bridge", "up")
        ip("-n", there, "link", "set", "lo", "up")
        ip("-n", there, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
        ip("-n", there, "link", "set", "eth0", "up")
    return {host: ("ip", "netns", "exec", f"{mark}{host}") for host in HOSTS}


@pytest.fixture
def hosts():
    """Four machines."""
    if shutil.which("ip") is None:
        pytest.skip("there is no `ip`: install iproute2")
    with ExitStack() as stack:
        try:
            found = join(stack)
        except OSError as error:
            pytest.skip(f"network namespaces cannot be made here: {error}")
        yield found


def make_certificates(folder):
    """Do as the warning says."""
    for command in OPEN.splitlines()[-3:]:
        subprocess.run(["sh", "-c", command], cwd=folder, check=True, capture_output=True)


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["tcp", "tls"])
def test_a_run_over_a_network_has_the_digest_of_a_local_one(hosts, scheme, tmp_path, monkeypatch):
    """With certificates, made as the warning says, nothing is said; without them there is the warning."""
    monkeypatch.chdir(tmp_path)
    field.write(tmp_path, field.GOOD, variants=["blockade-5x5"], openings=5)
    make_certificates(tmp_path)
    is_tls = scheme == "tls"
    common = ["--protocol", scheme, "--no-dashboard", *(MADE if is_tls else ())]
    run = [str(ARENA), "run", "configs/cup.toml", "--no-report", "--no-grades"]
    with ExitStack() as stack:
        head = clusters.start("scheduler", "--host", "10.77.0.1", *common, within=hosts["head"])
        stack.callback(clusters.end, head)
        address = clusters.read_address(head)
        assert address == f"{scheme}://10.77.0.1:8786"
        for node in ("node1", "node2"):
            words = ("worker", address, "--no-nanny", "--nthreads", "1", *common)
            stack.callback(clusters.end, clusters.start(*words, within=hosts[node]))
        command = [*hosts["desk"], *run, "--scheduler", address, *(OURS if is_tls else ())]
        done = subprocess.run(command, env=plain(), capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    assert ("openssl" in done.stderr) != is_tls
    assert field.arena(*run[1:], "--results", "alone", cwd=tmp_path).returncode == 0
    digests = {field.arena("digest", name, cwd=tmp_path).stdout for name in ("results/cup", "alone/cup")}
    assert len(digests) == 1
