"""How far a JSON text is sound: a pushdown over its tokens, fed piece by piece.

The idea: at every point it is known whether the text is complete, still open, cut off or broken, and where each open
container began. That is enough to find where a pretty-printed document ends, and what of a damaged one is whole.
"""

import re

OPEN, DONE, BAD, CUT = "open", "done", "bad", "cut"

_TOKEN = re.compile(rb'[ \t\r\n\f]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([{}\[\],:])|([^\s{}\[\],:"]+))', re.DOTALL)
_LITERAL = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity")
_PARTIAL = re.compile(
    rb"-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]*)?)?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|Na?|-?I(?:n(?:f(?:i(?:n(?:it?)?)?)?)?)?"
)
MARKS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)

# what may come next
VALUE, _VALUE_OR_END, _NAME, _NAME_OR_END, _COLON, NEXT = range(6)
_NAMES = (_NAME, _NAME_OR_END)


class Nesting:
    """Feed it a text piece by piece (a piece never ends inside a string of a sound text: strings do not span lines).

    starts: offset of each open container, outermost first, relative to what `base` counts from.
    """

    __slots__ = ("expect", "kinds", "starts")

    def __init__(self) -> None:
        self.kinds = bytearray()
        self.starts: list[int] = []
        self.expect = VALUE

    def feed(self, piece: bytes, base: int = 0, at: int = 0) -> tuple[str, int]:
        """(state, position in `piece`): after the last token for OPEN and DONE, at the culprit for BAD and CUT."""
        kinds, starts, expect = self.kinds, self.starts, self.expect
        match_token, end = _TOKEN.match, len(piece)
        while True:
            match = match_token(piece, at)
            if match is None:
                self.expect = expect
                rest = piece[at:].lstrip()
                return (OPEN, end) if not rest else (CUT, end - len(rest))
            group = match.lastindex
            if group == 2:
                here = match.start(2)
                char = piece[here]
                if char in b"{[":
                    if expect > _VALUE_OR_END:
                        break
                    kinds.append(char)
                    starts.append(base + here)
                    expect = _NAME_OR_END if char == 123 else _VALUE_OR_END
                    at = match.end()
                    continue
                if char == 44:
                    if expect != NEXT or not kinds:
                        break
                    expect = _NAME if kinds[-1] == 123 else VALUE
                    at = match.end()
                    continue
                if char == 58:
                    if expect != _COLON:
                        break
                    expect = VALUE
                    at = match.end()
                    continue
                wanted = 123 if char == 125 else 91
                if not kinds or kinds[-1] != wanted or expect not in (NEXT, _NAME_OR_END if wanted == 123 else _VALUE_OR_END):
                    break
                kinds.pop()
                starts.pop()
            elif group == 1:
                here = match.start(1)
                if expect in _NAMES:
                    expect = _COLON
                    at = match.end()
                    continue
                if expect > _VALUE_OR_END:
                    break
            else:
                here = match.start(3)
                if expect > _VALUE_OR_END:
                    break
                text = match.group(3)
                if not _LITERAL.fullmatch(text):
                    self.expect = expect
                    cut = match.end() == end and _PARTIAL.fullmatch(text)
                    return (CUT if cut else BAD), here
            at = match.end()
            expect = NEXT
            if not kinds:
                self.expect = expect
                return DONE, at
        self.expect = expect
        return BAD, here


def settle(stack: bytearray, piece: bytes) -> None:
    """Follow the brackets of a damaged text, outside strings. A closing brace closes what was left open inside its object; a closing
    bracket that fits nothing is taken for part of the damage."""
    for match in MARKS.finditer(piece):
        mark = piece[match.start()]
        if mark in b"{[":
            stack.append(mark)
        elif mark in b"}]":
            wanted = 123 if mark == 125 else 91
            if wanted in stack and (stack[-1] == wanted or mark == 125):
                del stack[stack.rfind(bytes((wanted,))) :]
