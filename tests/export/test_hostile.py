"""Recordings are hostile: whatever ids and names hold, the output is valid and shows it as text."""

import re
import shutil
import subprocess
from xml.etree import ElementTree

import networkx as nx
import orjson
import pydot
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.graph.samples import at, snapshot
from tracelink.export import mermaid, render
from tracelink.export.escape import hidden, visible
from tracelink.graph import build
from tracelink.model.facts import ActionSeen
from tracelink.model.trace import Action, Agent, Call, Coordination, Item, Meant, Result, Spawn, Trace, Turn

NASTY = [
    'say "x"',
    "back\\slash\\",
    "two\nlines\r\ttab",
    "</svg><script>alert(1)</script>",
    "<b>&amp;&#x202e;&lt;",
    "\u202egnp.exe\u2066",
    "\x1b[31mred\x1b]0;t\x07",
    "nul\x00\ufffe\uffff\x9b",
    "\ud800 alone",
    '"]; click n1 call alert() %%{init: {}}%% end',
    "`md` [a](javascript:x) #quot; #35;",
    "\\N \\G \\l \\E",
    "--> subgraph x[",
    "]]>",
    "<",
    "",
    " ",
    "node",
    "a:b:c",
    "<<TABLE>>",
]
TEXT = st.sampled_from(NASTY) | st.text(max_size=8)
DOT = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz's dot is not installed")
SLOW = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    one = lambda: draw(TEXT)  # noqa: E731 - a name for what is drawn again and again
    root, child, turn, call, item = (one() for _ in range(5))
    child = child if child != root else child + "2"
    agents = {
        root: Agent(root, True, one(), one(), status=one()),
        child: Agent(child, False, one(), parent_id=root, status=one(), spawn=Spawn(item, child, one(), one())),
    }
    made = Call(
        turn,
        call,
        one(),
        None,
        one(),
        draw(st.sampled_from(["required", "answered", "unanswered"])),
        (one(),),
        origins=(at(1, one()),),
    )
    wrong = Result(
        one(), one(), None, None, item_id=one(), posted=at(2), meant=Meant(turn, call, one(), one()), problem="TL105"
    )
    asked = draw(st.sampled_from(["function_call", "computer_use_approval", "environment_connection", one()]))
    named = draw(st.sampled_from([(turn, call), (turn, one()), (one(), None), (None, None)]))
    seen = ActionSeen(asked, *named, request_id=one(), environment_id=one(), name=one())
    action = Action(seen, at(5, one()), at(6), draw(st.sampled_from([None, at(7)])), draw(st.booleans()))
    return Trace(
        one(),
        latest=(snapshot("s", one()),),
        agents=agents,
        turns={turn: Turn(turn, root, None, True, one(), None, error_code=one())},
        calls={made.key: made},
        results=(Result(turn, call, None, None, recorded=at(1), call=made.key), wrong),
        actions=(action,),
        coordination={item: Coordination(item, "create", turn, root, (), one(), None, (at(3),))},
        items={"i" + item: Item("i" + item, one(), turn, one(), (at(4),), {"name": one()})},
    )


def written(name: str, *given: Trace) -> str:
    out = render(name, [(trace, build(trace, detail="all")) for trace in given])
    text = out.decode() if isinstance(out, bytes) else out
    assert [char for char in text if hidden(char) and char != "\n"] == []
    return text


@SLOW
@given(traces())
def test_json(trace: Trace) -> None:
    document = orjson.loads(written("json", trace))
    ours = build(trace, detail="all")
    assert [node["id"] for node in document["nodes"]] == list(ours)
    for node in document["nodes"]:
        told = ours.nodes[node["id"]].get("name")
        assert node.get("name") == (None if told is None else re.sub("[\ud800-\udfff]", lambda m: visible(m[0]), told))
    orjson.loads(written("links", trace, trace))


@SLOW
@given(traces())
def test_graphml(trace: Trace) -> None:
    back = nx.parse_graphml(written("graphml", trace), force_multigraph=True)
    ours = build(trace, detail="all")
    assert list(back) == list(ours)
    for node, data in ours.nodes(data=True):
        if data.get("name"):
            assert back.nodes[node]["name"].strip() == visible(data["name"]).strip()


@SLOW
@given(traces())
def test_mermaid(trace: Trace) -> None:
    lines = written("mermaid", trace).splitlines()
    # The only shapes a line may have; text stands in labels, and a label holds no syntax.
    label = r'"(?:<b>|</b>|<br/>|#\d+;|[^"<>#;`{}\[\]()|\\%&])*"'
    shapes = [
        r"flowchart LR",
        rf" *subgraph s\d+(a\d+)?\[{label}\]",
        r" *end",
        rf" *n\d+\({label}\):::\w+",
        rf" *n\d+ (-->|==>|-\. {label} \.->) n\d+",
        r" *classDef \w+ [\w:,#-]+",
        r" *linkStyle [\d,]+ [\w:,.#-]+",
    ]
    for line in lines:
        assert any(re.fullmatch(shape, line) for shape in shapes), line


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # pydot calls pyparsing by its old names
@settings(SLOW, max_examples=4)
@given(traces())
def test_dot_is_read_by_pydot(trace: Trace) -> None:
    parsed = pydot.graph_from_dot_data(written("dot", trace))
    assert parsed is not None
    assert len(parsed) == 1


@DOT
@settings(SLOW, max_examples=10)
@given(traces())
def test_dot_and_svg_by_graphviz(trace: Trace) -> None:
    text = written("dot", trace, trace)
    done = subprocess.run(["dot", "-Tplain"], input=text.encode(), capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (0, "")
    root = ElementTree.fromstring(written("svg", trace))  # noqa: S314 - our own output
    assert not [one.tag for one in root.iter() if one.tag.endswith("script")]
    assert "javascript:" not in {key for one in root.iter() for key in one.attrib}
    said = "".join(root.itertext())
    assert not any(hidden(char) and char != "\n" for char in said)


@DOT
@pytest.mark.parametrize("name", [one for one in NASTY if one.strip()])
def test_the_svg_shows_the_name_as_it_is(name: str) -> None:
    trace = Trace("s", agents={"r": Agent("r", True, name)}, turns={"t": Turn("t", "r", None, True)})
    root = ElementTree.fromstring(written("svg", trace))  # noqa: S314 - our own output
    said = {"".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")}
    assert visible(name, 40).replace(" ", "\u00a0") in {one.replace(" ", "\u00a0") for one in said}


@given(st.text() | TEXT, st.none() | st.integers(3, 30))
def test_visible(value: str, limit: int | None) -> None:
    shown = visible(value, limit)
    assert not any(hidden(char) for char in shown)
    if limit is not None:
        assert len(shown) <= max(limit, 3)
    if limit is None and not any(hidden(char) for char in value):
        assert shown == value


def test_visible_examples() -> None:
    assert visible("a\x1b[1m\u202eb\n") == "a\\x1b[1m\\u{202e}b\\x0a"
    assert visible("call_0123456789", 9) == "call_…789"
    assert mermaid.text('a"]b') == "a#34;#93;b"
