"""The container file of docs/serving, as far as it can be read without an engine that builds it."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def copied() -> set[str]:
    """Return what of a checkout the file copies, for the stage that installs arena."""
    lines = (ROOT / "docs" / "serving" / "Containerfile").read_text().splitlines()
    words = [line.split() for line in lines if line.startswith("COPY ") and "--from=" not in line]
    return {place for line in words for place in line[1:-1]}


def test_all_that_arena_is_made_of_is_copied():
    """A build fails if one of these is missing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [*wheel["packages"], *wheel["force-include"], project["project"]["readme"]]
    needed += ["pyproject.toml", *project["project"]["license-files"]]
    assert {Path(place).parts[0] for place in needed} == copied()


def test_the_image_is_made_of_what_was_installed_alone():
    """Results, tokens and other files of a checkout are in no layer of it."""
    last = (ROOT / "docs" / "serving" / "Containerfile").read_text().rpartition("\nFROM ")[2]
    assert [line for line in last.splitlines() if line.startswith(("COPY", "ADD"))] == [
        "COPY --from=built /opt/arena /opt/arena"
    ]
