"""Finds credentials: OpenAI's own keys by a pattern of ours, all others by Kingfisher's, which the extra `secrets` brings.

Kingfisher (MongoDB, Apache-2.0) is kept up, native, and offline when it only scans. Its rules take some seconds to load, so nothing
is loaded unless a text holds something of the shape of a credential. It can keep the compiled form for the next time; it does so only
where the user names a directory (KF_RULE_CACHE_DIR), since this program writes nowhere but where it is told to.
"""

import importlib
import os
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import orjson

SHAPE = re.compile(r"[A-Za-z0-9_+/=.\-]{20,}|PRIVATE KEY")
_OF_THE_API = re.compile(
    r"(?:sess|turn|call|item|msg|fc|fco|agent|sub|subagent|evt|ev|event|env|appr|req|resp|rs|toolu|chatcmpl)_[A-Za-z0-9_]*"
    r"|[0-9a-f-]+|[0-9.:TZ+-]+"
)
"""Ids of the API, hex digests, UUIDs, times and numbers."""

_OPENAI = re.compile(rb"(?<![A-Za-z0-9_/+-])sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{40,200}(?![A-Za-z0-9_-])")
"""The keys that this API itself takes; newer ones lack the marker that the common patterns ask for."""

_PLACEHOLDERS = (b"XXXX", b"EXAMPLE", b"YOUR", b"1234567890", b"ABCDEFGH")

SAMPLES = (b"EXAMPLE", b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c")
"""Parts of the sample keys of well-known documentation (AWS; the token on jwt.io)."""

BLOB = 64
"""Characters of unbroken base64 around a match from which on it is taken for chance."""


class Hit(NamedTuple):
    """kind: the name of the pattern. length: characters. secret_id: tells equal ones without being one."""

    kind: str
    length: int
    secret_id: int


MASK = "[a credential]"
"""What stands in a sentence in place of a credential."""


def shown(text: str) -> str:
    """A text for use in a sentence: keys of OpenAI's pattern in it become `[a credential]`."""
    if "sk-" not in text:
        return text
    data = text.encode("utf-8", "surrogatepass")
    return _OPENAI.sub(lambda match: MASK.encode() if _is_key(match.group()) else match.group(), data).decode(
        "utf-8", "surrogatepass"
    )


def _is_key(secret: bytes) -> bool:
    return len(set(secret)) >= 20 and not any(map(secret.upper().__contains__, _PLACEHOLDERS))


def worth_a_look(text: str) -> bool:
    """Whether a text holds a run of characters of the shape of a credential. Cheap, and lets too much through."""
    for run in SHAPE.finditer(text):
        word = run.group()
        if not _OF_THE_API.fullmatch(word) and (
            word == "PRIVATE KEY" or (any(map(str.isdigit, word)) and any(map(str.isalpha, word)))
        ):
            return True
    return False


_RUNS = bytes(ord("x") if SHAPE.fullmatch(chr(byte) * 20) else ord(" ") for byte in range(128)) + b" " * 128


def may_hold(value: Any) -> bool:
    """Whether the texts in a JSON value could be worth a look: a first sieve at a tenth of the price, that lets nothing through
    which `worth_a_look` would have taken. It looks at the value as one text, so that escapes and data URLs need the second."""
    if value is None:
        return False
    if value.__class__ is str:
        raw = value.encode("utf-8", "replace")
    else:
        try:
            raw = orjson.dumps(value)
        except (TypeError, RecursionError):
            return True
    return b"x" * 20 in raw.translate(_RUNS) or b"PRIVATE KEY" in raw or b";base64," in raw


@cache
def scanner() -> Any | None:
    """The scanner, loaded once a process; None where the library is not installed or does not work here."""
    try:
        library = importlib.import_module("kingfisher_sdk")
        # Rules of medium confidence are loaded for the sake of pairs (an AWS key id and its secret); hits must be of high.
        cached = "KF_RULE_CACHE_DIR" in os.environ
        return library.Scanner(library.Rules(confidence="medium", cache=cached), base64=False, redact=True)
    except Exception:  # not installed, or its binary does not fit this machine: then nothing was looked at, and that is said
        return None


def loaded() -> bool:
    """Whether the scanner was loaded in this process."""
    return scanner.cache_info().currsize > 0 and scanner() is not None


def hits(text: str, engine: Any | None) -> Iterator[Hit]:
    """The credentials in a text; without an engine only OpenAI's keys. The secret itself never leaves this function."""
    data = text.encode("utf-8", "replace")
    taken: list[tuple[int, int]] = []
    for match in _OPENAI.finditer(data):
        secret = match.group()
        if _is_key(secret):
            taken.append(match.span())
            from hashlib import sha256  # loading it takes longer than looking for a key

            digest = sha256(secret).digest()
            yield Hit("openai api key", len(secret), int.from_bytes(digest[:8], "big"))
    for found in engine.scan(data) if engine is not None else ():
        if not found.visible or found.confidence != "high":
            continue
        start, end = found.location["start_offset"], found.location["end_offset"]
        secret = data[start:end]
        known = any(start < stop and begin < end for begin, stop in taken)
        if known or any(sample in secret for sample in SAMPLES) or _in_blob(data, start, end):
            continue
        yield Hit(found.rule_id.rpartition(".")[2].replace("-", " "), len(secret), found.fingerprint)


_BEFORE, _AFTER = re.compile(rb"[A-Za-z0-9+/_-]*\Z"), re.compile(rb"[A-Za-z0-9+/_=-]*")


def _in_blob(data: bytes, start: int, end: int) -> bool:
    before = _BEFORE.search(data[max(0, start - BLOB) : start])
    after = _AFTER.match(data[end : end + BLOB])
    around = (len(before.group()) if before else 0) + (len(after.group()) if after else 0)
    return around >= BLOB
