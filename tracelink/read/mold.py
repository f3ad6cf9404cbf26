"""The form of an event: one decoded example → an expression that takes exactly those built like it (see `alike`).

What may differ between two events of a form is only what the fold takes over as it is or does not look at: it is named here, by its path
where the name alone does not tell. Anything else is fixed, or the event has no form.
"""

import os
import re
from typing import Any

_KEY = re.compile(r'[ \t]*[{,][ \t]*"([A-Za-z_]+)"[ \t]*:[ \t]*')
_TOKEN = re.compile(r'"[\x20\x21\x23-\x5b\x5d-\x7e]*+"|(?:0|[1-9][0-9]{0,15})(?![0-9.eE])|true|false|null')
_OPENING = re.compile(r"\[[ \t]*(?=\{)")
_CLOSING = re.compile(r"[ \t]*\]")
_CLOSE = re.compile(r"[ \t]*\}")
_BLANK = re.compile(r"[ \t]*")

_FIXED_TEXT = 1500  # characters; an expression takes longer to make than its text does to read

_ID = r"[\x20\x21\x23-\x5b\x5d-\x7e]++"
_INTEGER = r"(?:0|[1-9][0-9]{0,15})"
_STRING = r'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"'


def _nested(depth: int) -> str:
    """An object with as many levels of objects in it; lists are not told apart from what stands in them."""
    inner = "|" + _nested(depth - 1) if depth else ""
    return r'\{(?:[^"{}\x00-\x1f]++|' + _STRING + inner + r")*+\}"


_OBJECT = _nested(4)

_NAMED = {
    ("session_id",): "session",
    ("turn", "session_id"): "session",
    ("turn_id",): "turn",
    ("turn", "id"): "turn",
    ("item", "turn_id"): "turn",
}
"""Members that say the same id; where they do not, the event has no form."""

_IDS = frozenset(("event_id", "session_id", "turn_id", "id", "call_id", "agent_id", "subagent_id", "name"))
_NUMBERS = frozenset(("output_index", "created_at", "started_at", "completed_at"))
_SHARED = frozenset(("session_id", "turn_id", "call_id", "name"))
_FIXED = frozenset(("type", "object", "status", "role", "phase"))
_OBJECTS = frozenset((("item", "arguments"), ("item", "output"), ("turn", "usage")))
_TEXTS = frozenset((("item", "arguments"), ("item", "output"), ("item", "error"), ("item", "content", "text")))


class Mold:
    """The expression of one decoded event's form, and the event with stand-ins for what differs.

    Stand-ins are made of a number that nobody knows, so that each of them can be found again in what is made of the event.
    """

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._secret = (1 << 48) + int.from_bytes(os.urandom(6), "big")
        self._same: dict[str, Any] = {}  # name of a group → its text and its stand-in
        self._fixed: list[str] = [""]  # the texts between the groups so far
        self._groups: list[str] = []
        self.stand_ins: list[Any] = []
        self.numbers: list[int] = []
        self.shared: list[int] = []
        self.payloads: list[int] = []
        self.value: dict[str, Any] = {}

    @property
    def lead(self) -> str:
        return self._fixed[0]

    @property
    def expression(self) -> str:
        pieces = [re.escape(self._fixed[0])]
        for group, text in zip(self._groups, self._fixed[1:], strict=True):
            pieces += group, re.escape(text)
        return "".join(pieces) + r"\r?\n"

    def take(self, value: dict[str, Any]) -> bool:
        """Whether the event has a form; then all of it is known. Its id has to come before all else that differs."""
        made = self._object(value, ()) if self._text.startswith("{") else None
        if made is None or _BLANK.fullmatch(self._text, self._at) is None or made.get("event_id") not in self.stand_ins[:1]:
            return False
        self._fixed[-1] += self._text[self._at :]
        if sum(map(len, self._fixed)) > _FIXED_TEXT:
            return False
        self.value = made
        return True

    def _object(self, value: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any] | None:
        made: dict[str, Any] = {}
        while (key := _KEY.match(self._text, self._at)) is not None:
            name = key.group(1)
            if name in made or name not in value:
                return None
            self._fix(key)
            try:
                made[name] = self._member(value[name], (*path, name))
            except _NoForm:
                return None
        close = _CLOSE.match(self._text, self._at)
        if close is None or made.keys() != value.keys():
            return None
        self._fix(close)
        return made

    def _member(self, value: Any, path: tuple[str, ...]) -> Any:
        """What stands for the member's value. Raises `_NoForm`."""
        name = path[-1]
        if (value.__class__ is dict and path in _OBJECTS) or (value.__class__ is str and path in _TEXTS):
            return self._payload(value)
        if value.__class__ is dict and path in (("item",), ("turn",)):
            made = self._object(value, path)
            if made is None:
                raise _NoForm
            return made
        if value.__class__ is list and path == ("item", "content"):
            return self._content(value, path)
        token = _TOKEN.match(self._text, self._at)
        if token is None:
            raise _NoForm
        text = token.group()
        if value is None or (value.__class__ is bool and name not in _IDS) or (name in _FIXED and text == f'"{value}"'):
            self._fix(token)
            return value
        if value.__class__ is int and text == str(value) and name in _NUMBERS:
            self.numbers.append(len(self.stand_ins))
            return self._differs(token.end(), _INTEGER, self._secret * 1000 + len(self.stand_ins))
        if value.__class__ is not str or not value or text != f'"{value}"' or name not in _IDS:
            raise _NoForm
        return self._id(value, path, token.end())

    def _content(self, value: list[Any], path: tuple[str, ...]) -> list[Any]:
        """A list of one part."""
        opening = _OPENING.match(self._text, self._at)
        if opening is None or len(value) != 1 or value[0].__class__ is not dict:
            raise _NoForm
        self._fix(opening)
        part = self._object(value[0], path)
        closing = _CLOSING.match(self._text, self._at)
        if part is None or closing is None:
            raise _NoForm
        self._fix(closing)
        return [part]

    def _id(self, value: str, path: tuple[str, ...], end: int) -> str:
        group = _NAMED.get(path)
        if group in self._same:
            said, stand_in = self._same[group]
            if said != value:
                raise _NoForm
            self._fixed[-1] += '"'
            self._groups.append(f"(?P={group})")
            self._fixed.append('"')
            self._at = end
            return str(stand_in)
        if path[-1] in _SHARED:
            self.shared.append(len(self.stand_ins))
        self._fixed[-1] += '"'
        made = str(self._differs(end, f"?P<{group}>{_ID}" if group else _ID, self._stand_in()))
        self._fixed[-1] += '"'
        if group:
            self._same[group] = value, made
        return made

    def _payload(self, value: Any) -> Any:
        expression = _OBJECT if value.__class__ is dict else _STRING
        found = re.compile(expression).match(self._text, self._at)
        if found is None:
            raise _NoForm
        self.payloads.append(len(self.stand_ins))
        stand_in = self._stand_in()
        return self._differs(found.end(), expression, stand_in if value.__class__ is str else {stand_in: 0})

    def _stand_in(self) -> str:
        return f"{self._secret}x{len(self.stand_ins)}"

    def _fix(self, found: "re.Match[str]") -> None:
        self._fixed[-1] += found.group()
        self._at = found.end()

    def _differs(self, end: int, expression: str, stand_in: Any) -> Any:
        self._groups.append(f"({expression})")
        self._fixed.append("")
        self.stand_ins.append(stand_in)
        self._at = end
        return stand_in


class _NoForm(Exception):
    """A member that is neither an id, a number, a payload nor a fixed word."""
