"""Near misses: each way an id drifts, which of several wins, and what it costs."""

import random
import string
from collections.abc import Callable

import pytest
import rapidfuzz.distance

from tracelink.link.near import LONGEST, Near, NearIndex
from tracelink.model.trace import CallKey

TURN = "turn_1"


def near(posted: str, *call_ids: str, turn_id: str | None = TURN) -> list[Near]:
    return NearIndex((TURN, one) for one in call_ids).nearest(posted, turn_id, lambda key: True)


@pytest.mark.parametrize(
    ("posted", "call_id", "reason"),
    [
        (" call_9fK2", "call_9fK2", "space"),
        ("call_9fK2\n", "call_9fK2", "space"),
        ('"call_9fK2"', "call_9fK2", "space"),
        ("call_ 9fK2", "call_9fK2", "space"),
        ("CALL_9FK2", "call_9fK2", "case"),
        ("9fK2", "call_9fK2", "prefix"),
        ("fc_9fK2", "call_9fK2", "prefix"),
        ("call_9fK2", "9fK2", "prefix"),
        ("call_9fK2aTqZ", "call_9fK2aTqZ-retry", "truncated"),
        ("call_9fK2aTqZ-retry", "call_9fK2aTqZ", "truncated"),
        ("call_9fK2aTq", "call_9fK2aTqZ", "truncated"),
        ("call_9fX2aTqZ", "call_9fK2aTqZ", "edits-1"),
        ("call_9fKK2aTqZ", "call_9fK2aTqZ", "edits-1"),
        ("call_9f2aTqZ", "call_9fK2aTqZ", "edits-1"),
        ("call_f9K2aTqZ", "call_9fK2aTqZ", "edits-1"),
        ("call_9fX2aTqY", "call_9fK2aTqZ", "edits-2"),
        ("coll_9fK2oTqZ", "call_9fK2aTqZ", "edits-2"),
    ],
)
def test_reasons(posted: str, call_id: str, reason: str) -> None:
    assert near(posted, call_id, "call_nothing_like_it") == [Near((TURN, call_id), reason)]


@pytest.mark.parametrize(
    ("posted", "call_id"),
    [
        ("call_9fK2aTqZ", "call_9fK2aTqZ"),  # it is that call
        ("call_9fX2bTqY", "call_9fK2aTqZ"),  # three edits
        ("abd", "abc"),  # too short to tell
        ("a1b2c3", "a1x2y3"),  # two edits are too many for six characters
        ("call_", "call_9fK2aTqZ"),  # a beginning that all share
        ("call_9f", "call_9fK2aTqZ1234"),  # less than half is left
        ("", "call_9fK2aTqZ"),
    ],
)
def test_far(posted: str, call_id: str) -> None:
    assert near(posted, call_id) == []


def test_the_closest_reason_wins() -> None:
    """space before case before prefix before truncated before edits, whatever the order of the calls."""
    ranked = ["call_aBcDeFgH ", "call_abcdefgh", "ABCDEFGH", "call_aBcDeFgH_2", "call_aBcDeFgX", "call_aBcDeFXY"]
    wanted = ["space", "case", "prefix", "truncated", "edits-1", "edits-2"]
    for number, reason in enumerate(wanted):
        pool = ranked[number:]
        random.Random(number).shuffle(pool)  # noqa: S311 - no secret
        assert near("call_aBcDeFgH", *pool) == [Near((TURN, ranked[number]), reason)]


def test_of_equals_the_same_turn_wins_and_of_those_all_are_named() -> None:
    keys = [("turn_0", "call_abcd11"), (TURN, "call_abcd12"), (TURN, "call_abcd13")]
    index = NearIndex(keys)
    assert [one.key for one in index.nearest("call_abcd1", TURN, lambda key: True)] == keys[1:]
    assert [one.key for one in index.nearest("call_abcd1", "turn_0", lambda key: True)] == keys[:1]
    assert [one.key for one in index.nearest("call_abcd1", None, lambda key: True)] == keys


def test_calls_that_are_not_allowed_leave_the_place_to_the_next() -> None:
    keys = [(TURN, "CALL_ABCD11"), (TURN, "call_abcd12")]
    index = NearIndex(keys)
    assert index.nearest("call_abcd11", TURN, lambda key: True) == [Near(keys[0], "case")]
    assert index.nearest("call_abcd11", TURN, lambda key: key != keys[0]) == [Near(keys[1], "edits-1")]
    assert index.nearest("call_abcd11", TURN, lambda key: False) == []


def test_very_long_ids() -> None:
    """430 characters occur; what is beyond the bound is not compared, and costs nothing."""
    call_id = "call_" + "ab12" * 106
    assert near(call_id[:-1] + "Z", call_id) == [Near((TURN, call_id), "edits-1")]
    endless = "x" * (LONGEST * 40)
    assert near(endless + "y", endless) == []


@pytest.fixture
def comparisons(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How often two ids were compared character by character."""
    count = 0
    real = rapidfuzz.distance.OSA.distance

    class Counted:
        @staticmethod
        def distance(*args: object, **more: object) -> int:
            nonlocal count
            count += 1
            return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(rapidfuzz.distance, "OSA", Counted)
    return lambda: count


def _ids(count: int, seed: int) -> list[str]:
    pick = random.Random(seed)  # noqa: S311 - no secret
    letters = string.ascii_letters + string.digits
    return ["call_" + "".join(pick.choices(letters, k=16)) for _ in range(count)]


def test_random_ids_are_hardly_compared(comparisons: Callable[[], int]) -> None:
    """Ids are filed by their thirds: each of n results meets a handful of n calls, not all."""
    calls, posts = _ids(2000, 1), _ids(2000, 2)
    index = NearIndex((TURN, one) for one in calls)
    for one in posts:
        assert index.nearest(one, TURN, lambda key: True) == []
    assert comparisons() < 10 * len(posts)


def test_a_crowd_of_alike_ids_is_bounded(comparisons: Callable[[], int]) -> None:
    """Ids that only count share their thirds; each look-up still compares a bounded number, however many there are."""
    made: list[int] = []
    for size in (1_000, 8_000):
        index = NearIndex((TURN, f"call_tide_{number:08}") for number in range(size))
        before = comparisons()
        for number in range(50):
            index.nearest(f"call_tide_{number * 7:08}x9", TURN, lambda key: False)
        made.append((comparisons() - before) // 50)
    assert made[0] < 500
    assert made[1] < 1.2 * made[0], "eight times as many calls cost no more"


def test_in_a_crowd_the_neighbours_are_found(comparisons: Callable[[], int]) -> None:
    keys: list[CallKey] = [(TURN, f"call_tide_{number:08}") for number in range(5_000)]
    found = NearIndex(keys).nearest("call_tide_0000423X", TURN, lambda key: True)
    assert {one.reason for one in found} == {"edits-1"}
    assert (TURN, "call_tide_00004230") in [one.key for one in found]
