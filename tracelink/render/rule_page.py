"""Rules for people: a rule's page as text and Markdown, the list, the README's table, and all of it as JSON."""

from collections.abc import Sequence
from typing import Any

from tracelink import __version__
from tracelink.render.gate_rules import every
from tracelink.render.json import dump
from tracelink.render.page import Page
from tracelink.rules import Rule

SCHEMA = "tracelink.rules/1"
FAMILIES = {
    "TL0": "reading",
    "TL1": "calls and results",
    "TL2": "payloads",
    "TL3": "turns and the session",
    "TL4": "subagents",
    "TL5": "waiting",
    "TL6": "replay",
    "TL7": "credentials",
}
PARTS = (
    ("proves", "What it proves"),
    ("cannot", "What it cannot prove"),
    ("quiet", "What keeps it quiet"),
    ("example", "Example"),
    ("remedy", "What to do"),
)
BEGIN, END = "<!-- rules -->", "<!-- /rules -->"


def family(rule: Rule) -> str:
    """`TL1` of `TL103`."""
    return rule.code[:3]


def text(rule: Rule, page: Page | None = None) -> str:
    """The rule's page, without a closing newline; 80 columns where no page is given."""
    page = page or Page()
    lines = [
        f"{page.heading(rule.code)} {page.heading(rule.name)}  {rule.severity.value}, {rule.confidence.value} confidence",
        "",
        *page.wrap(rule.summary, indent="  ", first="  "),
    ]
    for part, title in PARTS:
        lines += ["", page.heading(title), *page.wrap(getattr(rule, part), indent="  ", first="  ")]
    return "\n".join(lines)


def pages(listed: Sequence[Rule], page: Page) -> str:
    """Pages one below the other, with a closing newline."""
    between = f"\n\n{page.paint('─' * page.width, 'dim')}\n\n"
    return between.join(text(rule, page) for rule in listed) + "\n"


def catalogue(listed: Sequence[Rule], page: Page) -> str:
    """One line a rule, by family; a summary that does not fit goes on below itself."""
    lines: list[str] = []
    longest = max((len(rule.name) for rule in listed), default=0)
    last = None
    for rule in listed:
        if family(rule) != last:
            last = family(rule)
            lines += [*([""] if lines else []), page.heading(f"{last}xx") + f"  {FAMILIES.get(last, '')}"]
        head = f"  {rule.code}  {rule.name:<{longest}}  {rule.severity.value:<7}  "
        lines.append(head + page.fit(rule.summary, used=len(head)))
    lines += ["", page.paint("next: tracelink rule CODE   (what it proves, what it cannot, what to do)", "cyan")]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def markdown(rule: Rule) -> str:
    """The rule's page in Markdown, without a closing newline. An example stands as code, the rest is prose of ours."""
    lines = [
        f"## {rule.code} {rule.name}",
        "",
        f"*{rule.severity.value}, {rule.confidence.value} confidence*",
        "",
        rule.summary,
    ]
    for part, title in PARTS:
        body = getattr(rule, part)
        lines += ["", f"**{title}.** " + (_code(body) if part == "example" else body)]
    return "\n".join(lines)


def markdown_pages(listed: Sequence[Rule]) -> str:
    return "\n\n".join(map(markdown, listed)) + "\n"


def table_markdown(listed: Sequence[Rule] | None = None) -> str:
    """The table of all rules, as the README holds it between `BEGIN` and `END`; with a closing newline."""
    rows = ["| code | name | severity | what it is about |", "| --- | --- | --- | --- |"]
    for rule in every() if listed is None else listed:
        cells = (rule.code, rule.name, rule.severity.value, rule.summary)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows) + "\n"


def as_json(listed: Sequence[Rule]) -> bytes:
    return dump({"schema": SCHEMA, "tracelink": __version__, "rules": [_dict(rule) for rule in listed]})


def _dict(rule: Rule) -> dict[str, Any]:
    names = ("code", "name", "severity", "confidence", "summary", *(part for part, _ in PARTS))
    return {name: str(getattr(rule, name)) for name in names}


def _code(body: str) -> str:
    """Inline code, with a fence longer than any run of backticks in it."""
    fence = "`"
    while fence in body:
        fence += "`"
    edge = " " if body[:1] == "`" or body[-1:] == "`" else ""
    return f"{fence}{edge}{body}{edge}{fence}"
