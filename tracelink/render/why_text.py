"""Why an id is there, as text: what it is, where it was seen, what led to it, what came of it."""

import shlex
from collections.abc import Iterator, Sequence

from tracelink.model.location import Origin
from tracelink.model.run import Report
from tracelink.render import telling
from tracelink.render.check_text import harmless
from tracelink.render.closing import finding_lines
from tracelink.render.commands import files
from tracelink.render.escape import escape, ident, json_text, width_of
from tracelink.render.page import Page, place, plural
from tracelink.story.why_values import Link, Why

MANY, ENDS = 24, 10


def render(report: Report, why: Why, *, width: int, color: bool, full: bool = False, cut: bool = True) -> str:
    """The answer as text with a closing newline. Options as for `text.render`."""
    page = Page(max(width, 40), color, full, cut)
    session = f"  in session {ident(why.session_id)}" if why.kind != "session" and why.session_id is not None else ""
    lines = [page.heading(f"{why.kind} {ident(why.id)}") + session, *page.wrap(why.what, indent="  ", first="  ")]
    if why.facts:
        lines += ["", page.heading("what it says")]
        label = min(max(len(name) for name, _ in why.facts), 24)
        for name, value in why.facts:
            lead = f"  {escape(name).ljust(label)}  "
            text = value if isinstance(value, str) else json_text(value)
            whole = ident(text) if name.endswith("_id") or name == "sender" else None
            lines.append(lead + (whole or page.fit(text, used=width_of(lead), least=1)))
    lines += ["", page.heading("where it was seen")]
    lines += _some([f"  {word}  {place(at.location)}" for word, at in _aligned(why)], page) or [
        "  no record of its own is kept"
    ]
    lines += ["", page.heading("what led to it"), *_links(why.before, page)]
    lines += ["", page.heading("what came of it"), *_links(why.after, page)]
    if why.findings:
        lines += ["", page.heading("findings that name it")]
        for finding in why.findings if full else why.findings[:8]:
            lines += finding_lines(finding, page)
        if len(why.findings) > 8 and not full:
            lines.append(f"  … {plural(len(why.findings) - 8, 'more finding')}")
    turn = why.id if why.kind == "turn" else next((value for name, value in why.facts if name == "turn_id"), None)
    if isinstance(turn, str) and escape(turn) == turn:
        lines += [
            "",
            page.paint(
                f"next: tracelink postmortem {files(report)} --turn {shlex.quote(turn)}   (the story of its turn)", "cyan"
            ),
        ]
    return "\n".join(map(harmless, lines)) + "\n"


def _aligned(why: Why) -> Iterator[tuple[str, Origin]]:
    wide = max((len(word) for word, _ in why.seen), default=0)
    return ((escape(word).ljust(wide), at) for word, at in why.seen)


def _some(lines: Sequence[str], page: Page) -> list[str]:
    if page.full or len(lines) <= MANY:
        return list(lines)
    return [*lines[:ENDS], f"  … {len(lines) - 2 * ENDS:,} more", *lines[-ENDS:]]


def _links(links: Sequence[Link], page: Page) -> list[str]:
    shown = list(links)
    left = 0
    if not page.full and len(shown) > MANY:
        left = len(shown) - 2 * ENDS
    lines: list[str] = []
    for number, link in enumerate(shown):
        if left and ENDS <= number < len(shown) - ENDS:
            if number == ENDS:
                lines.append(f"  … {left:,} more")
            continue
        lines += _link(link, page)
    return lines or ["  nothing in the recording"]


def _link(link: Link, page: Page) -> Iterator[str]:
    told = link.text
    if link.at is not None:
        when = telling.clock_time(link.time, link.clock)
        told += f" [{place(link.at.location)}{'' if when == '--' else f', {when}'}]"
    lines = page.wrap(told, indent="    ", first="  ")
    yield from lines
    if link.quoted is not None:
        text = link.quoted if isinstance(link.quoted, str) else json_text(link.quoted)
        yield page.paint("      " + page.fit(text, used=6), "dim")
