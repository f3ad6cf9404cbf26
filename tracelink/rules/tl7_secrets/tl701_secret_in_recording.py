"""Text that looks like a credential."""

from collections.abc import Iterable

from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Unlinkable
from tracelink.rules.rule import Context, Rule, place
from tracelink.rules.tl7_secrets.scanner import MASK, Hit, hits, scanner, shown, worth_a_look
from tracelink.rules.tl7_secrets.texts import Tools, texts

PLACES = 6


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    found: dict[tuple[str, int], tuple[Hit, list[tuple[str, Origin]]]] = {}
    for where, at, text in texts(context.trace, context.lasting.get(Tools)):
        context.kept.setdefault(RULE.code, (where, at))
        for hit in hits(text, scanner()):
            places = found.setdefault((hit.kind, hit.secret_id), (hit, []))[1]
            if (where, at) not in places:
                places.append((where, at))
    for hit, places in found.values():
        where, at = places[0]
        where = _without_secrets(where)
        count = len(places) - 1
        more = f" and {count} more place{'s' if count > 1 else ''}" if count else ""
        yield rule.finding(
            f"What looks like a credential ({hit.kind}, {hit.length} characters) stands in {where} at {place(at)}{more}: "
            "whoever gets this recording gets it too.",
            at=[one for _, one in places[:PLACES]],
        )


def _without_secrets(where: str) -> str:
    """The words of a place, which may hold a credential where an id belongs."""
    words = shown(where).split(" ")
    return " ".join(MASK if worth_a_look(word) and any(True for _ in hits(word, scanner())) else word for word in words)


def unchecked(context: Context) -> Iterable[Unlinkable]:
    """That no credentials were looked for, where there was something to look at and the library is missing."""
    first = context.kept.get(RULE.code)  # what `check` found worth a look
    if first is not None and scanner() is None:
        where, at = first
        yield Unlinkable(
            "credentials of others than OpenAI",
            f"tracelink[secrets] is not installed, so {shown(where)} was not looked at",
            {},
            at,
        )


RULE = Rule(
    code="TL701",
    name="secret-in-recording",
    severity=Severity.WARNING,
    confidence=Confidence.MEDIUM,
    summary="A text of the recording looks like a credential.",
    proves=(
        "A pattern of high confidence matches: Kingfisher's rules, and one of ours for OpenAI's keys. The secret is never "
        "shown in a finding, only its kind, length and places. What the other commands tell as text, Markdown or HTML shows OpenAI's own keys as "
        "[a credential] too, be it an id."
    ),
    cannot=(
        "That it is valid: it is tried nowhere. Without the extra `secrets` (pip install 'tracelink[secrets]') only "
        "OpenAI's own keys are looked for; and what is not kept (deltas, long command output) is not looked at. "
        "Nothing is taken out of what programs read: bodies ready to post, which must work, JSON, graphs and the hits of `tracelink query` hold what "
        "was recorded, and keys of others than OpenAI may stand in what the other commands tell."
    ),
    quiet=(
        "Ids of the API, digests, ciphertext, image data and other long base64; placeholders and the sample keys of "
        "well-known documentation; an AWS key id without its secret; passwords without a known form."
    ),
    example='tool_result{call_a1, output: "GITHUB_TOKEN=ghp_…"}',
    remedy="Revoke the credential, and run `tracelink redact` on the recording before it is passed on; to pass on a report, make it with --redact.",
    check=check,
    unchecked=unchecked,
)
