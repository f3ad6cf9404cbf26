"""What the upper part of the page says, as values for the template: the answer, what to send, what happened, what nobody can tell."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from markupsafe import Markup

from tracelink.graph import ids
from tracelink.model.run import Report, SessionReport
from tracelink.model.verdict import OpenAction
from tracelink.render import telling
from tracelink.render.escape import json_text
from tracelink.render.html.compare import marked
from tracelink.render.postmortem_text import times
from tracelink.render.sending import FILLED, sendings
from tracelink.render.verdict import ANSWERED, LABELS, since
from tracelink.story.values import Moment, Story

BODIES, BODY, ALL = 20, 100_000, 300_000
"""So many bodies are shown, none longer than so many characters, all together no longer than that. A cut body would be posted cut."""
TONES = {"awaiting": "open", "answered_unapplied": "open", "not_awaiting": "ok", "unknown": "unsure"}
TEXT, SHORT = 1200, 300
ACTIONS = 3
ACTION_IDS = ("turn_id", "call_id", "request_id")
PAIRS = 3


def context(report: Report, session: SessionReport, story: Story, places: Mapping[str, int]) -> dict[str, Any]:
    verdict, stall = session.verdict, session.stall
    label = LABELS.get(verdict.awaits, (verdict.awaits, ""))[0]
    return {
        "session": session,
        "story": story,
        "verdict": verdict,
        "stall": stall,
        "label": label.capitalize(),
        "tone": TONES.get(verdict.awaits, "unsure"),
        "stalled": telling.stall_words(stall, verdict),
        "leading": telling.leading(story),
        "actions": [_action(one, report.run.as_of) for one in verdict.actions[:ACTIONS]],
        "more_actions": max(len(verdict.actions) - ACTIONS, 0),
        "astray": list(_astray(story))[:PAIRS],
        "stopped": _stopped(report, story),
        "steps": _steps(session),
        "asked": [(one, _row(one, places)) for one in story.asked[:5]],
        "more_asked": max(len(story.asked) - 5, 0),
        "happened": list(_happened(story, places)),
        "waits": _waits(story),
        "times": times(story),
        "report": report,
        "others": len(report.sessions) - 1,
        "widths": {"text": TEXT, "short": SHORT},
    }


def _action(one: OpenAction, as_of: float | None) -> dict[str, Any]:
    seen = one.action
    whom = {
        "function_call": "your app must answer",
        "environment_connection": "an executor must connect environment",
        "mcp_approval_request": "somebody must decide on",
        "computer_use_approval_request": "somebody must decide on",
    }.get(seen.type, f"somebody must see to {seen.type}")
    return {
        "whom": whom,
        "name": seen.name,
        "id": seen.call_id or seen.request_id or seen.environment_id,
        "turn_id": seen.turn_id,
        "since": since(one, as_of) if one.since is not None else "",
        "answered": ANSWERED.get(one.answered, one.answered),
    }


def _astray(story: Story) -> Iterator[list[tuple[str, Markup, Markup]]]:
    """Of results that were probably meant for a call: name of the id, the id as posted and as wanted, what differs marked."""
    for told in story.calls:
        for result in told.strays:
            pairs = (("turn_id", result.turn_id, told.call.turn_id), ("call_id", result.call_id, told.call.call_id))
            yield [(name, *marked(posted or "(none)", wanted)) for name, posted, wanted in pairs if posted != wanted]


def _stopped(report: Report, story: Story) -> dict[str, Any] | None:
    if story.stopped is None:
        return None
    return {"at": story.moments[story.stopped], "gap": telling.since_progress(story, report.run.as_of)}


def _steps(session: SessionReport) -> dict[str, Any]:
    """The next actions, each with its body as it is to be posted, or how to get it where it is too long for a page."""
    shown, room = [], ALL
    for step, asked, found in islice(sendings(session), BODIES):
        length = len(json_text(step.body, whole=True)) if step.body is not None else 0
        fits = step.body is not None and length <= min(BODY, room)
        room -= length if fits else 0
        shown.append({"text": step.text, "body": step.body, "fits": fits, "length": length, "asked": asked, "gaps": found})
    bodies = {_ids(one) for one, step in zip(session.verdict.actions, shown, strict=False) if step["fits"]}
    return {"shown": shown, "more": max(len(session.next_actions) - BODIES, 0), "filled": FILLED, "bodies": bodies}


def _ids(one: OpenAction) -> tuple[str | None, ...]:
    return tuple(getattr(one.action, name) for name in ACTION_IDS)


def _row(one: Moment, places: Mapping[str, int]) -> int | None:
    """The row that a moment is about."""
    named = one.ids
    turn_id, call_id, item_id = named.get("turn_id"), named.get("call_id"), named.get("item_id")
    nodes = []
    if call_id is not None:
        nodes += [ids.call(turn_id, call_id), ids.result(turn_id, call_id)]
        nodes.reverse() if one.kind in ("posted", "refused") and nodes[0] not in places else None
    if item_id is not None:
        nodes.append(ids.item(item_id))
    if "subagent_id" in named:
        nodes.append(ids.agent(named["subagent_id"], root=False))
    if turn_id is not None and call_id is None:
        nodes.append(ids.turn(turn_id))
    return next((places[node] for node in nodes if node in places), None)


def _happened(story: Story, places: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    day = telling.day_of(story.moments)
    for entry in telling.folded(story.moments, story.stopped, False):
        if isinstance(entry, str):
            yield {"fold": entry}
            continue
        at, one = entry
        time = telling.clock_time(one.time, one.clock, day)
        yield {
            "fold": "",
            "one": one,
            "time": "" if time == "--" else time,
            "row": _row(one, places),
            "last": at == story.stopped,
        }


def _waits(story: Story) -> dict[str, Any]:
    shown, left = telling.waits_shown(story.waits, False)
    told = [(one, *telling.wait_words(one), telling.wait_began(one), telling.wait_time(one)) for one in shown]
    return {"shown": told, "more": left}
