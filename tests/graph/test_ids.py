"""Node ids are readable for ordinary ids and unambiguous and inert for all others."""

import sys

from hypothesis import given
from hypothesis import strategies as st

from tracelink.graph import ids

ANY = st.none() | st.text(st.characters()) | st.text('/#%?&<>"\\\n\x00ab', max_size=6)


def test_ordinary_ids_stay_as_they_are() -> None:
    assert ids.call("turn_1-a.b:c", "call 7(x)é") == "function_call:turn_1-a.b:c/call 7(x)é"


@given(ANY, ANY, ANY, ANY)
def test_different_pairs_have_different_nodes(a: str | None, b: str | None, c: str | None, d: str | None) -> None:
    assert (ids.call(a, b) == ids.call(c, d)) == ((a, b) == (c, d))


@given(ANY)
def test_inert(value: str | None) -> None:
    quoted = ids.quote(value)
    assert quoted.isprintable()
    assert not set(quoted) & set("/#&<>\"'\\`|")
    quoted.encode()  # no lone surrogate is left


def test_a_name_of_python_needs_no_encoding() -> None:
    """The quick question of `quote`, for every character there is: first in a name, and later in it."""
    for char in map(chr, range(sys.maxunicode + 1)):
        for name in (char, f"a{char}"):
            if name.isidentifier():
                assert name.isprintable()
                assert ids.quote(name) == name
                assert ids._ENCODED.isdisjoint(name)
