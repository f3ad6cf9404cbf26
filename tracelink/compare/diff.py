"""Two sessions → how they differ.

Take both apart, match by structure (`match`), compare what is matched (`told`, `results`, `verdicts`), put it in order (`steps`).
"""

import gc

from tracelink.compare import results, told, verdicts
from tracelink.compare.match import Matches, match
from tracelink.compare.notes import Notes, Pinned
from tracelink.compare.parts import parts
from tracelink.compare.steps import Side, in_order, parting
from tracelink.compare.values import ONLY, Comparison, Difference, Tally
from tracelink.model.run import SessionReport


def diff(a: SessionReport, b: SessionReport, only: str | None = None) -> Comparison:
    """How `b` differs from `a`.

    only: `calls`, `results` or `ids`: nothing else is told. Ids of two different sessions differ by nature, and are told only then.
    """
    # As in `tracelink.trace`: many small values without cycles, which the collector would walk over again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _diff(a, b, only)
    finally:
        if collecting:
            gc.enable()


def _diff(a: SessionReport, b: SessionReport, only: str | None) -> Comparison:
    same_session = a.trace.session_id is not None and a.trace.session_id == b.trace.session_id
    left, right = parts(a.trace), parts(b.trace)
    found = match(left, right, same_session)
    notes = Notes()
    pinned: Pinned = []
    verdicts.session(a.trace, b.trace, notes)
    told.agents(found, left, right, notes, pinned)
    told.turns(found, notes, pinned)
    told.units(found, left, right, notes, pinned)
    results.strays(found, left, right, notes, pinned, same_session)
    verdicts.verdict(a, b, same_session, notes)
    kept = [one for one in notes.placed if _wanted(one.difference, only, same_session)]
    side_a, side_b = Side(a.trace), Side(b.trace)
    differences, places, pins = in_order(kept, side_a, side_b, pinned)
    untold = [] if only == "ids" else [one for one in notes.untold if only is None or one.kind in ONLY[only]]
    return Comparison(
        a,
        b,
        "id" if same_session else "structure",
        tuple(differences),
        parting(differences, places, side_a, side_b, pins),
        tuple(one for one in untold if not one.field.endswith("_id")),
        _tallies(found, a, b),
    )


def _wanted(one: Difference, only: str | None, same_session: bool) -> bool:
    if only is None:
        return same_session or not one.of_id
    return one.of_id if only == "ids" else not one.of_id and one.kind in ONLY[only]


def _tallies(found: Matches, a: SessionReport, b: SessionReport) -> dict[str, Tally]:
    def both(pairs: list[tuple[object, object]]) -> int:
        return sum(one is not None and other is not None for one, other in pairs)

    agents: list[tuple[object, object]] = list(found.agents)
    turns: list[tuple[object, object]] = [(one and one.turn, other and other.turn) for one, other in found.turns]
    calls: list[tuple[object, object]] = [(one and one.call, other and other.call) for _, _, one, other in found.units]
    return {
        "agents": Tally(len(a.trace.agents), len(b.trace.agents), both(agents)),
        "turns": Tally(len(a.trace.turns), len(b.trace.turns), both(turns)),
        "calls": Tally(len(a.trace.calls), len(b.trace.calls), both(calls)),
    }
