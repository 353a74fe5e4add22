"""Who played which hands: substitutes take a place over with its points, and here each person's share is told apart."""

from __future__ import annotations

from dataclasses import dataclass

from table.state import PlayedHand, State, moved_by


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """What one person won or lost on a place: hands `from_hand` to `to_hand` (None: to the end)."""

    player: int
    name: str
    from_hand: int
    to_hand: int | None
    points: int


def shares(state: State) -> tuple[Share, ...]:
    """The shares of everybody who played, place by place in order; a place without substitutes has one."""
    found: list[Share] = []
    for player, name in enumerate(state.names):
        stays = [(stay.name, stay.from_hand) for stay in state.stays if stay.player == player] or [(name, 1)]
        ends = [start - 1 for _, start in stays[1:]]
        for (who, start), end in zip(stays, [*ends, None], strict=True):
            points = _points(state, player, start, end)
            if end is None or end >= start or points:
                found.append(Share(player=player, name=who, from_hand=start, to_hand=end, points=points))
    return tuple(found)


def name_at(state: State, player: int, hand_no: int) -> str:
    """The name of the person who played this place in that hand."""
    names = [stay.name for stay in state.stays if stay.player == player and stay.from_hand <= hand_no]
    return names[-1] if names else state.names[player]


def _points(state: State, player: int, start: int, end: int | None) -> int:
    """What the hands, false wins and penalties of these hands moved; the hand being played counts as it stands."""
    total = sum(
        moved_by(row)[row.setup.seating.index(player)]
        for row in state.history
        if start <= row.setup.hand_no and (end is None or row.setup.hand_no <= end)
    )
    now = state.setup
    if now is not None and end is None and not _settled(state, now.hand_no):
        total += state.paid_so_far[now.seating.index(player)]
    return total


def _settled(state: State, hand_no: int) -> bool:
    return any(isinstance(row, PlayedHand) and row.setup.hand_no == hand_no for row in state.history)
