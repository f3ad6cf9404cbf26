"""Run states and run items of the Agents SDKs → items. The Python SDK keeps wire items; the JavaScript one has a form of its own."""

from typing import Any

from tracelink.gate.item import Item
from tracelink.gate.kinds import CALL, MESSAGE, OUTPUT, REASONING, text
from tracelink.model.location import Location
from tracelink.read.places import Path

_PARTS = {"image": "input_image", "file": "input_file", "text": "input_text"}


def state_items(state: dict[str, Any]) -> list[tuple[Any, Path]]:
    """The raw items of a run state in order, each with its path: the original input, then what the run made."""
    found: list[tuple[Any, Path]] = []
    for name in ("originalInput", "original_input"):
        given = state.get(name)
        if isinstance(given, str):
            found.append(({"type": MESSAGE, "role": "user", "content": given}, (name,)))
        elif isinstance(given, list):
            found.extend((item, (name, index)) for index, item in enumerate(given))
    made: list[tuple[Any, Path]] = []
    for name in ("generatedItems", "generated_items"):
        for index, item in enumerate(_listed(state, name)):
            for raw in ("rawItem", "raw_item"):
                if isinstance(item, dict) and isinstance(item.get(raw), dict):
                    made.append((item[raw], (name, index, raw)))
    if not made:
        for name in ("modelResponses", "model_responses"):
            for index, response in enumerate(_listed(state, name)):
                output = response.get("output") if isinstance(response, dict) else None
                if isinstance(output, list):
                    made.extend((item, (name, index, "output", number)) for number, item in enumerate(output))
    return found + made


def _listed(state: dict[str, Any], name: str) -> list[Any]:
    found = state.get(name)
    return found if isinstance(found, list) else []


def wire(value: Any, location: Location) -> Item:
    """A raw item as the wire has it. The JavaScript SDK's names (`callId`, `function_call_result`) are translated and that is told."""
    if not isinstance(value, dict) or not (
        "callId" in value or "providerData" in value or value.get("type") in ("function_call_result", "hosted_tool_call")
    ):
        return Item(value, location)
    changes: list[str] = []
    item: dict[str, Any] = {}
    for name, member in value.items():
        if name == "providerData":
            changes.append("providerData falls away")
        elif name == "callId":
            item["call_id"] = member
            changes.append("callId becomes call_id")
        else:
            item[name] = member
    if item.get("type") == "function_call_result":
        item = {"type": OUTPUT, "call_id": item.get("call_id"), "output": _output(item.get("output"))}
        changes.append("function_call_result becomes function_call_output")
    elif item.get("type") == REASONING and isinstance(item.get("content"), list):
        texts = [part["text"] for part in item["content"] if isinstance(part, dict) and isinstance(part.get("text"), str)]
        item = {key: member for key, member in item.items() if key not in ("content", "rawContent")}
        item["summary"] = [{"type": "summary_text", "text": one} for one in texts]
        changes.append("content becomes summary")
    elif item.get("type") == CALL:
        item = {key: item[key] for key in ("type", "id", "call_id", "name", "arguments", "status") if item.get(key) is not None}
    return Item(item, location, changes=tuple(changes))


def _output(value: Any) -> Any:
    if isinstance(value, dict) and value.get("type") == "text" and isinstance(value.get("text"), str):
        return value["text"]
    if isinstance(value, list):
        return [_part(part) for part in value]
    return value


def _part(part: Any) -> Any:
    kind = text(part, "type")
    if kind in _PARTS and isinstance(part, dict):
        return part | {"type": _PARTS[kind]}
    return part
