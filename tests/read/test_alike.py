"""Events that are built alike are read by their form, and come out as the plain way reads them, whatever one of them looks like."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.read.ways import answered, both, called, delta, ended, line, said, snapshot
from tracelink.fold.alike import Worked, maker
from tracelink.fold.bodies import Bodies
from tracelink.fold.items import TEXT_KEPT, item_seen
from tracelink.model.limits import Limits
from tracelink.model.location import Origin
from tracelink.model.record import Alikes, Example, Ids, Kind, Record
from tracelink.read import FieldTable, Reading, alike, compression
from tracelink.read.alike import Alike

MAKERS: dict[str, Callable[..., dict[str, Any]]] = {"called": called, "answered": answered, "said": said, "ended": ended}


def taken(data: bytes) -> int:
    """How many records were read by their form."""
    batches = [one for one in Reading([data], skim=True).skimmed() if isinstance(one, Alikes)]
    return sum(len(batch.examples) for batch in batches)


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("style", [0, 1, 2])
@pytest.mark.parametrize("ordered", [False, True])
def test_the_first_teaches_the_rest(make: Callable[..., dict[str, Any]], style: int, ordered: bool) -> None:
    values = [make(n, f"turn_{n // 3}") for n in range(20)]
    if ordered:
        values = [json.loads(json.dumps(value, sort_keys=True)) for value in values]
    for ending in (b"\n", b"\r\n", b"\r"):
        data = ending.join(line(value, style) for value in values) + ending
        assert taken(data) >= 19 - (ending == b"\r")  # a CR at the end of a block may be half a CRLF
        both(data, report=True)


def test_forms_in_turn_and_snapshots_between_them() -> None:
    """The order of a real stream: what comes next is foreseen, and what comes otherwise is found all the same."""
    values = []
    for n in range(0, 60, 3):
        turn = f"turn_{n}"
        values += [said(n, turn), snapshot(n), called(n, turn), called(n + 1, turn), called(n + 2, turn), snapshot(n)]
        values += [
            answered(n + 1, turn),
            answered(n, turn),
            delta(n, turn),
            delta(n + 1, turn),
            answered(n + 2, turn),
            ended(n, turn),
        ]
    random.Random(4).shuffle(values[60:])  # noqa: S311
    data = b"\n".join(map(line, values)) + b"\n"
    assert taken(data) > 150
    both(data, report=True)


def test_texts_with_escapes_and_beyond_ascii() -> None:
    texts = ['{"units": 12}', "wörd", "\u0000", "😀", "back\\slash", "", "\u2028", "tab\t", "x" * TEXT_KEPT, "é" * TEXT_KEPT]
    for style in range(3):
        values = [answered(0), *(answered(n, output=text) for n, text in enumerate(texts, 1))]
        values += [said(0), *(said(n, content=[{"type": "input_text", "text": text}]) for n, text in enumerate(texts, 1))]
        data = b"\n".join(line(value, style) for value in values) + b"\n"
        assert taken(data) == len(values) - 2
        both(data)


def test_a_text_that_the_fold_may_cut_is_decoded() -> None:
    assert alike._LONGEST == TEXT_KEPT
    long = [{"type": "input_text", "text": "word " * TEXT_KEPT}]
    values = [
        said(0),
        said(1),
        said(2, content=long),
        said(3, content=[{"type": "input_text", "text": '"' * (TEXT_KEPT + 1)}]),
        said(4),
    ]
    data = b"\n".join(map(line, values)) + b"\n"
    assert taken(data) == 2
    both(data, report=True)


def test_arguments_that_come_again_are_one_value() -> None:
    """A call's arguments stand in its events and in the actions: they are decoded once."""
    same = {"key": "a", "more": {"b": [1.5, "c"]}}
    data = b"\n".join(line(called(n, arguments=same)) for n in range(5)) + b"\n"
    (batch,) = (one for one in Reading([data], skim=True).skimmed() if isinstance(one, Alikes))
    first, *others = [next(one for one in values if isinstance(one, dict)) for values in batch.values]
    assert first == same
    assert all(one is first for one in others)


SPOILERS: dict[str, Callable[[bytes], bytes]] = {
    "no UTF-8": lambda raw: raw.replace(b"word", b"w\xffrd").replace(b'"k ', b'"\xff'),
    "a surrogate in UTF-8": lambda raw: raw.replace(b"word", b"w\xed\xa0\x80rd").replace(b'"k ', b'"\xed\xa0\x80'),
    "UTF-8": lambda raw: raw.replace(b"word", "wörd".encode()).replace(b'"k ', '"é'.encode()),
    "UTF-8 in an id": lambda raw: raw.replace(b"evt_5", "evt_é".encode()),
    "a bad byte in an id": lambda raw: raw.replace(b"evt_5", b"evt_\xe9"),
    "a lone surrogate": lambda raw: raw.replace(b"word", b"w\\ud83drd").replace(b'"k ', b'"\\ud83d'),
    "a pair": lambda raw: raw.replace(b"word", b"w\\ud83d\\ude00rd").replace(b'"k ', b'"\\ud83d\\ude00'),
    "an escape": lambda raw: raw.replace(b"word", b'w\\"rd\\\\').replace(b'"k ', b'"\\"'),
    "no escape": lambda raw: raw.replace(b"word", b"w\\xrd").replace(b'"k ', b'"\\x'),
    "an escape in a name": lambda raw: raw.replace(b"look", b"lo\\u006fk"),
    "an escape in an id": lambda raw: raw.replace(b"evt_5", b"evt\\u005f5"),
    "an escape in a member's name": lambda raw: raw.replace(b'"arguments"', b'"argument\\u0073"').replace(
        b'"output"', b'"outpu\\u0074"'
    ),
    "a control character": lambda raw: raw.replace(b"word", b"w\x01rd").replace(b'"k ', b'"\x01'),
    "a NUL in an id": lambda raw: raw.replace(b"evt_5", b"evt\x005"),
    "a tab": lambda raw: raw.replace(b"word", b"w\trd").replace(b'"k ', b'"\t'),
    "a quotation mark": lambda raw: raw.replace(b"word", b'w"rd').replace(b'"k ', b'""'),
    "a bracket in a text": lambda raw: raw.replace(b'"k ', b'"}{['),
    "a bracket less": lambda raw: raw.replace(b"null}]}", b"null]}"),
    "a list closed as an object": lambda raw: raw.replace(b"null}]}", b"null}}}"),
    "a bracket more": lambda raw: raw.replace(b"null}]}", b"null}]}}"),
    "no value": lambda raw: raw.replace(b'"limit": 5', b'"limit": '),
    "a leading zero": lambda raw: raw.replace(b'"limit": 5', b'"limit": 05').replace(b"1790000005", b"01790000005"),
    "a fraction": lambda raw: raw.replace(b'"output_index": 5', b'"output_index": 5.5').replace(b"1790000005", b"1790000005.5"),
    "an exponent": lambda raw: raw.replace(b'"output_index": 5', b'"output_index": 5e1').replace(b"1790000005", b"179e7"),
    "a large number": lambda raw: raw.replace(b'"limit": 5', b'"limit": 123456789012345678901234567890'),
    "a large number with an exponent": lambda raw: raw.replace(b'"limit": 5', b'"limit": 1e30').replace(
        b'"total_tokens": 5', b'"total_tokens": 1e30'
    ),
    "a number beyond a float": lambda raw: raw.replace(b'"limit": 5', b'"limit": 1e999'),
    "NaN": lambda raw: raw.replace(b'"limit": 5', b'"limit": NaN'),
    "a large time": lambda raw: raw.replace(b"1790000005", b"17900000050000000000000"),
    "a sign": lambda raw: raw.replace(b'"output_index": 5', b'"output_index": -5').replace(b"1790000005", b"-5"),
    "a text for a time": lambda raw: raw.replace(b"1790000005", b'"1790000005"'),
    "true for a number": lambda raw: raw.replace(b'"output_index": 5', b'"output_index": true').replace(b"1790000005", b"true"),
    "null for a time": lambda raw: raw.replace(b"1790000005", b"null"),
    "no event id": lambda raw: raw.replace(b'"evt_5"', b'""'),
    "null for an event id": lambda raw: raw.replace(b'"evt_5"', b"null"),
    "a number for an id": lambda raw: raw.replace(b'"call_5"', b"5").replace(b'"agent_1"', b"1"),
    "an empty id": lambda raw: raw.replace(b'"call_5"', b'""').replace(b'"agent_1"', b'""'),
    "null for an id": lambda raw: raw.replace(b'"call_5"', b"null").replace(b'"agent_1"', b"null"),
    "an id of another kind": lambda raw: raw.replace(b'"id": "', b'"id": "x'),
    "another turn inside": lambda raw: raw[:150] + raw[150:].replace(b"turn_1", b"turn_2"),
    "another turn outside": lambda raw: raw.replace(b"turn_1", b"turn_2", 1),
    "another session inside": lambda raw: raw[:150] + raw[150:].replace(b"sess_skim", b"sess_b"),
    "another session": lambda raw: raw.replace(b"sess_skim", b"sess_other"),
    "another status": lambda raw: raw.replace(b'"completed"', b'"incomplete"'),
    "an unknown status": lambda raw: raw.replace(b'"status": "completed"', b'"status": 7'),
    "an event id given twice": lambda raw: raw[:-1] + b', "event_id": "evt_99"}',
    "a member given twice": lambda raw: raw.replace(b'"turn_id"', b'"turn_id": "turn_9", "turn_id"'),
    "a member of the arguments given twice": lambda raw: raw.replace(b'"limit"', b'"key": 1, "limit"'),
    "a deep member given twice": lambda raw: raw.replace(b'"er": null', b'"er": null, "er": 1').replace(
        b'"cached": 0', b'"cached": 0, "cached": 1'
    ),
    "a member more": lambda raw: raw[:-1] + b', "ts": 1790000123}',
    "a member more inside": lambda raw: raw[:-2] + b', "note": "x"}}',
    "a member less": lambda raw: raw.replace(b', "status": "completed"', b""),
    "a subagent": lambda raw: raw[:-2] + b', "subagent_id": "agent_2"}}',
    "arguments as text": lambda raw: raw.replace(b'"arguments": {', b'"arguments": "x", "x": {'),
    "an output that is no text": lambda raw: raw.replace(b'"output": "word 5"', b'"output": {"units": 5}'),
    "an output that is a list": lambda raw: raw.replace(b'"output": "word 5"', b'"output": [1]'),
    "an error": lambda raw: raw.replace(b'"error": null', b'"error": "word"'),
    "an error that is an object": lambda raw: raw.replace(b'"error": null', b'"error": {"code": "c", "message": "m"}'),
    "no name": lambda raw: raw.replace(b'"look"', b'""'),
    "a number for a name": lambda raw: raw.replace(b'"look"', b"7"),
    "no content": lambda raw: raw.replace(b'[{"type": "input_text"', b'[], "x": [{"type": "input_text"'),
    "content of two parts": lambda raw: raw.replace(b'[{"type"', b'[{"type": "input_text", "text": "a"}, {"type"'),
    "an image": lambda raw: raw.replace(b'"text": "word', b'"url": "word'),
    "another role": lambda raw: raw.replace(b'"user"', b'"assistant"'),
    "a deep value": lambda raw: raw.replace(b'"limit": 5', b'"limit": ' + b"[" * 300 + b"]" * 300),
    "a deep object": lambda raw: raw.replace(b'"limit": 5', b'"limit": ' + b'{"a":' * 300 + b"1" + b"}" * 300),
    "another type": lambda raw: raw.replace(b"item.done", b"item.added").replace(b"turn.completed", b"turn.failed"),
    "another item": lambda raw: raw.replace(b'"function_call', b'"mcp_call'),
    "cut off": lambda raw: raw[:-20],
    "a space behind": lambda raw: raw + b" ",
    "another value behind": lambda raw: raw + b'{"a": 1}',
    "a comma behind": lambda raw: raw + b",",
    "nothing": lambda raw: b"",
    "text": lambda raw: b"connected",
}


@pytest.mark.parametrize("name", SPOILERS)
@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_one_event_that_is_not_like_the_others(name: str, make: Callable[..., dict[str, Any]], block: int) -> None:
    lines = [line(make(n)) for n in range(12)]
    lines[5] = SPOILERS[name](lines[5])
    both(b"\n".join(lines))
    both(b"\r\n".join(lines))
    both(b"\n".join(lines[5:]))
    both(b"\n".join(lines[:1] + lines[5:6] * 3))
    both(b"\n".join(lines), limits=Limits(record_bytes=390))
    for depth in (1, 3, 5, 6, 8):
        both(b"\n".join(lines), limits=Limits(depth=depth))


@pytest.mark.parametrize("turn", [None, "", 7])
def test_events_of_no_turn_that_has_a_name(turn: Any) -> None:
    for make in MAKERS.values():
        both(b"\n".join(line(make(n, turn)) for n in range(5)) + b"\n", report=True)


ODD: dict[str, Callable[[int], dict[str, Any]]] = {
    "true for a turn": lambda n: called(n, turn_id=True),
    "false for a session": lambda n: ended(n, session_id=False),
    "true for an agent": lambda n: ended(n, agent_id=True),
    "true for an id": lambda n: answered(n, call_id=True),
    "a list for a type": lambda n: called(n, type=[]),
    "an object for a type": lambda n: answered(n, type={}),
    "a number for a type": lambda n: answered(n, type=1),
    "a list for a status": lambda n: called(n, status=["completed"]),
}


@pytest.mark.parametrize("name", ODD)
def test_all_of_them_are_odd(name: str) -> None:
    """So the first teaches what none of them should be."""
    both(b"\n".join(line(ODD[name](n)) for n in range(6)) + b"\n", report=True)


def test_forms_are_not_learned_without_end() -> None:
    """Nor is a type tried for ever that has none."""
    values = [called(n, **{f"member{'_' * n}": None}) for n in range(100)] + [called(n) for n in range(3)]
    learner = Alike(Limits(), FieldTable())
    for value in values:
        learner.learn(Kind.ITEM_EVENT, line(value), value)
    assert len(learner._forms) == alike._FORMS
    both(b"\n".join(map(line, values)) + b"\n")
    odd = [called(n, status=n) for n in range(50)]
    learner = Alike(Limits(), FieldTable())
    for value in odd:
        learner.learn(Kind.ITEM_EVENT, line(value), value)
    assert learner._tries == alike._BARREN
    assert not learner.leads


def test_a_stand_in_that_the_fold_works_on_is_seen() -> None:
    record = Record(Kind.ITEM_EVENT, "t", {"item": {"type": "message", "content": "a 77x1"}}, Ids("77x0"), Origin("", 0, 0))
    with pytest.raises(Worked):
        maker(Example(record, ("77x0", "77x1")), item_seen(record, Bodies()), Bodies())


TEXT = st.text(max_size=5) | st.sampled_from(['"', "\\", "}{", "\u2028", "é", "😀"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
NUMBER = st.integers(0, 9)
TURNS = st.sampled_from(["turn_1", "turn_2", "turn_é", "", None, 7])
VALUES = st.one_of(
    st.builds(called, NUMBER, TURNS, arguments=st.dictionaries(TEXT, JSON, max_size=3) | TEXT, name=TEXT | st.just("look")),
    st.builds(called, NUMBER, arguments=st.dictionaries(TEXT, JSON, max_size=3)),
    st.builds(answered, NUMBER, output=TEXT | JSON, error=st.none() | TEXT),
    st.builds(answered, NUMBER, output=TEXT),
    st.builds(
        said,
        NUMBER,
        content=st.lists(st.fixed_dictionaries({"type": st.just("input_text"), "text": TEXT}), min_size=1, max_size=2),
    ),
    st.builds(
        ended, NUMBER, TURNS, usage=st.dictionaries(TEXT, JSON, max_size=3) | st.none(), started_at=st.none() | st.integers()
    ),
    st.builds(snapshot, NUMBER, status=st.sampled_from(["in_progress", "idle"])),
    st.builds(delta, NUMBER),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(VALUES, st.integers(0, 2)), max_size=30), st.randoms(use_true_random=False))
def test_any_stream(values: list[tuple[Any, int]], rng: random.Random) -> None:
    lines = [bytearray(line(value, style)) for value, style in values]
    for one in lines:
        if rng.random() < 0.15 and one:
            one[rng.randrange(len(one))] = rng.choice(b'"\\{}[],: 0\x00\xff\n\r')
    data = b"".join(bytes(one) + b"\n" for one in lines)
    both(data)
    before, compression.BLOCK = compression.BLOCK, 173
    try:
        both(data)
    finally:
        compression.BLOCK = before
