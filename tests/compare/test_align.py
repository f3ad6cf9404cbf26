"""Alignment: rising pairs of equal keys, the same whichever side is called A, and no blow-up on long or crossed sequences."""

import itertools
import time

from hypothesis import given
from hypothesis import strategies as st

from tracelink.compare.align import align, staged, uncrossed
from tracelink.compare.ids import edits_of

KEYS = st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=14)


@given(KEYS, KEYS)
def test_pairs_rise_and_are_equal(a: list[bytes], b: list[bytes]) -> None:
    pairs = align(a, b)
    assert all(a[one] == b[other] for one, other in pairs)
    assert all(x[0] < y[0] and x[1] < y[1] for x, y in itertools.pairwise(pairs))


@given(KEYS, KEYS)
def test_turned_round(a: list[bytes], b: list[bytes]) -> None:
    assert align(a, b) == sorted((one, other) for other, one in align(b, a))


@given(KEYS)
def test_a_sequence_is_itself(a: list[bytes]) -> None:
    assert align(a, a) == [(at, at) for at in range(len(a))]


@given(KEYS, st.integers(0, 14), st.sampled_from([b"a", b"x"]))
def test_one_more_is_one_more(a: list[bytes], at: int, new: bytes) -> None:
    assert len(align(a, [*a[:at], new, *a[at:]])) == len(a)


def test_by_place_only_within_a_gap() -> None:
    keys = ([b"1", b"x", b"2"], [b"1", b"y", b"z", b"2"])
    assert staged([keys], 3, 4, by_place=True) == [(0, 0), (1, 1), (2, 3)]
    assert staged([keys], 3, 4) == [(0, 0), (2, 3)]


def test_fixed_pairs_may_cross() -> None:
    assert staged([([b"p", b"q", b"r"], [b"q", b"p", b"r"])], 3, 3, [(0, 1), (1, 0)]) == [(0, 1), (1, 0), (2, 2)]
    assert uncrossed([(0, 1), (1, 0), (2, 2)]) == [(2, 2)]


@given(st.permutations(range(8)))
def test_uncrossed_turned_round(order: list[int]) -> None:
    pairs = list(enumerate(order))
    assert uncrossed(pairs) == sorted((one, other) for other, one in uncrossed(sorted((other, one) for one, other in pairs)))
    assert all((x[0] < y[0]) == (x[1] < y[1]) for x in uncrossed(pairs) for y in pairs if x != y)


def test_long_sequences_take_no_square_of_time() -> None:
    count = 30_000
    one = [f"{number % 97}".encode() for number in range(count)]
    for other in (one[::-1], [*one[1:], b"x"], [b"y"] * count, sorted(one)):
        began = time.process_time()
        align(one, other)
        assert time.process_time() - began < 10


@given(st.text("ab0O", max_size=12), st.text("ab0O", max_size=12))
def test_edits_make_one_id_of_the_other(left: str, right: str) -> None:
    made, at = "", 0
    for edit in edits_of(left, right):
        made += left[at : edit.left_start] + right[edit.right_start : edit.right_end]
        at = edit.left_end
    assert made + left[at:] == right
    assert bool(edits_of(left, right)) == (left != right)


def test_ids_of_a_megabyte_are_told_as_one_piece() -> None:
    left, right = "call_" + "ab" * 500_000 + "_end", "call_" + "ba" * 500_000 + "_end"
    (edit,) = edits_of(left, right)
    assert (edit.kind, edit.left_start, edit.left_end) == ("replace", 5, len(left) - 4)
