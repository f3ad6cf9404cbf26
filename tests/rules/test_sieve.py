"""What the rules pass over without a close look could not have been found by one."""

import random
from operator import itemgetter
from typing import Any

import pytest

from tests.world.dice import dice
from tracelink.rules.tl2_payloads.asked import decode, is_json
from tracelink.rules.tl2_payloads.bounded import FITS, Checker
from tracelink.rules.tl7_secrets.scanner import may_hold, worth_a_look
from tracelink.rules.tl7_secrets.texts import _DATA_URL, _lines, _sieved

PIECES = [
    *(
        "abc",
        "A1",
        "x9y8z7w6v5u4t3s2r1q0",
        "PRIVATE KEY",
        "call_0a1b2c3d4e5f60718293",
        "\n",
        "\f",
        "\\",
        '"',
        " ",
        "é",
        "\ud800",
    ),
    *("0123456789012345678901", "agent.session.input.message", "data:;base64,AAAA.", "u0001", "/", "=", "-", "_", "\x00"),
]


def value(rng: random.Random, depth: int = 3) -> Any:
    kind = rng.randrange(6 if depth else 3)
    if kind < 3:
        return "".join(rng.choices(PIECES, k=rng.randrange(6)))
    if kind == 3:
        return rng.choice([None, True, 7, 2**80, 1.5, {}, []])
    if kind == 4:
        return [value(rng, depth - 1) for _ in range(rng.randrange(3))]
    return {"".join(rng.choices(PIECES[:8], k=2)): value(rng, depth - 1) for _ in range(rng.randrange(3))}


@pytest.mark.parametrize("seed", range(20))
def test_no_text_worth_a_look_falls_through_the_sieve(seed: int) -> None:
    rng = dice(seed)
    worth = 0
    for _ in range(400):
        one = value(rng)
        if worth_a_look(_DATA_URL.sub("", "\n".join(_lines(one)))):
            worth += 1
            assert may_hold(one), one
    assert worth


@pytest.mark.parametrize("seed", range(20))
def test_many_at_once_are_sieved_as_each_alone(seed: int) -> None:
    """Nothing that a look at each would have kept is lost where many are looked at together, and the order stays."""
    rng = dice(seed)
    values = [(number, value(rng) if rng.random() < 0.03 else "seven units") for number in range(800)]
    kept = list(_sieved(values, itemgetter(1)))
    assert kept == sorted(kept, key=itemgetter(0))
    assert [one for one in values if may_hold(one[1])] == [one for one in kept if may_hold(one[1])]
    assert 0 < len(kept) < len(values)


def test_the_sieve_holds_back_what_is_short() -> None:
    assert not may_hold({"key": "k1-0", "limit": 3, "note": "seven units in the north aisle"})
    assert not may_hold("seven units in the north aisle")
    assert may_hold("x9y8z7w6v5u4t3s2r1q0")


@pytest.mark.parametrize(
    "text", ["{}", '{"a": [1, 2.5, null]}', '"text"', "7", '{"a": ', "", "NaN", '{"a": NaN}', "[1,]", "1" * 500]
)
def test_what_is_json_for_sure_is_json(text: str) -> None:
    if is_json(text):
        decode(text)


def test_a_form_is_known_only_after_it_was_found_good() -> None:
    schema = {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]}
    checker = Checker(3)
    assert not checker.known(schema, {"key": "a"})
    assert checker.check(schema, {"key": "a"}) == FITS
    assert checker.known(schema, {"key": "b"})
    assert not checker.known(schema, {"key": 7})
    assert checker.check(schema, {"key": 7}).problems
    assert not checker.known(schema, {"key": 7})
    assert not checker.known(schema, {"key": True})
    assert not checker.known(schema, {"key": {"key": "a"}})
