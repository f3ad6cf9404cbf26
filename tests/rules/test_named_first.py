"""The reading rules name where a thing stood first, and count the rest."""

import json

import tracelink
from tests.rules.cases import Json, of, opening, snapshot, told


def test_tl001_gathers_lines_of_text_and_names_the_first_three() -> None:
    """One finding for chatter among JSON."""
    rows = [json.dumps({"event_id": f"e{n}", **snapshot("idle", at=n)}) for n in range(6)]
    text = "".join(f"{row}\nstarted worker {n}\n" for n, row in enumerate(rows))
    found = of(tracelink.report(text.encode()), "TL001")
    assert [[at.line for at in one.locations] for one in found] == [[2, 4, 6]]


def test_tl003_names_an_items_first_place_and_shows_it() -> None:
    new: Json = {"type": "dream", "id": "item_d", "turn_id": "turn_tide1", "status": "completed"}
    (finding,) = of(told(*opening(new)), "TL003")
    assert [at.line for at in finding.locations] == [5]
    assert (
        finding.message
        == "The item type dream occurs once, first at <bytes>:5, and is documented nowhere known here: it is shown as it stands."
    )


def test_tl006_lists_three_sessions() -> None:
    rows = [snapshot("idle", session_id=f"sess_{n}") for n in "abcd" for _ in range(3)]
    (finding,) = of(told(*rows), "TL006")
    assert "sess_a, sess_b, sess_c, …" in finding.message


def test_tl009_knows_a_digest() -> None:
    """An event without its object."""
    rows = [*opening(), {"type": "agent.session.turn.completed", "event_id": "x", "turn_id": "turn_tide1"}]
    (finding,) = of(told(*rows), "TL009")
    assert "Responses" not in finding.message
    assert finding.locations[0].line == 5
    assert finding.ids == {"type": "agent.session.turn.completed"}
    assert finding.hint == "Log the whole event: without its item, turn or session nothing can be linked."
