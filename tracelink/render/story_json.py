"""Parts of stories as JSON: origins, moments, points. What `postmortem`, `timeline` and `why` have in common."""

from typing import Any

from tracelink.model.location import Origin
from tracelink.render.json import location_dict
from tracelink.story.values import Moment, Point


def origin_dict(at: Origin | None) -> dict[str, Any] | None:
    return None if at is None else location_dict(at.location)


def moment_dict(one: Moment) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "what": one.what,
        "turn_id": one.turn_id,
        "agent_id": one.agent_id,
        "ids": one.ids,
        "time": one.time,
        "clock": one.clock,
        "location": location_dict(one.at.location),
        "quoted": one.quoted,
        "progress": one.progress,
        "loud": one.loud,
    }


def point_dict(point: Point | None) -> dict[str, Any] | None:
    if point is None:
        return None
    at = location_dict(point.at.location)
    return {"position": point.position, "time": point.time, "clock": point.clock, "location": at}
