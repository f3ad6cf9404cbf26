"""A tree of lines: what it is made of, how its quiet middle is folded away, and how it is drawn.

Folding, in three lines: only a tree of more than FOLD_OVER lines is folded. Among the children of one node, three or more
quiet ones in a row become one line that counts them; the first and the last child stay. What is left of a very long
list keeps its two ends. No recursion: a chain of subagents may be as deep as the recording says.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tracelink.render.escape import width_of
from tracelink.render.page import Page, plural

FOLD_OVER = 40
LONGEST_LIST = 60
ENDS = 20


@dataclass(slots=True)
class Node:
    """One line of the tree, and what hangs below it.

    kind: agent, turn, call or other: what a fold counts. label: ids in full, already safe to show. state: one word or
    two. marks: finding codes with their style. text: recorded text, not yet safe, cut where there is no room.
    loud: somebody should look at this line itself. quiet (computed): nothing in it or below is loud.
    """

    kind: str
    label: str
    state: str = ""
    style: str = ""
    marks: tuple[tuple[str, str], ...] = ()
    text: str = ""
    loud: bool = False
    children: list["Node"] = field(default_factory=list)
    quiet: bool = True
    tally: Counter[str] = field(default_factory=Counter)

    def walk(self) -> Iterator["Node"]:
        """Itself and all below, from the top."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


def fold(roots: list[Node]) -> bool:
    """Folds the trees in place if they are long together; True if anything was folded."""
    nodes = [node for root in roots for node in root.walk()]
    if len(nodes) <= FOLD_OVER:
        return False
    for node in reversed(nodes):  # children before parents
        node.quiet = not node.loud and all(child.quiet for child in node.children)
        node.tally = Counter({node.kind: 1} | ({f"state {node.state}": 1} if node.kind == "call" else {}))
        for child in node.children:
            node.tally += child.tally
    folded = False
    for node in nodes:
        children = _long(_folded(node.children))
        folded |= len(children) < len(node.children)
        node.children = children
    return folded


def _folded(children: list[Node]) -> list[Node]:
    kept: list[Node] = []
    run: list[Node] = []
    for at, child in enumerate(children):
        if child.quiet and 0 < at < len(children) - 1:
            run.append(child)
            continue
        kept += [*_summed(run), child]
        run = []
    return kept


def _summed(run: list[Node]) -> list[Node]:
    return run if len(run) < 3 else [_sum(run)]


def _long(children: list[Node]) -> list[Node]:
    if len(children) <= LONGEST_LIST:
        return children
    return [*children[:ENDS], _sum(children[ENDS:-ENDS]), *children[-ENDS:]]


def _sum(nodes: Iterable[Node]) -> Node:
    tally: Counter[str] = sum((node.tally for node in nodes), Counter())
    told = [
        plural(tally[kind], noun) for kind, noun in (("agent", "subagent"), ("turn", "turn"), ("call", "call")) if tally[kind]
    ]
    told = told or [plural(tally.total(), "line")]
    states = {key.removeprefix("state "): count for key, count in tally.items() if key.startswith("state ")}
    if len(states) == 1:
        told.append(f"all {next(iter(states))}")
    elif states:
        told[-1] += ": " + ", ".join(f"{count:,} {state}" for state, count in sorted(states.items()))
    return Node("fold", "… " + ", ".join(told), tally=tally)


DEEPEST = 60
"""Columns of branches; what is nested deeper keeps the innermost ones behind a mark, so that a line stays a line."""


def _bent(lead: str) -> str:
    return lead if len(lead) <= DEEPEST else "  ⋯ " + lead[-(DEEPEST - 30) :]


def draw(roots: list[Node], page: Page) -> Iterator[str]:
    """The lines of the trees, two columns in."""
    waiting = [(root, "  ", "  ") for root in reversed(roots)]
    while waiting:
        node, first, rest = waiting.pop()
        yield _line(node, first, page)
        for at, child in reversed(list(enumerate(node.children))):
            last = at == len(node.children) - 1
            waiting.append((child, _bent(rest + ("└─ " if last else "├─ ")), _bent(rest + ("   " if last else "│  "))))


def _line(node: Node, lead: str, page: Page) -> str:
    label_styles = {"agent": ("bold",), "fold": ("dim",)}.get(node.kind, ())
    plain, shown = lead + node.label, page.paint(lead, "dim") + page.paint(node.label, *label_styles)
    if node.state:
        plain += f"  {node.state}"
        shown += "  " + page.paint(node.state, *node.style.split())
    for code, style in node.marks:
        plain += f"  {code}"
        shown += "  " + page.paint(code, *style.split())
    if node.text and (text := page.fit(node.text, used=width_of(plain) + 2)):
        shown += "  " + page.paint(text, "dim")
    return shown
