"""Lines → JSON values with their places: the two commonest shapes at once, all others by the machine (`machine`)."""

from collections.abc import Iterable, Iterator

from tracelink.model.limits import Limits
from tracelink.read.decode import loads, too_deep
from tracelink.read.frame import (
    JSONL,
    SSE,
    Bad,
    Frame,
)
from tracelink.read.lines import Line, Overlong
from tracelink.read.machine import Machine
from tracelink.read.skim import SHORTEST, Known, Skim


class Ending:
    """calm: at the end nothing was open or held back, and nothing seen makes a difference to what may follow. line: the last one that
    held anything. lines: how many there were."""

    __slots__ = ("calm", "line", "lines")

    def __init__(self) -> None:
        self.calm = True
        self.line = 0
        self.lines = 0


def frames(
    source: Iterable[Line], limits: Limits, skim: Skim | None = None, ending: Ending | None = None
) -> Iterator[Frame | Bad | Known]:
    """Everything in the source, in order. The two commonest shapes, a clean line and a frame of one clean data line, are
    recognised here at once; the machine sees the rest. `skim`: knows what need not be decoded. `ending`: is told how it ends."""
    machine = Machine(limits)
    deep = limits.depth
    new = tuple.__new__
    again = skim.again.known if skim is not None else None
    held: list[tuple[int, int, bytes]] = []  # the lines of a frame that looks clean so far
    number, line = 0, None
    for number, offset, line in source:
        if line.__class__ is bytes and not machine.busy:
            assert isinstance(line, bytes)  # noqa: S101 - for the type checker
            if held:
                at, start, last = held[-1]
                if not line and last[:7] == b"data: {":
                    raw = last[6:]
                    value = again(raw) if again is not None and len(raw) > SHORTEST else None
                    sure = value is not None
                    try:
                        value = value if sure else loads(raw)
                    except ValueError:
                        pass
                    else:
                        if sure or len(raw) <= deep or not too_deep(raw, deep):
                            event = held[0][2][6:].strip().decode("utf-8", "replace") if len(held) == 2 else None
                            held = []
                            yield new(Frame, (value, at, start + 6, raw, SSE, (), event, None, None, (), None, sure))
                            if skim is not None:
                                skim.quiet = True
                            continue
                elif len(held) == 1 and last[:6] == b"event:" and line[:7] == b"data: {":
                    held.append((number, offset, line))
                    continue
            elif line[:1] == b"{":
                value = again(line) if again is not None and len(line) > SHORTEST else None
                sure = value is not None
                try:
                    value = value if sure else loads(line)
                except ValueError:
                    pass
                else:
                    if sure or len(line) <= deep or not too_deep(line, deep):
                        yield new(Frame, (value, number, offset, line, JSONL, (), None, None, None, (), None, sure))
                        if skim is not None:
                            skim.quiet = True
                        continue
            elif not line:
                if skim is not None:
                    skim.quiet = True
                continue
            elif line[:6] == b"event:" or line[:7] == b"data: {":
                held.append((number, offset, line))
                continue
        for early in held:
            yield from machine.line(*early)
        held = []
        if isinstance(line, bytes | Overlong):
            yield from machine.line(number, offset, line)
            continue
        yield line  # what `skim` has found
        if skim is not None:
            skim.quiet = True
    if ending is not None:
        ending.calm = not held and machine.calm
        known = line is not None and not isinstance(line, bytes | Overlong)
        ending.line = line.last_line if known else number  # type: ignore[union-attr]
        ending.lines = number + line.lines - 1 if known else number  # type: ignore[union-attr]
    for early in held:
        yield from machine.line(*early)
    yield from machine.end()
