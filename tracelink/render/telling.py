"""What the tellers of a story share: times of day, folding a long list, which findings lead, and what could be shown cut."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from tracelink.judge.times import SERVER
from tracelink.model.finding import Finding, Severity
from tracelink.model.verdict import Stall, Verdict
from tracelink.render.expectation import expectation
from tracelink.render.page import plural, span
from tracelink.render.verdict import sentence
from tracelink.story.values import CallTold, Moment, Story, Wait

FOLD_OVER = 60
FIRST, LAST = 12, 20
"""Of a longer list so many stay at either end, and the loud ones between."""
LOUD_KEPT = 20
LEADING = 3
WAITS, WAITS_OVER = 12, 4
KINDS = {"called": "call", "recorded": "recorded result", "posted": "post", "required": "snapshot", "said": "message"}


def clock_time(seconds: float | None, clock: str | None, day: str | None = None) -> str:
    """`08:14:09.8`, with the day before it where it is not `day`; `08:14:09 srv` by the server's clock; `--` if not known."""
    if seconds is None:
        return "--"
    try:
        when = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return f"{seconds:g}"
    text = when.strftime("%H:%M:%S")
    text = f"{text} srv" if clock == SERVER else f"{text}.{when.microsecond // 100_000}"
    own = when.strftime("%Y-%m-%d")
    return text if day in (None, own) else f"{own} {text}"


def day_of(moments: Sequence[Moment]) -> str | None:
    """`2026-10-26`: the day of the first moment that has a time."""
    first = next((one.time for one in moments if one.time is not None), None)
    if first is None:
        return None
    try:
        return datetime.fromtimestamp(first, UTC).strftime("%Y-%m-%d")
    except (ValueError, OverflowError, OSError):
        return None


def folded(moments: Sequence[Moment], stopped: int | None, full: bool) -> Iterator[tuple[int, Moment] | str]:
    """Moments with their positions; of a long list the middle becomes lines that count it."""
    count = len(moments)
    if full or count <= FOLD_OVER:
        yield from enumerate(moments)
        return
    kept = set(range(FIRST)) | set(range(count - LAST, count))
    if stopped is not None:
        kept |= set(range(max(stopped - 5, 0), min(stopped + 6, count)))
    loud = [at for at, one in enumerate(moments) if one.loud and at not in kept]
    kept |= set(loud[-LOUD_KEPT:])
    run: list[Moment] = []
    for at, one in enumerate(moments):
        if at not in kept:
            run.append(one)
            continue
        if run:
            yield _summed(run)
            run = []
        yield at, one


def _summed(run: list[Moment]) -> str:
    counted = Counter(KINDS.get(one.kind, "other") for one in run)
    told = ", ".join(plural(number, kind) if kind != "other" else f"{number:,} other" for kind, number in counted.items())
    return f"… {plural(len(run), 'moment')}: {told}"


def calls_shown(calls: Sequence[CallTold], full: bool) -> list[CallTold | str]:
    """The calls to show, in order; of many the two ends and the open ones, and where the first gap is a line that counts the others."""
    if full or len(calls) <= FOLD_OVER:
        return list(calls)
    loud = [at for at, one in enumerate(calls) if one.call.state not in ("answered", "cleared") or one.strays]
    kept = set(range(5)) | set(range(len(calls) - 10, len(calls))) | set(loud[:LOUD_KEPT])
    states = Counter(one.call.state for at, one in enumerate(calls) if at not in kept)
    told = ", ".join(f"{count:,} {state}" for state, count in sorted(states.items()))
    shown: list[CallTold | str] = [calls[at] for at in sorted(kept)]
    gap = next(at for at in range(len(calls)) if at not in kept)
    shown.insert(gap, f"… {plural(len(calls) - len(kept), 'more call')}: {told}")
    return shown


def waits_shown(waits: Sequence[Wait], full: bool) -> tuple[list[Wait], int]:
    """Those that are not over, then the others; of many the last ones. And how many are left out."""
    unended = [one for one in waits if one.ended is None]
    over = [one for one in waits if one.ended is not None]
    if full or len(waits) <= WAITS:
        return unended + over, 0
    shown = unended[:WAITS] + over[-WAITS_OVER:]
    return shown, len(waits) - len(shown)


def took(told: CallTold) -> str:
    return (
        f"{told.seconds:.1f} s"
        if told.seconds is not None and told.seconds < 60
        else span(told.seconds)
        if told.seconds
        else ""
    )


def wait_words(wait: Wait) -> tuple[str, str]:
    """Who waits for whom, with ids in it, and how long or until when."""
    whom = ", ".join(wait.whom)
    who = f"agent {wait.waiter}" if wait.waiter is not None else "the session"
    target = {
        "agent": whom or "(nobody named)",
        "function_call": f"your app to answer {wait.name or 'a function'} ({whom})",
        "mcp_approval_request": f"somebody to decide on {wait.name or 'an MCP call'} ({whom})",
        "computer_use_approval_request": f"somebody to decide on a browser request ({whom})",
        "environment_connection": f"environment {whom} to connect",
    }.get(wait.kind, f"{wait.kind} ({whom})")
    return f"{who} waited for {target}", _how_long(wait)


def wait_began(wait: Wait) -> str:
    """What goes before the place where a wait is seen first: a session object that was retrieved was true for longer."""
    return "since" if wait.began.stream else "first seen at"


def wait_time(wait: Wait) -> str:
    """`08:14:09.8`, or when the session was last active, which is not when the wait began; empty if not known."""
    when = clock_time(wait.began_at, wait.clock)
    if when == "--":
        return ""
    return f"last active at {when}, by the session object" if wait.clock == SERVER else when


def _how_long(wait: Wait) -> str:
    end = wait.ended
    if end is None:
        return "not over when the recording ends"
    if end == wait.began:
        return "over; how long it took is not recorded"
    if wait.began_at is not None and wait.ended_at is not None and wait.ended_at >= wait.began_at:
        seconds = wait.ended_at - wait.began_at
        return f"for {f'{seconds:.1f} s' if seconds < 60 else span(seconds)}, until {end.location.short}"
    return f"until {end.location.short}"


def stall_words(stall: Stall, verdict: Verdict) -> str | None:
    """The stall as one or two sentences; None where nothing stands still."""
    if stall.kind == "not_stalled":
        return None
    if stall.kind in ("recording_ended", "contradictory") and stall.because == verdict.reason:
        return "Why it stands still, the recording does not tell."
    because = sentence(stall.because)
    return f"{because[:1].upper()}{because[1:]} {expectation(stall)}"


def leading(story: Story) -> list[Finding]:
    """The errors that are told right below the verdict."""
    return [one for one in story.findings if one.severity is Severity.ERROR][:LEADING]


def since_progress(story: Story, as_of: float | None) -> str:
    """`, 1.7 s before the last record`: how long nothing moved, where one clock says both; else nothing."""
    if story.stopped is None or story.last is None:
        return ""
    moment = story.moments[story.stopped]
    last = story.last.received if story.last.stream else None
    if moment.time is None or last is None or moment.clock == SERVER:
        return ""
    gap = last - moment.time
    if gap < 0.05:
        return ""
    return f", {f'{gap:.1f} s' if gap < 60 else span(gap)} before the last record"
