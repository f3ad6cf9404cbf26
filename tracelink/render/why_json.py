"""Why an id is there, as JSON: `tracelink.why/1`, described by `why.schema.json` beside this file. Nothing is folded or cut."""

from typing import Any

from tracelink import __version__
from tracelink.model.run import Report
from tracelink.render.json import dump, finding_dict, location_dict, sources
from tracelink.render.story_json import origin_dict
from tracelink.story.why_values import Link, Why

SCHEMA = "tracelink.why/1"


def render(report: Report, why: Why) -> bytes:
    """UTF-8 JSON, indented by two, with a closing newline."""
    return dump(
        {
            "schema": SCHEMA,
            "tracelink": __version__,
            "as_of": report.run.as_of,
            "sources": sources(report.run),
            "session_id": why.session_id,
            "kind": why.kind,
            "id": why.id,
            "what": why.what,
            "facts": [{"name": name, "value": value} for name, value in why.facts],
            "seen": [{"as": word, "location": location_dict(at.location)} for word, at in why.seen],
            "before": [_link(link) for link in why.before],
            "after": [_link(link) for link in why.after],
            "findings": [finding_dict(finding) for finding in why.findings],
        }
    )


def _link(link: Link) -> dict[str, Any]:
    return {
        "text": link.text,
        "ids": link.ids,
        "location": origin_dict(link.at),
        "time": link.time,
        "clock": link.clock,
        "quoted": link.quoted,
    }
