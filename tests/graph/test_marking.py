"""Findings find their nodes: a result by place and problem, everything else by its ids; the worst one wins."""

from tests.graph import samples
from tracelink.graph import build, marks_of
from tracelink.model.finding import Confidence, Finding, Severity

TURN = "turn_c5Hn2bReserve"


def finding(
    code: str, severity: Severity, *, line: int | None = None, session: str = "sess_8Vt3mWarehouse", **ids: str
) -> Finding:
    places = () if line is None else (samples.at(line).location,)
    return Finding(code, "x", severity, Confidence.HIGH, "", ids, places, session_id=session)


def test_a_misaddressed_result_is_found_by_its_place() -> None:
    trace = samples.stalled()
    right = {"turn_id": TURN, "call_id": "call_q7Hd0vTn2XsB"}
    found = marks_of(
        trace,
        [
            finding("TL105", Severity.ERROR, line=22, **right),
            finding("TL502", Severity.NOTE, line=1, **right),
            finding("TL501", Severity.NOTE, line=1, **right),
            finding("TL114", Severity.WARNING, **right),
            finding("TL304", Severity.WARNING, turn_id=TURN),
            finding("TL304", Severity.ERROR, session="sess_other", turn_id=TURN),
            finding("TL001", Severity.ERROR, line=99),
        ],
    )
    pair = f"{TURN}/call_q7Hd0vTn2XsB"
    assert found == {
        f"tool_result:{TURN}/call_q7HdOvTn2XsB": ("TL105", "error"),
        f"function_call:{pair}": ("TL114", "warning"),
        f"action:function_call/{pair}": ("TL114", "warning"),
        f"turn:{TURN}": ("TL304", "warning"),
    }
    assert set(found) <= set(build(trace))


def test_of_equally_bad_findings_the_lower_code_wins() -> None:
    right = {"turn_id": TURN, "call_id": "call_q7Hd0vTn2XsB"}
    told = [finding(code, Severity.NOTE, **right) for code in ("TL502", "TL501", "TL503")]
    assert set(marks_of(samples.stalled(), told).values()) == {("TL501", "note")}


def test_approvals_items_and_subagents() -> None:
    trace = samples.mcp_approval()
    found = marks_of(
        trace,
        [finding("TL501", Severity.NOTE, session="sess_5Jd2sRefund", request_id="mcpr_t6Bv1QeGm", turn_id="turn_y3Kp7aRefund")],
    )
    assert found == {"action:mcp_approval_request/mcpr_t6Bv1QeGm": ("TL501", "note")}
    trace = samples.subagents()
    told = [finding("TL401", Severity.WARNING, session="sess_3Nf8uTrip", item_id="item_c4Tp53")]
    told.append(finding("TL407", Severity.NOTE, session="sess_3Nf8uTrip", subagent_id="sub_z1Reviews"))
    assert set(marks_of(trace, told)) == {"item:item_c4Tp53", "subagent:sub_z1Reviews"} <= set(build(trace))
