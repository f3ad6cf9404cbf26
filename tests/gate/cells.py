"""The fact sheet's statements on severity, row by row, written out a second time and apart from the table that they are held against.

A clause: where it stands (I: section I; F: the provider table; A, B, C: those sections; D: concluded here from what stands there), then who and what.
Who: all, * (everybody else, where the sheet says so) or providers by letter: s specification, o openai, a azure, b bedrock, r openrouter,
v vllm, l lmstudio, m ollama, h hf, j adjacent, x xai, w own. A later clause counts before an earlier one. What no clause names is unknown.
"""

LETTERS = {
    "s": "openresponses", "o": "openai", "a": "azure", "b": "bedrock", "r": "openrouter", "v": "vllm", "l": "lmstudio", "m": "ollama",
    "h": "hf", "j": "adjacent", "x": "xai", "w": "own",
}  # fmt: skip

STATED = """
namespaced                       F soarmh:B | I w:N
namespaced/openrouter            F soamh:B | I w:N | D r:w
not_function_call                I all:.
status                           I s:B
status/absent                    F soavmh:N | D w:n
arguments_type                   F soarvmh:B
arguments_parse                  I s:B | F r:u m:B | D h:w
arguments_schema                 I s:B | F r:u | D h:w
arguments_not_object             I mj:B sh:W | F r:u
arguments_size                   I o:B | F svmh:N a:= r:u
missing_output                   I sojr:B vmh:W | F a:= r:u
orphan_output                    I sojr:B vmh:W | F a:= r:u
item_id_as_call_id               I sojr:B vmh:W | F a:= r:u
output_type_mismatch             I all:B
missing_call_id                  I all:B
missing_call_id/named            I all:B o:W | F r:u bvlx:? a:= | D w:w
missing_item_id                  F svmh:. r:B | D o:w w:-
call_id_length                   I so:B | F a:= r:u vmh:N
call_id_charset                  I jr:W sovmhw:N | F a:= b:N
duplicate_call_id                I all:B
call_id_reused                   I s:W b:N | F r:u | D olw:n
duplicate_output                 I all:B
duplicate_output/identical       I all:W
duplicate_item_id                I so:B | F a:= r:u vmh:N
item_id_form                     I o:B s:N | F a:= r:u vmh:N
item_id_form/prefix              I o:W s:N | F a:= r:u vmh:N
name_pattern                     I so:B mh:N | F a:= r:u
output_type                      I all:B
output_parts                     I h:B rj:W w:. | F soavm:.
output_parts/file                I h:B rj:W w:. | F soav:. m:B
output_size                      I so:B | F a:= vmh:N
order                            I jv:B so:W | F a:= r:u | D mh:n
adjacency                        I j:B w:. | F sovmh:. a:= r:u
provider_bound                   I s:B w:. | F mh:B a:= | D or:w
provider_bound/custom_tool_call  I s:B w:. | F mh:B a:= | D or:n
provider_bound/mcp               I s:B w:. | F m:B | D oah:w
provider_bound/reasoning         F soarvm:. h:B | D w:-
provider_bound/agents            I all:B
program_owned                    I s:B w:N | F mh:B a:= | D o:w
encrypted_bound                  I s:W w:N | F oav:B m:W h:. r:u
encrypted_bound/compaction       I s:B w:N | F mh:B | C oa:B
reasoning_unpaired               I o:B svmhxw:W | F a:= r:u
reasoning_empty                  I all:N
reasoning_content                I so:B v:. | F a:= | D h:-
unknown_field                    I o:B s:W | F h:N a:= | D w:n
unknown_field/openai             I s:W o:. | F h:N a:= | D w:-
unknown_field/reasoning_status   I o:B s:W | F h:N a:=
unknown_field/null               F savm:. h:B
approval_unanswered              I all:B
approval_orphan                  I all:B
item_incomplete                  I all:W v:B
incomplete_not_last              I all:W
incomplete_not_last/response     B all:N
state_elsewhere                  I all:B | D w:w
file_elsewhere                   I all:B | D w:-
file_elsewhere/annotation        I all:W | D w:-
foreign_envelope                 I all:B
foreign_envelope/container       D all:n
unknown_type                     I s:B w:W | F orvmh:B
content_part_bound               I s:W | D w:-
content_part_bound/system        I s:W | A o:. a:= | D w:-
content_part_bound/url           F soh:. a:= m:B
role_dropped                     I h:W | F soarm:.
phase_dropped                    I vm:N | F sor:. h:N
compaction_trigger_not_last      I all:. o:B | F a:= | D w:b
type_missing                     I s:W o:N | F a:= rvmh:N | D w:n
type_missing/other               F sm:B | D oabrvlhjxw:b
message_shape                    A so:B a:=
stream_unfinished                I all:W
ids_rotate                       I all:N
torn_line                        I all:W
set_aside                        D all:n
parallel_wrapper                 C all:N
schema_missing                   I all:N
tool_not_declared                I all:N
tool_not_allowed                 I all:N
empty_input                      I all:B
"""


def stated() -> dict[str, dict[str, str]]:
    """Row → provider → mark as in the program's table."""
    found: dict[str, dict[str, str]] = {}
    for line in STATED.strip().splitlines():
        row, _, rest = line.partition(" ")
        cells = dict.fromkeys(LETTERS.values(), "?")
        for clause in rest.split("|"):
            source, *pairs = clause.split()
            assert source in ("I", "F", "A", "C", "B", "D")
            for who, mark in (pair.split(":") for pair in pairs):
                assert (mark in "bwn-") == (source == "D"), line
                cells |= dict.fromkeys(LETTERS.values() if who == "all" else (LETTERS[one] for one in who), mark)
        found[row] = cells
    return found
