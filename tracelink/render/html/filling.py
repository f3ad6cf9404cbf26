"""The template library, set up so that nothing recorded can act: every value that a template prints is made visible first
(`render/escape.py`: controls, bidi, what an eye overlooks), then HTML-escaped. A template cannot forget either."""

import re
from functools import cache
from itertools import zip_longest
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from markupsafe import escape as html

from tracelink.model.location import Location
from tracelink.model.verdict import Placeholder
from tracelink.render.escape import escape, json_text, short
from tracelink.render.page import moment, plural, size, where
from tracelink.render.telling import clock_time
from tracelink.render.verdict import sentence

_OURS = frozenset(("the", "a", "an", "every", "nothing", "no"))
"""First words of our own sentences about a verdict."""
_EDGES = re.compile(r"""([("“]*)(.*?)([.,;:?!)"”]*)\Z""", re.DOTALL)
_NAME = re.compile(r"(?:…/\S*|\w*(?:\d|_|[a-z][A-Z]|\w[:.]\w)\S*)\Z")


@cache
def environment() -> Environment:
    env = Environment(
        loader=PackageLoader("tracelink.render.html"),
        autoescape=True,
        finalize=_visible,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {
        "body": body,
        "capitalised": capitalised,
        "clock": clock_time,
        "cut": cut,
        "key": id,
        "moment": moment,
        "place": place,
        "plural": plural,
        "prose": prose,
        "sentence": sentence,
        "size": size,
        "words": lambda text: text.replace("_", " "),
    }
    return env


def _visible(value: Any) -> Any:
    return value if isinstance(value, Markup) or not isinstance(value, str) else escape(value)


def body(value: Any) -> Markup:
    """A value as JSON over several lines, its placeholders marked: the same value when it is copied."""
    sign = "?"
    while sign in json_text(value, whole=True):
        sign += "?"
    holes: list[Placeholder] = []
    pieces = json_text(_signed(value, sign, holes), indent=2).split(f'"{sign}"')
    marks = [Markup("<mark>{}</mark>").format(json_text(one, whole=True)) for one in holes]
    return Markup("").join(part for pair in zip_longest(map(html, pieces), marks, fillvalue=Markup("")) for part in pair)


def _signed(value: Any, sign: str, holes: list[Placeholder]) -> Any:
    """The value with `sign` for each placeholder, which go to `holes` in their order."""
    if isinstance(value, Placeholder):
        holes.append(value)
        return sign
    if isinstance(value, dict):
        return {name: _signed(one, sign, holes) for name, one in value.items()}
    return [_signed(one, sign, holes) for one in value] if isinstance(value, list) else value


def cut(value: Any, width: int) -> str:
    """A recorded value on one line of at most so many columns."""
    return short(value if isinstance(value, str) else json_text(value), width)


def place(at: Location) -> Markup:
    """`events.jsonl:8`, kept on one line, with the event's own id behind it."""
    shown = Markup("<code class=place>{}</code>").format(where(at))
    return shown + Markup(" <code class=event>{}</code>").format(escape(at.event_id)) if at.event_id else shown


def capitalised(text: str) -> str:
    """With a capital letter where it begins with a word of ours; a recorded name, with its id behind it, keeps its own spelling."""
    word, _, rest = text.partition(" ")
    return text[:1].upper() + text[1:] if word in _OURS and not rest.startswith("(") else text


def prose(text: str) -> Markup:
    """A sentence of ours that may hold recorded words: ids, names with figures in them and places are set as code."""
    shown = []
    for word in escape(text).split(" "):
        match = _EDGES.match(word)
        before, inner, after = match.groups() if match else ("", word, "")
        if _NAME.match(inner) and not inner.replace(",", "").replace(".", "").isdigit():
            shown.append(Markup("{}<code>{}</code>{}").format(before, inner, after))
        else:
            shown.append(html(word))
    return Markup(" ").join(shown)
