"""Does a text that would be kept hold a credential? Asked of names, ids and whatever `--keep` names, since those alone are copied.

The forms of TL701 first among them; a few more that need no library, for here a false alarm costs nothing but a name.
"""

import re
from functools import lru_cache

from tracelink.rules.tl7_secrets.scanner import hits, scanner, worth_a_look

_FORMS = re.compile(
    r"sk-[A-Za-z0-9_-]{16}|sk_(?:live|test)_|gh[pousr]_[A-Za-z0-9]{16}|github_pat_\w{16}|glpat-[\w-]{16}|xox[abeprs]-[\w-]{8}|AKIA[0-9A-Z]{12}"
    r"|ASIA[0-9A-Z]{12}|AIza[\w-]{20}|ya29\.[\w-]{8}|eyJ[\w-]{8,}\.[\w-]{8,}|-----BEGIN|Bearer\s+\S{8}|npm_\w{20}|pypi-\w{16}|hf_\w{20}"
)


@lru_cache(maxsize=50_000)
def holds_secret(text: str) -> bool:
    if len(text) < 8:
        return False
    if _FORMS.search(text):
        return True
    return worth_a_look(text) and any(True for _ in hits(text, scanner()))
