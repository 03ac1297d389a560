"""Runs things as a user without any privilege, from tests that run as root."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
NOBODY = 65534


def as_nobody(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a command as nobody, with this checkout to import from."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        command,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        cwd="/",
        env=environment | {"LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )


def ordinary_python() -> str | None:
    """A Python that a user without privileges can start."""
    test = "import sys; sys.exit(sys.version_info < (3, 11))"
    for candidate in (sys.executable, shutil.which("python3", path="/usr/bin:/usr/local/bin")):
        try:
            if candidate and as_nobody([candidate, "-c", test]).returncode == 0:
                return candidate
        except OSError:
            continue
    return None
