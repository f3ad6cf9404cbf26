"""The server refused an input, and the recording holds its refusal."""

import re
from bisect import bisect_left
from collections.abc import Iterable

from tracelink.model.facts import InputSeen, RefusalSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import Meant, Trace
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl1_calls.resend import resend

_OF_INPUT = re.compile(
    r"tool[ _]call|tool[ _]result|managed agent turn|required[ _]action|request_id|call_id|initial input|approval|session\.input"
    r"|steer|hosted environment failed to provision|different (?:result|output)",
    re.IGNORECASE,
)
_NOT_OF_INPUT = re.compile(r"\bdelete|must be idle|beta header|openai-beta|api key", re.IGNORECASE)
_CODES = frozenset((None, "invalid_request_error", "conflict_error", "invalid_request", "conflict"))
_STATUS = frozenset((None, 400, 409, 422))


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    if not trace.refusals:
        return
    known = _known(trace)
    posts = _posts(trace)
    groups: dict[tuple[str, ...], list[RefusalSeen]] = {}
    names: dict[tuple[str, ...], list[_Said]] = {}
    for refusal in trace.refusals:
        said = known.get(id(refusal)) or _by_words(refusal, posts)
        if not said:
            post = _post_before(trace, refusal)
            if post is not None and not _NOT_OF_INPUT.search(refusal.message):
                said = [(post.turn_id, post.call_id, post.request_id, post.at)]
            elif not _OF_INPUT.search(refusal.message) or not _refuses_input(refusal):
                continue
        key = tuple(one[1] or one[2] or f"@{one[3]}" for one in said) or (f"@{refusal.at}",)
        groups.setdefault(key, []).append(refusal)
        names.setdefault(key, list(said))
    accepted, again = _accepted(trace)
    meant = {(one.turn_id, one.call_id): one.meant for one in trace.results if one.meant is not None}
    for key, refusals in groups.items():
        yield _finding(rule, refusals, names[key], accepted, again, trace, meant)


def _hint(last: RefusalSeen, healed: bool, later: bool, resent: bool) -> str | None:
    """What to do, where it is not the rule's own remedy."""
    if healed:
        return (
            "Nothing is left to do: the answer was taken when it was sent again. Where this repeats, look whether answers go out before "
            "requires_action lists their calls."
        )
    if later:
        return "Do not post it again: a result under these ids was taken."
    if resent:
        return "Read the session before it is posted once more: what became of the last post is not recorded."
    if last.http_status == 409 or "conflict" in (last.code or last.type or ""):
        return "Read the session before anything is posted again: a conflict means that the turn is over or another result was taken."
    return None


_Said = tuple[str | None, str | None, str | None, Origin | None]
"""(turn_id, call_id, request_id, the post) of what was refused."""

_Meant = dict[tuple[str | None, str | None], Meant]
"""(turn id, call id) that a result names → which call or request was meant by it."""

_Places = dict[str, list[Origin]]
"""call_id or request_id → places."""


def _after(places: Iterable[Origin], refusals: list[RefusalSeen]) -> list[Origin]:
    return [at for at in places if all(order(at, one.at) != -1 for one in refusals)]


def _mend(status: int | None) -> str | None:
    """What to do where the ids were not what the server refused; None where they may have been."""
    if status in (401, 403):
        return "Mend the key or its rights, and post the same answer again, without running anything again."
    if status == 404:
        return "Look whether the session's id and the project of the key are right, and post the same answer again, without running anything again."
    if status == 429:
        return "Wait, and post the same answer again, without running anything again."
    return None


def _of_its_call(trace: Trace, said: list[_Said], meant: _Meant, last: RefusalSeen) -> str | None:
    """What to do by the state of the call that was meant, or by its kind; None where the rule's own remedy is right."""
    turn_id, call_id, request_id, _ = said[0] if said else (None, None, None, None)
    again = _mend(last.http_status)
    if call_id is None and again is not None:
        return again
    if call_id is None:
        kind = "Read the session; if it still lists this request, answer it by the kind of result that it asks for."
        return kind if request_id is not None else None
    key = (turn_id or "", call_id)
    other = meant.get((turn_id, call_id))
    if other is not None:
        if other.request_id is not None:
            return "Post no tool_result: an approval is asked for, and its own kind of result answers it (TL116)."
        key = (other.turn_id or "", other.call_id or "")
    call = trace.calls.get(key)
    if call is None:
        return None
    return resend(trace, call, (again if other is None else None) or RULE.remedy)


def _finding(
    rule: Rule, refusals: list[RefusalSeen], said: list[_Said], accepted: _Places, again: _Places, trace: Trace, meant: _Meant
) -> Finding:
    last = refusals[-1]
    turn_id, call_id, request_id, post = said[0] if said else (None, None, None, None)
    ids = [one[1] or one[2] for one in said if one[1] or one[2]]
    what = f"the answer to {', '.join(str(one) for one in ids[:5])}{', …' if len(ids) > 5 else ''}" if ids else "an input"
    where = f" (posted at {place(post)})" if post is not None else ""
    status = f"HTTP {last.http_status}, " if last.http_status is not None else ""
    name = call_id or request_id or ""
    later = _after(accepted.get(name, ()), refusals)
    resent = [] if later else _after(again.get(name, ()), refusals)
    healed = bool(later) and last.unknown_call is not None
    end = "a result under the same ids was taken" if later else "nothing was answered by it"
    if resent:
        end += f", and nothing shows whether what was posted again at {place(resent[-1])} was taken"
    often = f", {len(refusals)} times" if len(refusals) > 1 else ""
    return rule.finding(
        f"The server refused {what}{where} at {place(refusals[0].at)}{often} ({status}{last.message.rstrip('.') or last.code or 'no message'}): {end}.",
        at=(refusals[0].at, post, *(one.at for one in refusals[1:3])),
        ids={"call_id": call_id, "turn_id": turn_id, "request_id": request_id, "error_code": last.code or last.type},
        severity=Severity.NOTE if healed else None,
        confidence=None if said else Confidence.MEDIUM,
        hint=_hint(last, healed, bool(later), bool(resent)) or _of_its_call(trace, said, meant, last),
        times=len(refusals),
    )


def _known(trace: Trace) -> dict[int, list[_Said]]:
    """id() of a refusal → what linking tied to it."""
    found: dict[int, list[_Said]] = {}
    for result in trace.results:
        if result.refused is not None:
            found.setdefault(id(result.refused), []).append((result.turn_id, result.call_id, None, result.posted))
    for answer in trace.answers:
        if answer.refused is not None:
            found.setdefault(id(answer.refused), []).append((None, None, answer.request_id, answer.posted.at))
    return found


def _posts(trace: Trace) -> dict[str, list[InputSeen]]:
    found: dict[str, list[InputSeen]] = {}
    for post in trace.inputs:
        if post.call_id is not None:
            found.setdefault(post.call_id, []).append(post)
    return found


def _by_words(refusal: RefusalSeen, posts: dict[str, list[InputSeen]]) -> list[_Said]:
    """The call that the message names, and the last post of it before the refusal."""
    call_id = refusal.unknown_call
    if call_id is None:
        return []
    mine = posts.get(call_id, [])
    number = bisect_left(mine, (refusal.at.index, refusal.at.seq), key=lambda post: (post.at.index, post.at.seq))
    post = mine[number - 1] if number and mine[number - 1].at.index == refusal.at.index else None
    return [(post.turn_id if post is not None else None, call_id, None, post.at if post is not None else None)]


def _post_before(trace: Trace, refusal: RefusalSeen) -> InputSeen | None:
    """The input of the same log entry, or the record right before the refusal."""
    if not _refuses_input(refusal):
        return None
    place_ = bisect_left(trace.inputs, (refusal.at.index, refusal.at.seq), key=lambda post: (post.at.index, post.at.seq))
    after = trace.inputs[place_] if place_ < len(trace.inputs) else None
    before = trace.inputs[place_ - 1] if place_ else None
    for post in (before, after):
        if post is not None and (post.at.index, post.at.doc) == (refusal.at.index, refusal.at.doc):
            return post
    if before is not None and before.at.index == refusal.at.index and refusal.at.seq - before.at.seq == 1:
        return before
    return None


def _refuses_input(refusal: RefusalSeen) -> bool:
    return refusal.http_status in _STATUS and (refusal.code or refusal.type) in _CODES


def _accepted(trace: Trace) -> tuple[_Places, _Places]:
    """Where an answer was taken, as an item or what came after shows; and where one was posted that was not refused."""
    taken: _Places = {}
    posted: _Places = {}
    for result in trace.results:
        if result.call_id is not None and result.call is not None and result.refused is None:
            known = result.recorded is not None or trace.calls[result.call].state == "answered"
            places = (taken if known else posted).setdefault(result.call_id, [])
            places.extend(at for at in (result.recorded, result.posted, *result.repeated) if at is not None)
    for answer in trace.answers:
        if answer.request_id is not None and answer.problem is None and answer.refused is None:
            action = trace.actions[answer.action] if answer.action is not None else None
            known = answer.recorded is not None or (action is not None and action.cleared is not None)
            places = (taken if known else posted).setdefault(answer.request_id, [])
            places.append(answer.recorded or answer.posted.at)
    return taken, posted


RULE = Rule(
    code="TL307",
    name="answer-refused",
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    summary="The recording holds the server's refusal of an input.",
    proves="An HTTP error body names the input, stands in the same log entry, or follows it at once.",
    cannot="Which input was refused, where only the words of the error tell (medium confidence).",
    quiet=(
        "HTTP errors of something else: a 404 of a GET, a refused DELETE, a 401, 403, 404 or 429 that does not stand in the post's own log entry. "
        "Errors of the server (408, 500, 503), which do not tell whether the input was taken (TL503). An answer that came before the "
        "server had registered its call (Unknown pending tool call) and was accepted when sent again is a note, where that second post is recorded and an item or the "
        "cleared action shows it taken."
    ),
    example='POST tool_result{call_a1}, then 400 {"error": {"message": "Unknown pending tool call: call_a1", …}}.',
    remedy=(
        "Compare turn_id and call_id with required_actions, and post the result again under those ids without "
        "running the function again."
    ),
    check=check,
)
