"""The package as others install it: everything it needs is in it, and it works outside a checkout."""

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from arena.bots.starters import CONFIGS, STARTERS

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from the checkout by the build backend."""
    folder = tmp_path_factory.mktemp("wheel")
    code = f"import hatchling.build; print(hatchling.build.build_wheel({str(folder)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return folder / done.stdout.split()[-1]


def test_the_wheel_holds_the_rule_books_and_nothing_but_the_package(wheel):
    """TOML files are packed; tests, bots and caches are not."""
    names = zipfile.ZipFile(wheel).namelist()
    wanted = {file.relative_to(ROOT).as_posix() for file in (ROOT / "arena").rglob("*.toml")}
    assert len(wanted) == 6
    assert wanted <= set(names)
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"arena", "lastmove"}
    assert "arena/py.typed" in names
    assert set(tracked("arena/pages/templates")) <= set(names)


def test_the_wheel_holds_the_starter_bots(wheel, tmp_path):
    """Outside a checkout the bots that come with arena are found in the package."""
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = "from arena.bots.starters import starter_bots; print(*(n for n, f in starter_bots().items() if f.exists()))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {code}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) == set(STARTERS)
    names = zipfile.ZipFile(wheel).namelist()
    packed = {name.removeprefix("arena/starter/") for name in names if name.startswith("arena/starter/")}
    own = {f"bots/{name}.py" for name in STARTERS} | {f"configs/{name}.toml" for name in CONFIGS}
    own |= set(tracked("bots/examples"))
    assert packed == own


def tracked(folder):
    """The files of a folder that belong to arena; whatever else lies there in a checkout is somebody's."""
    listed = subprocess.run(
        ["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = listed.stdout.split() if listed.returncode == 0 else []
    return found or [file.relative_to(ROOT).as_posix() for file in (ROOT / folder).rglob("*.*")]


def test_no_package_takes_whatever_lies_in_bots_or_configs():
    """A checkout is where a class hands in its bots: the files that are packed are named one by one."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]
    packed = [*build["wheel"]["force-include"], *(path[1:] for path in build["sdist"]["include"])]
    of_folders = sorted(path for path in packed if path.startswith(("bots", "configs")))
    named = [f"bots/{name}.py" for name in STARTERS] + [f"configs/{name}.toml" for name in CONFIGS]
    assert of_folders == sorted(2 * [*named, *tracked("bots/examples")])


def test_the_package_works_outside_a_checkout(wheel, tmp_path):
    """Unpacked somewhere else, it finds its own rule books."""
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import arena, sys; print(arena.__file__); print(arena.variant('grid-lock').start())"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, 'site'); {code}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    where, picture = done.stdout.split("\n", 1)
    assert "site" in where
    assert picture == "1   2   3   4\n5   6   7   8\n9  10  11  12\n13 14  15  16\n"


def test_lock_files_name_no_host_and_pin_everything():
    """A lock file holds names, versions and hashes only."""
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text()
        assert "://" not in text
        assert "--index" not in text
        assert all("==" in line for line in text.splitlines() if line[:1].isalnum())
        assert "--hash=sha256:" in text
