"""A cluster on loopback for tests: a scheduler and two workers, real processes, started when first asked for."""

import atexit
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from functools import cache

from arena.executors.cluster import Cluster

FILES = {"ca": "ca-file", "cert": "cert", "key": "key"}
"""What dask calls the files of TLS."""


@cache
def shared():
    """The cluster that all tests of a process may use that harm nobody."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(own())[0]


@contextmanager
def own(workers=2, certificates=()):
    """A cluster of one's own, whose processes may be harmed: the address, the scheduler, the workers."""
    tls = [word for kind in certificates for word in (f"--tls-{FILES[kind]}", certificates[kind])]
    scheduler, address = start_scheduler(0, *tls)
    processes = [scheduler]
    try:
        processes += [start_worker(address, *tls) for _ in range(workers)]
        yield Cluster(address), scheduler, processes[1:]
    finally:
        for process in processes:
            end(process)


def start_scheduler(port=0, *tls):
    """A scheduler and its address; on a free port, if none is given."""
    host = "tls://127.0.0.1" if tls else "127.0.0.1"
    scheduler = start("scheduler", "--port", str(port), "--no-dashboard", "--host", host, *tls)
    return scheduler, read_address(scheduler)


def start_worker(address, *tls):
    """A worker of a cluster, without anybody who starts it again."""
    words = ["--no-nanny", "--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1"]
    return start("worker", address, *words, *tls)


def end(process):
    """Kill a process of a cluster."""
    process.kill()
    process.wait()
    process.stderr.close()


def start(*words, within=()):
    """A process of a cluster; `within` are words that bring it elsewhere, such as into a network namespace."""
    command = [*within, sys.executable, "-m", "dask", *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def read_address(scheduler):
    """Wait for a scheduler, and return its address."""
    for line in scheduler.stderr:
        if "Scheduler at:" in line:
            return line.split()[-1]
    raise AssertionError("the scheduler did not start")
