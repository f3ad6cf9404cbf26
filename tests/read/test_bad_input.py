"""Nothing raises, nothing vanishes, and a bad place costs only itself."""

import gzip
import io
import json
import os
import random
import sys
import threading
import tracemalloc
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.read.samples import CALL, EVENTS, OUTPUT, SESSION, TURN, USER
from tests.read.test_framing import essence, jsonl, read, sse
from tracelink.model.limits import Limits
from tracelink.model.record import Kind
from tracelink.read import Reading

GOOD = jsonl(EVENTS[:3])
LINE = orjson.dumps(EVENTS[2])


def codes(data: Any, **options: Any) -> list[str | None]:
    return [record.code for record in read(data, **options)]


def problem(source: Any) -> str:
    reading = Reading([source])
    list(reading)
    (info,) = reading.sources
    assert info.problem
    return info.problem


@pytest.mark.parametrize("cut", range(1, len(LINE), 7))
def test_a_torn_last_line(cut: int) -> None:
    records = read(GOOD + LINE[:cut])
    assert [record.code for record in records] == [None] * 3 + ["TL002"]
    assert records[-1].origin.line == 4
    assert records[-1].origin.byte == len(GOOD)


@pytest.mark.parametrize("cut", range(1, len(LINE), 7))
def test_a_torn_line_in_the_middle_costs_only_itself(cut: int) -> None:
    records = read(GOOD + LINE[:cut] + b"\n" + GOOD)
    assert [record.code for record in records] == [None] * 3 + ["TL001"] + [None] * 3


@pytest.mark.parametrize("cut", range(7, len(LINE), 11))
def test_a_torn_frame(cut: int) -> None:
    assert codes(sse(EVENTS[:3]).replace(b"data: [DONE]\n\n", b"") + b"data: " + LINE[:cut]) == [None] * 3 + ["TL002"]


def test_a_broken_line_is_told_with_its_column_and_text() -> None:
    (bad,) = [record for record in read(GOOD + b'{"a": 1 "b": 2}\n' + GOOD) if record.code]
    assert (bad.kind, bad.code, bad.origin.line) == (Kind.UNREADABLE, "TL001", 4)
    assert bad.value == '{"a": 1 "b": 2}'
    assert "column 9" in str(bad.detail)


def test_text_lines_between_json_are_told_each() -> None:
    assert codes(b"INFO started\n" + GOOD + b"bye\n") == ["TL001", None, None, None, "TL001"]


def test_a_file_of_text_is_one_record_and_one_problem() -> None:
    reading = Reading([b"hello\nworld\n" * 5000])
    (record,) = reading
    assert record.code == "TL001"
    assert reading.sources[0].format == "text"
    assert "no JSON found" in str(reading.sources[0].problem)


@pytest.mark.parametrize("data", [b"", b"\n\n \n", b": only a comment\n\n", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_file(data: bytes) -> None:
    reading = Reading([data])
    assert list(reading) == []
    assert reading.sources[0].format == "empty"
    assert reading.sources[0].problem


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 9,
        random.Random(5).randbytes(9000)  # noqa: S311
        + bytes(9),
        bytes(500),
    ],
)
def test_a_binary_file(data: bytes) -> None:
    reading = Reading([b"\x01" + data])
    assert list(reading) == []
    assert reading.sources[0].format == "binary"


@pytest.mark.parametrize("magic", [b"BZh9", b"PK\x03\x04", b"\xfd7zXZ\x00"])
def test_other_compressions_are_named(magic: bytes) -> None:
    assert "unpack it" in problem(magic + bytes(100))


def test_a_truncated_gzip_gives_its_good_part() -> None:
    data = gzip.compress(jsonl(EVENTS * 200), mtime=0)
    records = read(data[: len(data) // 2])
    assert len(records) > 10
    assert records[-1].code == "TL002"
    assert "cut off" in str(records[-1].detail)


def test_a_damaged_gzip_gives_its_good_part() -> None:
    data = bytearray(gzip.compress(os.urandom(300).hex().encode() + b"\n" + jsonl(EVENTS * 50), 0))
    data[-6] ^= 255  # the checksum
    assert codes(bytes(data))[-1] == "TL001"


def test_zstd_without_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["tracelink.read.compression"], "_zstd", lambda: None)
    assert "tracelink[zstd]" in problem(b"\x28\xb5\x2f\xfd" + bytes(20))


def test_a_line_over_the_limit_is_skipped() -> None:
    limits = Limits(record_bytes=2000)
    records = read(GOOD + b'{"x": "' + b"y" * 5000 + b'"}\n' + GOOD, limits=limits)
    assert [record.code for record in records] == [None] * 3 + ["TL011"] + [None] * 3
    assert "5009" in str(records[3].detail)
    assert "2000" in str(records[3].detail)


def test_a_document_over_the_limit_is_skipped() -> None:
    data = json.dumps([SESSION] * 20, indent=1).encode()
    assert codes(data + b"\n" + GOOD, limits=Limits(record_bytes=4000)) == ["TL011", None, None, None]


def test_a_frame_over_the_limit_is_skipped() -> None:
    big = b"".join(b"data: " + b"1" * 500 + b"\n" for _ in range(20)) + b"\n"
    assert codes(big + sse(EVENTS[:2]), limits=Limits(record_bytes=2000)) == ["TL011", None, None]


class Endless:
    def __init__(self, block: bytes) -> None:
        self.block = block

    def read(self, _: int) -> bytes:
        return self.block


@pytest.mark.parametrize(
    "block", [b"x" * 65536, b"[" * 65536, b'{"a":' * 9999, b"data: 1\n" * 9999, b"[1,\n" * 9999, b"\n" * 9999]
)
def test_endless_input_is_left_in_bounded_memory(block: bytes) -> None:
    tracemalloc.start()
    records = read(Endless(block), limits=Limits(record_bytes=50_000, total_bytes=500_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert records[-1].code == "TL011"
    assert peak < 20_000_000


def test_a_compression_bomb_is_stopped() -> None:
    bomb = gzip.compress(b" " * (70 * 1024 * 1024))
    records = read(bomb, limits=Limits(ratio=100))
    assert [record.code for record in records] == ["TL011"]


@pytest.mark.parametrize("depth", [201, 1500, 200_000])
def test_deep_values_are_skipped(depth: int) -> None:
    data = b'{"a":' * depth + b"1" + b"}" * depth
    assert codes(data + b"\n" + GOOD) == ["TL011", None, None, None]
    assert codes(b"[" * depth + b"]" * depth) == ["TL011"]


def test_a_wrapper_may_be_as_deep_as_the_limit() -> None:
    (record,) = read(b'{"a":' * 100 + LINE + b"}" * 100)
    assert record.kind is Kind.TURN_EVENT


@pytest.mark.parametrize(
    ("text", "value", "word"),
    [
        (b'{"a": NaN}', {"a": None}, "NaN"),
        (b'{"a": -Infinity}', {"a": None}, "Infinity"),
        (b'{"a": "x\xff"}', {"a": "x\\xff"}, "UTF-8"),
        (rb'{"a": "x\ud800"}', {"a": "x\\ud800"}, "surrogate"),
        (b'{"a": ' + b"9" * 400 + b"}", {"a": "9" * 400}, "number"),
        (b'{"a": 1e999}', {"a": "1e999"}, "number"),
        (b'{"a": "x\x01y\tz"}', {"a": "x\x01y\tz"}, "control"),
        (b'{"a": 1, "a": 2}', {"a": 2}, '"a" is given twice'),
        (b'{"a": 1, "b": {"c" : 1, "c" : 1}}', {"a": 1, "b": {"c": 1}}, '"c" is given twice'),
    ],
)
def test_what_is_bent_is_told(text: bytes, value: Any, word: str) -> None:
    (record,) = read(text)
    assert record.value == value
    assert record.kind is Kind.UNKNOWN
    assert word in record.doubts[0]
    orjson.dumps(record.value)


def test_clean_text_has_no_doubts() -> None:
    assert not any(record.doubts for record in read(jsonl([*EVENTS, {"a": '":" :', "b": [{"a": '\\":'}]}])))


PAGE = {"object": "list", "data": [USER, CALL, OUTPUT], "first_id": "item_0", "last_id": "item_2", "has_more": False}


@pytest.mark.parametrize("indent", [None, 1])
def test_a_truncated_array_gives_its_complete_records(indent: int | None) -> None:
    data = json.dumps(EVENTS, indent=indent).encode()
    start = data.index(b'"ev_6"')
    records = read(data[: start + 30])
    assert essence(records[:-1]) == essence(read(jsonl(EVENTS[:5])))
    assert records[-1].code == "TL002"
    for record in records[:-1]:
        assert json.JSONDecoder().raw_decode(data[record.origin.byte :].decode())[0] == record.value


@pytest.mark.parametrize("indent", [None, 1])
def test_a_truncated_bundle_gives_its_complete_records(indent: int | None) -> None:
    data = json.dumps({"session": SESSION, "turns": {"data": [TURN]}, "items": PAGE}, indent=indent).encode()
    records = read(data[: data.index(b'"item_2"')])
    assert [record.kind for record in records] == [
        Kind.SESSION,
        Kind.PAGE,
        Kind.TURN,
        Kind.PAGE,
        Kind.ITEM,
        Kind.ITEM,
        Kind.UNREADABLE,
    ]
    assert records[-1].code == "TL002"


def test_the_parts_of_a_torn_event_are_no_records() -> None:
    text = orjson.dumps({"turn": TURN, **EVENTS[2]})
    assert codes(text[:-3]) == ["TL002"]


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize(
    ("good", "bad"),
    [(b'"ev_4"', b"ev_4"), (b'"ev_4",', b'"ev_4"'), (b'"ev_4"', b'"ev_4'), (b'"ev_4"', b'"ev_4" ]'), (b'"ev_4"', b'{"ev_4"')],
)
def test_damage_in_an_array_costs_one_element(indent: int | None, good: bytes, bad: bytes) -> None:
    data = json.dumps(EVENTS, indent=indent).encode().replace(good, bad, 1)
    records = read(data)
    ids = [record.ids.event_id for record in records if not record.code]
    assert ids[:3] == ["ev_1", "ev_2", "ev_3"]
    assert len(ids) >= len(EVENTS) - 2
    assert ids[-1] == "ev_10"
    (bad_record,) = [record for record in records if record.code]
    assert bad_record.code == "TL001"
    assert data[bad_record.origin.byte :].startswith(b"{")


def test_json_goes_on_after_a_document_that_was_cut() -> None:
    data = json.dumps(EVENTS[:2], indent=1).encode()
    records = read(data[: data.index(b'"ev_2"')] + b"\n" + GOOD)
    assert [record.code for record in records] == [None, "TL001", None, None, None]


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/nowhere/at.all", "does not exist"),
        ("/dev/zero", "device"),
        ("a\0b", "no usable path"),
        ("x" * 5000, "cannot be read"),
    ],
)
def test_a_path_that_cannot_be_read(path: str, word: str) -> None:
    assert word in problem(path)


def test_a_directory_means_its_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("b/2.x", "1.txt", ".hidden", ".git/config"):
        (tmp_path / name).write_bytes(GOOD)
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dead").symlink_to(tmp_path / "nothing")
    (tmp_path / "again").symlink_to(tmp_path / "1.txt")
    os.mkfifo(tmp_path / "pipe")
    reading = Reading([tmp_path])
    assert len(list(reading)) == 6
    assert [info.name for info in reading.sources] == [f"{tmp_path}/1.txt", f"{tmp_path}/b/2.x"]


def test_a_directory_without_files(tmp_path: Path) -> None:
    assert "without a file" in problem(tmp_path)


def test_too_many_files(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / str(number)).write_bytes(GOOD)
    reading = Reading([tmp_path], limits=Limits(files=3))
    assert len(list(reading)) == 9
    assert "more than 3 files" in str(reading.sources[-1].problem)


def test_the_same_file_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(GOOD)
    assert len(read(path, str(path), tmp_path)) == 3


def test_a_pipe_that_is_named_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(GOOD,))
    writer.start()
    assert len(read(pipe)) == 3
    writer.join()


def test_a_stream_that_fails() -> None:
    class Failing:
        def __init__(self) -> None:
            self.blocks = [GOOD]

        def read(self, _: int) -> bytes:
            if self.blocks:
                return self.blocks.pop()
            raise OSError("gone")

    assert codes(Failing()) == [None, None, None, "TL002"]


@given(st.binary(max_size=400))
@settings(max_examples=400, deadline=None)
def test_random_bytes_never_raise(data: bytes) -> None:
    read(data)
    read(b"{" + data)
    read(b"data: " + data)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_mutilated_recordings_never_raise(data: st.DataObject) -> None:
    text = bytearray(
        data.draw(
            st.sampled_from([jsonl(EVENTS), sse(EVENTS), orjson.dumps(EVENTS), json.dumps([PAGE, SESSION], indent=1).encode()])
        )
    )
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        piece = data.draw(st.sampled_from([b"", b'"', b"{", b"}", b"[", b"]", b",", b"\n", b"\\", b"\xff", b"\r", b"NaN"]))
        text[at : at + data.draw(st.integers(0, 20))] = piece
    read(bytes(text))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["type", "data", "event", "object", "item", "id", "error", "events", "turn_id", "x"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
@settings(max_examples=300, deadline=None)
def test_every_value_ends_in_a_record(value: Any) -> None:
    assert len(read(orjson.dumps(value))) >= 1


def test_text_in_a_folder_is_no_fault_of_a_recording(tmp_path: Path) -> None:
    """A README beside recordings is told as a source, not as an unreadable record; named by itself it is one."""
    (tmp_path / "README.md").write_text("What this is.\n")
    listed = Reading([tmp_path])
    assert list(listed) == []
    assert "no JSON found" in (listed.sources[0].problem or "")
    named = Reading([tmp_path / "README.md"])
    assert [record.code for record in named] == ["TL001"]


def test_our_own_report_is_no_recording(tmp_path: Path) -> None:
    """It quotes what was recorded and proposes bodies to post; neither happened because it says so."""
    body = {"events": [{"type": "agent.session.input.tool_result", "turn_id": "turn_1", "call_id": "call_1", "success": True}]}
    report = {"schema": "tracelink.report/1", "sessions": [{"session_id": "sess_1", "next_actions": [{"body": body}]}]}
    (tmp_path / "report.json").write_text(json.dumps(report))
    assert [record.kind for record in Reading([tmp_path / "report.json"])] == [Kind.OBJECT]


def test_a_source_that_breaks_off_tells_it_once_with_its_place() -> None:
    """The record that it cut off is no second fault; what is left of it still says that it may have been a snapshot."""
    lines = b"".join(b'{"type": "agent.session.input.message", "input": "x%d"}\n' % number for number in range(2000))
    whole = lines + b'{"type": "agent.session.idle", "session": {"id": "' + b"s" * 50
    packed = gzip.compress(whole + bytes(range(256)) * 40)

    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            self.reads = getattr(self, "reads", 0) + 1
            if self.reads > 1:
                raise OSError(5, "Input/output error")
            return whole

    for source, said in ((packed[: len(packed) - 300], "is cut off"), (Broken(), "Input/output error")):
        (bad,) = [record for record in Reading([source]) if record.kind is Kind.UNREADABLE and record.code == "TL002"]
        assert said in (bad.detail or "")
        assert bad.origin.line > 0
    assert (bad.origin.line, bad.origin.byte, "agent.session.idle" in str(bad.value)) == (2001, len(whole), True)


def test_a_torn_tail_of_a_source_that_is_whole_is_told_by_itself() -> None:
    (bad,) = [one for one in Reading([b'{"type": "a"}\n{"type": "agent.sess']) if one.kind is Kind.UNREADABLE]
    assert (bad.code, bad.origin.line) == ("TL002", 2)
