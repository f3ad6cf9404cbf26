"""Two recordings side by side, as JSON: `tracelink.diff/1`, described by `diff.schema.json` beside this file. Nothing is folded or cut."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tracelink import __version__
from tracelink.compare.values import Comparison, Difference, Parting, Step
from tracelink.compare.verdicts import status_of
from tracelink.model.location import Location
from tracelink.model.run import Run, SessionReport
from tracelink.render.json import dump, location_dict, sources

SCHEMA = "tracelink.diff/1"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What `diff` found: two runs, the sessions that were compared, and the sessions that only one of them has."""

    a: Run
    b: Run
    only: str | None
    sessions: tuple[Comparison, ...]
    only_in_a: tuple[SessionReport, ...] = ()
    only_in_b: tuple[SessionReport, ...] = ()

    @property
    def same(self) -> bool:
        return not (self.only_in_a or self.only_in_b or any(one.differences for one in self.sessions))


def render(outcome: Outcome) -> bytes:
    """UTF-8 JSON, indented by two, with a closing newline."""
    return dump(
        {
            "schema": SCHEMA,
            "tracelink": __version__,
            "only": outcome.only,
            "same": outcome.same,
            "a": {"as_of": outcome.a.as_of, "sources": sources(outcome.a)},
            "b": {"as_of": outcome.b.as_of, "sources": sources(outcome.b)},
            "sessions": [_comparison(one) for one in outcome.sessions],
            "only_in_a": [one.trace.session_id for one in outcome.only_in_a],
            "only_in_b": [one.trace.session_id for one in outcome.only_in_b],
        }
    )


def _comparison(one: Comparison) -> dict[str, Any]:
    return {
        "a": _side(one.a),
        "b": _side(one.b),
        "matched_by": one.by,
        "same": not one.differences,
        "counts": {name: {"a": tally.a, "b": tally.b, "matched": tally.matched} for name, tally in one.tallies.items()},
        "parting": _parting(one.parting),
        "differences": _differences(one.differences),
        "not_compared": [
            {"kind": each.kind, "field": each.field, "recorded_in": each.side, "ids": each.ids} for each in one.untold
        ],
    }


def _side(report: SessionReport) -> dict[str, Any]:
    return {
        "session_id": report.trace.session_id,
        "status": status_of(report.trace),
        "awaits": report.verdict.awaits,
        "stall": report.stall.kind,
    }


def _parting(parting: Parting | None) -> dict[str, Any] | None:
    if parting is None:
        return None
    after = None if parting.after is None else {"a": _step(parting.after[0]), "b": _step(parting.after[1])}
    return {"a": _step(parting.a), "b": _step(parting.b), "after": after}


def _step(step: Step) -> dict[str, Any]:
    return {"what": step.what, "location": _place(step.at)}


def _place(at: Location | None) -> dict[str, Any] | None:
    return None if at is None else location_dict(at)


def _differences(found: Sequence[Difference]) -> list[dict[str, Any]]:
    return [
        {
            "kind": one.kind,
            "what": one.what,
            "field": one.field or None,
            "name": one.name,
            "a": {"path": one.path_a, "value": one.a, "ids": one.ids_a, "location": _place(one.at_a)},
            "b": {"path": one.path_b, "value": one.b, "ids": one.ids_b, "location": _place(one.at_b)},
        }
        for one in found
    ]
