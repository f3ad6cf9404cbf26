"""The outcome of `check` as SARIF 2.1.0 (OASIS), for code-scanning services.

Plain dictionaries, held to the published schema by the tests: of the model libraries one is of 2019 and the other costs more
start-up time than most runs. What a viewer would obey in a message (a placeholder, a link) is taken out of recorded text;
where the places are, is told by line and by byte, and the ids stand as logical locations, which survive a new recording.
"""

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from tracelink import __version__
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Location
from tracelink.policy import Counted, Outcome
from tracelink.policy.fingerprint import VERSION
from tracelink.render.escape import escape, ident
from tracelink.render.json import dump
from tracelink.render.rule_page import FAMILIES, family, markdown, text
from tracelink.rules import Rule, rules

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
PRECISION = {Confidence.HIGH: "high", Confidence.MEDIUM: "medium", Confidence.LOW: "low"}
RANK = {Confidence.HIGH: 90.0, Confidence.MEDIUM: 60.0, Confidence.LOW: 30.0}
PROBLEM = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "recommendation"}
LOGICAL = ("turn_id", "call_id", "request_id", "subagent_id", "agent_id", "environment_id", "item_id")
"""The ids that name a part of a session, the larger part first."""
LINK = re.compile(r"\](?=\()")
PLACEHOLDER = re.compile(r"\{(\d+)\}")


def render(outcome: Outcome, here: PurePath) -> bytes:
    """UTF-8 JSON. here: the working directory; places below it are told relative to it."""
    return dump(as_dict(outcome, here))


def as_dict(outcome: Outcome, here: PurePath) -> dict[str, Any]:
    index = {rule.code: number for number, rule in enumerate(rules())}
    baseline = outcome.policy.baseline is not None
    driver = {
        "name": "tracelink",
        "version": __version__,
        "semanticVersion": __version__,
        "shortDescription": {"text": "Says from recordings of an OpenAI Agents API session what does not fit together."},
        "rules": [_rule(rule) for rule in rules()],
    }
    problems = [source for source in outcome.report.run.sources if source.problem]
    run = {
        "tool": {"driver": driver},
        "invocations": [
            {
                "executionSuccessful": not problems or len(problems) < len(outcome.report.run.sources),
                "toolExecutionNotifications": [
                    {
                        "level": "error",
                        "message": _message(source.problem or ""),
                        "locations": [{"physicalLocation": {"artifactLocation": artifact(source.name, here)}}],
                    }
                    for source in problems
                ],
            }
        ],
        "artifacts": [{"location": artifact(source.name, here)} for source in outcome.report.run.sources],
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, index, baseline, here) for one in outcome.counted],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    tags = [FAMILIES.get(family(rule), family(rule)), "agents-api"]
    if family(rule) == "TL7":
        tags.append("security")
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary} {rule.proves}"},
        "help": {"text": text(rule), "markdown": markdown(rule)},
        "defaultConfiguration": {"level": rule.severity.value, "rank": RANK[rule.confidence]},
        "properties": {"tags": tags, "precision": PRECISION[rule.confidence], "problem.severity": PROBLEM[rule.severity]},
    }


def _result(one: Counted, index: dict[str, int], baseline: bool, here: PurePath) -> dict[str, Any]:
    finding = one.finding
    hint = f" {finding.hint}" if finding.hint else ""
    places = [_place(location, here) for location in finding.locations]
    logical = list(_logical(finding))
    if logical:
        if not places:
            places.append({})
        places[0]["logicalLocations"] = logical
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index[finding.code],
        "level": finding.severity.value,
        "kind": "fail",
        "rank": RANK[finding.confidence],
        "message": _message(finding.message + hint),
        "locations": places[:1],
        "partialFingerprints": {VERSION: one.fingerprint},
        "properties": {"confidence": finding.confidence.value, "session_id": finding.session_id, "ids": finding.ids},
    }
    if places[1:]:
        result["relatedLocations"] = [place | {"id": number} for number, place in enumerate(places[1:], start=1)]
    if baseline:
        result["baselineState"] = "unchanged" if one.known else "new"
    if one.known:
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": "It is in the baseline."}]
    return result


def _message(recorded: str) -> dict[str, str]:
    return {"text": PLACEHOLDER.sub(r"{{\1}}", LINK.sub("] ", escape(recorded)))}


def _place(location: Location, here: PurePath) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": artifact(location.source, here)}
    region = {"byteOffset": location.byte}
    if location.line > 0:
        region["startLine"] = location.line
    physical["region"] = region
    place: dict[str, Any] = {"physicalLocation": physical}
    if location.event_id is not None:
        place["properties"] = {"event_id": location.event_id}
    return place


def artifact(source: str, here: PurePath) -> dict[str, Any]:
    """A source as an artifact location: relative to the working directory where it lies below it, else a file URI."""
    if source == "-":
        return {"uri": "stdin", "description": {"text": "standard input"}}
    path = PurePath(source)
    if path.is_absolute():
        if not path.is_relative_to(here):
            return {"uri": "file://" + _quoted(f"/{path.as_posix().lstrip('/')}")}
        path = path.relative_to(here)
    return {"uri": _quoted(path.as_posix())}


def _quoted(path: str) -> str:
    try:
        name = path.encode("utf-8", "surrogateescape")  # undecodable bytes of a file's name stay those bytes
    except UnicodeEncodeError:
        name = path.encode("utf-8", "surrogatepass")
    return quote(name, safe="/")


def _logical(finding: Finding) -> Iterator[dict[str, Any]]:
    """The session and the ids in it, from the whole to the part."""
    if finding.session_id is None:
        return
    path = ident(finding.session_id)
    yield {"name": ident(finding.session_id), "fullyQualifiedName": path, "kind": "session"}
    for name in LOGICAL:
        if name in finding.ids:
            shown = ident(finding.ids[name])
            path = f"{path}/{shown}"
            yield {"name": shown, "fullyQualifiedName": path, "kind": name.removesuffix("_id")}
