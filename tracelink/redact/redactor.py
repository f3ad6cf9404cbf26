"""The redactor: one string, number or member name → what may be shown of it, and the same for a whole JSON value.

The idea: a leaf is kept only where its treatment (`members`) says so, its form fits, and it holds no credential; everything else is
replaced, so that whatever nobody thought of is hidden. Each decision is counted.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import orjson

from tracelink.read.clock import seconds
from tracelink.read.context import NOTHING, beside
from tracelink.redact.members import LOOSENED, How, inside, is_keyword, member
from tracelink.redact.secret import holds_secret
from tracelink.redact.tokens import SHORT, Tokens
from tracelink.redact.words import plain

_ID = re.compile(r"[\w.:\-|/+=#~%]{1,512}")
_PLAIN_ID = re.compile(r"[A-Za-z0-9_-]+")
_AROUND = " \t\r\n\f\v\"'<>()[]{},;`"
_NAME = re.compile(r"\w[\w.:/ \-]{0,127}")
_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:/\-]{0,127}")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9_.\[\]\-]{0,79}")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_SEGMENT = re.compile(r"([._:\-/])")
_DIGITS_OF_A_NAME = 8
_PHRASES = re.compile(
    r"unknown pending tool call:?|tool[ _]calls?|tool[ _]results?|managed agent turn|required[ _]actions?|(?:request|call|turn)_id|initial input"
    r"|approval|session\.input|steer|hosted environment failed to provision|different (?:result|output)|delete|must be idle|beta header"
    r"|openai-beta|api key|(?P<word>[\w.\-]+)",
    re.IGNORECASE,
)
"""What the program looks for in a refusal (TL307), and single words, which may be ids."""
_OF_THE_API = re.compile(
    r"(?:sess|turn|call|item|msg|fc|fco|agent|sub|subagent|evt|ev|event|env|appr|areq|mcpr|req|resp|rs)_[A-Za-z0-9_\-]+"
)
_AFTER_UNKNOWN = re.compile(r"(?i)unknown pending tool call:?\s*[\"'`]?\Z")
_SESSION_PATH = frozenset(["sessions", "turns", "subagents", "items", "environments", "agents", "events", "artifacts"])
_KINDS_KEPT = {How.WORD: "types", How.NAME: "names", How.MODEL: "names", How.CODE: "codes", How.TIME: "times"}


class Redactor:
    """tokens: the key. ids: rename ids too. names: member names that the user named, which stay."""

    def __init__(self, tokens: Tokens | None = None, *, ids: bool = False, names: Iterable[str] = ()) -> None:
        self.tokens = tokens if tokens is not None else Tokens()
        self.rename = ids
        self.counts: Counter[tuple[str, str]] = Counter()
        """(kept | replaced | dropped, of what) → how often."""
        self.own_ids: set[str] = set()
        """Texts that the user's own rows (`--field`) name as ids in the value at hand."""
        self._stay = frozenset(names)
        self._agents: set[str] = set()  # names seen: an article's agents are called by name
        self._members: dict[str, str] = {}

    # -- leaves

    def leaf(self, how: How, key: str, text: str) -> str:
        """What stands for a string."""
        if not text or text.isspace():
            return text
        if text in self.own_ids:
            return self.id(text)
        handle = _HANDLERS.get(how)
        return handle(self, key, text) if handle is not None else self.token(text)

    def number(self, how: How, key: str, literal: str) -> str:
        """What stands for a number in its JSON spelling."""
        if how in (How.COUNT, How.TIME, How.WORD, How.KEEP, How.KEYWORD, How.CODE):
            self.counts["kept", "numbers"] += 1
            return literal
        if how is How.ID:
            return self.tokens.id(literal) if self.rename else literal
        if how is How.WRAPPER and _of_recorder(key, float(literal) if len(literal) < 40 else 0):
            self.counts["kept", "times"] += 1
            return literal
        if how is How.SIZE and literal.isdigit() and literal != "0":
            self.counts["replaced", "sizes"] += 1
            return str(1 << (int(literal[:18]) - 1).bit_length())
        self.counts["replaced", "numbers"] += 1
        return self.tokens.number(literal)

    def member(self, zone: How, name: str) -> str:
        """What stands for a member's name."""
        if zone is How.KEEP and not holds_secret(name):
            return name
        if zone is How.SCHEMA and name in LOOSENED:
            self.counts["dropped", "schema constraints"] += 1
            return self.tokens.member(f"\0{name}")
        if zone is How.SCHEMA and is_keyword(name):
            return name
        found = self._members.get(name)
        if found is None:
            if plain(name) or name in self._stay or not name:
                found = name
            else:
                found = self.tokens.member(name)
            if len(self._members) < 50_000:
                self._members[name] = found
        if found != name:
            self.counts["replaced", "member names"] += 1
        return found

    def token(self, text: str) -> str:
        self.counts["replaced", "texts"] += 1
        return self.tokens.text(text)

    def id(self, text: str) -> str:
        core = text.strip(_AROUND)
        if not core:
            return text
        if not _ID.fullmatch(core) or holds_secret(core):
            return self._no_id(core)
        if not self.rename or core in self._agents:
            self.counts["kept", "ids"] += 1
            return text
        self.counts["replaced", "ids"] += 1
        start = text.index(core)
        return text[:start] + self.tokens.id(core) + text[start + len(core) :]

    def _secret_or_token(self, text: str) -> str:
        self.counts["replaced", "credentials" if holds_secret(text) else "texts"] += 1
        return self.tokens.text(text)

    def _no_id(self, text: str) -> str:
        """A token for what stands where an id or a name does: too long and of other characters than they have, if the text is."""
        found = self._secret_or_token(text)
        if len(text) > SHORT:
            return found.ljust(SHORT + 1, "0")
        return found if _PLAIN_ID.fullmatch(text) else f"{found}."

    def _kept(self, how: How, text: str) -> str:
        if holds_secret(text):
            return self._secret_or_token(text)
        self.counts["kept", _KINDS_KEPT.get(how, "texts")] += 1
        return text

    def _word(self, key: str, text: str) -> str:
        if plain(text):
            return self._kept(How.WORD, text)
        if not re.fullmatch(r"[A-Za-z0-9._:\-/]{1,120}", text):
            return self.token(text) + ":" * (":" in text)  # an extension's type has a colon
        self.counts["replaced", "texts"] += 1
        parts = _SEGMENT.split(text)
        return "".join(part if not part or plain(part) or part in "._:-/" else self.tokens.word(part) for part in parts)

    def _name(self, key: str, text: str) -> str:
        if not _NAME.fullmatch(text) or sum(map(str.isdigit, text)) > _DIGITS_OF_A_NAME:
            return self._no_id(text)
        if key == "name" and len(self._agents) < 10_000:
            self._agents.add(text)
        return self._kept(How.NAME, text)

    def _model(self, key: str, text: str) -> str:
        return self._kept(How.MODEL, text) if _MODEL.fullmatch(text) else self.token(text)

    def _code(self, key: str, text: str) -> str:
        return self._kept(How.CODE, text) if _CODE.fullmatch(text) else self.token(text)

    def _time(self, key: str, text: str) -> str:
        return self._kept(How.TIME, text) if seconds(text) is not None else self.token(text)

    def _object_by_id(self, key: str, text: str) -> str:
        """A string where an object is expected: the reader takes one in place of a session for its id."""
        return self.id(text) if key == "session" else self.token(text)

    def _keep(self, key: str, text: str) -> str:
        return self._kept(How.KEEP, text)

    def _keyword(self, key: str, text: str) -> str:
        return self._kept(How.WORD, text) if plain(text) else self.token(text)

    def _members_of(self, key: str, text: str) -> str:
        return self.member(How.PAYLOAD, text)

    def _reference(self, key: str, text: str) -> str:
        if not text.startswith("#"):
            return self.token(text) + "/" + self.tokens.word(text)
        parts = [part.replace("~1", "/").replace("~0", "~") for part in text.split("/")]
        return "/".join(part if part == "#" or is_keyword(part) else self.member(How.PAYLOAD, part) for part in parts)

    def _message(self, key: str, text: str) -> str:
        """An error's words: the phrases that the program looks for and the ids stay, what is between them becomes a token."""
        out: list[str] = []
        held: list[str] = []

        def settle() -> None:
            rest = "".join(held)
            held.clear()
            words = rest.strip(" \t\r\n.,:;!?\"'`()[]")
            if not any(map(str.isalnum, words)):
                out.append(rest)
            else:
                start = rest.index(words)
                out.append(_marks(rest[:start]) + self.token(words) + _marks(rest[start + len(words) :]))

        at = 0
        for match in _PHRASES.finditer(text):
            held.append(text[at : match.start()])
            at = match.end()
            word = match.group("word")
            if word is None:
                settle()
                out.append(match.group())
                continue
            bare = word.strip(".-")
            if _OF_THE_API.fullmatch(bare) or _AFTER_UNKNOWN.search("".join((*out, *held))[-80:]):
                start = word.index(bare) if bare else 0
                held.append(word[:start])
                settle()
                out.append(self.id(bare) if bare else "")
                held.append(word[start + len(bare) :])
            else:
                held.append(word)
        held.append(text[at:])
        settle()
        return "".join(out)

    def _url(self, key: str, text: str) -> str:
        return "".join(part if part.isspace() else self._one_url(part) for part in re.split(r"(\s+)", text))

    def _one_url(self, text: str) -> str:
        if "/" not in text:
            return text if text.upper() in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD") else self.token(text)
        main, _, query = text.partition("#")[0].partition("?")
        scheme, mark, rest = main.rpartition("://")
        segments = rest.split("/")
        out = []
        if mark and segments:
            out.append(f"{self.tokens.word(segments.pop(0))}.invalid")
        before = ""
        for segment in segments:
            if before in _SESSION_PATH and not (plain(segment) and segment in _SESSION_PATH):
                out.append(self.id(segment) if segment else "")
            elif not segment or plain(segment) or re.fullmatch(r"v\d{1,2}|\d\.\d", segment):
                out.append(segment)
            else:
                out.append(self.token(segment))
            before = segment
        asked = [self._asked(*pair.partition("=")) for pair in query.split("&")] if query else []
        return (
            (scheme if plain(scheme) else "https" if mark else "")
            + mark
            + "/".join(out)
            + ("?" + "&".join(asked) if asked else "")
        )

    def _asked(self, name: str, mark: str, value: str) -> str:
        kept = (value.isdigit() and len(value) < 5) or plain(value) or not value
        shown = self.id(value) if name in ("after", "before") and value else value if kept else self.token(value)
        return self.member(How.PAYLOAD, name) + mark + shown

    def _recorder(self, key: str, text: str) -> str:
        """A string in a recorder's wrapper: kept where the reader takes a time, a direction, a session, a URL or a status from it."""
        lower = key.lower()
        if lower in ("type", "event", "kind", "object", "encoding", "role", "phase"):
            return self._word(key, text)
        if not key:
            return self.token(text)
        found = beside({key: text}, NOTHING)
        if found == NOTHING:
            if "/" in text and beside({key: "https://a/agents/sessions/s"}, NOTHING).session_id == "s":
                return self._url(key, text)
            return self.token(text)
        if found.session_id is not None:
            return self.id(text) if found.session_id == text else self._url(key, text)
        return self._kept(How.TIME, text)

    # -- values

    def payload(self, key: str, text: str) -> str:
        """A string of payload: JSON in it stays JSON, as arguments and outputs have it."""
        if text[:64].lstrip()[:1] in ("{", "["):
            try:
                orjson.loads(text)
            except ValueError:
                return self.token(text)
            return self.inner(text)
        kept = "data:," if key == "image_url" and text.startswith("data:") else ""  # not every provider takes a link
        return kept + self.token(text)

    def arguments(self, key: str, text: str) -> str:
        return self.inner(text)

    def inner(self, text: str) -> str:
        from tracelink.redact.rewrite import rewrite

        return rewrite(self, text.encode("utf-8", "replace"), How.PAYLOAD).decode("utf-8", "replace")

    def value(self, how: How, value: Any, key: str = "") -> Any:
        """A decoded JSON value, redacted. Depth is that of the value; the reader bounds it."""
        if isinstance(value, str):
            return self.leaf(how, key, value)
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int | float):
            return self._plain_number(how, key, value)
        if isinstance(value, list):
            return [
                self._object(inside(how, key, one, True), one) if isinstance(one, dict) else self.value(how, one, key)
                for one in value
            ]
        return self._object(inside(how, key, value, False), value)

    def _object(self, zone: How, value: dict[str, Any]) -> dict[str, Any]:
        return {self.member(zone, name): self.value(member(zone, name, value), one, name) for name, one in value.items()}

    def _plain_number(self, how: How, key: str, value: float) -> Any:
        literal = json.dumps(value)
        if not _NUMBER.fullmatch(literal):
            return 0
        return json.loads(self.number(how, key, literal))


def _marks(text: str) -> str:
    """Punctuation and space around words, nothing else."""
    return "".join(char for char in text if not char.isalnum())


def _of_recorder(key: str, value: float) -> bool:
    return bool(key) and beside({key: int(value) if float(value).is_integer() else value}, NOTHING) != NOTHING


_HANDLERS: dict[How, Callable[[Redactor, str, str], str]] = {
    How.WORD: Redactor._word,
    How.ID: lambda self, key, text: self.id(text),
    How.NAME: Redactor._name,
    How.MODEL: Redactor._model,
    How.CODE: Redactor._code,
    How.TIME: Redactor._time,
    How.COUNT: Redactor._time,
    How.MESSAGE: Redactor._message,
    How.ERROR: Redactor._message,
    How.ARGUMENTS: Redactor.arguments,
    How.PAYLOAD: Redactor.payload,
    How.URL: Redactor._url,
    How.MEMBERS: Redactor._members_of,
    How.REFERENCE: Redactor._reference,
    How.KEYWORD: Redactor._keyword,
    How.WRAPPER: Redactor._recorder,
    How.KEEP: Redactor._keep,
    How.WIRE: Redactor._object_by_id,
    How.UNKNOWN: Redactor._object_by_id,
}
