"""What comes with arena: the starter bots with the hashes of their files, and the sample tournaments.

They are listed one by one, so that no other file in `bots/` of a checkout is taken for arena's own.
"""

from __future__ import annotations

from pathlib import Path

import arena

STARTERS = {
    "alpha_beta": "215911b6ea6fecf41996d5c047b9383808b2364c2ed8edd04e6be1b3764760c2",
    "first_legal": "671fdcdd09fe265d2ab5464057f0ff3ea7247d4245d420ab52d5c04110963796",
    "greedy": "bb1e4c5959e6666ff1803e0937cf1b1b61e43b0ac123f5891216737a7072cc66",
    "mirror": "0fa88122a494499ac1e49f69d4b6af020c8bcc9f5ac941c90cfa61155dd01943",
    "monte_carlo": "e055ca5b941cb9320504f41f876ef826b63590da04c975bd7fc45f42aea98157",
    "perfect": "c089c01726dbe1cc7da84cb4fae54367f12e6724906cffafdc3c8cb4f6e29dbc",
    "random_mover": "b17ca0bbcee9c53e6b92b08f8aafaddfa9df741a7281dd1d18d8a8b548baf685",
}
"""The hashes of the starter bots' files."""

CONFIGS = "class knock_out ladder large quick round_robin swiss".split()
"""The sample tournament files."""


def starter_bots() -> dict[str, Path]:
    """Return the files of the starter bots by name, installed or in a checkout."""
    return {name: _place() / "bots" / f"{name}.py" for name in STARTERS}


def sample_configs() -> list[Path]:
    """Return the sample tournament files."""
    return [_place() / "configs" / f"{name}.toml" for name in CONFIGS]


def _place() -> Path:
    package = Path(arena.__file__).parent
    return package / "starter" if (package / "starter").is_dir() else package.parent
