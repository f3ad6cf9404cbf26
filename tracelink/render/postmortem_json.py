"""The post-mortem as JSON: `tracelink.postmortem/1`, described by `postmortem.schema.json` beside this file. Nothing is folded or cut."""

from typing import Any

from tracelink import __version__
from tracelink.model.run import Report, SessionReport
from tracelink.model.trace import Result
from tracelink.render.json import as_dict as report_dict
from tracelink.render.json import dump, finding_dict, sources
from tracelink.render.story_json import moment_dict, origin_dict
from tracelink.story.values import CallTold, Story, Wait

SCHEMA = "tracelink.postmortem/1"


def render(report: Report, session: SessionReport, story: Story) -> bytes:
    """UTF-8 JSON, indented by two, with a closing newline."""
    one = report_dict(Report(report.run, (session,)))["sessions"][0]
    shown: dict[str, Any] = {
        "schema": SCHEMA,
        "tracelink": __version__,
        "as_of": report.run.as_of,
        "sources": sources(report.run),
    }
    shown |= {name: one[name] for name in ("session_id", "status")}
    shown["turn"] = _turn(story)
    shown["chosen"] = story.chosen
    shown |= {name: one[name] for name in ("verdict", "stall", "next_actions")}
    shown["clock"] = story.clock
    shown["asked"] = [moment_dict(moment) for moment in story.asked]
    shown["moments"] = [moment_dict(moment) for moment in story.moments]
    shown["stopped"] = story.stopped
    shown["last_sign_of_life"] = origin_dict(story.last)
    shown["calls"] = [_call(told) for told in story.calls]
    shown["waits"] = [_wait(wait) for wait in story.waits]
    shown["findings"] = [finding_dict(finding) for finding in story.findings]
    shown["cannot_tell"] = list(story.untold)
    shown["other_stalled_sessions"] = [
        other.trace.session_id for other in report.sessions if other is not session and other.stall.kind != "not_stalled"
    ]
    return dump(shown)


def _turn(story: Story) -> dict[str, Any] | None:
    turn, agent = story.turn, story.agent
    if turn is None:
        return None
    return {
        "turn_id": turn.id,
        "agent_id": turn.agent_id,
        "agent_name": agent.name if agent is not None else None,
        "subagent": turn.subagent_id is not None,
        "status": turn.status,
        "outcome": turn.outcome,
        "error_code": turn.error_code,
        "error_message": turn.error_message,
        "began": origin_dict(turn.began),
        "ended": origin_dict(turn.ended),
    }


def _call(told: CallTold) -> dict[str, Any]:
    call = told.call
    return {
        "turn_id": call.turn_id,
        "call_id": call.call_id,
        "name": call.name,
        "arguments": call.arguments,
        "state": call.state,
        "seconds": told.seconds,
        "called": origin_dict(call.first),
        "results": [_result(result) for result in told.results],
        "strays": [_result(result) for result in told.strays],
    }


def _result(result: Result) -> dict[str, Any]:
    return {
        "turn_id": result.turn_id,
        "call_id": result.call_id,
        "success": result.success,
        "output": result.output,
        "error": result.error,
        "posted": origin_dict(result.posted),
        "recorded": origin_dict(result.recorded),
        "refused": origin_dict(result.refused.at) if result.refused is not None else None,
        "problem": result.problem,
        "meant_because": result.meant.reason if result.meant is not None else None,
    }


def _wait(wait: Wait) -> dict[str, Any]:
    return {
        "waiter": wait.waiter,
        "whom": list(wait.whom),
        "kind": wait.kind,
        "name": wait.name,
        "began": origin_dict(wait.began),
        "began_at": wait.began_at,
        "clock": wait.clock,
        "ended": origin_dict(wait.ended),
        "ended_at": wait.ended_at,
    }
