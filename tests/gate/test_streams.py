"""Streams built with the openai package's own types come out as the items that went in, whatever is left out, mixed or renamed."""

import json
import random
import types
import typing
from typing import Any

import pytest

from tests.gate.examples import lines
from tracelink.gate import judge, read_history
from tracelink.read import Values

openai = pytest.importorskip("openai")

from openai.types import responses as wire  # noqa: E402
from openai.types.responses import response as whole  # noqa: E402

ITEMS: list[Any] = [
    wire.ResponseReasoningItem(id="rs_1", type="reasoning", summary=[{"type": "summary_text", "text": "think"}]),
    wire.ResponseFunctionToolCall(
        id="fc_1", type="function_call", call_id="call_1", name="f", arguments='{"a": 1}', status="completed"
    ),
    wire.ResponseFunctionToolCall(
        id="fc_2", type="function_call", call_id="call_2", name="g", arguments="{}", status="completed"
    ),
    wire.ResponseCustomToolCall(id="ctc_1", type="custom_tool_call", call_id="call_3", name="x", input="ls -l"),
    wire.ResponseOutputMessage(
        id="msg_1",
        type="message",
        role="assistant",
        status="completed",
        content=[{"type": "output_text", "text": "done", "annotations": []}],
    ),
]


def dump(model: Any) -> dict[str, Any]:
    found: dict[str, Any] = model.model_dump(mode="json", exclude_none=True)
    return found


def response(status: str, output: list[Any] | None = None, id_: str = "resp_1") -> Any:
    return whole.Response.model_construct(
        id=id_, object="response", created_at=1, model="m", status=status, output=output or [], tools=[]
    )


class Maker:
    """Makes events with rising sequence numbers."""

    def __init__(self) -> None:
        self.number = -1
        self.events: list[dict[str, Any]] = []

    def add(self, model: type[Any], type_: str, **members: Any) -> None:
        self.number += 1
        built = (
            model.model_validate({"type": type_, "sequence_number": self.number, **members})
            if "response" not in members
            else None
        )
        event = (
            dump(built)
            if built is not None
            else {"type": type_, "sequence_number": self.number, "response": dump(members["response"])}
        )
        if built is not None and "item" in members:
            event["item"] = members["item"]  # as it was, without what the model would add
        self.events.append(event)

    def item(self, index: int, item: dict[str, Any]) -> None:
        """added, pieces, done of one item."""
        skeleton = dict(item) | ({"status": "in_progress"} if "status" in item else {})
        text = {"function_call": "arguments", "custom_tool_call": "input"}.get(item["type"])
        if text is not None:
            skeleton[text] = ""
        if item["type"] == "message":
            skeleton["content"] = []
        place = {"output_index": index, "item_id": item["id"]}
        self.add(wire.ResponseOutputItemAddedEvent, "response.output_item.added", output_index=index, item=skeleton)
        if item["type"] == "function_call":
            for piece in item["arguments"]:
                self.add(
                    wire.ResponseFunctionCallArgumentsDeltaEvent, "response.function_call_arguments.delta", delta=piece, **place
                )
            self.add(
                wire.ResponseFunctionCallArgumentsDoneEvent,
                "response.function_call_arguments.done",
                arguments=item["arguments"],
                name=item["name"],
                **place,
            )
        elif item["type"] == "custom_tool_call":
            self.add(
                wire.ResponseCustomToolCallInputDeltaEvent,
                "response.custom_tool_call_input.delta",
                delta=item["input"],
                **place,
            )
            self.add(
                wire.ResponseCustomToolCallInputDoneEvent, "response.custom_tool_call_input.done", input=item["input"], **place
            )
        elif item["type"] == "message":
            text_ = item["content"][0]["text"]
            self.add(
                wire.ResponseTextDeltaEvent, "response.output_text.delta", content_index=0, delta=text_, logprobs=[], **place
            )
            self.add(wire.ResponseTextDoneEvent, "response.output_text.done", content_index=0, text=text_, logprobs=[], **place)
        self.add(wire.ResponseOutputItemDoneEvent, "response.output_item.done", output_index=index, item=item)


def stream(items: list[dict[str, Any]], final: bool = True, end: bool = True) -> list[dict[str, Any]]:
    maker = Maker()
    maker.add(wire.ResponseCreatedEvent, "response.created", response=response("in_progress"))
    for index, item in enumerate(items):
        maker.item(index, item)
    if end:
        maker.add(wire.ResponseCompletedEvent, "response.completed", response=response("completed", items if final else []))
    return maker.events


def sse(events: list[dict[str, Any]], named: bool = True, typed: bool = True) -> bytes:
    text = ""
    for event in events:
        shown = event if typed else {key: member for key, member in event.items() if key != "type"}
        text += (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(shown)}\n\n"
    return (text + "data: [DONE]\n\n").encode()


def read(data: bytes) -> Any:
    return read_history(Values([data]))


EXPECTED = [dump(item) for item in ITEMS]
FORMS = {
    "jsonl": lines,
    "sse": lambda *events: sse(list(events)),
    "sse without names": lambda *events: sse(list(events), named=False),
    "sse with the type in the event line": lambda *events: sse(list(events), typed=False),
    "array": lambda *events: json.dumps(events).encode(),
    "wrapped": lambda *events: lines(*({"ts": 1, "event": event} for event in events)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("final", [True, False])
def test_what_went_in_comes_out(form: str, final: bool) -> None:
    history = read(FORMS[form](*stream(EXPECTED, final)))
    assert [item.value for item in history.items] == EXPECTED
    assert all(item.done for item in history.items)
    assert history.remarks == ()
    assert [one.status for one in history.responses] == ["completed"]


def test_only_the_pieces_are_there() -> None:
    """Without any done event the arguments are known from the pieces, and the call may not be executed."""
    call = EXPECTED[1]
    events = [event for event in stream([call], end=False) if not event["type"].endswith(".done")]
    history = read(lines(*events))
    assert history.items[0].value == call | {"status": "in_progress"}
    assert not history.items[0].done
    judged = judge(history)
    assert judged.verdicts[0].verdict == "status"
    assert {"stream_unfinished", "status"} <= {one.reason for one in judged.reasons}


def test_an_item_announced_and_never_done_is_in_progress_though_the_response_says_completed() -> None:
    call = EXPECTED[1]
    events = [event for event in stream([call], final=False) if event["type"] != "response.output_item.done"]
    assert [verdict.verdict for verdict in judge(read(lines(*events))).verdicts] == ["status"]


def test_the_final_list_alone_makes_an_item_done() -> None:
    call = EXPECTED[1]
    events = [event for event in stream([call]) if event["type"] != "response.output_item.done"]
    assert [verdict.verdict for verdict in judge(read(lines(*events))).verdicts] == ["ok"]


@pytest.mark.parametrize("seed", range(5))
def test_ids_that_change_with_every_event_are_one_item(seed: int) -> None:
    events = stream(EXPECTED, final=seed % 2 == 0)
    for number, event in enumerate(events):
        if "item_id" in event:
            event["item_id"] = f"opaque_{seed}_{number}"
        if "item" in event:
            event["item"] = event["item"] | {"id": f"opaque_{seed}_{number}i"}
        if "response" in event:
            event["response"]["id"] = f"opaque_{number}r"
            event["response"]["output"] = [
                one | {"id": f"o{number}_{at}"} for at, one in enumerate(event["response"]["output"])
            ]
    history = read(lines(*events))
    bare = [{key: member for key, member in item.value.items() if key != "id"} for item in history.items]
    assert bare == [{key: member for key, member in item.items() if key != "id"} for item in EXPECTED]
    assert {one.reason for one in history.remarks} == {"ids_rotate"}
    assert len(history.responses) == 1


def test_one_index_for_two_items_is_two_items() -> None:
    """Some servers send output_index 0 for a message and a reasoning item alike."""
    events = stream([EXPECTED[0], EXPECTED[4]], final=False)
    for event in events:
        if "output_index" in event:
            event["output_index"] = 0
    assert [item.value for item in read(lines(*events)).items] == [EXPECTED[0], EXPECTED[4]]


def test_items_are_sorted_by_index_where_they_were_done_out_of_order() -> None:
    events = stream(EXPECTED, final=False)
    groups: dict[int, list[Any]] = {}
    for event in events[1:-1]:
        groups.setdefault(event["output_index"], []).append(event)
    order = list(groups)
    random.Random(3).shuffle(order)  # noqa: S311
    mixed = [events[0], *(event for index in order for event in groups[index]), events[-1]]
    assert [item.value for item in read(lines(*mixed)).items] == EXPECTED


def test_a_replay_after_a_reconnect_adds_nothing() -> None:
    events = stream(EXPECTED)
    history = read(lines(*events[:9], *events))
    assert [item.value for item in history.items] == EXPECTED


def test_two_responses_in_one_file_are_two() -> None:
    first, second = stream([EXPECTED[1]]), stream([EXPECTED[4]])
    for event in second:
        if "response" in event:
            event["response"]["id"] = "resp_2"
    history = read(lines(*first, *second))
    assert [item.response for item in history.items] == [0, 1]
    assert [item.value for item in history.items] == [EXPECTED[1], EXPECTED[4]]


def test_unknown_events_and_errors_are_no_items() -> None:
    events = stream([EXPECTED[4]])
    extra = [{"type": "response.made_up.delta", "delta": "x"}, {"type": "response.audio.delta", "delta": "x"}]
    failed = {"type": "error", "code": "server_error", "message": "m", "param": None, "sequence_number": 99}
    history = read(lines(*events[:2], *extra, *events[2:-1], failed))
    assert [item.value for item in history.items] == [EXPECTED[4]]
    assert history.errors == ("server_error",)


@pytest.mark.parametrize("nulls", [True, False])
def test_a_dump_of_the_response_object(nulls: bool) -> None:
    value = response("completed", ITEMS).model_dump(mode="json", exclude_none=not nulls)
    judged = judge(read(json.dumps(value).encode()))
    assert [verdict.verdict for verdict in judged.verdicts] == [
        "not_function_call",
        "ok",
        "ok",
        "not_function_call",
        "not_function_call",
    ]
    assert {one.reason for one in judged.reasons if one.severity == "block"} == {"missing_output", "provider_bound"}


def _value(kind: Any) -> Any:
    """The least value of a type, by what the type says of itself."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return inner[0]
    if origin is typing.Annotated:
        return _value(inner[0])
    if origin in (typing.Union, types.UnionType):
        return None if type(None) in inner else _value(inner[0])
    if origin in (list, dict):
        return origin()
    if isinstance(kind, type) and hasattr(kind, "model_fields"):
        return {name: _value(one.annotation) for name, one in kind.model_fields.items() if one.is_required()}
    return {int: 0, float: 0.0, str: "x", bool: False}.get(kind)


def _events() -> list[dict[str, Any]]:
    union = typing.get_args(wire.ResponseStreamEvent)[0]
    return [_value(one) for one in typing.get_args(union)]


def test_the_union_of_events_is_known_by_its_types() -> None:
    made = _events()
    assert len(made) > 40
    assert all(isinstance(event["type"], str) for event in made)
    assert {"response.created", "response.output_item.done", "response.completed", "error"} <= {event["type"] for event in made}


@pytest.mark.parametrize("event", _events(), ids=lambda event: event["type"])
def test_every_event_of_the_union_goes_through(event: dict[str, Any]) -> None:
    """Each kind of event between those of a stream: it is taken for an event, and what says nothing of items changes none."""
    ours = ("response.created", "response.queued", "response.in_progress", "response.completed", "response.failed",
            "response.incomplete", "response.output_item.added", "response.output_item.done", "error")  # fmt: skip
    events = stream(EXPECTED)
    history = read(lines(*events[:4], event | {"sequence_number": 3}, *events[4:]))
    assert history.shapes == {"event": len(events) + 1}
    if event["type"] not in ours:
        assert [item.value for item in history.items] == EXPECTED
        assert history.remarks == ()
