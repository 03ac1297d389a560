"""Hostile bots whose source is the attack and cannot be kept as a readable file: made here, as bytes.

Each function's docstring has the same shape as that of a bot in bots/.
"""

from __future__ import annotations

from collections.abc import Callable

MOVE = b"\ndef move(position):\n    return position.legal_moves[0]\n"


def nul_bytes() -> bytes:
    """Has NUL bytes in the middle of its source.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"x = 1\n\0\0\0\0" + MOVE


def nul_bytes_only() -> bytes:
    """Is a megabyte of NUL bytes.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return bytes(1 << 20)


def null_file() -> bytes:
    """Is empty.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b""


def nested_brackets() -> bytes:
    """Nests 100,000 brackets, which overflowed the stack of parsers.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"x = " + b"[" * 100_000 + b"]" * 100_000 + MOVE


def nested_signs() -> bytes:
    """Negates a number 100,000 times, which recurses without any bracket.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"x = " + b"-" * 100_000 + b"1" + MOVE


def nested_calls() -> bytes:
    """Calls the result of a call 100,000 times over, which deepens the tree to the left.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"x = f" + b"()" * 100_000 + MOVE


def nested_blocks() -> bytes:
    """Indents a thousand blocks into each other.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    lines = [b" " * depth + b"if 1:" for depth in range(1000)]
    return b"\n".join(lines) + b"\n" + b" " * 1000 + b"pass" + MOVE


def nested_finally() -> bytes:
    """Nests 40 `finally` blocks, each of which the compiler writes twice: 2**40 copies of the last.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start, memory
    """
    blocks = [b"%btry: pass\n%bfinally:\n" % (b" " * depth, b" " * depth) for depth in range(40)]
    return b"".join(blocks) + b" " * 40 + b"pass" + MOVE


def long_line() -> bytes:
    """Has one line of 8 MB.

    kind: source files
    proof: none
    control: no: it only loads slowly
    expect: plays, no-start, memory
    """
    return b"x = 0" + b" + 0" * 500 + b"  # " + b"x" * (8 << 20) + MOVE


def many_constants() -> bytes:
    """Lists 200,000 different numbers, each a constant to be kept.

    kind: source files
    proof: none
    control: no: it only loads slowly
    expect: plays, no-start, memory
    """
    return b"x = [" + b",".join(b"%d.5" % number for number in range(200_000)) + b"]" + MOVE


def many_functions() -> bytes:
    """Defines 30,000 functions before the one that counts.

    kind: source files
    proof: none
    control: no: it only loads slowly
    expect: plays, no-start, memory
    """
    return b"".join(b"def f%d(): pass\n" % number for number in range(30_000)) + MOVE


def unknown_cookie() -> bytes:
    """Declares an encoding that does not exist.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"# -*- coding: klingon -*-\n" + MOVE


def cookie_of_a_codec_for_bytes() -> bytes:
    """Declares an encoding that decompresses: a codec, but not one for text.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"# -*- coding: zlib_codec -*-\n" + MOVE


def hidden_in_utf7() -> bytes:
    """Declares UTF-7, so that a comment for every other reader is code for Python.

    kind: source files
    proof: none
    control: no: nobody but Python reads the source
    expect: plays
    """
    return b"# -*- coding: utf-7 -*-\n#+AAo-hidden = 1\n" + MOVE


def latin1_without_cookie() -> bytes:
    """Has a letter in Latin-1 and does not say so.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"name = 'caf\xe9'\n" + MOVE


def utf16() -> bytes:
    """Is written in UTF-16.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return MOVE.decode().encode("utf-16")


def byte_order_mark() -> bytes:
    """Begins with a byte order mark, as some editors write it.

    kind: source files
    proof: none
    control: no: it is harmless
    expect: plays
    """
    return b"\xef\xbb\xbf" + MOVE


def byte_order_mark_and_cookie() -> bytes:
    """Begins with a byte order mark and declares another encoding.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"\xef\xbb\xbf# -*- coding: latin-1 -*-\n" + MOVE


def old_line_ends() -> bytes:
    """Ends its lines in every way there is: CR, CR LF, LF, form feed.

    kind: source files
    proof: none
    control: no: it is harmless
    expect: plays, no-start
    """
    return b"x = 1\ry = 2\r\nz = 3\n\x0c" + MOVE.replace(b"\n", b"\r\n")


def byte_code() -> bytes:
    """Is byte code under the name of a source file.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    import importlib.util
    import marshal

    code = compile(MOVE, "bot.py", "exec")
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


def zip_file() -> bytes:
    """Is a zip file with a __main__ in it, which Python runs when given as a program.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    import io
    import zipfile

    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(zipfile.ZipInfo("__main__.py"), MOVE)
    return held.getvalue()


def terminal_codes() -> bytes:
    """Fails with escape codes for the terminal in the line that a traceback shows.

    kind: source files
    proof: none
    control: no: it only fails to load
    expect: no-start
    """
    return b"1 / 0  # \x1b]0;owned\x07\x1b[2J\x1b[31m\xe2\x80\xae\n" + MOVE


ODD_SOURCES: tuple[Callable[[], bytes], ...] = (
    nul_bytes,
    nul_bytes_only,
    null_file,
    nested_brackets,
    nested_signs,
    nested_calls,
    nested_blocks,
    nested_finally,
    long_line,
    many_constants,
    many_functions,
    unknown_cookie,
    cookie_of_a_codec_for_bytes,
    hidden_in_utf7,
    latin1_without_cookie,
    utf16,
    byte_order_mark,
    byte_order_mark_and_cookie,
    old_line_ends,
    byte_code,
    zip_file,
    terminal_codes,
)
