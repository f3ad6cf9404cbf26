"""The same values, however they are written down, give the same records in the right places."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import orjson
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.read.samples import CALL, EVENTS, OUTPUT, SESSION, TURN, USER
from tracelink.model.limits import Limits
from tracelink.model.record import Kind, Record
from tracelink.read import Reading


def read(*sources: Any, **options: Any) -> list[Record]:
    reading = Reading(sources, **options)
    records = list(reading)
    for index, info in enumerate(reading.sources):
        assert info.records == sum(record.origin.index == index for record in records)
    assert [r.origin.seq for r in records if r.origin.index == 0] == list(range(sum(r.origin.index == 0 for r in records)))
    return records


def essence(records: list[Record]) -> list[Any]:
    return [(record.kind, record.type, record.ids, record.value) for record in records]


def jsonl(values: list[Any]) -> bytes:
    return b"".join(orjson.dumps(value) + b"\n" for value in values)


def sse(values: list[Any], event: bool = True) -> bytes:
    frames = [
        (b"event: " + value["type"].encode() + b"\n" if event and "type" in value else b"")
        + b"data: "
        + orjson.dumps(value)
        + b"\n\n"
        for value in values
    ]
    return b": hello\n\n" + b"".join(frames) + b"data: [DONE]\n\n"


def sse_many_lines(values: list[Any]) -> bytes:
    return b"".join(
        b"".join(b"data: " + line + b"\n" for line in json.dumps(value, indent=1).encode().split(b"\n")) + b"\n"
        for value in values
    )


FRAMINGS: dict[str, Callable[[list[Any]], bytes]] = {
    "jsonl": jsonl,
    "crlf": lambda values: jsonl(values).replace(b"\n", b"\r\n"),
    "cr": lambda values: jsonl(values).replace(b"\n", b"\r"),
    "bom": lambda values: b"\xef\xbb\xbf" + jsonl(values),
    "utf-16-le": lambda values: b"\xff\xfe" + jsonl(values).decode().encode("utf-16-le"),
    "utf-16-be": lambda values: b"\xfe\xff" + jsonl(values).decode().encode("utf-16-be"),
    "no last newline": lambda values: jsonl(values)[:-1],
    "blank lines": lambda values: b"\n\n" + jsonl(values).replace(b"\n", b"\n\n"),
    "sse": sse,
    "sse without event": lambda values: sse(values, False),
    "sse crlf": lambda values: sse(values).replace(b"\n", b"\r\n"),
    "sse data in several lines": sse_many_lines,
    "sse without blank lines": lambda values: b"".join(b"data: " + orjson.dumps(value) + b"\n" for value in values),
    "sse, no closing blank line": lambda values: sse(values).replace(b"data: [DONE]\n\n", b"").rstrip(b"\n"),
    "array": orjson.dumps,
    "array of arrays": lambda values: orjson.dumps([values[: len(values) // 2], values[len(values) // 2 :]]),
    "pretty array": lambda values: json.dumps(values, indent=2).encode(),
    "array, an element a line": lambda values: b"[\n" + b",\n".join(map(orjson.dumps, values)) + b"\n]\n",
    "pretty documents": lambda values: "\n".join(json.dumps(value, indent=2, ensure_ascii=False) for value in values).encode(),
    "pretty documents }{": lambda values: "".join(json.dumps(value, indent=2) for value in values).encode(),
    "pretty crlf": lambda values: json.dumps(values, indent=2).replace("\n", "\r\n").encode(),
    "concatenated": lambda values: b"".join(map(orjson.dumps, values)),
    "concatenated with spaces": lambda values: b" ".join(map(orjson.dumps, values)),
    "trailing commas": lambda values: jsonl(values).replace(b"}\n", b"},\n"),
    "gzip": lambda values: gzip.compress(jsonl(values)),
    "gzip, two members": lambda values: gzip.compress(jsonl(values[:2])) + gzip.compress(jsonl(values[2:])),
    "zstd": lambda values: zstandard.compress(jsonl(values)),
    "zstd, two frames": lambda values: zstandard.compress(jsonl(values[:2])) + zstandard.compress(jsonl(values[2:])),
    "wrapped": lambda values: jsonl([{"ts": "2026-10-01T10:00:00Z", "dir": "in", "event": value} for value in values]),
    "wrapped deep": lambda values: jsonl([{"log": {"x": [1, {"payload": value}]}} for value in values]),
    "wrapped as text": lambda values: jsonl([{"level": "info", "body": json.dumps(value)} for value in values]),
    "wrapped sse text": lambda values: jsonl([{"body": sse(values).decode()}]),
    "log prefix": lambda values: b"".join(b"2026-10-01T10:00:00Z INFO got " + orjson.dumps(value) + b"\n" for value in values),
    "events body": lambda values: orjson.dumps({"events": values}),
    "mixed": lambda values: (
        jsonl(values[:3])
        + sse(values[3:5])
        + jsonl(values[5:6])
        + b"".join(json.dumps(value, indent=1).encode() for value in values[6:7])
        + b"\n"
        + sse(values[7:])
    ),
}


@pytest.mark.parametrize("framing", FRAMINGS)
def test_every_framing_gives_the_same_records(framing: str) -> None:
    assert essence(read(FRAMINGS[framing](EVENTS))) == essence(read(jsonl(EVENTS)))


@given(st.lists(st.sampled_from(EVENTS), min_size=3, max_size=12), st.sampled_from(sorted(FRAMINGS)))
@settings(max_examples=150, deadline=None)
def test_any_sequence_in_any_framing(values: list[Any], framing: str) -> None:
    assert essence(read(FRAMINGS[framing](values))) == essence(read(jsonl(values)))


@pytest.mark.parametrize(
    "framing",
    [name for name in FRAMINGS if "wrapped" not in name and "zip" not in name and "zstd" not in name and "16" not in name],
)
def test_line_and_byte_point_at_the_record(framing: str) -> None:
    data = FRAMINGS[framing](EVENTS)
    if "several lines" in framing:
        pytest.skip("the text of such a frame has data: in between")
    for record in read(data):
        _, line, byte = record.origin[:3]
        value, _ = json.JSONDecoder().raw_decode(data[byte:].decode())
        assert value == record.value
        head = data[:byte].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        assert line == head.count(b"\n") + 1


def test_places_in_a_bundle() -> None:
    page = {"object": "list", "data": [USER, CALL, OUTPUT], "has_more": False}
    data = json.dumps(
        {"é": 1, "session": SESSION, "turns": {"data": [TURN]}, "items": page}, indent=1, ensure_ascii=False
    ).encode()
    records = read(data)
    assert [record.kind for record in records] == [
        Kind.SESSION,
        Kind.PAGE,
        Kind.TURN,
        Kind.PAGE,
        Kind.ITEM,
        Kind.ITEM,
        Kind.ITEM,
    ]
    for record in records:
        found, _ = json.JSONDecoder().raw_decode(data[record.origin.byte :].decode())
        if record.kind is not Kind.PAGE:
            assert found == record.value
        assert record.origin.line == data[: record.origin.byte].count(b"\n") + 1
        assert not record.origin.stream


def test_one_wrapped_record_stands_where_its_line_starts() -> None:
    records = read(jsonl([{"ts": 1790000000, "event": EVENTS[0]}, {"ts": 1790000001, "event": EVENTS[2]}]))
    assert [record.origin.byte for record in records] == [0, len(jsonl([{"ts": 1790000000, "event": EVENTS[0]}]))]


def test_records_of_a_wrapper_with_several_stand_each_for_itself() -> None:
    data = jsonl([{"events": EVENTS[2:4]}])
    assert [data[record.origin.byte :].startswith(b'{"type"') for record in read(data)] == [True, True]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_block_borders_do_not_matter(size: int) -> None:
    class Slow:
        def __init__(self, data: bytes) -> None:
            self.data = data

        def read(self, _: int) -> bytes:
            block, self.data = self.data[:size], self.data[size:]
            return block

    for framing in ("crlf", "bom", "sse crlf", "gzip, two members", "zstd, two frames", "utf-16-le", "pretty crlf"):
        assert essence(read(Slow(FRAMINGS[framing](EVENTS)))) == essence(read(jsonl(EVENTS))), framing


def test_the_type_may_stand_only_in_the_event_line() -> None:
    bare = {key: value for key, value in EVENTS[2].items() if key != "type"}
    data = b"event: agent.session.turn.created\ndata: " + orjson.dumps(bare) + b"\n\n"
    assert essence(read(data)) == essence(read(jsonl([EVENTS[2]])))


def test_the_id_line_is_the_event_id_where_the_object_has_none() -> None:
    bare = {key: value for key, value in EVENTS[2].items() if key != "event_id"}
    (record,) = read(b"id: 77\ndata: " + orjson.dumps(bare) + b"\n\n")
    assert record.ids.event_id == record.origin.event_id == "77"
    (record,) = read(b"id: 77\ndata: " + orjson.dumps(EVENTS[2]) + b"\n\n")
    assert record.ids.event_id == "ev_3"


def test_an_id_that_repeats_is_no_event_id() -> None:
    bare = orjson.dumps({key: value for key, value in EVENTS[2].items() if key != "event_id"})
    records = read(b"id: 7\ndata: " + bare + b"\n\nid: 7\ndata: " + bare + b"\n\n")
    assert [record.ids.event_id for record in records] == ["7", None]


@pytest.mark.parametrize(
    ("framing", "expected"),
    [
        ("jsonl", "jsonl"),
        ("sse", "sse"),
        ("array", "json"),
        ("pretty array", "json"),
        ("pretty documents", "json-sequence"),
        ("concatenated", "json-sequence"),
        ("mixed", "mixed"),
        ("gzip", "jsonl"),
    ],
)
def test_format(framing: str, expected: str) -> None:
    reading = Reading([FRAMINGS[framing](EVENTS)])
    list(reading)
    assert reading.sources[0].format == expected


def test_compression_is_named_and_bytes_are_decompressed_ones() -> None:
    reading = Reading([FRAMINGS["gzip"](EVENTS), FRAMINGS["zstd"](EVENTS)])
    list(reading)
    assert [(info.compression, info.bytes) for info in reading.sources] == [
        ("gzip", len(jsonl(EVENTS))),
        ("zstd", len(jsonl(EVENTS))),
    ]


def test_it_streams() -> None:
    class Watched:
        taken = 0

        def read(self, _: int) -> bytes:
            self.taken += 1
            return jsonl(EVENTS) if self.taken < 100 else b""

    watched = Watched()
    next(iter(Reading([watched])))  # type: ignore[list-item]
    assert watched.taken < 4


def test_progress_is_told() -> None:
    """Source, bytes taken, and the records seen until then: the first block is taken before anything of it is seen."""
    seen: list[tuple[int, int, int]] = []
    read(jsonl(EVENTS * 500), jsonl(EVENTS), progress=lambda *what: seen.append(what))
    assert seen[0] == (0, 2**20, 0)
    assert seen[1][:2] == (0, len(jsonl(EVENTS * 500)))
    assert 0 < seen[1][2] < 500 * len(EVENTS)
    assert seen[2] == (1, len(jsonl(EVENTS)), 0)


def test_limits_are_defaults() -> None:
    assert essence(read(jsonl(EVENTS), limits=Limits())) == essence(read(jsonl(EVENTS)))
