"""What this machine offers for isolation, found out by trying, and what would fix what is missing."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from typing import NamedTuple

from arena.errors import Void
from arena.hosts.canaries import run_canaries
from arena.hosts.meter import is_told_here
from arena.hosts.process import cpu_clock
from arena.sandbox.syscalls import MACHINES, machine
from arena.sandbox.template import Template
from arena.sandbox.walls import Walls


class Feature(NamedTuple):
    """One thing that isolation needs, whether it is there, and why not or how much."""

    name: str
    is_there: bool
    detail: str


class Report(NamedTuple):
    """Everything that was looked at, and what follows."""

    features: list[Feature]
    is_enough: bool
    verdict: str
    left_open: tuple[str, ...] = ()  # what bots can still learn about each other, a phrase each


def examine() -> Report:
    """Try everything that the sandbox uses, in processes that end afterwards."""
    here = Feature(
        "Linux on x86_64 or aarch64",
        machine() is not None,
        f"{platform.system()} {platform.release()} on {platform.machine()}",
    )
    if machine() is None:
        names = " or ".join(MACHINES)
        return Report(
            [here],
            False,
            f"Bots cannot be sandboxed here: that needs Linux on {names}. Trusted bots can play.",
        )
    template = Template()
    try:
        return _report(here, template)
    except Void as error:
        return Report(
            [here, Feature("a template process", False, str(error))], False, "The sandbox cannot be built."
        )
    finally:
        template.close()


def _report(here: Feature, template: Template) -> Report:
    walls = template.walls
    features = [here, *_wall_features(walls), _cpu_clock(), _run_delay(), _cores()]
    if not walls.is_enough:
        return Report(
            features,
            False,
            f"Not enough for a sandbox, which needs seccomp and (Landlock or namespaces): {walls}.",
        )
    canaries = run_canaries(template)
    features += [Feature(f"contained: {c.name}", c.is_contained, c.detail) for c in canaries]
    if not all(canary.is_contained for canary in canaries):
        return Report(features, False, "The sandbox leaks: see above. Please report this.")
    return Report(features, True, f"Bots can be sandboxed here: {walls}.", tuple(_find_left_open(walls)))


def _find_left_open(walls: Walls) -> Iterator[str]:
    """Yield what bots behind these walls can still learn about each other and about this machine."""
    yield "the moves, and how long the other bot took for them"
    yield "how busy caches, memory and the disk are, by timing them in nanoseconds"
    yield "how many pipes are opened (commands only, not Python bots)"
    if not walls.namespaces:
        yield "names, sizes and times of files that they cannot open; commands also see where links point"
    if not walls.pid_namespace:
        yield "which process ids exist, and the limits and cores of processes of the same user"
    if not walls.landlock:
        yield "the files of this machine that Python and other languages need, and no others"
    if not _run_delay().is_there:
        yield "free sleep: only sleep beyond 2 * seconds + 1 s is charged"


def _wall_features(walls: Walls) -> list[Feature]:
    root = "as root" if os.geteuid() == 0 else f"as user {os.geteuid()}"
    return [
        Feature(
            "seccomp filter", walls.seccomp, "" if walls.seccomp else "the kernel has CONFIG_SECCOMP_FILTER=n"
        ),
        Feature(
            "Landlock",
            walls.landlock > 0,
            f"version {walls.landlock}"
            if walls.landlock
            else "needs Linux 5.13 and `landlock` in the kernel's lsm= list",
        ),
        Feature(
            "user, mount, network, IPC namespaces",
            walls.namespaces,
            root
            if walls.namespaces
            else "refused; some systems allow them with kernel.unprivileged_userns_clone=1 "
            "or kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        Feature("pid namespace", walls.pid_namespace, "" if walls.pid_namespace else "refused"),
    ]


def _cpu_clock() -> Feature:
    try:
        time.clock_gettime_ns(cpu_clock(os.getpid()))
    except OSError as error:
        return Feature("CPU clock of other processes", False, str(error))
    return Feature("CPU clock of other processes", True, "")


def _run_delay() -> Feature:
    is_there = is_told_here()
    return Feature(
        "time spent waiting for a core", is_there, "" if is_there else "/proc/self/schedstat is missing"
    )


def _cores() -> Feature:
    count = len(os.sched_getaffinity(0))
    return Feature("cores", True, str(count))
