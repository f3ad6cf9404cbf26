"""More than one session in one source."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, file_name
from tracelink.rules.rule import Context, Rule


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    for info, sessions in zip(context.run.sources, context.run.sessions_by_source, strict=False):
        named = {name: count for name, count in sessions.items() if name is not None}
        if len(named) < 2:
            continue
        ranked = sorted(named, key=lambda name: -named[name])
        few = [name for name in ranked[1:] if named[name] <= 2 and named[ranked[0]] >= 10 * named[name]]
        stray = len(ranked) == 1 + len(few) and len(few) <= 2
        firsts = [_first(context, name, info.name) for name in (few if stray else ranked[:3])]
        some = ", ".join(ranked[:3]) + (", …" if len(ranked) > 3 else "")
        message = (
            f"{file_name(info.name)} holds {named[few[0]]} record{'s' if named[few[0]] > 1 else ''} of session {few[0]} among {named[ranked[0]]} of {ranked[0]}: "
            "a stray record may belong to another log, so it is judged by itself."
            if stray
            else f"{file_name(info.name)} holds {len(ranked)} sessions ({some}): each is judged by itself."
        )
        yield rule.finding(
            message,
            at=[first for first in firsts if first is not None],
            ids={"session_id": few[0] if stray else ranked[0], "other_session_id": ranked[0] if stray else ranked[1]},
            severity=Severity.WARNING if stray else None,
        )


def _first(context: Context, session_id: str, source: str) -> Origin | None:
    for trace in context.run.traces:
        if trace.session_id == session_id:
            origins = [one.at for one in trace.snapshots] + [at for turn in trace.turns.values() for at in turn.origins]
            origins += [post.at for post in trace.inputs] + [seen.at for item in trace.items.values() for seen in item.history]
            return min((at for at in origins if at.source == source), key=lambda at: at.seq, default=None)
    return None


RULE = Rule(
    code="TL006",
    name="several-sessions",
    severity=Severity.NOTE,
    confidence=Confidence.HIGH,
    summary="One source holds more than one session; as a warning: single records of another session are mixed in.",
    proves="Records of one source name different session ids.",
    cannot="That this is a mistake: logs of whole services hold many sessions.",
    quiet="Several sources with one session each.",
    example="sess_a and sess_b in one log.",
    remedy="Pick one with --session, if only one is wanted.",
    scope="run",
    check=check,
)
