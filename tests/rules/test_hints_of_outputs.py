"""What to do with outputs of the wrong kind, and with two results under a pair that two calls share."""

from typing import Any

import pytest

from tests.rules.cases import added, call, done, of, output, post, told, waiting


@pytest.mark.parametrize(
    "value", [[{"type": "text", "text": "2.31 m"}], [{"text": "2.31 m"}], ["2.31 m"], [{"type": "input_text"}]]
)
def test_a_list_of_wrong_parts_is_not_to_be_serialised(value: Any) -> None:
    (finding,) = of(told(*waiting(call()), post(value=value)), "TL201")
    assert finding.hint.startswith("Post one string, or give each part its type")


@pytest.mark.parametrize("value", [{"metres": 2.31}, 2.31, True])
def test_another_value_is_to_be_serialised(value: Any) -> None:
    (finding,) = of(told(*waiting(call()), post(value=value)), "TL201")
    assert finding.hint.startswith("Serialise the value")


def test_two_results_of_two_calls_under_one_pair() -> None:
    """Parallel calls that a gateway numbered alike: there need not be two workers."""
    other = call(item_id="item_other1", name="read_wind", arguments={"mast": "west"})
    rows = [*waiting(call()), done(other), added(output()), added(output(value="7 kn", id="item_out_other1"))]
    (finding,) = of(told(*rows), "TL106")
    assert "TL109" in finding.hint
    assert of(told(*rows), "TL109")


def test_two_results_of_one_call() -> None:
    rows = [*waiting(call()), added(output()), added(output(value="1.90 m", id="item_out_other1"))]
    (finding,) = of(told(*rows), "TL106")
    assert finding.hint.startswith("Find the two workers")
