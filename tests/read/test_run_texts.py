"""The expression for a string of a delta takes exactly what orjson takes for one: nothing unsound is counted unread."""

import re
from itertools import product

import orjson
import pytest

from tracelink.read.runs import _TEXT

TEXT = re.compile(_TEXT)
EDGES = bytes(
    (0x00, 0x1F, 0x20, 0x22, 0x41, 0x5C, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1)
)
EDGES += bytes((0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF))


def is_text(raw: bytes) -> bool:
    """Whether orjson reads it between quotation marks."""
    try:
        orjson.loads(b'"' + raw + b'"')
    except ValueError:
        return False
    return True


def wrong(candidates: "list[bytes]") -> list[bytes]:
    return [raw for raw in candidates if (TEXT.fullmatch(raw) is not None) != is_text(raw)]


def test_every_one_and_two_bytes() -> None:
    assert not wrong([bytes((one,)) for one in range(256)])
    assert not wrong([bytes(both) for both in product(range(256), repeat=2)])


@pytest.mark.parametrize("lead", [b"", b"\xe0", b"\xed", b"\xef", b"\xf0", b"\xf4", b"a"])
def test_three_and_four_bytes_at_the_edges(lead: bytes) -> None:
    assert not wrong([lead + bytes(rest) for rest in product(EDGES, repeat=3)])


def test_every_escape() -> None:
    letters = b'"\\/bfnrtu0x'
    assert not wrong([b"\\" + bytes((one,)) for one in range(256)])
    assert not wrong([b"\\" + bytes(rest) for rest in product(letters, repeat=3)])
    units = [
        b"\\u%s" % unit for unit in (b"0000", b"00e9", b"d7ff", b"D800", b"dbFF", b"dc00", b"DFff", b"e000", b"ffff", b"00g0")
    ]
    assert not wrong([one + two for one, two in product([*units, b"", b"a", b"\xc3\xa9"], repeat=2)])
    assert not wrong([b"".join(three) for three in product(units, repeat=3)])
