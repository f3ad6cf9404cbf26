"""Is a stall as intended, and who must act: in plain words, the same wherever a stall is told."""

from tracelink.model.verdict import Stall

_INTENDED = {
    "needs_tool_result": "it waits for the app's output, and the app must act",
    "needs_mcp_approval": "it waits for a decision on a tool call, and a user must act",
    "needs_computer_approval": "it waits for a user's decision or sign-in, and a user must act",
    "needs_environment": "it waits for its environment to connect, and the app must start the executor",
}
_AMISS = {
    "result_misaddressed": "the session still waits for an answer that fits, and the app must mend what it posts",
    "result_refused": "the session still waits for an answer that the server takes, and the app must act",
    "ended_badly": "the session does not go on by itself; look at the server's error",
    "waiting_on_subagent": "none of these agents can go on by itself",
}
_UNCLEAR = {
    "recording_ended": "the recording ends too early to show it",
    "silent_in_progress": "the server's turn sent nothing more, and nothing recorded says why",
    "waiting_on_subagent": "look at the subagent that has not finished",
}


def expectation(stall: Stall) -> str:
    """One sentence with a full stop. It claims no more than `Stall.expected` and `Stall.blame` do."""
    if stall.expected == "yes":
        waits = _INTENDED.get(stall.kind) if stall.blame != "unclear" else None
        return f"The session works as intended: {waits or 'it waits for an answer; who must give it is unclear'}."
    if stall.expected == "no":
        return f"This is not as intended: {_AMISS.get(stall.kind) or f'look at the {stall.blame}'}."
    if stall.blame == "unclear":
        return "Whether this is as intended is unclear, and so is who must act."
    return f"Whether this is as intended is unclear: {_UNCLEAR.get(stall.kind) or f'look at the {stall.blame}'}."
