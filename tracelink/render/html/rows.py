"""The graph's nodes as rows of data for the page's script: short lists, made safe to show, each with its place in the recording.

Every row hangs below one other (`up`), so that the page can draw a tree and fold it; the edge that this stands for is `via`. The other
edges (who waits for whom, what was probably meant for what) are listed apart. Recorded texts are cut to `width` columns.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tracelink.graph import ids
from tracelink.graph.vocabulary import EDGES, NODES
from tracelink.model.trace import Result, Trace
from tracelink.render.escape import escape, json_text, short
from tracelink.story.results import said

if TYPE_CHECKING:
    import networkx as nx

KINDS = tuple(NODES)
LINKS = tuple(EDGES)
HANGING = {"runs": False, "calls": False, "answered_by": False, "coordinates": False, "contains": False, "spawns": False} | {
    "for_call": True,
    "meant_for": True,
    "requires": False,
    "parent_of": False,
}
"""Edges that a row may hang by, the first that it has; True: the head hangs below the tail's other end."""
TOLD_TWICE = frozenset({"spawns", "meant_for"})
"""Edges that are listed also where something hangs by them, for their reason."""
ORDER = {kind: at for at, kind in enumerate(HANGING)}
TONES = (
    ("ok", ("answered", "completed", "cleared", "recorded", "closed")),
    ("open", ("required", "unapplied", "in_progress", "queued", "posted", "active", "open", "no end recorded")),
    ("bad", ("failed", "cancelled", "abandoned", "unanswered", "refused", "astray", "incomplete")),
)
"""What a state's colour says. Any other state is `unsure`, none is `none`."""

Row = list[Any]
Width = Callable[[str], int]


def tone(state: str) -> str:
    return next((name for name, states in TONES if state in states), "unsure" if state else "none")


class Rows:
    """Attributes:

    rows: [kind, id, name, state, up, via, source, line, event id, loud, text, note, other ids]; kind, state, via and source are positions
        in `KINDS`, `states`, `LINKS` and `sources`; up is a row, -1 at the top.
    links: [from, to, kind, note] of the edges that nothing hangs by. places: node id → row. astray: the name
        that the story gives to the posting of a result that answers no call → its row.
    """

    def __init__(self, graph: "nx.MultiDiGraph", trace: Trace, kept: Sequence[str], loud: Iterable[str], width: Width) -> None:
        self.trace, self.width = trace, width
        self.places = {node: at for at, node in enumerate(kept)}
        self.states: dict[str, int] = {}
        self.sources: dict[str, int] = {}
        self.loud = set(loud)
        self.results = dict(
            zip((n for n, kind in graph.nodes(data="kind") if kind == "tool_result"), trace.results, strict=True)
        )
        self.astray = {
            f"post:{at}": self.places[node]
            for at, (node, result) in enumerate(self.results.items())
            if result.call is None and node in self.places
        }
        self.above = self._hang(graph)
        self.links = self._links(graph)
        self.rows = [self._row(node, graph.nodes[node]) for node in kept]

    def _hang(self, graph: "nx.MultiDiGraph") -> dict[str, tuple[str, str]]:
        """Node → (the node it hangs below, by which edge). No row hangs below itself, however the agents name each other."""
        best: dict[str, tuple[str, str]] = {}
        for tail, head, kind in graph.edges(keys=True):
            if kind not in HANGING or tail not in self.places or head not in self.places:
                continue
            below, above = (tail, head) if HANGING[kind] else (head, tail)
            if below not in best or ORDER[kind] < ORDER[best[below][1]]:
                best[below] = (above, kind)
        sound: set[str] = set()
        for start in list(best):
            node = start
            path: set[str] = set()
            while node in best and node not in sound:
                if node in path:
                    del best[node]  # a circle of agents: opened here, it has a top
                    break
                path.add(node)
                node = best[node][0]
            sound |= path
        for node, result in self.results.items():  # one that nothing claims stands in the turn that it names
            turn = ids.turn(result.turn_id)
            if node in self.places and node not in best and turn in self.places:
                best[node] = (turn, "contains")
        return best

    def _links(self, graph: "nx.MultiDiGraph") -> list[list[Any]]:
        found = []
        for tail, head, kind, data in graph.edges(keys=True, data=True):
            if tail not in self.places or head not in self.places:
                continue
            if kind == "requires" and self.above.get(head, ("", ""))[1] == "for_call":
                continue  # it stands below the call, which is the turn's
            hung = (tail, kind) == self.above.get(head) or (head, kind) == self.above.get(tail)
            if hung and kind not in TOLD_TWICE:
                continue
            said_of = [str(data[name]) for name in ("detail", "rule", "confidence") if data.get(name)]
            found.append([self.places[tail], self.places[head], LINKS.index(kind), escape(", ".join(said_of))])
        return found

    def _row(self, node: str, data: Mapping[str, Any]) -> Row:
        kind = data["kind"]
        shown, name, state, text, note, also = _TELL[kind](self, node, data)
        above, via = self.above.get(node, ("", ""))
        source = data.get("source")
        return [
            KINDS.index(kind),
            escape(shown or ""),
            escape(name or ""),
            self.states.setdefault(escape(state or ""), len(self.states)),
            self.places.get(above, -1),
            LINKS.index(via) if via else -1,
            self.sources.setdefault(escape(source), len(self.sources)) if source is not None else -1,
            data.get("line") or 0,
            escape(data.get("event_id") or ""),
            1 if node in self.loud else 0,
            self._text(node, text),
            short(note, 400) if note else "",
            escape(" ".join(also)),
        ]

    def _text(self, node: str, value: Any) -> str:
        if value is None or value == "":
            return ""
        return short(value if isinstance(value, str) else json_text(value), self.width(node))

    def _agent(self, node: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
        state = data.get("status") or ("" if data.get("seen", True) else "only named by others")
        note = f"model {data['model']}" if data.get("model") else ""
        return data["agent_id"], data.get("name"), state, None, note, ()

    def _turn(self, node: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
        turn = self.trace.turns.get(data["turn_id"])
        if turn is None:
            return data["turn_id"], None, "not recorded", None, "only its calls or items name it", ()
        note = "" if turn.owner_known else "whose turn it is, is not recorded"
        return turn.id, turn.error_code, turn.outcome or turn.status or "no end recorded", turn.error_message, note, ()

    def _call(self, node: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
        call = self.trace.calls[data["turn_id"], data["call_id"]]
        failed = call.state == "answered" and any(self.trace.results[at].success is False for at in call.results)
        return call.call_id, call.name or "(no name)", "failed" if failed else call.state, call.arguments, "", call.item_ids

    def _result(self, node: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
        result = self.results[node]
        also = [one for one in (result.item_id, result.turn_id if result.call is None else None) if one]
        return result.call_id or "(no call id)", None, _standing(result), said(result), _told(result), also

    def _action(self, node: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
        shown = data.get("call_id") or data.get("request_id") or data.get("environment_id")
        return shown, data.get("name") or data["type"], data["status"], None, f"required action {data['type']}", ()

    def _item(self, node: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
        one = self.trace.coordination.get(data["item_id"])
        to = f"to {', '.join(one.recipients)}" if one is not None and one.recipients else ""
        return data["item_id"], data["type"], data.get("status") or "", one.text if one is not None else None, to, ()


_TELL: dict[str, Callable[..., tuple[Any, ...]]] = {
    "agent": Rows._agent,
    "subagent": Rows._agent,
    "turn": Rows._turn,
    "function_call": Rows._call,
    "tool_result": Rows._result,
    "action": Rows._action,
    "item": Rows._item,
}


def _standing(result: Result) -> str:
    if result.refused is not None:
        return "refused"
    if result.call is None:
        return "astray"
    if result.success is False:
        return "failed"
    return "recorded" if result.recorded is not None else "posted"


def _told(result: Result) -> str:
    """Our words on a result that went astray or was refused; empty for any other."""
    told = []
    if result.refused is not None:
        status = f" with HTTP {result.refused.http_status}" if result.refused.http_status else ""
        told.append(f"the server refused it{status}: {result.refused.message}")
    if result.call is None:
        told.append(f"posted under call_id {result.call_id or '(none)'} in {result.turn_id or 'no turn'}")
        meant = result.meant
        if meant is not None and not meant.others:
            told.append(f"probably meant for {meant.call_id or meant.request_id}: {meant.detail or meant.reason}")
        else:
            told.append("no call here has that pair of ids")
    return "; ".join(told)


def widths(told: Iterable[str], kept: Sequence[str], budget: int) -> Width:
    """Columns for a node's text: `budget` characters shared out, half of it among the nodes of the turn that is told."""
    near = set(told)
    close = min(4000, max(60, budget // 2 // max(len(near), 1)))
    far = min(600, max(40, budget // 2 // max(len(kept) - len(near), 1)))
    return lambda node: close if node in near else far
