"""What is delivered again is found without remembering what nearly every recording holds once: as one who remembers all would find it."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tracelink.fold import divide
from tracelink.model.facts import EnvironmentSeen, Fact, InputSeen, ItemSeen, PageSeen, StrangerSeen
from tracelink.model.location import Origin
from tracelink.model.recording import Recordings

SESSIONS = st.sampled_from(["sess_a", "sess_b", None])


def fact(seq: int, kind: str, session_id: str | None, event_id: str | None, said: str, received: float | None) -> Fact:
    at = Origin("log.jsonl", seq + 1, 100 * seq, event_id, 0, seq, seq, received=received)
    if kind == "item":
        return ItemSeen(at, session_id, "turn_a", said, "done", "message", None, None, None, {}, None, None)
    if kind == "post":
        return InputSeen(at, session_id, "agent.session.input.message", True, "turn_a", None, None, {"content": said})
    if kind == "page":
        return PageSeen(at, session_id, None, "item", seq, 0, None, None, None, None)
    if kind == "stranger":
        return StrangerSeen(at, session_id, "unknown", "event", said)
    return EnvironmentSeen(at, session_id, "turn_a", None, None, said, None, None)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["item", "item", "post", "environment", "page", "stranger"]),
        SESSIONS,
        st.sampled_from(["ev_1", "ev_2", "ev_3", None]),
        st.sampled_from(["a", "b"]),
        st.sampled_from([None, None, 5.0]),
    ),
    max_size=14,
)


def remembered(facts: list[Fact], homes: dict[int, str | None]) -> list[tuple[str, Origin, Origin]]:
    """(event id, first, again), all facts being remembered by session, kind and identity."""
    first: dict[Any, Fact] = {}
    found = []
    for one in facts:
        identity: Any = one.at.event_id
        if identity is None and isinstance(one, InputSeen) and one.at.received is not None:
            identity = (one.at.received, one.type, one.turn_id, one.call_id, one.request_id)
        if identity is None:
            continue
        earlier = first.setdefault((homes[one.at.seq], type(one), identity), one)
        if earlier is not one and earlier[1:] == one[1:]:
            found.append((one.at.event_id or "", earlier.at, one.at))
    return found


@given(ROWS)
def test_repeats(rows: list[tuple[str, str | None, str | None, str, float | None]]) -> None:
    facts = [fact(seq, *row) for seq, row in enumerate(rows)]
    sessions = {(0, one.session_id): 1 for one in facts}
    divided = divide(Recordings(facts=facts, sessions=sessions))
    homes: dict[int, str | None] = {}
    for recording in divided.recordings:
        for at in (*(one.at for one in recording.order), *(again for _, _, again in recording.repeats)):
            homes[at.seq] = recording.session_id
    named = [one for one in facts if one.at.seq in homes and not (isinstance(one, PageSeen) and one.session_id is None)]
    expected = remembered(named, homes)
    assert sorted(one for recording in divided.recordings for one in recording.repeats) == sorted(expected)


@given(ROWS)
def test_clocked(rows: list[tuple[str, str | None, str | None, str, float | None]]) -> None:
    """Where no record of a recording has a receive time, and only there, it is said that none has."""
    facts = [fact(seq, *row) for seq, row in enumerate(rows)]
    divided = divide(Recordings(facts=facts, sessions={(0, one.session_id): 1 for one in facts}))
    for recording in divided.recordings:
        places = [*(one.at for one in recording.order), *(again for _, _, again in recording.repeats)]
        alone = recording.session_id is None and all(isinstance(one, PageSeen) for one in recording.order)
        assert recording.clocked == (any(at.received is not None for at in places) or alone)
