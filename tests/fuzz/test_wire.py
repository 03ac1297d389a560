"""What bots write instead of replies: a move that the referee judges, or a forfeit; never anything else."""

import struct

from hypothesis import example, given
from hypothesis import strategies as st

from arena.inside import wire
from tests.fuzz.laws import MARK, examples
from tests.fuzz.replies import GAME, START, replied, wire_law
from tests.hosts.conftest import bot, command, template  # noqa: F401 - fixtures
from tests.hosts.games import QUICK

WRONG = b"\0wrong\xff\n"
TRACEBACKS = st.one_of(
    st.binary(max_size=40), st.text(max_size=40).map(lambda text: text.encode(errors="replace"))
)
SIZES = st.sampled_from(
    [0, 1, 2, 3, 4, 6, 100, 199, 200, 201, 470, 4096, 16384, 16385, 20_000, 60_000, 2**31, 2**32 - 1]
)


@st.composite
def replies(draw: st.DrawFn) -> bytes:
    """A reply as the runner writes it, with something wrong in it or nothing."""
    nonce = draw(st.sampled_from([MARK, MARK, MARK, WRONG, MARK[:4]]))
    kind = draw(st.one_of(st.sampled_from([wire.DONE, wire.NUMBER, wire.FAULT]), st.integers(0, 255)))
    payload = draw(
        st.one_of(
            st.binary(max_size=12), faults(), SIZES.map(lambda size: b"\x07\n" * (min(size, 70_000) // 2))
        )
    )
    length = draw(st.one_of(st.just(len(payload)), st.just(len(payload)), st.integers(0, 20), SIZES))
    return nonce + struct.pack("<BI", kind, length) + payload


@st.composite
def faults(draw: st.DrawFn) -> bytes:
    """What the runner writes of a bot that failed, with any code and any length."""
    detail = draw(TRACEBACKS) * draw(st.sampled_from([1, 1, 50, 300]))
    length = draw(st.one_of(st.just(min(len(detail), 65535)), st.integers(0, 65535)))
    code = draw(st.one_of(st.integers(0, len(wire.ENDINGS)), st.integers(0, 255)))
    return struct.pack("<BH", code, length) + detail + draw(TRACEBACKS)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """A line as a command writes it, with something wrong in it or nothing."""
    blank = st.sampled_from([b"", b" ", b"\t", b"\n", b"\r", b"\xa0", b"\0", b" " * 1000])
    number = st.one_of(
        st.integers(-(10**12), 10**12).map(lambda n: b"%d" % n),
        st.sampled_from(
            [b"0", b"007", b"-0", b"+1", b"1e1", b"1.0", "٣".encode(), b'"1"', b"true", b"9" * 5000]
        ),
    )
    name = st.sampled_from([MARK, MARK, MARK, b"0" * 16, MARK.lower(), b""])
    move, own = (
        b'"move"' + draw(blank) + b":" + draw(number),
        b'"id":' + draw(blank) + b'"' + draw(name) + b'"',
    )
    pairs = draw(st.permutations([move, own, *draw(st.sampled_from([[], [], [move], [own], [b'"x":1']]))]))
    ready = st.sampled_from([b'{"type":"ready"}', b'{ "type" : "ready" }', b'{"type":"ready"}}'])
    body = draw(st.one_of(st.just(b"{" + draw(blank) + b",".join(pairs) + b"}"), ready))
    return (
        draw(blank) + body + draw(blank) + draw(st.sampled_from([b"\n", b"\n", b"\n", b"", b"\r\n", b"\n\n"]))
    )


SCRIPTS = st.one_of(
    replies(),
    lines(),
    st.binary(max_size=40),
    st.lists(st.one_of(replies(), lines()), min_size=2, max_size=4).map(b"".join),
    st.tuples(st.one_of(replies(), lines()), st.integers(0, 40)).map(lambda cut: cut[0][: cut[1]]),
)
CUTS = st.lists(st.sampled_from([1, 2, 12, 13, 14, 15, 16, 100, 470, 4096]), max_size=4)


@examples(400)
@given(SCRIPTS, CUTS, st.integers(1, 4))
@example(MARK + struct.pack("<BIH", wire.DONE, 2, 3), [], 1)
@example(MARK + struct.pack("<BI", wire.DONE, 6) + b"\1\0\2\0\3\0", [1, 1], 3)
@example(b'{"type":"ready"}' + b" " * 1000 + b"\n", [], 1)
@example(MARK + struct.pack("<BI", wire.FAULT, 20_000) + struct.pack("<BH", 3, 9) + b"x" * 19_997, [], 1)
@example(b'{"id":"' + MARK + b'","move":3}\n', [], 1)
def test_whatever_a_bot_writes_is_a_move_or_a_forfeit(script, cuts, count):
    """A move has the nonce of its request and is all there was; all else is a forfeit in one printable line."""
    wire_law(script, cuts, count)


@examples(100)
@given(st.one_of(faults(), st.binary(max_size=20)))
@example(b"\x01\x01\x00\xc2\x80")
def test_any_bytes_are_a_fault_or_none(payload):
    """Only forfeits can be claimed, and detail and evidence are apart, wherever the length cuts a character."""
    fault = wire.read_fault(payload)
    if fault is not None:
        ending, detail, evidence = fault
        assert ending.is_forfeit
        assert ending is wire.ENDINGS[payload[0]]
        (length,) = struct.unpack_from("<H", payload, 1)
        texts = payload[3 : 3 + length], payload[3 + length :]
        assert (detail, evidence) == tuple(text.decode(errors="replace") for text in texts)


RAW = """
import os
def move(position):
    with open(os.path.join(os.path.dirname(__file__), "reply.py"), "rb") as file:
        data = file.read()
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, data)
        except OSError:
            pass
    return position.legal_moves[0]
"""
SAYS = """
import json, sys
sys.stdin.readline()
print('{"type":"ready"}', flush=True)
sys.stdin.readline()
nonce = json.loads(sys.stdin.readline())["id"].encode()
with open("reply.bin", "rb") as file:
    sys.stdout.buffer.write(file.read().replace(b"NONCE...", nonce))
sys.stdout.flush()
sys.stdin.readline()
"""


@examples(8)
@given(script=SCRIPTS)
def test_what_a_real_bot_writes_past_the_runner_is_never_a_move(bot, script):  # noqa: F811
    """It is not told the nonce; so much is written here that nobody waits for the rest."""
    host = bot(RAW)
    host.source.files["reply.py"] = script[:40_000] + bytes(wire.MOST_REPLY + 13)
    try:
        assert host.begin(GAME._replace(limits=QUICK)) is None
        assert not replied(host.ask(START, 1.0))
    finally:
        host.close()


@examples(8)
@given(script=st.one_of(lines(), SCRIPTS))
def test_what_a_real_command_says_is_a_move_or_a_forfeit(command, script):  # noqa: F811
    """It is a move by its one line with the nonce; the line is ended here, so that nobody waits for it."""
    host = command(SAYS)
    host.source.files["reply.bin"] = script[:40_000] + b"\n"
    try:
        assert host.begin(GAME._replace(limits=QUICK)) is None
        reply = host.ask(START, 1.0)
        assert not replied(reply) or MARK in script
    finally:
        host.close()
