"""How long it takes to start and end: the bare interpreter, the kernel in it, commands. Best and median."""

import statistics
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
BARE = [sys.executable, "-I", "-S", "-c"]
KERNEL = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import arena"

COMMANDS = {
    "python": [*BARE, "pass"],
    "python, import arena": [*BARE, KERNEL],
    "python, a variant's first position": [*BARE, f"{KERNEL}; arena.variant('blockade-5x5').start()"],
    "arena --help": [Path(sysconfig.get_path("scripts")) / "arena", "--help"],
    "python -m arena --help": [sys.executable, "-m", "arena", "--help"],  # which ends as Python does
}


def milliseconds(command):
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return (time.perf_counter() - start) * 1000


def main():
    print("start, ms                              best     median")
    rounds = [{name: milliseconds(command) for name, command in COMMANDS.items()} for _ in range(20)]
    for name in COMMANDS:
        times = [taken[name] for taken in rounds]
        print(f"  {name:35} {min(times):6.1f} {statistics.median(times):10.1f}")


if __name__ == "__main__":
    main()
