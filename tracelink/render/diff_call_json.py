"""A call beside its answers, as JSON: `tracelink.diff-call/1`, described by `diff_call.schema.json` beside this file."""

from typing import Any

from tracelink import __version__
from tracelink.compare.beside import Against, Beside
from tracelink.compare.ids import IdPair
from tracelink.model.location import Origin
from tracelink.model.run import Run
from tracelink.render.json import dump, location_dict, sources

SCHEMA = "tracelink.diff-call/1"


def render(run: Run, found: Beside) -> bytes:
    """UTF-8 JSON, indented by two, with a closing newline."""
    return dump(
        {
            "schema": SCHEMA,
            "tracelink": __version__,
            "sources": sources(run),
            "same": found.same,
            "session_id": found.session_id,
            "kind": found.kind,
            "id": found.id,
            "turn_id": found.turn_id,
            "name": found.name,
            "state": found.state,
            "location": _place(found.at),
            "pairs": [_against(one) for one in found.pairs],
            "strays": [{"id": one.id, "turn_id": one.turn_id, "location": _place(one.at)} for one in found.strays],
            "stray_count": found.stray_count,
        }
    )


def _place(at: Origin | None) -> dict[str, Any] | None:
    return None if at is None else location_dict(at.location)


def _against(one: Against) -> dict[str, Any]:
    refused = one.refused
    return {
        "left": {"what": one.left, "location": _place(one.at_left)},
        "right": {"what": one.right, "location": _place(one.at_right)},
        "same": one.fits,
        "wrong_kind": one.wrong_kind,
        "ids": [_ids(pair) for pair in one.ids],
        "again": [_place(at) for at in one.again],
        "meant": None if one.meant is None else {"reason": one.meant.reason, "detail": one.meant.detail},
        "refused": None
        if refused is None
        else {"http_status": refused.http_status, "message": refused.message, "location": _place(refused.at)},
    }


def _ids(pair: IdPair) -> dict[str, Any]:
    return {
        "id": pair.name,
        "state": pair.state,
        "needed": pair.needed,
        "left": pair.left,
        "right": pair.right,
        "edits": [
            {"kind": one.kind, "left": [one.left_start, one.left_end], "right": [one.right_start, one.right_end]}
            for one in pair.edits
        ],
    }
