"""What a repaired file holds, and what the gate says when it reads that file again.

The idea: nothing is claimed of the new file but what is read in it. Where something of the recording is missing and pairs hang on it, the
file says so too, in the word that list pages have for it (`has_more`), or a second repair would take for proven what is not.
"""

from dataclasses import replace
from typing import Any

import orjson

from tracelink.gate import exact
from tracelink.gate.history import read_history
from tracelink.gate.item import NOT_PROVABLE, TEXT_INPUT, History, Problem
from tracelink.gate.judge import Judged, judge
from tracelink.gate.schemas import Checker
from tracelink.model.limits import Limits
from tracelink.read import Values


def written(judged: Judged) -> Any:
    """The request with its new `input` where the history came as one (a text stays a text), else the list of items.

    Where pairs are left that a gap may explain, a list page with `has_more`, or a request with that member. Where arguments are left that
    break a schema of the recording, the schemas are beside the items.
    """
    history = judged.history
    items = [item.value for item in history.items]
    body = dict(history.body or {})
    reasons = {one.reason for one in judged.reasons}
    if "arguments_schema" in reasons and "tools" not in body:
        body["tools"] = [_tool(name, schema) for name, schema in (history.tools or {}).items()]
    missing = {"has_more": True} if any(one.detail == NOT_PROVABLE for one in judged.reasons) else {}
    if body:
        return body | {"input": items[0]["content"] if still_text(history) else items} | missing
    return {"object": "list", "data": items} | missing if missing else items


def still_text(history: History) -> bool:
    """Whether the history is a request whose `input` is a text, and nothing else."""
    return history.body is not None and [item.changes for item in history.items] == [(TEXT_INPUT,)]


def _tool(name: str, schema: Any) -> dict[str, Any]:
    return {"type": "function", "name": name} | ({"parameters": schema} if schema is not None else {})


def as_text(value: Any) -> bytes:
    """UTF-8 JSON, indented by two, with a closing newline; numbers and texts as they were written in the recording."""
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_PASSTHROUGH_SUBCLASS)
    except (TypeError, RecursionError):
        return exact.dumps(value, 2).encode("utf-8", "backslashreplace") + b"\n"


def read_again(judged: Judged, checker: Checker | None) -> Judged:
    """The judgement of what would be written. Places and numbers of the items stay those of the recording."""
    before = judged.history
    data = as_text(written(judged))
    again = read_history(Values([data], limits=Limits(record_bytes=max(len(data) + 1, Limits().record_bytes))))
    if len(again.items) != len(before.items):
        return judged  # nothing that a reader would take for a history
    items = tuple(
        replace(new, location=old.location, index=old.index) for new, old in zip(again.items, before.items, strict=True)
    )
    history = replace(
        before,
        items=items,
        responses=(),
        remarks=tuple(_placed(one, before) for one in again.remarks),
    )
    return judge(history, judged.profile, checker)


def _placed(remark: Problem, before: History) -> Problem:
    """A remark on the new file, with the places of the recording that it stands for."""
    places = tuple(place for one in before.remarks if one.reason == remark.reason for place in one.locations)
    return replace(remark, locations=places)
