"""Inputs made to cost the square of their size: twice as much input must not cost much more than twice the work.

The work is counted, not timed: calls of Python and C functions while a report is made (`sys.setprofile`). Counting does not see a
single long C call, so each trap is timed too, against a wide bound; `python -m tests.fuzz.traps` times them at full size.
"""

import importlib
import itertools
import sys
import time
from typing import Any

import pytest

from tests.fuzz.run import limited
from tests.fuzz.traps import TRAPS, Trap, made, made_of, torn_document


def work(data: bytes) -> int:
    """Calls of functions, those written in C too."""
    count = 0

    def counted(frame: Any, what: str, argument: Any) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        made(data)
    finally:
        sys.setprofile(before)
    return count


SMALL = 80


@pytest.mark.parametrize("trap", TRAPS, ids=lambda one: one.__name__)
def test_twice_the_input_is_about_twice_the_work(trap: Trap) -> None:
    made(made_of(trap, 5))  # imports
    with limited(60):
        some = [work(made_of(trap, size)) for size in (SMALL, 2 * SMALL, 4 * SMALL)]
    growth = [(later - earlier) / max(earlier, 1) + 1 for earlier, later in itertools.pairwise(some)]
    assert max(growth) < 2.6, f"{some}: grows by {growth}"


@pytest.mark.parametrize("trap", TRAPS, ids=lambda one: one.__name__)
def test_the_trap_is_slow_for_nobody(trap: Trap) -> None:
    """10 s a MB, and a factor for busy machines."""
    data = made_of(trap, 1_000)
    started = time.process_time()
    with limited(300):
        made(data)
    took = time.process_time() - started
    assert took < 2 + 10 * len(data) / 1e6, f"{took:.1f} s for {len(data) / 1e6:.2f} MB"


def test_a_torn_document_is_gone_through_a_few_times_and_not_once_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """One long C call each, which the counting above does not see: 4 MB took 9 seconds, 40 MB a quarter of an hour."""
    import tracelink

    records_module = importlib.import_module("tracelink.read.records")
    texts: list[Any] = []
    locate = records_module.locate

    def counted(text: Any, *more: Any, **named: Any) -> Any:
        if isinstance(text, bytes) or all(text is not one for one in texts):
            texts.append(text)
        return locate(text, *more, **named)

    monkeypatch.setattr(records_module, "locate", counted)
    data = torn_document(300)
    records = list(tracelink.read(data))
    assert len(records) > 300
    assert texts
    assert sum(map(len, texts)) <= 4 * len(data)
    lines = data.split(b"\n")
    assert all(lines[one.origin.line - 1].lstrip(b" [,") == b"{" for one in records[:-1])
