"""Putting text into a page so that it stays text: data for the script, and the policy that lets only our own script and style act.

The data is JSON in a `<script type="application/json">`, which a browser never runs. Inside such an element only `</script` and `<!--`
mean anything to the reader of HTML, so `<`, `>` and `&` are written as JSON escapes; U+2028, U+2029 and whatever an eye overlooks
are escapes already (`render/escape.py`). The policy names the script and the style by their SHA-256, so nothing else can run.
"""

from base64 import b64encode
from hashlib import sha256
from typing import Any

from tracelink.render.json import line


def embedded(value: Any) -> str:
    """`value` as JSON that can stand inside a script element of HTML."""
    text = line(value).decode("utf-8", "backslashreplace").rstrip("\n")
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def policy(script: str, style: str) -> str:
    """The Content-Security-Policy of a page with exactly this inline script and style: no request, no frame, no form, no other code."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
