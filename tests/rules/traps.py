"""The false-alarm traps of the fact sheet, by number, and the tests that hold each.

A.3 is numbered by its bullets, A.4 and B.4 by the rows of their tables (B.4's ladder by its rungs, r1 to r5), B.5 by its bullets, H and
L.2 as the sheet itself numbers them. `test_traps` demands that every number is here and every test exists.
"""

TL0, TL1, TL2, TL3, TL4, TL5 = (f"tests/rules/test_tl{family}.py" for family in range(6))
HERE = "tests/rules/test_traps.py"
LINK, NEXT, VERDICT = "tests/link/test_link.py", "tests/judge/test_next_action.py", "tests/judge/test_verdict.py"
FRAMING, UNWRAP, BAD = "tests/read/test_framing.py", "tests/read/test_unwrap.py", "tests/read/test_bad_input.py"
OFFICIAL = "tests/fold/test_official_types.py"

TRAPS: dict[str, tuple[str, tuple[str, ...]]] = {
    # A.3 Observed order inside a turn
    "A.3.1": ("the documented order of a turn", (f"{HERE}::test_trap_A3_1_the_documented_order",)),
    "A.3.2": ("the live order: the user's item first", (f"{TL3}::test_trap_A3_user_item_before_in_progress",)),
    "A.3.3": ("an answer before the call is registered", (f"{TL3}::test_trap_A3_answer_before_the_call_is_registered",)),
    "A.3.4": (
        "an environment that fails at the start",
        (f"{TL3}::test_trap_A3_environment_failure_at_start_is_told_as_the_session_that_failed",),
    ),
    "A.3.5": ("orders are no contract", (f"{HERE}::test_trap_A3_5_requires_action_before_its_item",)),
    # A.4 SSE framing and stream life (rows 1 and 6 speak of requests, of which a recording holds nothing)
    "A.4.2": (
        "data alone is a frame",
        (f"{FRAMING}::test_every_framing_gives_the_same_records", f"{FRAMING}::test_the_type_may_stand_only_in_the_event_line"),
    ),
    "A.4.3": (
        "id: and retry:",
        (f"{FRAMING}::test_the_id_line_is_the_event_id_where_the_object_has_none", f"{TL0}::test_quiet"),
    ),
    "A.4.4": ("with and without [DONE]", (f"{HERE}::test_trap_A4_4_done_or_none",)),
    "A.4.5": ("comments between frames", (f"{HERE}::test_trap_A4_5_keepalives",)),
    "A.4.7": ("an error event settles nothing", (f"{HERE}::test_trap_A4_7_an_error_event_alone",)),
    "A.4.8": ("live only: what was missed is missing", (f"{HERE}::test_trap_A4_8_what_was_missed_is_nobodys_fault",)),
    "A.4.9": (
        "duplicates, replayed turns, catch-up items",
        (f"{TL3}::test_trap_A4_reconnect_replays_an_earlier_turn", f"{TL1}::test_a_reconnect_repeats_no_result"),
    ),
    "A.4.10": (
        "how a stream ends",
        (
            f"{TL3}::test_trap_A4_failed_session_told_again_after_a_reconnect",
            f"{HERE}::test_trap_A4_10_a_stream_that_stays_open_across_the_answer",
        ),
    ),
    "A.4.11": ("a client that hangs up ends no turn", (f"{TL3}::test_trap_A4_stream_that_is_cut_inside_a_turn",)),
    "A.4.12": ("the recovery recipe", (f"{HERE}::test_trap_A4_12_recovered_from_session_and_items",)),
    # B.4 Where items are listed; attribution; the edge from a create call to its subagent
    "B.4.1": ("the session's list is the root's", (f"{TL4}::test_trap_B4_items_page_without_a_list_of_subagents",)),
    "B.4.2": ("each subagent has its own history", (f"{TL4}::test_trap_B4_whole_list_of_subagents",)),
    "B.4.3": ("an item's owner is its turn's", (f"{LINK}::test_a_turn_belongs_to_its_subagent_id",)),
    "B.4.4": (
        "an agent named by its name",
        (f"{TL4}::test_trap_B4_message_names_an_agent_by_name", f"{LINK}::test_a_message_by_name_makes_no_agent"),
    ),
    "B.4.5": ("turn.agent_id of a child is the root's", (f"{TL4}::test_trap_B4_turn_agent_id_of_a_child_is_the_root",)),
    "B.4.6": ("a create call names no child", (f"{LINK}::test_one_call_and_one_subagent_is_unique",)),
    "B.4.7": ("a subagent names no create call", (f"{LINK}::test_an_orphan_subagent_stays_one",)),
    "B.4.r1": ("unique", (f"{LINK}::test_the_last_pair_left_is_unique",)),
    "B.4.r2": ("by the words of the task", (f"{LINK}::test_the_same_words_tell_before_position",)),
    "B.4.r3": ("by position", (f"{LINK}::test_position_side_by_side",)),
    "B.4.r4": ("by order", (f"{LINK}::test_order_by_opening_time_where_nothing_else_tells",)),
    "B.4.r5": (
        "a failed call has no subagent and may name nobody",
        (
            f"{LINK}::test_a_failed_create_has_no_subagent",
            f"{TL4}::test_trap_B4_failed_call_names_a_target_that_does_not_exist",
        ),
    ),
    # B.5 List completeness
    "B.5.1": ("a list may lack what is unfinished", (f"{HERE}::test_trap_B5_1_a_call_that_the_list_lacks",)),
    "B.5.2": (
        "a list shows null for a failed result",
        (f"{TL2}::test_b5_a_page_shows_null_for_a_failed_result", f"{TL1}::test_a_list_may_show_null_for_a_failed_output"),
    ),
    "B.5.3": (
        "unfinished items of turns that were cut",
        (
            f"{TL3}::test_trap_B5_unfinished_items_of_failed_and_cancelled_turns",
            f"{TL2}::test_b5_unfinished_items_of_a_turn_that_was_cut",
        ),
    ),
    "B.5.4": (
        "the status of a call says nothing of its answer",
        (f"{VERDICT}::test_a_history_call_is_never_pending", f"{HERE}::test_trap_B5_4_any_status_while_pending"),
    ),
    # H Limits and gotchas
    "H.1": (
        "a subagent's function_call",
        (f"{TL4}::test_call_of_the_root_is_no_subagents_call", f"{TL2}::test_h1_a_subagents_call_has_another_agents_tools"),
    ),
    "H.2": ("a completed turn with a failed tool", (f"{TL2}::test_h2_a_warning_only_where_the_turn_completed",)),
    "H.3": ("idle before and between turns", (f"{TL3}::test_trap_H3_idle_before_the_first_turn_and_between_turns",)),
    "H.4": ("a message steers the turn", (f"{TL3}::test_trap_H4_message_that_steers_a_turn",)),
    "H.5": ("with deltas and without", (f"{HERE}::test_trap_H_5_text_without_deltas",)),
    "H.6": ("the same item under another event_id", (f"{HERE}::test_trap_H_6_an_identical_result_is_announced_twice",)),
    "H.7": ("a completed wait is no end of the child", (f"{TL4}::test_trap_H7_completed_wait_is_no_end_of_the_child",)),
    "H.8": ("a subagent stays active after its turn", (f"{TL4}::test_trap_H8_subagent_stays_active_after_its_turn",)),
    "H.9": ("the root's stream shows no child work", (f"{TL4}::test_trap_H9_root_stream_shows_no_child_work",)),
    "H.10": (
        "command output that was cut",
        (
            f"{TL2}::test_h10_a_command_that_exits_with_1_is_no_failed_tool",
            f"{HERE}::test_trap_H_10_command_output_that_was_cut",
        ),
    ),
    "H.11": ("usage is null for ever", (f"{HERE}::test_trap_H_11_usage_is_null",)),
    "H.12": ("six subagents by default", (f"{TL4}::test_trap_H12_default_limit",)),
    "H.13": ("limits of requests", (f"{HERE}::test_trap_H_13_limits_are_the_servers",)),
    "H.14": ("a sandbox suspended while idle", (f"{TL3}::test_trap_H14_suspended_while_idle",)),
    "H.15": ("no handoff in this API", (f"{TL0}::test_other_envelopes",)),
    "H.16": ("a post names no turn", (f"{HERE}::test_trap_H_16_a_message_and_the_turn_it_makes",)),
    # L.2 Must tolerate
    "L.2.1": (
        "unknown types and statuses",
        (f"{TL3}::test_trap_L2_1_unknown_statuses_and_turn_events", f"{TL0}::test_unknown_things_are_told_by_what_they_are"),
    ),
    "L.2.2": ("arguments of every kind", (f"{TL2}::test_l2_2_arguments_of_every_kind",)),
    "L.2.3": (
        "duplicates of events, snapshots and items",
        (
            f"{TL4}::test_trap_L2_3_repeated_subagent_events",
            f"{TL2}::test_l2_3_the_later_state_of_an_item_wins",
            f"{VERDICT}::test_an_action_in_many_snapshots_is_one_action_since_the_first",
        ),
    ),
    "L.2.4": (
        "a missing beginning or end",
        (
            f"{TL3}::test_trap_L2_4_recording_that_begins_inside_a_turn",
            f"{TL4}::test_trap_L2_4_recording_that_begins_after_the_create",
        ),
    ),
    "L.2.5": (
        "turn_id null on events, id null on messages",
        (f"{HERE}::test_trap_L2_5_nulls_for_ids", f"{OFFICIAL}::test_a_message_may_have_no_id"),
    ),
    "L.2.6": ("in the stream and not in the list", (f"{HERE}::test_trap_L2_6_seen_in_the_stream_and_not_listed",)),
    "L.2.7": (
        "child turns present or absent",
        (
            f"{TL4}::test_trap_L2_7_child_turns_absent",
            f"{TL4}::test_trap_L2_7_child_interrupted_without_an_end",
            f"{TL4}::test_trap_L2_7_root_turn_still_open",
        ),
    ),
    "L.2.8": ("an agent never otherwise seen", (f"{TL4}::test_trap_L2_8_agent_never_otherwise_seen",)),
    "L.2.9": ("encrypted or empty content", (f"{TL4}::test_trap_L2_9_encrypted_tasks",)),
    "L.2.10": (
        "an action without item, an item without action",
        (f"{TL3}::test_trap_L2_10_required_action_without_an_item", f"{TL2}::test_l2_10_an_action_without_item"),
    ),
    "L.2.11": (
        "a result as post, as item, or both",
        (
            f"{TL3}::test_trap_L2_11_result_recorded_only_as_input_or_only_as_item",
            f"{TL1}::test_one_result_however_it_is_recorded",
        ),
    ),
    "L.2.12": (
        "late results",
        (
            f"{TL3}::test_trap_L2_12_async_function_is_answered_after_its_turn",
            f"{TL1}::test_an_async_function_may_be_answered_late",
            f"{TL1}::test_a_late_result_is_one_warning_and_not_unapplied",
        ),
    ),
    "L.2.13": ("everything in one file", (f"{HERE}::test_trap_L2_13_everything_in_one_file",)),
    "L.2.14": (
        "model_dump: nulls and async_",
        (f"{TL2}::test_l2_14_null_may_stand_for_what_was_left_out", f"{TL1}::test_model_dump_says_async_with_an_underscore"),
    ),
    "L.2.15": (
        "the order of a page",
        (f"{TL1}::test_a_page_reads_the_same_both_ways", f"{UNWRAP}::test_pages_come_out_in_order_of_time"),
    ),
    "L.2.16": (
        "equal seconds; status against list",
        (
            f"{TL3}::test_trap_L2_16_status_against_list",
            f"{TL0}::test_equal_seconds_are_no_contradiction",
            f"{LINK}::test_equal_seconds_leave_both",
        ),
    ),
    "L.2.17": (
        "budget_reached with and without actions",
        (f"{TL3}::test_trap_L2_17_budget_reached_with_actions", f"{VERDICT}::test_budget_reached"),
    ),
    "L.2.18": (
        "vendors' extras; no required_actions",
        (f"{TL3}::test_trap_L2_18_session_without_required_actions", f"{HERE}::test_trap_L2_18_members_of_vendors"),
    ),
    "L.2.19": (
        "statuses while waiting and after a cut",
        (f"{HERE}::test_trap_B5_4_any_status_while_pending", f"{TL2}::test_b5_unfinished_items_of_a_turn_that_was_cut"),
    ),
    "L.2.20": ("one call_id in two turns", (f"{TL1}::test_one_call_id_in_two_turns_is_two_calls",)),
}
"""Number → (what the trap is, `path::test` of each test that holds it)."""
