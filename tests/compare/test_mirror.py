"""`diff A B` and `diff B A` tell the same, turned round; and of whatever sessions, A is the same as A."""

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.compare.sides import side
from tests.properties.worlds import some
from tests.story.hostile import reports
from tests.world import record
from tests.world.dice import dice
from tracelink.compare import Comparison, Difference, diff
from tracelink.compare.values import ONLY_IN_A, ONLY_IN_B
from tracelink.model.run import Report, SessionReport

TURNED = {ONLY_IN_A: ONLY_IN_B, ONLY_IN_B: ONLY_IN_A}
CALM = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def recorded(seed: int, until: float = 1.0) -> bytes:
    world = some(seed)
    values = [record.wrapped(entry, world) for entry in world.log]
    return record.jsonl(values[: max(int(len(values) * until), 2)], dice(0))


def key(one: Difference, turned: bool) -> str:
    a, b = (one.path_a, one.a, one.ids_a, one.at_a), (one.path_b, one.b, one.ids_b, one.at_b)
    if turned:
        a, b = b, a
    return repr((one.kind, TURNED.get(one.what, one.what) if turned else one.what, one.field, a, b))


def assert_mirrored(there: Comparison, back: Comparison) -> None:
    assert Counter(key(one, False) for one in there.differences) == Counter(key(one, True) for one in back.differences)
    assert Counter(one.side for one in there.untold) == Counter({"a": "b", "b": "a"}[one.side] for one in back.untold)
    assert (there.parting is None) == (back.parting is None)
    if there.parting is not None and back.parting is not None:
        assert (there.parting.a, there.parting.b) == (back.parting.b, back.parting.a)
        assert there.parting.after == (back.parting.after and back.parting.after[::-1])


def hold(a: SessionReport, b: SessionReport) -> None:
    for only in (None, "calls", "results", "ids"):
        assert_mirrored(diff(a, b, only), diff(b, a, only))
        for one in (a, b):
            told = diff(one, one, only)
            assert (told.differences, told.untold, told.parting) == ((), (), None)


@CALM
@given(st.integers(0, 60), st.integers(0, 60))
def test_two_sessions(one: int, other: int) -> None:
    hold(side(recorded(one)), side(recorded(other)))


@CALM
@given(st.integers(0, 60), st.floats(0.05, 1), st.floats(0.05, 1))
def test_one_session_at_two_times(seed: int, one: float, other: float) -> None:
    a, b = recorded(seed, one), recorded(seed, other)
    hold(side(a), side(b))
    assert bool(diff(side(a), side(b)).differences) <= (a != b)


@CALM
@given(reports(), reports())
def test_hostile_sessions(a: Report, b: Report) -> None:
    hold(a.sessions[0], b.sessions[0])


def test_the_order_of_members_and_of_tools_is_no_difference() -> None:
    import json

    from tests.properties.worlds import shuffled

    for seed in range(6):
        world, rng = some(seed), dice(seed)
        values: list[Any] = [record.wrapped(entry, world) for entry in world.log]
        other = "".join(json.dumps(shuffled(one, rng)) + "\n" for one in values).encode()
        assert diff(side(record.jsonl(values, dice(0))), side(other)).differences == ()


def test_a_clean_session_is_the_same_in_its_stream_and_on_its_pages() -> None:
    from tests.world import app

    for seed in range(1, 16):
        world = app.clean(seed)
        log = side(record.jsonl([record.wrapped(entry, world) for entry in world.log], dice(0)))
        stream = side(record.jsonl([entry.value for entry in record.stream(world)], dice(0)))
        pages = side(record.bundle(world, dice(seed))[0])
        assert [diff(log, one).differences for one in (stream, pages)] == [(), ()]


def test_the_last_thing_in_common_is_the_same_from_both_sides() -> None:
    hold(side(recorded(13)), side(recorded(31)))  # equal calls in crossed orders
