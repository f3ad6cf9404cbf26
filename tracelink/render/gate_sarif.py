"""What the gate says as SARIF 2.1.0 and as GitHub annotations. A reason is a rule; block, warn and note are error, warning and note."""

import re
from pathlib import PurePath
from typing import Any

from tracelink import __version__
from tracelink.gate.judge import Judged, Reason
from tracelink.gate.reasons import REASONS
from tracelink.gate.reasons.declaration import SEVERITIES, Declaration
from tracelink.model.finding import Severity
from tracelink.model.location import Location
from tracelink.render.escape import escape, ident
from tracelink.render.github import COMMANDS, data, prop
from tracelink.render.json import dump
from tracelink.render.sarif import SCHEMA, artifact

_LINK, _PLACEHOLDER = re.compile(r"\](?=\()"), re.compile(r"\{(?=\d+\})")


def render(judged: Judged, names: list[str], here: PurePath) -> bytes:
    """UTF-8 JSON. names: the sources. here: the working directory; places below it are told relative to it."""
    return dump(as_dict(judged, names, here))


def as_dict(judged: Judged, names: list[str], here: PurePath) -> dict[str, Any]:
    index = {name: number for number, name in enumerate(REASONS)}
    driver = {
        "name": "tracelink",
        "version": __version__,
        "semanticVersion": __version__,
        "shortDescription": {"text": "Says whether recorded items may be sent to another provider."},
        "rules": [_rule(one) for one in REASONS.values()],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True}],
        "artifacts": [{"location": artifact(name, here)} for name in names],
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, index, here) for one in judged.reasons],
        "properties": {"profile": judged.profile, "sendable": judged.sendable},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(one: Declaration) -> dict[str, Any]:
    return {
        "id": one.code,
        "name": "".join(word.capitalize() for word in one.name.split("_")),
        "shortDescription": {"text": one.summary},
        "fullDescription": {"text": f"{one.summary} {one.proves}"},
        "help": {"text": f"{one.remedy} It does not prove: {one.cannot}"},
        "defaultConfiguration": {"level": one.severity.value},
        "properties": {"tags": ["replay", "open-responses"], "reason": one.name},
    }


def _result(one: Reason, index: dict[str, int], here: PurePath) -> dict[str, Any]:
    places = [_place(place, here) for place in one.locations]
    logical = [
        {"name": ident(id_), "kind": "member", "fullyQualifiedName": f"{name}={ident(id_)}"} for name, id_ in one.ids.items()
    ]
    if logical:
        places = places or [{}]
        places[0]["logicalLocations"] = logical
    result: dict[str, Any] = {
        "ruleId": REASONS[one.reason].code,
        "ruleIndex": index[one.reason],
        "level": SEVERITIES[one.severity].value,
        "kind": "fail",
        "message": {"text": _plain(f"{one.message} {one.remedy}")},
        "locations": places[:1],
        "properties": {"reason": one.reason, "basis": one.basis, "detail": one.detail, "ids": one.ids},
    }
    if places[1:]:
        result["relatedLocations"] = [place | {"id": number} for number, place in enumerate(places[1:], start=1)]
    return result


def _plain(recorded: str) -> str:
    return _PLACEHOLDER.sub("{{", _LINK.sub("] ", escape(recorded)))


def _place(location: Location, here: PurePath) -> dict[str, Any]:
    region: dict[str, Any] = {"byteOffset": location.byte}
    if location.line > 0:
        region["startLine"] = location.line
    return {"physicalLocation": {"artifactLocation": artifact(location.source, here), "region": region}}


def github(judged: Judged, here: PurePath) -> str:
    """One workflow command a reason, worst first; one notice where there is none."""
    if not judged.reasons:
        told = f"{len(judged.history.items)} items may be sent to {judged.profile}"
        return f"::notice title=tracelink gate::{data(told)}\n"
    ranked = sorted(judged.reasons, key=lambda one: SEVERITIES[one.severity].rank)
    return "".join(f"{_command(one, here)}\n" for one in ranked)


def _command(one: Reason, here: PurePath) -> str:
    properties = {}
    if one.locations and one.locations[0].source != "-":
        path = PurePath(one.locations[0].source)
        properties["file"] = (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
        if one.locations[0].line:
            properties["line"] = str(one.locations[0].line)
    properties["title"] = f"{REASONS[one.reason].code} {one.reason}"
    listed = ",".join(f"{name}={prop(value)}" for name, value in properties.items())
    return f"::{COMMANDS[Severity(SEVERITIES[one.severity])]} {listed}::{data(f'{one.message} → {one.remedy}')}"
