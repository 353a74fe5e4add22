"""Which events a command can cause: tells a command sent again from another one that bears its key by mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_NOTED = frozenset({"hand_noted"})
_PAID = frozenset({"claim_approved", "wins_paid", "hand_settled"})

CAUSES: Mapping[str, frozenset[str]] = {
    "open_game": frozenset({"game_opened"}),
    "close_game": frozenset({"game_closed"}),
    "rename_seats": frozenset({"seats_renamed"}),
    "dice": frozenset({"dice_thrown", "dice_reported"}),
    "confirm_dice": frozenset({"dice_thrown"}),
    "void_dice": frozenset({"dice_voided"}),
    "walls": frozenset({"walls_built"}),
    "start_hand": frozenset({"hand_started"}),
    "claim_win": frozenset({"win_claimed", "facts_set"}),
    "cancel_claim": frozenset({"claim_cancelled"}),
    "hand_photo": frozenset(),
    "hand_manual": frozenset({"hand_entered"}),
    "fix_tile": frozenset({"tile_fixed"}),
    "set_win_tile": frozenset({"win_tile_set", "hand_entered"}),
    "set_meld": frozenset({"meld_set"}),
    "set_layout": frozenset({"meld_set"}),
    "set_facts": frozenset({"facts_set"}),
    "announce": frozenset({"points_announced"}),
    "agree": frozenset({"seat_agreed"}),
    "approve": _PAID,
    "reject": frozenset({"claim_rejected"}),
    "draw_hand": frozenset({"hand_settled"}),
    "hand_facts": _NOTED,
    "turn_tile": _NOTED,
    "kong": frozenset({"side_paid", "hand_noted"}),
    "drop_side": frozenset({"side_dropped"}),
    "take_discard": _NOTED,
    "declare": _NOTED,
    "liable": _NOTED,
    "pass_win": _NOTED,
    "sea": _NOTED,
    "start_win": frozenset({"side_paid"}),
    "tiles_taken": frozenset({"tiles_taken"}),
    "see_move": frozenset({"move_seen"}),
    "see_win": frozenset({"win_seen"}),
    "see_opened": frozenset({"hand_opened"}),
    "answer_seen": frozenset({"seen_answered"}),
    "penalise": frozenset({"penalty_given"}),
    "lift_penalty": frozenset({"penalty_lifted"}),
    "substitute": frozenset({"substitute_seated"}),
    "correct_hand": frozenset({"hand_corrected"}),
    "correct_options": frozenset({"options_corrected"}),
    "correct_seats": frozenset({"seats_corrected"}),
    "undo_last": frozenset({"decision_undone"}),
    "call_referee": frozenset({"referee_called"}),
    "close_call": frozenset({"call_closed"}),
}
"""By the kind of command: the event it is known by, the first one beside the start of the hand."""


def may_have_caused(command: str, events: Sequence[str]) -> bool:
    """Whether a command of this kind can have caused these events, in this order."""
    own = next((kind for kind in events if kind != "hand_started"), "hand_started")
    return own in CAUSES[command]
