"""Items that lack an id were recorded, not posted: nobody is to post them."""

from tests.rules.cases import added, call, codes, done, ending, of, opening, output, post, snapshot, told, waiting


def test_a_recorded_result_without_its_call_id() -> None:
    """The call that it fits is told of once, not also as cleared by an unknown answer (TL113)."""
    report = told(*waiting(call()), added(output(call_id="")), snapshot("in_progress", at=20), *ending())
    (finding,) = of(report, "TL111")
    assert "so nothing ties it to a call" in finding.message
    assert finding.hint.startswith("Fetch the session's items")
    assert "TL113" not in codes(report)


def test_a_call_without_its_call_id() -> None:
    (finding,) = of(told(*opening(), done(call(call_id=""))), "TL111")
    assert finding.hint.startswith("Fetch the session's items")


def test_a_posted_result_without_its_call_id() -> None:
    """Who cleared the call is not recorded: the post answered nothing."""
    report = told(*waiting(call()), post(call_id=""), snapshot("in_progress", at=20), *ending())
    (finding,) = of(report, "TL111")
    assert "so it answers nothing" in finding.message
    assert finding.hint.startswith("Post both ids")


def test_a_posted_result_without_its_turn_id_whose_call_has_a_result() -> None:
    """The recorder may have left the id out, for the same output is recorded: nobody is to post it again."""
    report = told(*waiting(call()), post(turn_id=None), added(output()), snapshot("in_progress", at=20), *ending())
    (finding,) = of(report, "TL111")
    assert finding.message.startswith("A posted result at <bytes>:7 has no turn_id, so it answers nothing as recorded")
    assert finding.hint.startswith("Do not post it again")


def test_a_call_cleared_by_an_unknown_answer() -> None:
    report = told(*waiting(call()), done(call("call_ebb2"), 1), snapshot("in_progress", at=20), *ending())
    assert of(report, "TL113")
