"""The same laws under atheris, which changes inputs towards lines of arena that were not reached before.

    python -m tests.fuzz.guided wire|config|variant|definition SECONDS

atheris is no requirement of the tests; a throw-away environment will do: `pip install atheris hypothesis` beside what
arena needs. It counts executions itself, and writes an input that breaks a law to a file `crash-...` here.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

try:
    import atheris
except ImportError:
    sys.exit(
        "atheris is not installed in this environment; `pip install atheris` (Linux, and not every Python)"
    )

with atheris.instrument_imports(include=["arena", "tomllib"]):
    import arena.config.reading  # noqa: F401 - imported here to be instrumented

from tests.fuzz import laws, mutations, replies
from tests.fuzz.test_config import BOT, KITE, WHOLE
from tests.fuzz.test_variants import GRAPH, books, definitions

Law = Callable[[bytes], object]


def furnished() -> Path:
    """A folder with bots and a variant, as the tests of tournament files have it."""
    home = Path(tempfile.mkdtemp(prefix="arena-guided-"))
    for part in ("bots", "configs"):
        (home / part).mkdir()
    (home / "bots" / "alpha.py").write_text(BOT)
    (home / "bots" / "beta.py").write_text(BOT)
    (home / "kite.toml").write_text(KITE)
    return home


def wire(data: bytes) -> None:
    """The first byte says how the rest is cut into reads, and how many games are asked for."""
    head, script = data[:1] or b"\0", data[1:]
    cuts = [[], [1], [13], [14, 1]][head[0] >> 2 & 3]
    replies.wire_law(script, cuts, 1 + (head[0] & 3))


def definition(data: bytes) -> None:
    laws.definition_law("mine", data.decode(errors="surrogateescape"))


def laws_by_name(home: Path) -> dict[str, tuple[Law, list[bytes]]]:
    """Each law, and what to begin with."""
    said = [replies.LOADED, replies.BEGUN, replies.READY, b'{"id":"' + laws.MARK + b'","move":3}\n']
    said += [laws.MARK + b"\2\x08\0\0\0\3\2\0ab\ncd", laws.MARK + b"\1\3\0\0\0999"]
    return {
        "wire": (wire, [b"\0" + reply for reply in said]),
        "config": (lambda data: laws.tournament_law(home, data), [WHOLE]),
        "variant": (lambda data: laws.variant_law(home, data), books()),
        "definition": (definition, [*definitions(), GRAPH]),
    }


def main(name: str, seconds: int) -> None:
    """Run one law for so long; an input that breaks it ends the run with its traceback."""
    home = furnished()
    law, seeds = laws_by_name(home)[name]
    corpus = home / "corpus"
    corpus.mkdir()
    for number, seed in enumerate(seeds):
        (corpus / str(number)).write_bytes(seed)
    words = home / "words"
    words.write_text(
        "".join(f'"{escaped(word)}"\n' for word in [laws.MARK, *mutations.ODD] if 0 < len(word) < 60)
    )
    options = [
        "-timeout=20",
        "-rss_limit_mb=3000",
        "-max_len=20000",
        f"-dict={words}",
        f"-max_total_time={seconds}",
    ]
    atheris.Setup([sys.argv[0], *options, "-print_final_stats=1", str(corpus)], law)
    atheris.Fuzz()


def escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    os.environ.setdefault("XDG_CONFIG_HOME", tempfile.mkdtemp(prefix="arena-guided-key-"))
    if len(sys.argv) != 3 or sys.argv[1] not in ("wire", "config", "variant", "definition"):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]))
