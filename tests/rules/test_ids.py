"""Which ids a finding names: they are its fingerprint in a baseline, an argument of `why`, and members of the JSON."""

from typing import Any

import pytest

import tracelink
from tests.rules.cases import RULES, TURN, Json, added, call, function, post, snapshot, told, turn, waiting
from tracelink.model.trace import Unlinkable
from tracelink.rules.tl7_secrets import tl701_secret_in_recording

PAIR = ("call_id", "turn_id")

NAMED: dict[tuple[str, ...], str] = {
    (): "TL001 TL002 TL007 TL009 TL011 TL701",
    ("last_id",): "TL004",
    ("event_id",): "TL005",
    ("session_id", "other_session_id"): "TL006",
    ("type",): "TL003",
    (*PAIR, "type"): "TL010",
    PAIR: "TL101 TL102 TL106 TL107 TL109 TL110 TL111 TL113 TL114 TL202 TL203 TL204 TL205 TL206 TL303 TL502 TL503 TL504",
    (*PAIR, "meant_turn_id"): "TL103",
    (*PAIR, "posted_call_id", "posted_turn_id"): "TL104 TL105",
    (*PAIR, "other_turn_id"): "TL108",
    (*PAIR, "meant_session_id"): "TL112",
    (*PAIR, "item_id", "other_item_id"): "TL115",
    ("posted_call_id", "request_id", "turn_id"): "TL116",
    (*PAIR, "item_id"): "TL201 TL207",
    ("error_code", "turn_id"): "TL301",
    ("error_code",): "TL302",
    ("turn_id",): "TL008 TL304 TL505",
    ("item_id", "turn_id"): "TL305",
    ("environment_id", "turn_id"): "TL306",
    (*PAIR, "error_code"): "TL307",
    ("agent_id", "item_id", "turn_id"): "TL401 TL402 TL405",
    ("item_id", "subagent_id", "turn_id"): "TL403",
    ("root_turn_id", "subagent_id", "turn_id"): "TL404",
    (*PAIR, "subagent_id"): "TL406",
    ("parent_agent_id", "subagent_id", "turn_id"): "TL407",
    ("subagent_id",): "TL408",
    (*PAIR, "tool_name"): "TL501",
}
NAMES = {code: set(names) for names, codes in NAMED.items() for code in codes.split()}


@pytest.mark.parametrize("folder", sorted(RULES.iterdir()), ids=lambda folder: folder.name)
def test_the_ids_of_a_finding(folder: Any) -> None:
    (path,) = folder.glob("fires.*")
    (finding,) = [one for one in tracelink.report(path).all_findings() if one.name == folder.name]
    assert set(finding.ids) == NAMES[finding.code]
    recorded = path.read_text(errors="replace")
    assert all(value in recorded for value in finding.ids.values())


def unchecked(*rows: Json) -> list[Unlinkable]:
    (one,) = told(*rows).sessions
    return list(one.not_checked)


@pytest.mark.parametrize(
    ("parameters", "why"),
    [
        ({"$ref": "https://harbour.example/gauge"}, "its schema refers to another place"),
        ({"$ref": "#"}, "its schema is broken or endless"),
        ({"required": "gauge"}, "its schema is no valid JSON Schema"),
    ],
)
def test_the_ids_of_arguments_that_were_not_checked(parameters: Json, why: str) -> None:
    """The first call of the tool, and the place of its arguments, once."""
    tools = [function(parameters=parameters)]
    (one,) = unchecked(snapshot("created", tools=tools), turn("created"), added(call()), added(call("call_ebb2")))
    assert (one.what, one.why, one.ids) == ("the arguments of read_gauge", why, {"call_id": "call_ebb1", "turn_id": TURN})
    assert one.at is not None
    assert one.at.location.line == 3


def test_what_was_not_scanned_has_no_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tl701_secret_in_recording, "scanner", lambda: None)
    (one,) = unchecked(*waiting(call()), post(value="a7Bq" * 10))
    assert (one.what, one.ids) == ("credentials of others than OpenAI", {})
    assert "a posted tool_result for call_ebb1 was not looked at" in one.why
    assert one.at is not None
    assert one.at.location.line == 7
