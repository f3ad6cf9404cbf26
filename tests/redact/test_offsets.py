"""Where the records of a damaged text stand: found in work that grows with the text and not with its square."""

import json
from typing import Any

import pytest

from tracelink.model.limits import Limits
from tracelink.read import places
from tracelink.read.context import NOTHING
from tracelink.read.frame import Frame
from tracelink.read.jsonl import frames
from tracelink.read.lines import lines
from tracelink.read.unwrap import Unwrapper
from tracelink.redact.sources import _offsets


def torn(count: int) -> bytes:
    """A page of so many items, cut off in the last."""
    items = [
        {"type": "function_call", "id": f"item_{at}", "turn_id": "turn_1", "call_id": f"call_{at}", "arguments": {"at": [at]}}
        for at in range(count)
    ]
    return json.dumps({"object": "list", "data": items, "has_more": False}).encode()[:-40]


class Counted(bytes):
    """Bytes that count how many of them were decoded."""

    spent = 0

    def decode(self, *arguments: Any, **options: Any) -> str:
        Counted.spent += len(self)
        return super().decode(*arguments, **options)


def work(raw: bytes, patch: pytest.MonkeyPatch) -> tuple[int, dict[Any, int]]:
    """Bytes decoded and walked over, and what was found."""
    (frame,) = [one for one in frames(lines([raw], 1 << 30, 0), Limits()) if isinstance(one, Frame)]
    assert frame.repaired is not None
    found = Unwrapper(lambda text: iter(())).find(frame.repaired.value, NOTHING, None, frame.repaired.open)
    Counted.spent = 0
    scan = places.scan

    def counted(text: str, at: int) -> Any:
        value, end = scan(text, at)
        Counted.spent += end - at
        return value, end

    with patch.context() as patched:
        patched.setattr(places, "scan", counted)
        at = _offsets(frame._replace(raw=Counted(frame.raw)), found)
    return Counted.spent, at


def test_a_torn_page_costs_no_more_than_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    for count in (50, 400):
        raw = torn(count)
        spent, at = work(raw, monkeypatch)
        assert spent <= 3 * len(raw)
        assert len(at) >= count - 1


def test_every_record_is_found_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = torn(5).replace(b'"data": [', b'"data": [  ')
    _, at = work(raw, monkeypatch)
    records = {path: start for path, start in at.items() if len(path) == 2 and path[0] == "data"}
    assert len(records) == 4
    for (_, number), start in records.items():
        assert raw[start:].startswith(b'{"type": "function_call", "id": "item_%d"' % number)


def test_records_within_a_sound_wrapper_of_a_torn_list(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapped = [{"at": 1, "body": {"type": "function_call", "id": f"i{n}", "call_id": "c", "turn_id": "t"}} for n in range(3)]
    raw = json.dumps(wrapped, indent=1).encode()[:-30]
    _, at = work(raw, monkeypatch)
    assert raw[at[1, "body"] :].startswith(b'{\n   "type": "function_call",\n   "id": "i1"')
