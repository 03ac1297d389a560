"""Whether the body of a bot can draw a random number while it is executed.

Most bodies cannot: they import modules, define functions and name constants. Then nothing need be seeded
before a game begins, which takes as long as executing the body. Whatever is not known to be harmless counts
as not quiet: an instruction of another Python, a module that may draw numbers when it is imported.
"""

from __future__ import annotations

from opcode import opname
from types import CodeType

_HARMLESS = frozenset(
    "CACHE RESUME NOP LOAD_CONST LOAD_SMALL_INT STORE_NAME LOAD_NAME BUILD_TUPLE MAKE_FUNCTION POP_TOP "
    "SET_FUNCTION_ATTRIBUTE IMPORT_NAME IMPORT_FROM RETURN_VALUE RETURN_CONST".split()
)
_QUIET_MODULES = frozenset(
    "__future__ abc arena bisect collections collections.abc dataclasses enum functools heapq itertools math "
    "operator random re string sys time typing".split()
)


def is_quiet(body: CodeType) -> bool:
    """Return whether executing a body draws no random number."""
    words = [(opname[code], argument) for code, argument in zip(*[iter(body.co_code)] * 2, strict=True)]
    imported = {body.co_names[argument] for word, argument in words if word == "IMPORT_NAME"}
    return {word for word, _ in words} <= _HARMLESS and imported <= _QUIET_MODULES
