"""A key of OpenAI's that stands where an id belongs is shown by no command that tells; what is to be posted or read by programs is whole."""

import json
import random
import re
import string
from typing import Any

import pytest

from tests.rules.cases import Json, call, ending, lines, post, snapshot, turn, user, waiting
from tests.story.conftest import plain_program, program
from tracelink.render.escape import escape, json_text, masked

__all__ = ["plain_program", "program"]

KEY = "sk-proj-" + "".join(random.Random(7).choices(string.ascii_letters + string.digits, k=64))  # noqa: S311
BODY = re.compile(r'\s*"(?:call_id|output)": ".*",?\Z')
"""A line of a body that is ready to be posted."""
NO_KEY = "sk-proj-your-key-goes-here-0000000000000000000000000"


def story() -> list[Json]:
    """The key as call_id, in the arguments, in a post and in an error."""
    asked = call(KEY, item_id="item_key1", arguments={"gauge": f"north\n{KEY}"})
    return [*waiting(asked), post(f"{KEY}x", value=f"used {KEY}"), turn("in_progress")]


@pytest.mark.parametrize(
    "command",
    [
        ["build", "--full"],
        ["check"],
        ["awaits"],
        ["timeline"],
        ["timeline", "--full"],
        ["postmortem"],
        ["postmortem", "--format", "markdown"],
        ["postmortem", "--format", "html"],
        ["why", "turn_tide1"],
        ["why", KEY],
    ],
    ids=" ".join,
)
def test_no_sentence_shows_the_key(program: Any, command: list[str]) -> None:
    (program.folder / "keys.jsonl").write_text(lines(story()))
    done = program(*command, "keys.jsonl")
    assert "[a credential]" in done.stdout, done.stderr
    told = [line for line in done.stdout.splitlines() if not BODY.match(line.replace("&#34;", '"'))]
    assert KEY not in "\n".join(told)
    assert KEY not in done.stderr


def test_what_is_to_be_posted_or_read_by_programs_is_whole(program: Any) -> None:
    (program.folder / "keys.jsonl").write_text(lines(waiting(call(KEY))))
    (body,) = [json.loads(line) for line in program("awaits", "--emit", "payload", "keys.jsonl").stdout.splitlines()]
    assert body["events"][0]["call_id"] == KEY
    report = json.loads(program("build", "--format", "json", "keys.jsonl").stdout)
    assert report["sessions"][0]["verdict"]["actions"][0]["call_id"] == KEY
    assert report["sessions"][0]["next_actions"][0]["body"] == body
    text = program("build", "--full", "keys.jsonl").stdout
    assert json.dumps(KEY) in text, "the body under the sentence"
    assert KEY in program("query", "$.item.call_id", "keys.jsonl").stdout


def test_what_is_no_key_stays(program: Any) -> None:
    (program.folder / "plain.jsonl").write_text(lines([*waiting(call(NO_KEY)), snapshot("in_progress"), *ending()]))
    done = program("build", "--full", "plain.jsonl")
    assert NO_KEY in done.stdout
    assert "[a credential]" not in done.stdout
    for text in ("task-force", "risk-free sk-", user()["id"], NO_KEY):
        assert masked(text) == escape(text) == text


@pytest.mark.parametrize("value", [KEY, [KEY], {KEY: 1}, {"a": [{"b": f"x\n{KEY}\n"}]}])
def test_json_is_masked_where_it_is_shown_and_whole_where_it_is_copied(value: Any) -> None:
    assert KEY not in json_text(value)
    assert json.loads(json_text(value)) is not None
    assert json.loads(json_text(value, indent=2)) == json.loads(json_text(value, whole=True)) == value
