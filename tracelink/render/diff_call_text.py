"""A call beside its answers, as text: id by id, with carets under the characters that differ."""

import shlex
from collections.abc import Iterator, Sequence

from tracelink.compare.beside import Against, Beside
from tracelink.compare.ids import DIFFERS, NOT_LEFT, SAME, IdPair
from tracelink.model.run import Run
from tracelink.render.check_text import harmless
from tracelink.render.commands import names_of
from tracelink.render.diff_ids import alike, beside, told
from tracelink.render.escape import escape, ident
from tracelink.render.page import Page, place, plural, where

SHOWN, AGAIN = 20, 3
STATES = {
    "answered": "answered",
    "unapplied": "answered by a post that nothing confirms or refuses yet",
    "required": "not answered: the latest snapshot requires it",
    "open": "no result recorded, its turn has no recorded end",
    "cleared": "no longer required, its result is not in the recording",
    "unanswered": "not answered, and its turn completed",
    "abandoned": "left open by a turn that failed or was cancelled",
    "unknown": "the recording cannot tell how it stands",
}


def render(run: Run, found: Beside, page: Page) -> str:
    """The call, each thing that is held against it, and what to conclude. With a closing newline."""
    lines = [page.heading(" ".join(filter(None, (found.kind, escape(found.name or ""), ident(found.id)))))]
    session = f"session {ident(found.session_id)}" if found.session_id is not None else "a session without an id"
    turn = f"turn {ident(found.turn_id)} of " if found.turn_id else ""
    lines += page.wrap(f"in {turn}{session}", indent="  ", first="  ")
    if found.kind != "result" and found.state:
        lines += page.wrap(STATES.get(found.state, found.state), indent="  ", first="  ")
    shown = found.pairs if page.full else _chosen(found.pairs)
    for one in shown:
        lines += ["", *_against(one, page)]
    if len(shown) < len(found.pairs):
        lines += ["", f"… {plural(len(found.pairs) - len(shown), 'more answer')} (--full shows them)"]
    lines += ["", *_end(found, page)]
    if found.kind == "call" and found.state == "required" and not found.same:
        lines.append(page.paint(f"next: tracelink awaits {names_of(run)} --emit payload   (the body to post)", "cyan"))
    elif escape(found.id) == found.id and found.id:
        target = found.id if not found.turn_id or found.kind != "call" else f"{found.turn_id}/{found.id}"
        lines.append(
            page.paint(f"next: tracelink why {shlex.quote(target)} {names_of(run)}   (what led to it, what came of it)", "cyan")
        )
    return "\n".join(map(harmless, lines)) + "\n"


def _chosen(pairs: Sequence[Against]) -> list[Against]:
    """Of many, those that do not fit go first; shown in the order of the recording."""
    ranked = sorted(range(len(pairs)), key=lambda at: (pairs[at].fits, at))[:SHOWN]
    return [pairs[at] for at in sorted(ranked)]


def _against(one: Against, page: Page) -> Iterator[str]:
    state = page.paint("fits", "green") if one.fits else page.paint("DOES NOT FIT", "bold", "red")
    yield f"{page.heading(f'{one.left} | {one.right}')}  {state}"
    wide = max(len(one.left), len(one.right))
    at = place(one.at_left.location) if one.at_left is not None else "not in the recording"
    yield f"  {one.left.ljust(wide)}  {at}"
    yield f"  {one.right.ljust(wide)}  {place(one.at_right.location)}"
    label = max(len(pair.name) for pair in one.ids)
    for pair in one.ids:
        yield from _pair(pair, one, label, page)
    if one.wrong_kind:
        what = "an approval takes no tool result" if one.left == "approval" else "a call takes no answer to an approval"
        if one.left == "approval" and one.right == "posted answer":
            what = "its type or its request_id is not that of an open approval"
        yield from page.wrap(f"the wrong kind of answer: {what}", indent="    ", first="  ")
    elif one.meant is not None:
        sure = (
            "thought to be meant for this call" if not one.meant.others else "may be meant for this call or for others as near"
        )
        yield from page.wrap(f"answers no call by its own ids; {sure}: {one.meant.detail}", indent="    ", first="  ")
    if one.again:
        places = ", ".join(where(at.location) for at in one.again[:AGAIN])
        more = f" and {len(one.again) - AGAIN:,} more" if len(one.again) > AGAIN else ""
        yield from page.wrap(f"the same again: {places}{more}", indent="    ", first="  ")
    if one.refused is not None:
        status = f" with HTTP {one.refused.http_status}" if one.refused.http_status else ""
        said = page.fit(one.refused.message, used=4, least=1)
        yield f"  refused by the server{status} ({where(one.refused.at.location)})"
        yield f"    {said}"


def _pair(pair: IdPair, one: Against, label: int, page: Page) -> Iterator[str]:
    name = pair.name.ljust(label)
    if pair.state == SAME:
        yield f"  {name}  same     {ident(pair.left)}"
    elif pair.state == DIFFERS and pair.left is not None and pair.right is not None:
        yield f"  {name}  {page.paint('DIFFERS', 'bold', 'red')}"
        if not alike(pair.left, pair.right, pair.edits):
            wide = max(len(one.left), len(one.right))
            yield f"    {one.left.ljust(wide)}  {ident(pair.left)}"
            yield f"    {one.right.ljust(wide)}  {ident(pair.right)}"
            yield "    another id altogether"
            return
        yield from beside(pair.left, pair.right, pair.edits, (one.left, one.right), page, "    ")
        for words in told(pair.left, pair.right, pair.edits):
            yield from page.wrap(words, indent="      ", first="    ")
    else:
        lacking, has, value = (one.left, one.right, pair.right) if pair.state == NOT_LEFT else (one.right, one.left, pair.left)
        if value is None:
            yield f"  {name}  {'-' if pair.fits else page.paint('MISSING', 'bold', 'red')}        neither carries one"
            return
        lead = "-      " if pair.fits else page.paint("MISSING", "bold", "red")
        yield f"  {name}  {lead}  {ident(value)} ({has}); the {lacking} carries none"


def _end(found: Beside, page: Page) -> Iterator[str]:
    if found.kind == "result":
        yield from page.wrap(
            "No call in the recording has these ids, nor any id near them: there is nothing to hold it against."
        )
        return
    if not found.pairs:
        yield from page.wrap(f"Nothing was posted or recorded for it, so there is nothing to hold against this {found.kind}.")
        if found.stray_count:
            named = ", ".join(f"{ident(one.id)} ({where(one.at.location)})" for one in found.strays)
            more = f" and {found.stray_count - len(found.strays):,} more" if found.stray_count > len(found.strays) else ""
            yield from page.wrap(f"Answering nothing here, and near no call: {named}{more}.")
        return
    bad = [one for one in found.pairs if not one.fits]
    if not bad:
        yield f"All ids are the same in {plural(len(found.pairs), 'comparison')}."
        return
    ids = list(dict.fromkeys(pair.name for one in bad for pair in one.ids if not pair.fits))
    which = f": {', '.join(ids)}" if ids else ""
    yield f"{len(bad):,} of {plural(len(found.pairs), 'comparison')} {'does' if len(bad) == 1 else 'do'} not fit{which}"
