"""The environment was lost or replaced while a turn ran."""

from collections.abc import Iterable, Iterator

from tracelink.model.facts import EnvironmentSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin, order
from tracelink.model.trace import TERMINAL, Trace, Turn
from tracelink.rules.ended import session_failed
from tracelink.rules.rule import Context, Rule, place

_LOST = {"disconnected": "was disconnected", "expired": "expired", "failed": "failed", "reset": "was replaced"}
"""Suspended is no loss: an idle sandbox is checkpointed and comes back (fact sheet A.2, H.14)."""


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    trace = context.trace
    groups: dict[tuple[str, str | None, str | int], list[EnvironmentSeen]] = {}
    turn_of: dict[tuple[str, str | None, str | int], str] = {}
    for seen, kind, turn_id in _lost(trace):
        # Repeated notices of one reset carry the same count (A.2).
        key = (kind, seen.environment_id, turn_id if seen.reset_count is None else seen.reset_count)
        groups.setdefault(key, []).append(seen)
        turn_of.setdefault(key, turn_id)
    back = _connected(trace)
    for key, lost in groups.items():
        kind, environment_id, _ = key
        turn = trace.turns.get(turn_of[key])
        first = lost[0]
        healed = kind == "disconnected" and any(order(lost[-1].at, at) == -1 for at in back.get(environment_id, [])[-1:])
        error = next((one.error_message for one in lost if one.error_message), None)
        said = f" ({error.rstrip('.')})" if error else ""
        often = f", {len(lost)} times" if len(lost) > 1 and first.reset_count is None else ""
        after = "it was connected again later" if healed else "commands of the turn may be lost with it"
        mild = healed and (turn is None or turn.outcome != "failed")
        if kind == "reset":
            after = "the conversation is kept, its files and processes are lost"
        yield rule.finding(
            f"Environment {environment_id or '(no id)'} {_LOST[kind]}{said} at {place(first.at)}{often} while turn {turn_of[key]} ran: {after}.",
            at=[one.at for one in lost[:3]],
            ids={"environment_id": environment_id, "turn_id": turn_of[key]},
            severity=Severity.NOTE if mild else None,
            hint="Nothing, unless a command of the turn ran just then: look at its output."
            if mild
            else _hint(trace, kind, turn, healed),
        )


def _hint(trace: Trace, kind: str, turn: Turn | None, healed: bool) -> str | None:
    """What to do by what became of the session, of the turn and of the environment; None where the rule's remedy is right."""
    left = "Restore the files that the work needs" if kind == "reset" else "Check what the turn's commands left behind"
    if session_failed(trace):
        return f"{left}, and repeat what is missing in a new session, for this one takes no more input."
    if turn is not None and turn.outcome is not None:
        back = healed or kind == "reset"
        executor = "" if back else ", with the executor started again where it is your own"
        return f"{left}, and repeat what is missing in a new turn{executor}: this one is over."
    return (
        f"{left}, and see whether the turn goes on by itself before anything is repeated."
        if healed or kind == "reset"
        else None
    )


def _lost(trace: Trace) -> Iterator[tuple[EnvironmentSeen, str, str]]:
    """(event, what happened, the turn that ran then). A retrieved environment object has no place in time."""
    running: dict[int, _Running] = {}
    for seen in trace.environments:
        kind = (seen.event_type or "").rpartition(".")[2]
        if kind not in _LOST or not seen.at.stream:
            continue
        if seen.turn_id is not None:
            turn = trace.turns.get(seen.turn_id)
            if turn is None or turn.ended is None or order(turn.ended, seen.at) != -1:
                yield seen, kind, seen.turn_id
            continue
        if seen.at.index not in running:
            running[seen.at.index] = _Running(trace, seen.at.index)
        turn_id = running[seen.at.index].at(seen.at)
        if turn_id is not None:
            yield seen, kind, turn_id


class _Running:
    """Which root turn runs at a place of one source. Asked in order of the source; an idle snapshot ends what ran."""

    def __init__(self, trace: Trace, index: int) -> None:
        marks: list[tuple[int, str | None, bool]] = []
        for turn in trace.turns.values():
            if turn.subagent_id is None:
                for one in turn.history:
                    if one.at.index == index and one.event_type is not None:
                        marks.append((one.at.seq, turn.id, one.status not in TERMINAL))
        for snapshot in trace.snapshots:
            if snapshot.at.index == index and snapshot.event_type is not None and snapshot.body.status == "idle":
                marks.append((snapshot.at.seq, None, False))
        self._marks = sorted(marks, key=lambda mark: mark[0])
        self._next = 0
        self._now: str | None = None

    def at(self, place_: Origin) -> str | None:
        while self._next < len(self._marks) and self._marks[self._next][0] < place_.seq:
            _, turn_id, runs = self._marks[self._next]
            if runs:
                self._now = turn_id
            elif turn_id is None or turn_id == self._now:
                self._now = None
            self._next += 1
        return self._now


def _connected(trace: Trace) -> dict[str | None, list[Origin]]:
    found: dict[str | None, list[Origin]] = {}
    for seen in trace.environments:
        if seen.event_type is not None and seen.event_type.endswith(".connected"):
            found.setdefault(seen.environment_id, []).append(seen.at)
    return found


RULE = Rule(
    code="TL306",
    name="environment-lost",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="The environment was disconnected, expired, failed or was replaced while a turn ran.",
    proves="An environment event names a turn that has not ended, or stands in the stream while a root turn runs.",
    cannot="Whether the turn needed the environment, or why it was lost, beyond the error that is recorded.",
    quiet=(
        "Environments lost or suspended between turns; notices after the turn's end; the same reset told again (same "
        "reset_count); retrieved environment objects. A disconnect followed by connected is a note, unless the turn failed."
    ),
    example='environment.reset{"reset_count": 1, "turn_id": "turn_1"}.',
    remedy=(
        "Start the executor again where it is your own; check what the turn's commands left behind, and read the session "
        "before anything is repeated: the turn may still run."
    ),
    check=check,
)
