"""Without cleared actions the graph is the whole graph less those nodes: what stays, in which order, and what it is called."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.graph.samples import ALL, at
from tracelink.graph import build, cleared_action
from tracelink.model.facts import ActionSeen
from tracelink.model.trace import Action, Agent, Call, Meant, Result, Trace, Turn

FEW = st.sampled_from(["a", "b", "c"])
MAYBE = st.none() | FEW


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Few ids, so that actions share calls, requests, node ids and turns, and name turns that nobody recorded."""
    agents = {"r": Agent("r", True), "s": Agent("s", False, parent_id="r")}
    turns = {
        name: Turn(name, draw(st.sampled_from(["r", "s"])), None, True) for name in draw(st.lists(FEW, unique=True, max_size=2))
    }
    keys = draw(st.lists(st.tuples(FEW, FEW), unique=True, max_size=4))
    actions = []
    for _ in range(draw(st.integers(0, 6))):
        seen = ActionSeen(
            draw(st.sampled_from(["function_call", "x"])), draw(MAYBE), draw(MAYBE), draw(MAYBE), draw(MAYBE), draw(MAYBE)
        )
        actions.append(Action(seen, at(1), at(2), draw(st.sampled_from([None, at(3)])), draw(st.booleans())))
    results = [
        Result(
            turn, call, None, None, posted=at(4), meant=Meant(draw(MAYBE), draw(MAYBE), "approval", "", request_id=draw(MAYBE))
        )
        for turn, call in draw(st.lists(st.tuples(MAYBE, MAYBE), max_size=4))
    ]
    calls = {key: Call(*key, None, None, None, "open") for key in keys}
    return Trace("s", agents=agents, turns=turns, calls=calls, results=tuple(results), actions=tuple(actions))


def the_same_less_cleared(trace: Trace, agent: str | None = None) -> None:
    whole, rest = (build(trace, detail="all", agent=agent, cleared=cleared) for cleared in (True, False))
    whole.remove_nodes_from([node for node, data in whole.nodes(data=True) if cleared_action(data)])
    assert whole.graph == rest.graph
    assert list(whole.nodes(data=True)) == list(rest.nodes(data=True))
    assert [list(data) for _, data in whole.nodes(data=True)] == [list(data) for _, data in rest.nodes(data=True)]
    assert list(whole.edges(keys=True, data=True)) == list(rest.edges(keys=True, data=True))


@settings(deadline=None, max_examples=300)
@given(traces())
def test_any_trace(trace: Trace) -> None:
    for agent in (None, "r", "s"):
        the_same_less_cleared(trace, agent)


def test_samples() -> None:
    for make in ALL:
        trace = make()
        for agent in (None, *trace.agents):
            the_same_less_cleared(trace, agent)


def test_what_a_cleared_action_hides_stays_hidden_and_a_turn_that_only_it_names_is_there() -> None:
    """The later action of a request is the one that a misaddressed result was meant for, though it be cleared."""
    asked = ActionSeen("x", "a", request_id="q")
    wrong = Result(None, None, None, None, posted=at(4), meant=Meant(None, None, "approval", "", request_id="q"))
    listed = Action(asked, at(1), at(1), None, True)
    over = Action(asked._replace(turn_id="b"), at(2), at(2), at(3), False)
    trace = Trace("s", agents={"r": Agent("r", True)}, results=(wrong,), actions=(listed, over))
    the_same_less_cleared(trace)
    rest = build(trace, cleared=False)
    assert list(rest.in_edges("action:x/q", keys=True)) == [("turn:a", "action:x/q", "requires")]
    assert rest.nodes["turn:b"]["seen"] is False
