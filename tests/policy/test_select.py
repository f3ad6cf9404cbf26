"""`--select` and `--ignore`: what a selector fits, and which one decides."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tracelink.policy import Selection
from tracelink.policy.select import codes_of
from tracelink.rules import rules

CODES = [rule.code for rule in rules()]


@pytest.mark.parametrize("selector", ["TL103", "tl103", "wrong-turn-result", "Wrong-Turn-Result", " TL103 "])
def test_one_rule(selector: str) -> None:
    assert codes_of(selector) == ({"TL103"}, 5)


@pytest.mark.parametrize(("selector", "length"), [("TL1", 3), ("TL1xx", 3), ("tl1XX", 3), ("TL10", 4), ("TL10x", 4), ("TL", 2)])
def test_a_prefix(selector: str, length: int) -> None:
    codes, found = codes_of(selector)
    assert found == length
    assert codes == {code for code in CODES if code.startswith(selector.upper().rstrip("X"))}


@pytest.mark.parametrize(
    ("selector", "told"),
    [
        ("TL999", "no rule has the code, prefix or name 'TL999'"),
        ("wrong-turn-results", "Did you mean 'wrong-turn-result'"),
        ("TL1O3", "or 'TL103'"),
        ("TL9", "no rule has"),
        ("TL103x", "no rule has"),
        ("T", "no rule has"),
        ("", "no rule has"),
    ],
)
def test_an_unknown_one_is_an_error(selector: str, told: str) -> None:
    with pytest.raises(ValueError, match="no rule") as error:
        Selection((selector,))
    assert told in str(error.value)
    with pytest.raises(ValueError, match="no rule"):
        Selection((), (selector,))


def test_everything_is_selected_where_nothing_is_said() -> None:
    assert Selection().codes == set(CODES)


@pytest.mark.parametrize(
    ("select", "ignore", "inside", "outside"),
    [
        (["TL1"], [], ["TL101", "TL116"], ["TL001", "TL201"]),
        ([], ["TL1"], ["TL201"], ["TL101"]),
        (["TL1"], ["TL103"], ["TL102"], ["TL103"]),
        (["TL103"], ["TL1"], ["TL103"], ["TL102", "TL201"]),
        (["TL10"], ["TL1"], ["TL103"], ["TL110"]),
        (["TL1"], ["TL10"], ["TL110"], ["TL103"]),
        (["TL1"], ["TL1"], [], ["TL103"]),
        (["TL103"], ["wrong-turn-result"], [], ["TL103"]),
        (["TL"], ["TL1"], ["TL201"], ["TL103"]),
    ],
)
def test_the_most_specific_wins(select: list[str], ignore: list[str], inside: list[str], outside: list[str]) -> None:
    selection = Selection(tuple(select), tuple(ignore))
    assert all(code in selection for code in inside)
    assert not any(code in selection for code in outside)


selectors = st.sampled_from([*CODES, "TL", "TL0", "TL1", "TL10", "TL3xx", "TL50", *(rule.name for rule in rules())])


@settings(deadline=None)
@given(st.lists(selectors, max_size=4), st.lists(selectors, max_size=4), st.randoms())
def test_order_and_repetition_do_not_matter(select: list[str], ignore: list[str], random: object) -> None:
    first = Selection(tuple(select), tuple(ignore)).codes
    assert Selection(tuple(reversed(select * 2)), tuple(sorted(ignore))).codes == first
    for code in CODES:  # said in the rule's own words: a code named by itself is decided by that alone
        if code in ignore:
            assert code not in first
        elif code in select:
            assert (code in first) == (next(r.name for r in rules() if r.code == code) not in ignore)
