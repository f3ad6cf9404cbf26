"""Recordings on which the quick way of reading once said something else than the plain way, crashed, or took its time."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.read.ways import SESSION, answered, both, called, delta, ended, line, said, snapshot
from tracelink.fold import Fold, fold
from tracelink.fold import alike as facts
from tracelink.model.limits import Limits, MiB
from tracelink.model.record import Kind
from tracelink.read import FieldTable, Reading, alike, compression
from tracelink.read.alike import Alike, Rows
from tracelink.read.decode import given_twice
from tracelink.read.frame import JSONL, Frame
from tracelink.read.runs import Runs


@pytest.mark.parametrize(
    "item", [{"type": "message"}, {"type": []}, {"type": {}}, {}, {"type": "function_call", "arguments": {}}]
)
@pytest.mark.parametrize("type_", ["item.added", "created"])
def test_an_event_of_nothing(item: dict[str, Any], type_: str) -> None:
    both(json.dumps({"type": f"agent.session.turn.{type_}", "item": item}).encode(), report=True)
    both(json.dumps({"type": f"agent.session.turn.{type_}", "item": item, "turn": item}).encode(), report=True)


@pytest.mark.parametrize("rest", ["deltas", "snapshots", "calls"])
def test_a_line_that_is_cut_by_a_block_and_leaves_something_open(rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A torn one, or one of an event stream without the blank line behind it: what follows belongs to it."""
    make = {"deltas": delta, "snapshots": snapshot, "calls": called}[rest]
    taught = b"".join(line(make(n)) + b"\n" for n in range(6))
    more = b"".join(line(make(n)) + b"\n" for n in range(6, 9))
    for opening in (b'{"a": "' + b"x" * 300 + b'", "b": [1', b"data: " + line(snapshot(50, status="idle")), b"event: x"):
        data = taught + opening + b"\n" + more
        for block in range(len(taught) + 5, len(taught) + len(opening), max(1, len(opening) // 12)):
            monkeypatch.setattr(compression, "BLOCK", block)
            both(data)


def test_the_format_of_a_file_whose_form_another_file_taught(tmp_path: Path) -> None:
    one, two = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for make in (called, answered, ended, said):
        one.write_bytes(line(make(1)) + b"\n")
        two.write_bytes(b"\n" + line(make(2)) + b"\n")
        both(str(one), str(two))


def test_a_snapshot_over_two_lines_is_never_one_line() -> None:
    texts = [line(snapshot(n)).replace(b'"metadata": ', b'"metadata":\n') for n in range(20)]
    both(b"\n\n".join(texts) + b"\n")
    both(b"\n".join(line(snapshot(n)) for n in range(9)) + b"\n\n" + b"\n\n".join(texts) + b"\n", report=True)


@pytest.mark.parametrize("name", ["event_id", "last_active_at"])
def test_a_member_with_an_escaped_name_is_not_the_one_that_looks_like_it(name: str) -> None:
    """Not even where both say the same, until they do not."""
    rows = []
    for n in range(30):
        other = max(n, 12)
        one = snapshot(
            12 if name == "last_active_at" else n, metadata={name: f"evt_{other}" if name == "event_id" else 1790000001 + other}
        )
        one["event_id"] = "evt_12" if name == "event_id" else f"evt_{n}"
        text = line(one)
        own, metadata = text.index(f'"{name}"'.encode()), text.index(b'"metadata"')
        assert own < metadata < text.rindex(f'"{name}"'.encode())
        rows.append(text[: own + 1] + name.replace("_", "\\u005f", 1).encode() + text[own + 1 + len(name) :])
    both(b"\n".join(rows) + b"\n", report=True)


TWICE = {
    "blanks before the colons": (b'"type"  :', b'{"a":1,"a":2,"b"  :1}'),
    "a tab before a colon": (b'"type":', b'{"a":1,"a":2,"b"\t:1}'),
    "a space and a tab": (b'"type":', b'{"a":1,"a":2,"b"\t :1}'),
    "an escape that is a colon's quotation mark": (b'"type":', b'{"a":1,"a":"\\u0022:"}'),
    "an escape in a name": (b'"type":', b'{"a":1,"a":2,"\\u0022:":3}'),
}


@pytest.mark.parametrize("name", TWICE)
def test_a_member_given_twice_is_seen_in_the_whole_and_in_the_part(name: str) -> None:
    head, arguments = TWICE[name]
    assert given_twice(arguments, json.loads(arguments))
    rows = [line(called(n, arguments={"a": 1})).replace(b'"type":', head, 1) for n in range(6)]
    rows[4] = rows[4].replace(b'{"a": 1}', arguments)
    both(b"\n".join(rows) + b"\n", report=True)
    rows = [line(answered(n, error="none")).replace(b'"type":', head, 1) for n in range(6)]
    rows[4] = rows[4].replace(b'"none"', b'"\\u0022:"')
    both(b"\n".join(rows) + b"\n", report=True)
    agent = dict(SESSION["agent"]) if isinstance(SESSION["agent"], dict) else {}
    rows = [line(snapshot(n, agent=agent, usage=n)).replace(b'"type":', head, 1) for n in range(6)]
    rows[4] = rows[4].replace(b'"metadata": {', b'"metadata": {"x": ' + arguments + b", ")
    both(b"\n".join(rows) + b"\n", report=True)


@pytest.mark.parametrize(
    "text", ['{"a": "b : c"}', '{"a" : 1}', '{"a": "\\":"}', '{"a": "\\" :"}', '{"\\u0022": 1}', '{"a":\t1}', '{"a"\n:1}']
)
def test_nothing_is_given_twice_where_nothing_is(text: str) -> None:
    assert given_twice(text.encode(), json.loads(text)) == ()


@pytest.mark.parametrize("depth", [1015, 1018, 1019, 1020, 1021, 1022, 1023, 1024])
def test_a_line_deeper_than_the_decoder_goes(depth: int) -> None:
    rows = [line(called(n)) for n in range(5)]
    rows[3] = rows[3].replace(b'"limit": 3', b'"limit": ' + b"[" * depth + b"]" * depth)
    fast, plain = (Reading([b"\n".join(rows) + b"\n"], limits=Limits(depth=5000), skim=skim) for skim in (True, False))
    assert fold(fast.skimmed()).counts == fold(plain.skimmed()).counts  # the facts are too deep to be compared


def test_a_text_too_long_for_an_expression_teaches_nothing() -> None:
    learner = Alike(Limits(), FieldTable())
    for value in (called(1, status="x" * 2000), called(1) | {"x" * 2000: None}):
        learner.learn(Kind.ITEM_EVENT, line(value), value)
    raw = line(called(2)).replace(b'"item":', b'"item"' + b" " * 2000 + b":")
    learner.learn(Kind.ITEM_EVENT, raw, called(2))
    assert not learner.leads
    runs = Runs(Limits())
    raw = line(delta(1)).replace(b'"delta":', b'"delta"' + b" " * 9000 + b":")
    runs.learn(Frame(json.loads(raw), 1, 0, raw, JSONL))
    assert not runs.leads
    both(b"\n".join(line(called(n, status="x" * 5000)) for n in range(5)) + b"\n", report=True)


def test_a_line_without_a_form_is_held_against_a_few_and_soon_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = Alike(Limits(), FieldTable())
    for n in range(40):
        learner.learn(Kind.ITEM_EVENT, line(called(1, status=f"s{n}")), called(1, status=f"s{n}"))
    tried = itertools.count()

    def counted(match: Any) -> Any:
        def counting(*where: Any) -> "re.Match[str] | None":
            next(tried)
            found: re.Match[str] | None = match(*where)
            return found

        return counting

    monkeypatch.setattr(learner, "_forms", [form._replace(match=counted(form.match)) for form in learner._forms])
    block = line(called(1, status="none of them")) + b"\n"
    learner.find(block, 0, len(block), 0, Rows([], [], []))
    assert next(tried) <= 1 + alike._TRIED
    for _ in range(1000):
        learner.find(block, 0, len(block), 0, Rows([], [], []))
    assert next(tried) < (alike._MISSES + 1000 / alike._SELDOM + 2) * (1 + alike._TRIED)
    good = line(called(1, status="s37")) + b"\n"
    rows = Rows([], [], [])
    for _ in range(alike._SELDOM + 1):
        learner.find(good, 0, len(good), 0, rows)
    assert rows.bytes  # it is tried again, and then as always
    before = len(rows.bytes)
    learner.find(good, 0, len(good), 0, rows)
    assert len(rows.bytes) == before + 1


def test_examples_are_not_held_without_end(tmp_path: Path) -> None:
    """Every snapshot of a shape holds its session: those that are over are let go."""
    path = tmp_path / "one.jsonl"
    values = [snapshot(4 * n + k, metadata={"n": n}) for n in range(3 * facts.KEPT) for k in range(4)]
    path.write_bytes(b"\n".join(map(line, values)) + b"\n")
    folding = Fold().take(Reading([str(path)], skim=True).skimmed())
    assert len(folding._alike._known) <= facts.KEPT
    both(str(path))


def test_a_payload_is_remembered_only_where_it_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "BLOCK", MiB)
    learner = Alike(Limits(), FieldTable())
    values = [called(n, arguments={"a": ["x" * 500] * 10, "n": n}) for n in range(9)]
    learner.learn(Kind.ITEM_EVENT, line(values[0]), values[0])
    block = b"\n".join(map(line, values)) + b"\n"
    rows = Rows([], [], [])
    assert learner.find(block, 0, len(block), 0, rows) == len(block)
    assert not learner._payloads
    both(block)
