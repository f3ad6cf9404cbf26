"""A history and a profile → may it be sent, and every reason against it.

The idea: the checks say what they see, in the order of the fact sheet (I); the profile says how bad each is. What a profile calls no matter is
not told at all. `sendable` is false when any reason blocks.
"""

from dataclasses import dataclass, replace

from tracelink.gate.call import NAMESPACED, NOT_CALL, OK, Verdict, judge_call
from tracelink.gate.checks import bound, calls, content, ids, meant, messages, pairs
from tracelink.gate.checks.context import Context, pair
from tracelink.gate.checks.gaps import ambiguous, undecided, unproven
from tracelink.gate.item import GIVEN_TWICE, NOT_PROVABLE, Fix, History, Problem
from tracelink.gate.kinds import PORTABLE, type_of
from tracelink.gate.profiles import DEFAULT, NAME_LENGTH, cell
from tracelink.gate.reasons import REASONS
from tracelink.gate.schemas import Checker
from tracelink.model.location import Location

BLOCK, WARN, NOTE = SEVERITIES = ("block", "warn", "note")


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason, as it is told. items: positions. basis: how well the profile knows it: stated, assumed, upstream or unknown.
    row: the row of the profile table that decided the severity.
    """

    reason: str
    severity: str
    message: str
    remedy: str
    items: tuple[int, ...]
    ids: dict[str, str]
    locations: tuple[Location, ...]
    detail: str | None
    basis: str
    fixes: tuple[Fix, ...] = ()
    row: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """The answer of the gate. verdicts: one an item. portable: whether the item, as it stands, may go to any provider."""

    history: History
    profile: str
    verdicts: tuple[Verdict, ...]
    reasons: tuple[Reason, ...]
    blocked: frozenset[int]

    @property
    def sendable(self) -> bool:
        return not any(reason.severity == BLOCK for reason in self.reasons)

    @property
    def unclear(self) -> bool:
        """Whether something is missing that could change the answer: a part that was not read, never came, or is on a server."""
        if any(one.severity == BLOCK and one.detail != NOT_PROVABLE and one.reason != "empty_input" for one in self.reasons):
            return False
        return self.history.gap or any(reason.reason in ("state_elsewhere", "stream_unfinished") for reason in self.reasons)

    def portable(self, position: int) -> bool:
        item, verdict = self.history.items[position], self.verdicts[position]
        kind = type_of(item.value)
        if item.loss is not None or kind not in PORTABLE:
            return False
        return position not in self.blocked and (verdict.verdict in (OK, NOT_CALL) or verdict.detail == "status_absent")

    def counts(self) -> dict[str, int]:
        return {name: sum(reason.severity == name for reason in self.reasons) for name in SEVERITIES}


def judge(history: History, profile: str = DEFAULT, checker: Checker | None = None) -> Judged:
    """Judge a history. Deterministic: the same history gives the same reasons in the same order."""
    verdicts = tuple(judge_call(item.value, history.tools, checker) for item in history.items)
    context = Context(history, verdicts, pair(history), bound.kept_elsewhere(history))
    reasons = []
    twice, gap = ambiguous(history), history.gap
    for problem in _problems(context, profile):
        if twice:
            problem = undecided(problem, twice)
        if gap and problem.detail != GIVEN_TWICE:
            problem = unproven(problem)
        if profile == "own" and problem.reason == "state_elsewhere":
            problem = replace(
                problem, message=f"{problem.message}; whether its own server still has it is unclear and cannot be told"
            )
        found = cell(profile, problem.cell)
        if found.severity is None:
            continue
        places = tuple(dict.fromkeys((*(history.items[at].location for at in problem.items), *problem.locations)))
        remedy = problem.remedy or REASONS[problem.reason].remedy
        reasons.append(
            Reason(
                problem.reason,
                found.severity,
                f"{problem.message[:1].upper()}{problem.message[1:]}.",
                remedy,
                problem.items,
                problem.ids,
                places,
                problem.detail,
                found.basis,
                problem.fixes,
                problem.cell,
            )
        )
    blocked = frozenset(reason.items[0] for reason in reasons if reason.severity == BLOCK and reason.items)
    return Judged(history, profile, verdicts, tuple(reasons), blocked)


def _problems(context: Context, profile: str) -> list[Problem]:
    """Every check, in the stated order: reading, envelope, type, item gate, ids, pairs, order, approvals, reasoning, state, limits, notes."""
    history = context.history
    found = [one for one in history.remarks if one.reason not in ("ids_rotate", "set_aside", "state_elsewhere")]
    if not history.items and not any(one.reason == "foreign_envelope" for one in found):
        told = f"; the recording holds an error ({', '.join(history.errors)})" if history.errors else ""
        found.append(Problem("empty_input", f"no item is left to send{told}"))
    for check in (
        bound.envelopes,
        calls.portable_form,
        calls.untyped,
        bound.types,
        calls.verdicts,
        ids.missing,
        ids.call_ids,
    ):
        found += check(context)
    found += ids.item_ids(context, cell(profile, "missing_item_id").severity == BLOCK)
    found += ids.names(context, NAME_LENGTH.get(profile, ids.LONGEST))
    for check in (
        pairs.doubled,
        pairs.open_calls,
        meant.misnamed,
        pairs.orphans,
        pairs.wrong_type,
        pairs.order,
        pairs.adjacency,
        pairs.approvals,
        content.reasoning,
        bound.ciphertext,
    ):
        found += check(context)
    found += [one for one in history.remarks if one.reason == "state_elsewhere"]
    for check in (
        bound.references,
        bound.files,
        content.outputs,
        calls.sizes_and_kinds,
        content.fields,
        messages.shapes,
        content.content_parts,
        messages.parts,
        content.unfinished,
        calls.tools,
    ):
        found += check(context)
    return found + [one for one in history.remarks if one.reason in ("ids_rotate", "set_aside")]


__all__ = ["BLOCK", "NAMESPACED", "NOTE", "SEVERITIES", "WARN", "Judged", "Reason", "judge"]
