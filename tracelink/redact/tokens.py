"""Stand-ins: for a text, a number, a member name, an id. The same for the same, by a key that is never written.

The idea: HMAC-SHA256 under a key of 32 random bytes, so that nobody without the key can try out what a token may have been. Ids, where
they are renamed, go letter by letter through a keyed substitution instead: two ids that differ by a prefix, a cut, the case or an edit
differ in the same way afterwards, and near misses stay near misses. That hides less than a token does, and the README says so.
"""

import hmac
import random
import secrets
from functools import lru_cache

KEY_BYTES = 32
SHORT = 64
"""Characters up to which a token says nothing of a text's length."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # of 32, without what is misread
_STRANGE = "αβγδεζηθικλμνξοπρστυφχψω"
_PREFIXES = (
    "agent agt ap appr areq art call chatcmpl computer credential env ev event evt fc fco func id item itm mcp mcpr msg plan req resp result"
    " root rs run sess session sub subagent thread tool toolu trace turn ws apc ci cm cmo cmp ctc ctco cuo lsh mcpl sh tsc tso"
)
_KEPT_PREFIXES = frozenset(_PREFIXES.split())


class Tokens:
    """key: secret bytes; None makes a random key that lives as long as this object."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key if key is not None else secrets.token_bytes(KEY_BYTES)
        self._letters = self._permutation("letters", _LETTERS)
        self._digits = self._permutation("digits", "123456789")
        self.text = lru_cache(maxsize=20_000)(self._text)

    def _digest(self, purpose: str, data: str) -> bytes:
        return hmac.digest(self._key, f"{purpose}\0{data}".encode("utf-8", "surrogatepass"), "sha256")

    def _short(self, purpose: str, data: str, length: int) -> str:
        number = int.from_bytes(self._digest(purpose, data)[:16], "big")
        return "".join(_ALPHABET[number >> 5 * place & 31] for place in range(length))

    def _permutation(self, purpose: str, alphabet: str) -> dict[str, str]:
        order = list(alphabet)
        random.Random(self._digest("permutation", purpose)).shuffle(order)  # noqa: S311 - seeded by the keyed digest
        return dict(zip(alphabet, order, strict=True))

    def _text(self, text: str) -> str:
        """A token; for a text of more than SHORT characters with its length, rounded up to a power of two."""
        size = f"~{1 << (len(text) - 1).bit_length()}" if len(text) > SHORT else ""
        return f"x_{self._short('text', text, 10)}{size}"

    def member(self, name: str) -> str:
        return f"k_{self._short('member', name, 10)}"

    def word(self, text: str) -> str:
        """For a part of a type or status: letters only, so that it fits where a word stood."""
        number = int.from_bytes(self._digest("word", text)[:8], "big")
        return "t" + "".join(_LETTERS[number // 26**place % 26] for place in range(8))

    def number(self, literal: str) -> str:
        """For a number in its JSON spelling: an integer for an integer, a fraction for a fraction, the sign stays, and so does 0."""
        try:
            value = float(literal) if any(mark in literal for mark in ".eE") else int(literal[:4000])
        except (ValueError, OverflowError):
            return "1"
        if value == 0:
            return literal
        whole = isinstance(value, int)
        if value in (float("inf"), float("-inf")):
            return "1e999"  # too large is what it was
        number = int.from_bytes(self._digest("number", f"{'i' if whole else 'f'}{value!r}")[:5], "big") + 10
        sign = "-" if literal.startswith("-") else ""
        if whole and not -(2**63) <= value < 2**64:
            return f"{sign}{number}".ljust(320 if len(literal) > 308 else 25, "0")
        return f"{sign}{number}" if whole else f"{sign}{number}{'.0' if float(value).is_integer() else '.5'}"

    def id(self, text: str) -> str:
        """Renamed letter by letter; a known beginning (`call_`, twice at most) stays."""
        head, rest = "", text
        for _ in range(2):
            first, mark, after = rest.partition("_")
            if not mark or not after or first.lower() not in _KEPT_PREFIXES:
                break
            head, rest = f"{head}{first}_", after
        return head + "".join(map(self._one, rest))

    def _one(self, char: str) -> str:
        lower = char.lower()
        found = self._letters.get(lower)
        if found is not None:
            return found if char == lower else found.upper()
        if char.isascii() or not char.isalnum():
            return self._digits.get(char, char)
        strange = _STRANGE[self._digest("char", lower)[0] % len(_STRANGE)]
        return strange if char == lower else strange.upper()
