"""Two ids under one another, with carets under the characters that differ.

Whatever an eye may take for another character (anything beyond ASCII, a space) is shown as its code, so the columns of both lines are
cells, not characters.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tracelink.compare.ids import Edit
from tracelink.render.escape import escape
from tracelink.render.page import Page

TOLD, CELLS_TOLD = 4, 3
CHUNKS = 4
GAP = "·"
"""Stands where one id has a character and the other none. In an id it would be shown as its code."""


def alike(left: str, right: str, edits: Sequence[Edit]) -> bool:
    """Whether the two have enough in common to be worth aligning: a third of the longer one."""
    changed = sum(max(one.left_end - one.left_start, one.right_end - one.right_start) for one in edits)
    return 3 * changed <= 2 * max(len(left), len(right))


class Column(NamedTuple):
    left: str
    right: str
    differs: bool


def cell(char: str) -> str:
    """One character as it is shown: its code, where it is not plain ASCII."""
    if char == " ":
        return "\\x20"
    shown = escape(char)
    return shown if shown.isascii() else f"\\u{{{ord(char):04X}}}"


def beside(left: str, right: str, edits: Sequence[Edit], labels: tuple[str, str], page: Page, indent: str) -> list[str]:
    """The two ids, aligned, carets under what differs; wrapped at the page's width, equal stretches of long ids left out."""
    wide = max(map(len, labels))
    room = max(page.width - len(indent) - wide - 2, 16)
    lines: list[str] = []
    chunks = list(_chunks(_columns(left, right, edits), room))
    skipped = 0
    for number, chunk in enumerate(chunks):
        marked = any(column.differs for column in chunk)
        if not marked and len(chunks) > CHUNKS and number and not page.full:
            skipped += len(chunk)
            continue
        if skipped:
            lines.append(f"{indent}{' ' * wide}  … {skipped:,} characters the same")
            skipped = 0
        one, other, marks = (_row(chunk, which) for which in range(3))
        lines.append(f"{indent}{labels[0].ljust(wide)}  {one}".rstrip())
        lines.append(f"{indent}{labels[1].ljust(wide)}  {other}".rstrip())
        if marked:
            lines.append(page.paint(f"{indent}{' ' * wide}  {marks}".rstrip(), "red"))
    if skipped:
        lines.append(f"{indent}{' ' * wide}  … {skipped:,} characters the same")
    return lines


def _columns(left: str, right: str, edits: Sequence[Edit]) -> Iterator[Column]:
    at = 0
    for edit in edits:
        yield from (Column(cell(char), cell(char), False) for char in left[at : edit.left_start])
        one, other = left[edit.left_start : edit.left_end], right[edit.right_start : edit.right_end]
        for number in range(max(len(one), len(other))):
            left_cell = cell(one[number]) if number < len(one) else GAP
            right_cell = cell(other[number]) if number < len(other) else GAP
            yield Column(left_cell, right_cell, True)
        at = edit.left_end
    yield from (Column(cell(char), cell(char), False) for char in left[at:])


def _chunks(columns: Iterator[Column], room: int) -> Iterator[list[Column]]:
    chunk: list[Column] = []
    used = 0
    for column in columns:
        wide = max(len(column.left), len(column.right))
        if chunk and used + wide > room:
            yield chunk
            chunk, used = [], 0
        chunk.append(column)
        used += wide
    if chunk:
        yield chunk


def _row(chunk: Sequence[Column], which: int) -> str:
    cells = []
    for column in chunk:
        wide = max(len(column.left), len(column.right))
        mark = "^" if column.differs else " "
        cells.append((column.left.ljust(wide), column.right.ljust(wide), mark * wide)[which])
    return "".join(cells)


def told(left: str, right: str, edits: Sequence[Edit]) -> Iterator[str]:
    """What happened at each place, in words: `character 10: 0 (U+0030 DIGIT ZERO) became O (U+004F …)`."""
    for edit in edits[:TOLD]:
        one, other = left[edit.left_start : edit.left_end], right[edit.right_start : edit.right_end]
        if edit.kind == "insert":
            where = f"after character {edit.left_start:,}" if edit.left_start else "before the first character"
            yield f"{where}: {_named(other)} was put in"
        elif edit.kind == "delete":
            yield f"{_place(edit)}: {_named(one)} was left out"
        else:
            yield f"{_place(edit)}: {_named(one)} became {_named(other)}"
    if len(edits) > TOLD:
        yield f"and at {len(edits) - TOLD:,} more places"


def _place(edit: Edit) -> str:
    first, last = edit.left_start + 1, edit.left_end
    return f"character {first:,}" if first == last else f"characters {first:,} to {last:,}"


def _named(text: str) -> str:
    if len(text) > CELLS_TOLD:
        return "".join(map(cell, text[:24])) + ("…" if len(text) > 24 else "")
    return ", ".join(f"{cell(char)} (U+{ord(char):04X} {unicodedata.name(char, 'without a name')})" for char in text)
