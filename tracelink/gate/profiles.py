"""What each provider refuses, as data (fact sheet F, and I.2 for what F has no row for).

A row is a reason, or `reason/detail` where they differ; a column is a provider. Where I.2 speaks of "others" and F says of one of them that
nothing was found, the cell is unknown: it is judged as the specification has it, never milder on a guess.
  B blocks · W warns · N is a note · . is no matter there
  = not verified separately, taken to be as at `openai` (the same service family)
  b w n - the same as B W N . but stated by nobody: concluded from what is
  ? not found: judged by the specification's column, and said to be unknown
  u decided by the provider behind the router: likewise
The first column is the specification, for a history that goes to another provider than the one it was recorded at. `adjacent` are endpoints
that want outputs right behind their calls (DeepSeek, translating gateways); `own` is the provider and account of the recording.
"""

from dataclasses import dataclass
from functools import cache

DEFAULT = "openresponses"
COLUMNS = (
    "openresponses",
    "openai",
    "azure",
    "bedrock",
    "openrouter",
    "vllm",
    "lmstudio",
    "ollama",
    "hf",
    "adjacent",
    "xai",
    "own",
)
SEVERITIES = {"B": "block", "W": "warn", "N": "note", ".": None}

TABLE = """
namespaced                       B B B ? B ? ? B B ? ? N
namespaced/openrouter            B B B ? w ? ? B B ? ? N
not_function_call                . . . . . . . . . . . .
status                           B ? ? ? ? ? ? ? ? ? ? ?
status/absent                    N N N ? ? N ? N N ? ? n
arguments_type                   B B B ? B B ? B B ? ? ?
arguments_parse                  B ? ? ? u ? ? B w ? ? ?
arguments_schema                 B ? ? ? u ? ? ? w ? ? ?
arguments_not_object             W ? ? ? u ? ? B W B ? ?
arguments_size                   N B = ? u N ? N N ? ? ?
missing_output                   B B = ? u W ? W W B ? ?
orphan_output                    B B = ? u W ? W W B ? ?
item_id_as_call_id               B B = ? u W ? W W B ? ?
output_type_mismatch             B B B B B B B B B B B B
missing_call_id                  B B B B B B B B B B B B
missing_call_id/named            B W = ? u ? ? B B B ? w
missing_item_id                  . w ? ? B . ? . . ? ? -
call_id_length                   B B = ? u N ? N N ? ? ?
call_id_charset                  N N = N W N ? N N W ? N
duplicate_call_id                B B B B B B B B B B B B
call_id_reused                   W n ? N u ? n ? ? ? ? n
duplicate_output                 B B B B B B B B B B B B
duplicate_output/identical       W W W W W W W W W W W W
duplicate_item_id                B B = ? u N ? N N ? ? ?
item_id_form                     N B = ? u N ? N N ? ? ?
item_id_form/prefix              N W = ? u N ? N N ? ? ?
name_pattern                     B B = ? u ? ? N N ? ? ?
output_type                      B B B B B B B B B B B B
output_parts                     . . . ? W . ? . B W ? .
output_parts/file                . . . ? W . ? B B W ? .
output_size                      B B = ? ? N ? N N ? ? ?
order                            W W = ? u B ? n n B ? ?
adjacency                        . . = ? u . ? . . B ? .
provider_bound                   B w = ? w ? ? B B ? ? .
provider_bound/custom_tool_call  B n = ? n ? ? B B ? ? .
provider_bound/mcp               B w w ? ? ? ? B w ? ? .
provider_bound/reasoning         . . . ? . . ? . B ? ? -
provider_bound/agents            B B B B B B B B B B B B
program_owned                    B w = ? ? ? ? B B ? ? N
encrypted_bound                  W B B ? u B ? W . ? ? N
encrypted_bound/compaction       B B B ? ? ? ? B B ? ? N
reasoning_unpaired               W B = ? u W ? W W ? W W
reasoning_empty                  N N N N N N N N N N N N
reasoning_content                B B = ? ? . ? ? - ? ? ?
unknown_field                    W B = ? ? ? ? ? N ? ? n
unknown_field/openai             W . = ? ? ? ? ? N ? ? -
unknown_field/reasoning_status   W B = ? ? ? ? ? N ? ? ?
unknown_field/null               . ? . ? ? . ? . B ? ? ?
approval_unanswered              B B B B B B B B B B B B
approval_orphan                  B B B B B B B B B B B B
item_incomplete                  W W W W W B W W W W W W
incomplete_not_last              W W W W W W W W W W W W
incomplete_not_last/response     N N N N N N N N N N N N
state_elsewhere                  B B B B B B B B B B B w
file_elsewhere                   B B B B B B B B B B B -
file_elsewhere/annotation        W W W W W W W W W W W -
foreign_envelope                 B B B B B B B B B B B B
foreign_envelope/container       n n n n n n n n n n n n
unknown_type                     B B ? ? B B ? B B ? ? W
content_part_bound               W ? ? ? ? ? ? ? ? ? ? -
content_part_bound/system        W . = ? ? ? ? ? ? ? ? -
content_part_bound/url           . . = ? ? ? ? B . ? ? ?
role_dropped                     . . . ? . ? ? . W ? ? ?
phase_dropped                    . . ? ? . N ? N N ? ? ?
compaction_trigger_not_last      . B = . . . . . . . . b
type_missing                     W N = ? N N ? N N ? ? n
type_missing/other               B b b b b b b B b b b b
message_shape                    B B = ? ? ? ? ? ? ? ? ?
stream_unfinished                W W W W W W W W W W W W
ids_rotate                       N N N N N N N N N N N N
torn_line                        W W W W W W W W W W W W
set_aside                        n n n n n n n n n n n n
parallel_wrapper                 N N N N N N N N N N N N
schema_missing                   N N N N N N N N N N N N
tool_not_declared                N N N N N N N N N N N N
tool_not_allowed                 N N N N N N N N N N N N
empty_input                      B B B B B B B B B B B B
"""

NAME_LENGTH = {"openai": 128, "azure": 128}
"""Longest function name; 64 everywhere else (C.2)."""
ABOUT = {
    "openresponses": "the specification; the items go to another provider than the one they come from",
    "openai": "OpenAI's Responses API",
    "azure": "Azure OpenAI; most cells marked = are taken over from openai",
    "bedrock": "OpenAI models on Amazon Bedrock; little is published",
    "openrouter": "OpenRouter; much is decided by the provider behind it",
    "vllm": "vLLM's Responses endpoint",
    "lmstudio": "LM Studio; little is published",
    "ollama": "Ollama's Responses endpoint",
    "hf": "Hugging Face responses.js",
    "adjacent": "endpoints that want outputs right behind their calls: DeepSeek, gateways to Anthropic or Gemini",
    "xai": "xAI; little is published",
    "own": "the provider and the account of the recording",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """severity: block, warn, note or None (no matter). basis: stated, assumed, upstream or unknown."""

    severity: str | None
    basis: str


@cache
def table() -> dict[str, dict[str, Cell]]:
    """Row → column → cell."""
    rows: dict[str, dict[str, Cell]] = {}
    for line in TABLE.split("\n"):
        if line:
            name, *marks = line.split()
            by = dict(zip(COLUMNS, marks, strict=True))
            rows[name] = {column: _cell(mark, by) for column, mark in by.items()}
    return rows


def _cell(mark: str, row: dict[str, str]) -> Cell:
    if mark == "=":
        mark = row["openai"] if row["openai"] not in "?u" else row[DEFAULT]
        return Cell(SEVERITIES[mark.upper().replace("-", ".")], "assumed")
    if mark in "bwn-":
        return Cell(SEVERITIES[mark.upper().replace("-", ".")], "assumed")
    if mark in "?u":
        return Cell(SEVERITIES[row[DEFAULT]], "unknown" if mark == "?" else "upstream")
    return Cell(SEVERITIES[mark], "stated")


def cell(profile: str, row: str) -> Cell:
    """What a profile says of a row."""
    return table()[row][profile]


def unknown(profile: str) -> tuple[str, ...]:
    """The rows of which this profile knows nothing, sorted."""
    return tuple(sorted(row for row, cells in table().items() if cells[profile].basis in ("unknown", "upstream")))
