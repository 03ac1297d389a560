"""The walls around a sandboxed bot on this machine (seccomp, Landlock, namespaces); are they enough?"""

from __future__ import annotations

from typing import NamedTuple

READY = b"!"
"""What a bot's process writes when the walls are up; anything that goes wrong before is our own fault."""


class Walls(NamedTuple):
    """The protection that a template found when it started; the same for all of its bots."""

    seccomp: bool
    landlock: int  # its version, or 0
    namespaces: bool  # user (unless root), mount, network, IPC, host name
    pid_namespace: bool

    @property
    def is_enough(self) -> bool:
        """Whether this is enough for a sandbox: calls are filtered and files are hidden."""
        return self.seccomp and bool(self.landlock or self.namespaces)

    def __str__(self) -> str:
        parts = ["seccomp"] if self.seccomp else []
        parts += [f"landlock {self.landlock}"] if self.landlock else []
        parts += ["namespaces"] if self.namespaces else []
        parts += ["pid namespace"] if self.pid_namespace else []
        return ", ".join(parts) or "nothing"
