"""The fast way and the plain way say the same, byte for byte: over the fixtures, the cases, seeded sessions, and streams made to trip it."""

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties.worlds import some
from tests.read.ways import SESSION, both, delta, line, snapshot
from tests.world import record
from tests.world.dice import dice
from tracelink.model.limits import Limits, MiB
from tracelink.model.record import DeltaRun
from tracelink.read import FieldTable, Reading, compression
from tracelink.read.again import Again

HERE = Path(__file__).parents[2]
CASES = HERE.parent / "shared" / "cases"
FILES = sorted(
    path
    for folder in (HERE / "fixtures", CASES)
    for path in folder.rglob("*")
    if path.is_file() and path.suffix not in (".svg", ".md", ".toml")
)


def runs(data: bytes) -> list[DeltaRun]:
    return [one for one in Reading([data], skim=True).skimmed() if isinstance(one, DeltaRun)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_recording_at_hand(path: Path, block: int) -> None:
    both(str(path), report=block == MiB)


@pytest.mark.parametrize("seed", range(12))
def test_seeded_sessions(seed: int, block: int) -> None:
    s = some(seed)
    events = [entry.value for entry in record.stream(s)]
    both(record.jsonl([record.wrapped(entry, s) for entry in s.log], dice(0)), report=block == MiB)
    for frame in (record.jsonl, *record.SSE_FRAMES):
        data = frame(events, dice(seed))
        both(data)
        both(gzip.compress(data))


def test_deltas_are_skipped() -> None:
    data = b"\n".join(line(delta(n)) for n in range(50)) + b"\n"
    (run,) = runs(data)
    assert run.count == 49  # all but the one that taught how they look
    assert (run.first.line, run.last.line, run.last.event_id) == (2, 50, "evt_49")
    assert data[run.last.byte :].startswith(line(delta(49)))
    sse = b"".join(b"event: " + delta(n)["type"].encode() + b"\ndata: " + line(delta(n)) + b"\n\n" for n in range(50))
    (run,) = runs(sse)
    assert (run.count, run.first.line, run.last.line, run.first.seq, run.last.seq) == (49, 5, 149, 1, 49)
    assert sse[run.last.byte :].startswith(line(delta(49)))
    both(data)
    both(sse)


def test_two_turns_in_alternation_are_two_bursts() -> None:
    data = b"\n".join(line(delta(n, f"turn_{n % 2}")) for n in range(20)) + b"\n"
    assert len(runs(data)) == 19
    both(data)


SPOILERS: dict[str, Callable[[bytes], bytes]] = {
    "no UTF-8": lambda raw: raw.replace(b"word", b"w\xffrd"),
    "a surrogate in UTF-8": lambda raw: raw.replace(b"word", b"w\xed\xa0\x80rd"),
    "UTF-8": lambda raw: raw.replace(b"word", "wörd".encode()),
    "a lone surrogate": lambda raw: raw.replace(b"word", b"w\\ud83drd"),
    "a pair": lambda raw: raw.replace(b"word", b"w\\ud83d\\ude00rd"),
    "a pair turned round": lambda raw: raw.replace(b"word", b"w\\ude00\\ud83drd"),
    "an escape": lambda raw: raw.replace(b"word", b'w\\"rd\\\\'),
    "no escape": lambda raw: raw.replace(b"word", b"w\\xrd"),
    "a control character": lambda raw: raw.replace(b"word", b"w\x01rd"),
    "a NUL": lambda raw: raw.replace(b"word", b"w\0rd"),
    "a tab": lambda raw: raw.replace(b"word", b"w\trd"),
    "a quotation mark": lambda raw: raw.replace(b"word", b'w"rd'),
    "a leading zero": lambda raw: raw.replace(b'content_index": 0', b'content_index": 00'),
    "a fraction": lambda raw: raw.replace(b'content_index": 0', b'content_index": 0.5'),
    "a large number": lambda raw: raw.replace(b'content_index": 0', b'content_index": 123456789012345678901234567890'),
    "a number with a sign": lambda raw: raw.replace(b'content_index": 0', b'content_index": -1'),
    "no event id": lambda raw: raw.replace(b'"event_id": "evt_5"', b'"event_id": ""'),
    "null for an id": lambda raw: raw.replace(b'"event_id": "evt_5"', b'"event_id": null'),
    "a turn given twice": lambda raw: raw.replace(b'"item_id"', b'"turn_id": "turn_9", "item_id"'),
    "an event id given twice": lambda raw: raw[:-1] + b', "event_id": "evt_99"}',
    "an escaped turn": lambda raw: raw.replace(b"turn_1", b"turn\\u005f1"),
    "another session": lambda raw: raw.replace(b"sess_skim", b"sess_other"),
    "a member more": lambda raw: raw[:-1] + b', "ts": 1790000123}',
    "an object": lambda raw: raw.replace(b'"word "', b'{"a": 1}'),
    "another type": lambda raw: raw.replace(b"output_text.delta", b"output_text.done"),
    "no type anybody knows": lambda raw: raw.replace(b"output_text.delta", b"output_text.delta2"),
    "cut off": lambda raw: raw[:-20],
    "more behind": lambda raw: raw + b" ",
    "another value behind": lambda raw: raw + b'{"a": 1}',
    "a comma behind": lambda raw: raw + b",",
    "nothing": lambda raw: b"",
    "a comment": lambda raw: b": keep-alive",
    "text": lambda raw: b"connected",
}


@pytest.mark.parametrize("name", SPOILERS)
@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"\r", b"\n\n"])
def test_one_delta_that_is_not_like_the_others(name: str, ending: bytes, block: int) -> None:
    lines = [line(delta(n)) for n in range(12)]
    lines[5] = SPOILERS[name](lines[5])
    both(ending.join(lines))
    both(ending.join(b"data: " + one + ending for one in lines))
    both(ending.join(b"event: x\ndata: " + one + ending for one in lines))
    both(ending.join(lines), limits=Limits(record_bytes=300))
    both(ending.join(lines), limits=Limits(depth=1))


SNAPSHOT_SPOILERS: dict[str, Callable[[bytes], bytes]] = {
    "another status": lambda raw: raw.replace(b'"in_progress"', b'"idle"'),
    "an action": lambda raw: raw.replace(b'"required_actions": []', b'"required_actions": [{"type": "x"}]'),
    "no agent": lambda raw: raw.replace(b'"agent"', b'"angel"'),
    "agent given twice": lambda raw: raw.replace(b'"created_at"', b'"agent": null, "created_at"'),
    "agent given twice, the second elsewhere": lambda raw: raw.replace(b'"created_at"', b'"x": {"agent": 1}, "created_at"'),
    "its comma in a string": lambda raw: raw.replace(b', "agent"', b', "x": "y, "agent"'),
    "its comma escaped": lambda raw: raw.replace(b', "agent"', b'\\, "agent"'),
    "a fraction behind it": lambda raw: raw.replace(b', "created_at"', b'.0, "created_at"'),
    "an exponent behind it": lambda raw: raw.replace(b', "created_at"', b'e0, "created_at"'),
    "a digit behind it": lambda raw: raw.replace(b', "created_at"', b'0, "created_at"'),
    "a text behind it": lambda raw: raw.replace(b', "created_at"', b'"", "created_at"'),
    "a sign before it": lambda raw: raw.replace(b'"agent": {', b'"agent": -{'),
    "cut in the agent": lambda raw: raw[:500],
    "cut behind it": lambda raw: raw[:-30],
    "no UTF-8 behind it": lambda raw: raw.replace(b"\\u00e9", b"\xff"),
    "no UTF-8 in it": lambda raw: raw.replace(b"Say", b"S\xffy"),
    "an id with an escape": lambda raw: raw.replace(b"evt_5", b"evt\\u005f5"),
    "an id in UTF-8": lambda raw: raw.replace(b"evt_5", "evt_é".encode()),
    "no id": lambda raw: raw.replace(b"evt_5", b""),
    "a fraction for a time": lambda raw: raw.replace(b"1790000006", b"1790000006.5"),
    "zero for a time": lambda raw: raw.replace(b"1790000006", b"0"),
    "a bad number for a time": lambda raw: raw.replace(b"1790000006", b"01"),
    "null for a time": lambda raw: raw.replace(b"1790000006", b"null"),
    "a member given twice": lambda raw: raw.replace(b'"error": null', b'"error": null, "status": "idle"'),
    "usage": lambda raw: raw.replace(b'"total_tokens": 3', b'"total_tokens": 4'),
    "deep": lambda raw: raw.replace(b'"metadata": {', b'"metadata": {"x": ' + b"[" * 300 + b"]" * 300 + b", "),
    "a member more": lambda raw: raw[:-1] + b', "ts": 1790000123}',
    "more behind": lambda raw: raw + b" 1",
}


@pytest.mark.parametrize("name", SNAPSHOT_SPOILERS)
@pytest.mark.parametrize("style", [0, 1])
def test_one_snapshot_that_is_not_like_the_others(name: str, style: int, block: int) -> None:
    lines = [line(snapshot(n), style) for n in range(12)]
    lines[5] = SNAPSHOT_SPOILERS[name](line(snapshot(5)))
    both(b"\n".join(lines))
    both(b"".join(b"data: " + one + b"\n\n" for one in lines))
    both(b"\n".join(lines), limits=Limits(depth=5))


def test_the_agents_text_inside_another_member_is_not_the_agent() -> None:
    """The text of the agent stands in `metadata`; the session's own agent is another one."""
    nested = snapshot(9, metadata={"x": 1, "agent": SESSION["agent"]})
    nested["session"]["agent"] = {"id": "agent_other"}
    both(b"\n".join(line(one) for one in (snapshot(1), snapshot(2), nested, snapshot(3))))


def test_an_agent_with_many_tools_is_known_again() -> None:
    """Its brackets are many and not deep: only the rest is decoded, and its text is taken apart once."""
    agent = {"id": "agent_skim", "tools": [{"parameters": {"properties": {}}} for _ in range(300)]}
    known = Again(200, FieldTable())
    first, second = (snapshot(n, agent=agent, status=status, usage=n) for n, status in enumerate(("idle", "in_progress")))
    known.learn(line(first), json.loads(line(first)))
    assert known.known(line(second)) == second
    assert known.known(line(snapshot(3, agent=agent, metadata={"x": [[[[]]]]}))) is not None
    assert Again(4, FieldTable()).known(line(second)) is None
    both(b"\n".join(line(snapshot(n, agent=agent, usage=n)) for n in range(9)))
    both(b"\n".join(line(snapshot(n, agent=agent, usage=n)) for n in range(9)), limits=Limits(depth=6))
    both(b"\n".join(line(snapshot(n, agent=agent, usage=n)) for n in range(9)), limits=Limits(depth=5))


MORE = {
    "a type that nobody documents": {"type": "agent.session.paused"},
    "a time of the recorder's": {"ts": 1790000123},
    "a direction": {"direction": "in"},
    "a type of another API": {"type": "response.created"},
    "an environment's event": {"type": "agent.session.environment.ready", "environment": {"id": "env_1"}},
}


@pytest.mark.parametrize("name", MORE)
@pytest.mark.parametrize("style", [0, 1])
def test_what_only_holds_a_session_is_never_taken_for_a_snapshot_again(name: str, style: int, block: int) -> None:
    """Its agent is known from snapshots, and it repeats as they do."""
    values = [snapshot(1), snapshot(2), *(snapshot(n) | MORE[name] for n in range(3, 9)), snapshot(9)]
    both(b"\n".join(line(value, style) for value in values), report=True)
    both(b"".join(b"data: " + line(value, style) + b"\n\n" for value in values))


def test_rows_of_the_user_see_every_value() -> None:
    rows = FieldTable({"turn_id": ["$.item_id"]})
    assert not any(isinstance(one, DeltaRun) for one in Reading([line(delta(1)) * 3], fields=rows, skim=True).skimmed())
    both(b"\n".join(line(delta(n)) for n in range(9)), fields=rows)


VALUES = st.one_of(
    st.builds(
        delta, st.integers(0, 9), st.sampled_from(["turn_1", "turn_2", None, "", 7, "t\u00e9"]), delta=st.text(max_size=6)
    ),
    st.builds(
        delta,
        st.integers(0, 9),
        type=st.just("agent.session.turn.reasoning_summary_text.delta"),
        obfuscation=st.text(max_size=3),
    ),
    st.builds(snapshot, st.integers(0, 9), status=st.sampled_from(["in_progress", "idle"]), usage=st.integers(0, 2)),
    st.builds(lambda n, more: snapshot(n) | more, st.integers(0, 9), st.sampled_from(list(MORE.values()))),
    st.just({"type": "agent.session.turn.created", "event_id": "evt_t", "session_id": "sess_skim", "turn_id": "turn_1"}),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(VALUES, st.integers(0, 2)), max_size=30), st.randoms(use_true_random=False), st.booleans())
def test_any_stream(values: list[tuple[Any, int]], rng: random.Random, sse: bool) -> None:
    lines = [bytearray(line(value, style)) for value, style in values]
    for one in lines:
        if rng.random() < 0.15 and one:
            one[rng.randrange(len(one))] = rng.choice(b'"\\{}[],: 0\x00\xff\n\r')
    data = b"".join(b"data: " + one + b"\n\n" if sse else bytes(one) + b"\n" for one in lines)
    both(data)
    before, compression.BLOCK = compression.BLOCK, 173
    try:
        both(data)
    finally:
        compression.BLOCK = before
