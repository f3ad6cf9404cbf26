"""Processes that each do a piece of the work: what they send arrives in order, and none of them is left over."""

import multiprocessing
import os
import time

import pytest

from tracelink.parallel.forked import Forked


def wait() -> bytes:
    time.sleep(60)
    return b""


def die() -> bytes:
    os._exit(9)


def fail() -> bytes:
    raise MemoryError


def test_answers_come_in_order_whoever_is_first() -> None:
    large = 3_000_000  # more than a pipe holds
    with Forked([lambda: time.sleep(0.2) or b"a" * large, lambda: b"b" * large, lambda: b""]) as others:  # type: ignore[func-returns-value]
        assert others.answers() == [b"a" * large, b"b" * large, b""]
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("how", [die, fail])
def test_one_that_dies_ends_all(how: object, capfd: pytest.CaptureFixture[str]) -> None:
    with Forked([wait, how]) as others:  # type: ignore[list-item]
        assert others.answers() is None
    assert multiprocessing.active_children() == []
    assert capfd.readouterr().err == ""


def test_when_the_first_process_is_interrupted_the_others_end() -> None:
    with pytest.raises(KeyboardInterrupt), Forked([wait, wait]):
        raise KeyboardInterrupt
    assert multiprocessing.active_children() == []


def test_somebody_may_look_while_they_work() -> None:
    seen: list[int] = []
    with Forked([lambda: time.sleep(0.3) or b"x"]) as others:  # type: ignore[func-returns-value]
        assert others.answers(lambda: seen.append(1)) == [b"x"]
    assert len(seen) >= 2


def test_where_no_more_processes_may_be_had_none_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    fork, begun = os.fork, []

    def scarce() -> int:
        begun.append(1)
        if len(begun) > 1:
            raise BlockingIOError
        return fork()

    monkeypatch.setattr(os, "fork", scarce)
    with Forked([wait, wait]) as others:
        assert others.answers() is None
    assert len(begun) == 2
    assert multiprocessing.active_children() == []
