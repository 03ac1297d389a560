"""Texts that were good once, spoilt: in bytes, in tokens, in nesting and in size."""

import re

from hypothesis import strategies as st

_TOKENS = re.compile(rb'"[^"\n]*"|[A-Za-z0-9_]+|\s+|.', re.DOTALL)

ODD = [
    *(
        b"",
        b"\0",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\x1b[31m",
        b"\\u001b",
        b"\\ud800",
        b"\\U0010ffff",
        b"\r",
        b"\n",
    ),
    *(
        b'"',
        b"'",
        b'"""',
        b"'''",
        b'\\"',
        b"\\",
        b"#",
        b"=",
        b",",
        b".",
        b"[",
        b"]",
        b"[[",
        b"]]",
        b"{",
        b"}",
    ),
    *(b"0", b"-1", b"1", b"2", b"4096", b"4097", b"65536", b"9" * 30, b"9" * 5000, b"1e999", b"nan", b"inf"),
    *(
        b"-0.0",
        b"0x10",
        b"1_0",
        b"true",
        b"false",
        b"null",
        b"1979-05-27",
        b"07:32:00",
        b"[]",
        b"{}",
        b"[[0,1]]",
    ),
    *(
        b"{}",
        b"{:>99}",
        b"{number}",
        b"{row}",
        b"{column}",
        b"{a\\u001b}",
        b"{0.__class__}",
        b"{number!r}",
        b"{{",
    ),
    *(b'"line-1"', b'"grid-64x64"', b'"grid-1x4096"', b'"grid-4096x1"', b'"ring-4096"', b'"torus-3x3"'),
    *(
        b'"../../etc/passwd"',
        b'"/dev/null"',
        b'"bots/*"',
        b'"**"',
        b'"\\u202e"',
        b'" "',
        b'"a\\nb"',
        b'"\\t"',
    ),
    *(
        "\u202e".encode(),
        "é".encode(),
        "\u0301".encode(),
        "٣".encode(),
        b"row column",
        b"a.b.c = 1\n",
        b"[a.b]\n",
    ),
]


@st.composite
def spoilt(draw: st.DrawFn, seeds: list[bytes]) -> bytes:
    """One of the seeds with a few changes, mostly one."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        data = draw(st.sampled_from((change_token, change_token, change_bytes, move_tokens, make_large)))(
            draw, data
        )
    return data


def change_token(draw: st.DrawFn, data: bytes) -> bytes:
    """Put something odd into the place of a token, or of what stands between the quotes of one."""
    tokens = _TOKENS.findall(data) or [b""]
    at = draw(st.integers(0, len(tokens) - 1))
    odd = draw(st.one_of(st.sampled_from(ODD), st.text(max_size=6).map(str.encode), st.sampled_from(tokens)))
    is_text = tokens[at].startswith(b'"') and draw(st.booleans())
    tokens[at] = b'"' + odd.strip(b'"') + b'"' if is_text else odd
    return b"".join(tokens)


def change_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """Replace, insert or take out a few bytes, or cut the rest off."""
    start = draw(st.integers(0, len(data)))
    stop = draw(st.sampled_from((start, start + 1, start + 8, len(data))))
    return data[:start] + draw(st.binary(max_size=8)) + data[stop:]


def move_tokens(draw: st.DrawFn, data: bytes) -> bytes:
    """Copy some lines to another place."""
    lines = data.splitlines(keepends=True) or [b""]
    start, to = draw(st.integers(0, len(lines) - 1)), draw(st.integers(0, len(lines)))
    count = draw(st.integers(1, 5))
    return b"".join([*lines[:to], *lines[start : start + count], *lines[to:]])


def make_large(draw: st.DrawFn, data: bytes) -> bytes:
    """Repeat something odd many times, somewhere, perhaps closing what it opens."""
    odd = draw(st.one_of(st.sampled_from(ODD), st.binary(max_size=4)))
    start = draw(st.sampled_from([token.start() for token in _TOKENS.finditer(data)] or [0]))
    count = draw(st.sampled_from((3, 50, 101, 1_000, 20_000)))
    closing = odd[::-1].translate(bytes.maketrans(b"[{(", b"]})")) if draw(st.booleans()) else b""
    return (data[:start] + odd * count + closing * count + data[start:])[:200_000]
