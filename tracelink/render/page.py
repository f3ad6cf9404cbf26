"""The page that the text renderers write on: its width, its colours, and how words are set.

Colours are a table of seven ANSI codes: all that is needed, and nothing to import.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from tracelink.model.location import Location
from tracelink.render.escape import escape, ident, short, width_of

STYLES = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "magenta": "35",
    "cyan": "36",
}
LONG_TEXT = 500
"""Columns kept of a recorded text where the page is no terminal and so has no width to respect."""


@dataclass(frozen=True, slots=True)
class Page:
    """Attributes:

    width: columns; what lies over it wraps (sentences) or is cut (recorded texts), never an id.
    color: write ANSI codes.
    full: fold nothing away and cut nothing.
    cut: cut recorded texts at the width; False in a pipe, where they are kept to LONG_TEXT.
    """

    width: int = 80
    color: bool = False
    full: bool = False
    cut: bool = True

    def paint(self, text: str, *styles: str) -> str:
        """`text` in the named styles; as it is where there are no colours."""
        if not self.color or not styles or not text:
            return text
        return f"\x1b[{';'.join(STYLES[style] for style in styles)}m{text}\x1b[0m"

    def fit(self, text: str, used: int, least: int = 12) -> str:
        """A recorded text for the rest of a line of which `used` columns are taken; empty if under `least` are left."""
        if self.full:
            return escape(text)
        if not self.cut:
            return short(text, LONG_TEXT)
        room = self.width - used
        return short(text, room) if room >= least else ""

    def wrap(self, text: str, indent: str = "", first: str | None = None) -> list[str]:
        """A sentence of ours as lines within the width; breaks at spaces only, so an id stays whole."""
        lines, line, empty = [], indent if first is None else first, True
        for word in escape(text).split(" "):
            if not empty and width_of(line) + 1 + width_of(word) > self.width:
                lines.append(line)
                line, empty = indent, True
            line += word if empty else f" {word}"
            empty = False
        return [*lines, line]

    def heading(self, text: str) -> str:
        return self.paint(text, "bold")


def plural(count: int, noun: str) -> str:
    """`1 turn`, `2 turns`, `1,200 turns`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def moment(seconds: float | None) -> str:
    """Unix seconds as `2026-11-17 09:30:05Z`; a number no calendar holds is shown as the number."""
    if seconds is None:
        return "time not recorded"
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return f"{seconds:g}"


def span(seconds: float) -> str:
    """A length of time in its two largest units: `40 s`, `3 min 5 s`, `2 h 10 min`, `4 d 3 h`."""
    sign, left = ("-" if seconds < 0 else ""), int(abs(seconds))
    if left < 1:
        return "0 s" if seconds == int(seconds) else f"{seconds:.1f} s"
    sizes = (("d", left // 86400), ("h", left // 3600 % 24), ("min", left // 60 % 60), ("s", left % 60))
    first = next(at for at, (_, amount) in enumerate(sizes) if amount)
    return sign + " ".join(f"{amount} {unit}" for unit, amount in sizes[first : first + 2] if amount)


def size(count: int) -> str:
    """Bytes as a person says them."""
    amount, units = float(count), ["bytes", "kB", "MB", "GB", "TB"]
    while amount >= 1000 and len(units) > 1:
        amount, units = amount / 1000, units[1:]
    return f"{amount:.0f} {units[0]}" if units[0] == "bytes" or amount >= 100 else f"{amount:.1f} {units[0]}"


def where(location: Location) -> str:
    """`events.jsonl:8`: where a person can look."""
    return escape(location.source) + (f":{location.line}" if location.line else "")


def place(location: Location) -> str:
    """`events.jsonl:8 (evt_9)`: the same, with the event's own id."""
    return where(location) + (f" ({ident(location.event_id)})" if location.event_id else "")
