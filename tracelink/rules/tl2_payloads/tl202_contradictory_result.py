"""A result says two things that cannot both be so."""

from collections.abc import Iterable, Iterator

from tracelink.model.facts import InputSeen
from tracelink.model.finding import Confidence, Finding, Severity
from tracelink.model.location import Origin
from tracelink.model.trace import Result
from tracelink.rules.rule import Context, Rule, place


def check(rule: Rule, context: Context) -> Iterable[Finding]:
    posts = {id(post.at): post for post in context.trace.inputs}
    for result in context.trace.results:
        post = posts.get(id(result.posted)) if result.posted is not None else None
        if post is None or not post.official:
            continue
        for what, why, other in _contradictions(result, post):
            yield rule.finding(
                f"The result for {result.call_id or 'no call_id'} posted at {place(post.at)} {what}: {why}.",
                at=(post.at, other),
                ids={"call_id": result.call_id, "turn_id": result.turn_id},
            )
            break  # one finding a result


def _contradictions(result: Result, post: InputSeen) -> Iterator[tuple[str, str, Origin | None]]:
    value = post.value
    success, output, error = value.get("success"), value.get("output"), value.get("error")
    if "success" not in value or success is None:
        yield "has no success", "the API requires it, and nothing tells whether the tool worked", None
    elif not isinstance(success, bool):
        yield f"has a success that is {_kind(success)}", "the API takes true or false only", None
    elif success and error not in (None, ""):
        yield "says success true and carries an error", "which of the two the model goes by is not recorded", None
    elif not success and error in (None, "") and output in (None, "", []):
        yield "says success false with neither error nor output", "it does not say what went wrong", None
    if success is True and result.recorded is not None and (result.status == "failed" or result.error not in (None, "")):
        yield (
            f"says success true, and its item at {place(result.recorded)} is a failed one",
            "one of the two is wrong",
            result.recorded,
        )


def _kind(value: object) -> str:
    kinds: dict[type, str] = {str: "a text", dict: "an object", list: "a list"}
    return kinds.get(type(value), "a number")


RULE = Rule(
    code="TL202",
    name="contradictory-result",
    severity=Severity.WARNING,
    confidence=Confidence.HIGH,
    summary="A posted result contradicts itself or the item that records it.",
    proves=(
        "success is missing or no boolean; or it is true beside an error, or beside a recorded item that failed; or it "
        "is false and nothing says why."
    ),
    cannot="Whether the tool worked.",
    quiet=(
        "success true without output (a function may return nothing); success false with an output; recorded items "
        "alone, which have no success; input types that the API does not take (TL010); the same result with the other success (TL106)."
    ),
    example='{"type": "agent.session.input.tool_result", …, "success": true, "error": "no such SKU"}',
    remedy="Post success true with an output, or success false with an error.",
    check=check,
)
