"""Two recordings side by side, as text: where they part for the first time, then what differs, turn by turn; the last lines count."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from tracelink.compare.ids import edits_of
from tracelink.compare.values import (
    AGENT,
    APPROVAL,
    CALL,
    ENDS,
    ONLY_IN_A,
    ONLY_IN_B,
    RESULT,
    SESSION,
    TURN,
    VERDICT,
    Comparison,
    Difference,
    Parting,
    Untold,
)  # fmt: skip
from tracelink.compare.verdicts import status_of
from tracelink.model.run import Run, SessionReport
from tracelink.render.check_text import harmless
from tracelink.render.commands import names_of
from tracelink.render.diff_ids import beside
from tracelink.render.diff_json import Outcome
from tracelink.render.diff_words import asked, field, headline, thing, values
from tracelink.render.escape import escape, ident, width_of
from tracelink.render.page import Page, place, plural, where

Group = tuple[str, str]
KINDS = {
    SESSION: "settings", AGENT: "agents", TURN: "turns", CALL: "calls", APPROVAL: "other required actions", RESULT: "results",
    VERDICT: "verdict", "session_alone": "sessions",
}  # fmt: skip
THINGS, FIELDS, NEAR_EDITS = 24, 12, 4


def render(outcome: Outcome, page: Page) -> str:
    """The outcome as text with a closing newline."""
    lines: list[str] = []
    for one in outcome.sessions:
        lines += [*_session(one, outcome, page), ""]
    for side, alone in (("A", outcome.only_in_a), ("B", outcome.only_in_b)):
        lines += [page.paint(f"session {ident(each.trace.session_id)} only in {side}", _color(side)) for each in alone]
        lines += [""] if alone else []
    return "\n".join(harmless(line.rstrip()) for line in [*lines, *_end(outcome, page)]) + "\n"


def _color(side: str) -> str:
    return "red" if side == "A" else "green"


def _session(one: Comparison, outcome: Outcome, page: Page) -> Iterator[str]:
    for side, report, run in (("A", one.a, outcome.a), ("B", one.b, outcome.b)):
        yield from page.wrap(f"{side}  {_names(run)}", indent="   ", first="")
        yield from page.wrap(_standing(report), indent="   ", first="   ")
    told = "one session, its ids matched first" if one.by == "id" else "two sessions, matched by structure"
    counted = ", ".join(_tally(name, each.matched, each.a, each.b) for name, each in one.tallies.items() if each.a or each.b)
    yield from page.wrap(f"{told}: {counted or 'nothing in them'}", indent="   ", first="   ")
    if one.parting is not None:
        yield ""
        yield from _parting(one.parting, page)
    elif one.differences and outcome.only is None:
        yield ""
        yield page.heading("nothing that both recordings can show happened differently")
    for group, found in _groups(one.differences).items():
        yield ""
        yield from _group(group, found, page)
    if one.untold and one.differences:
        yield ""
    yield from _untold(one.untold, page)


def _names(run: Run) -> str:
    names = list(dict.fromkeys(source.name for source in run.sources))
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


def _standing(report: SessionReport) -> str:
    name = report.trace.session_id
    words = [f"session {name}" if name is not None else "a session without an id", status_of(report.trace) or ""]
    words += [report.verdict.awaits.replace("_", " ")]
    words += [report.stall.kind.replace("_", " ")] if report.stall.kind != "not_stalled" else []
    return ", ".join(filter(None, words))


def _tally(name: str, matched: int, a: int, b: int) -> str:
    of = f"{a:,}" if a == b else f"{a:,} in A and {b:,} in B"
    return f"{plural(matched, name[:-1])} of {of}"


def _parting(parting: Parting, page: Page) -> Iterator[str]:
    ended = [side for side, step in (("A", parting.a), ("B", parting.b)) if step.what == ENDS]
    words = f"the recording of {ended[0]} ends" if len(ended) == 1 else ", and ".join(map(headline, parting.first))
    yield from (page.heading(line) for line in page.wrap(f"they part where {words}", indent="  ", first=""))
    alone = {one.what for one in parting.first if not one.field}
    for side, step, elsewhere in (("A", parting.a, ONLY_IN_B), ("B", parting.b, ONLY_IN_A)):
        yield f"  {side}  {place(step.at) if step.at is not None else '(no place)'}"
        lead = "instead: " if alone == {elsewhere} and step.what != ENDS else ""
        yield from page.wrap(lead + step.what, indent="     ", first="     ")
    if parting.after is None:
        yield "  before it they have nothing in common"
        return
    one, other = parting.after
    places = " | ".join(where(each.at) for each in (one, other) if each.at is not None)
    yield from page.wrap(f"last the same: {one.what}", indent="    ", first="  ")
    yield f"    {places}"


def _groups(found: Sequence[Difference]) -> dict[Group, list[Difference]]:
    """Settings first, then agents, each turn in order, and the verdict."""
    groups: dict[Group, list[Difference]] = {("settings", ""): [], ("agents", ""): []}
    verdict: list[Difference] = []
    for one in found:
        if one.kind == SESSION:
            groups["settings", ""].append(one)
        elif one.kind == AGENT:
            groups["agents", ""].append(one)
        elif one.kind == VERDICT:
            verdict.append(one)
        else:
            groups.setdefault(_turn(one), []).append(one)
    groups["verdict", ""] = verdict
    return {group: each for group, each in groups.items() if each}


def _turn(one: Difference) -> Group:
    return (one.ids_a.get("turn_id", ""), one.ids_b.get("turn_id", ""))


def _group(group: Group, found: Sequence[Difference], page: Page) -> Iterator[str]:
    whole = next((one for one in found if one.kind == TURN and not one.field), None)
    if group[1] == "" and group[0] in ("settings", "agents", "verdict"):
        yield page.heading(group[0])
    elif whole is not None:
        yield from _whole_turn(whole, found, page)
        return
    else:
        yield page.heading(f"turn {' | '.join(ident(one) for one in dict.fromkeys(group) if one) or '(none named)'}")
    things: dict[tuple[object, ...], list[Difference]] = {}
    for one in found:
        key = (one.kind, one.name, tuple(one.ids_a.items()), tuple(one.ids_b.items()), one.at_a, one.at_b)
        things.setdefault(key, []).append(one)
    for number, each in enumerate(things.values()):
        if number >= THINGS and not page.full:
            yield f"  … {len(things) - number:,} more (--full shows all)"
            return
        yield from _thing(each, page)


def _whole_turn(whole: Difference, found: Sequence[Difference], page: Page) -> Iterator[str]:
    """A turn that only one side has: one line, and what is called in it as a count."""
    in_a = whole.what == ONLY_IN_A
    at = whole.at_a if in_a else whole.at_b
    yield from _marked(whole, thing(whole), page, where(at) if at is not None else "", whole.a if in_a else whole.b)
    calls = Counter(one.name or "(no name)" for one in found if one is not whole and not one.field)
    if calls:
        named = ", ".join(name if count == 1 else f"{name} ×{count:,}" for name, count in calls.items())
        yield from page.wrap(f"with {plural(sum(calls.values()), 'call')}: {named}", indent="      ", first="    ")


def _marked(one: Difference, text: str, page: Page, at: str, said: object) -> Iterator[str]:
    mark, side = ("-", "A") if one.what == ONLY_IN_A else ("+", "B")
    head = f"{mark} {text}  only in {side}  {at}".rstrip()
    lines = [head]
    if width_of(head) > page.width:
        lines = [f"{mark} {text}", f"    only in {side}  {at}"]
    yield from (page.paint(line, _color(side)) for line in lines)
    shown = asked(said, page, 6)
    if shown:
        yield page.paint(f"    {shown}", "dim")


def _thing(found: Sequence[Difference], page: Page) -> Iterator[str]:
    first = found[0]
    if not first.field and first.what in (ONLY_IN_A, ONLY_IN_B):
        in_a = first.what == ONLY_IN_A
        at = first.at_a if in_a else first.at_b
        for line in _marked(first, thing(first), page, where(at) if at is not None else "", first.a if in_a else first.b):
            yield f"  {line}"
        return
    head = f"  {thing(first)}"
    places = " | ".join(where(at) for at in (first.at_a, first.at_b) if at is not None)
    if first.kind in (SESSION, TURN) or (first.kind == VERDICT and first.name is None):
        head = {VERDICT: "  decided at", SESSION: "  as listed at", TURN: "  the turn itself"}[first.kind]
    if width_of(head) + 2 + width_of(places) > page.width:
        yield from (head, page.paint(f"      {places}", "dim"))
    else:
        yield f"{head}  {page.paint(places, 'dim')}" if places else head
    if not first.field:
        yield "    called at another place of its turn"
    for number, one in enumerate(one for one in found if one.field):
        if number >= FIELDS and not page.full:
            yield f"    … {len(found) - number:,} more (--full shows all)"
            return
        yield from values(one, page, f"    {field(one)}", "      ")
        if one.of_id and isinstance(one.a, str) and isinstance(one.b, str):
            edits = edits_of(one.a, one.b)
            if (
                len(edits) <= NEAR_EDITS
                and sum(max(e.left_end - e.left_start, e.right_end - e.right_start) for e in edits) <= 3
            ):
                yield from beside(one.a, one.b, edits, ("A", "B"), page, "      ")


def _untold(untold: Sequence[Untold], page: Page) -> Iterator[str]:
    if not untold:
        return
    counted = Counter((one.side.upper(), one.kind, one.field) for one in untold)
    told = [f"{each.replace('_', ' ')} of {plural(count, kind)} (in {side})" for (side, kind, each), count in counted.items()]
    yield from page.wrap(f"recorded on one side only, so not compared: {', '.join(told)}", indent="  ", first="")


def _end(outcome: Outcome, page: Page) -> Iterator[str]:
    found = [one for each in outcome.sessions for one in each.differences]
    sessions = len(outcome.only_in_a) + len(outcome.only_in_b)
    counted = Counter(one.kind for one in found)
    if sessions:
        counted["session_alone"] = sessions
    total = len(found) + sessions
    only = f" in {outcome.only}" if outcome.only else ""
    if not total:
        calls = sum(each.tallies["calls"].matched for each in outcome.sessions)
        turns = sum(each.tallies["turns"].matched for each in outcome.sessions)
        yield f"no difference{only} in {plural(len(outcome.sessions), 'session')}, {plural(turns, 'turn')}, {plural(calls, 'call')}"
        return
    told = ", ".join(f"{KINDS[kind]} {counted[kind]:,}" for kind in KINDS if counted[kind])
    yield from page.wrap(f"{plural(total, 'difference')}{only}: {told}", indent="  ", first="")
    line = _next(outcome, found)
    if line:
        yield page.paint(line, "cyan")


def _next(outcome: Outcome, found: Sequence[Difference]) -> str | None:
    """The command that tells of the first difference that has a call or a turn."""
    for one in found:
        for ids, run in ((one.ids_b, outcome.b), (one.ids_a, outcome.a)):
            wanted = ids.get("call_id") or ids.get("request_id") or ids.get("turn_id")
            there = one.field or one.what == (ONLY_IN_B if run is outcome.b else ONLY_IN_A)
            if wanted and there and escape(wanted) == wanted and one.kind != VERDICT:
                turn = ids.get("turn_id")
                target = f"{turn}/{wanted}" if one.kind == CALL and turn and escape(turn) == turn else wanted
                return f"next: tracelink why {shlex.quote(target)} {names_of(run)}   (what led to it, what came of it)"
    return None
