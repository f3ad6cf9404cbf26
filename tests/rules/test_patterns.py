"""Which regular expressions out of a recording may be run: by their worst case, not by their looks."""

import pytest

from tracelink.rules.tl2_payloads.patterns import STEPS, bounded, steps


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a+)+$",  # a group that repeats
        "(a|aa)*b",
        "(?=a)b",  # looks around
        r"(a)\1",  # refers back
        r"\k<name>",
        "a" * 501,
        "x*" * 20,
        "a?" * 40,  # doubles with each choice
        "(a){2,9}",
        "[",  # is none
        "a{99999999999999999999}",
    ],
)
def test_not_run(pattern: str) -> None:
    assert bounded(pattern, 200) is None


@pytest.mark.parametrize(
    "pattern", ["^[A-Z]{2}-[0-9]+$", "^BX", "[a-z]+", r"^\d{4}-\d{2}$", "^(north|south)$", "[(+*?|{]", r"\(\+\*"]
)
def test_run(pattern: str) -> None:
    assert bounded(pattern, 200) is not None


@pytest.mark.parametrize("value", [None, 5, ["a"], {}])
def test_no_text_is_no_pattern(value: object) -> None:
    assert bounded(value, 10) is None


def test_the_bound_grows_with_the_text_and_with_the_repeats() -> None:
    assert steps("^a$", 1000) == 3 + 1
    assert steps("a", 1000) == 1 + 1000  # begins everywhere
    assert steps("^a*$", 1000) == 4 + 1000
    assert steps("^a*b*$", 1000) == 6 + 1000**2
    assert steps("^a|b", 1000) == (4 + 1000) * 2  # the anchor holds for the first branch alone
    assert steps("^a?$", 0) == (4 + 1) * 2
    assert steps("^a{3}$", 1000) == 6 + 1  # a count is no choice
    assert steps("^a{1,3}$", 10) == 8 + 10
    assert steps("^" + "a*" * 40, 2) == (81 + 2**30)
    assert steps("^" + "a?" * 70, 2) == (141 + 1) << 60


def test_just_few_enough() -> None:
    assert bounded("^a*b*$", 999) == 6 + 999**2 <= STEPS
    assert bounded("^a*b*$", 1000) is None
