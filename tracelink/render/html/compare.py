"""Two ids side by side, with what differs between them marked: a drifted character is what an eye overlooks at night."""

from difflib import SequenceMatcher

from markupsafe import Markup

from tracelink.render.escape import escape

LONGEST = 200
"""Characters: longer ids are shown unmarked, for comparing takes the square of that."""


def marked(one: str, other: str) -> tuple[Markup, Markup]:
    """Both, made safe to show, with `<mark>` around what the other does not have in that place."""
    first, second = escape(one), escape(other)
    if max(len(first), len(second)) > LONGEST:
        return Markup("{}").format(first), Markup("{}").format(second)
    shown: tuple[list[Markup], list[Markup]] = ([], [])
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        wrap = Markup("{}") if kind == "equal" else Markup("<mark>{}</mark>")
        for side, piece in zip(shown, (first[a:b], second[c:d]), strict=True):
            side.append(wrap.format(piece) if piece else Markup())
    return Markup().join(shown[0]), Markup().join(shown[1])
