"""Four tiles face down in a row: a concealed kong, or tiles of a hand that lies face down, or of a wall.

They look the same; what tells them apart is how many tiles of the hand are found elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from table.follow.sighting import Glimpse, SeatSighting
from table.follow.state import SeatState

KONG = 4


def face_down(group: Sequence[Glimpse]) -> bool:
    """Whether every tile of a group shows its back."""
    return all(tile.back for tile in group)


def rows_of_backs(
    own: SeatState, seen: SeatSighting, new: Sequence[tuple[Glimpse, ...]], *, opening: bool
) -> Literal["kongs", "no_kongs", "unclear"]:
    """What the new rows of four backs before a player are.

    A kong leaves ten tiles of thirteen, and its replacement. Where the whole hand stands beside the row it is none of
    it. Where nothing of the hand stands, a row that makes a whole hand of four is the hand, as it is without a kong
    beside it; two rows, a row in a hand that lies face down and one among tiles just dealt may be either.

    Args:
        own: what is known of the player.
        seen: what lies before him.
        new: the groups that are no known melds.
        opening: whether the dealer has not discarded yet.
    """
    rows = sum(face_down(group) for group in new)
    if not rows:
        return "kongs"
    between = own.concealed - (own.concealed % 3 == 2) - 3 * (len(new) - rows)
    rest, standing = between - 3 * rows, (seen.standing or 0) + len(seen.hand)
    if rest < 1 or standing - seen.down >= between:
        return "no_kongs" if rows == 1 else "unclear"
    if seen.down or standing > rest + 1:
        return "unclear"
    if standing:
        return "kongs"
    if rows == 1 and between == KONG:
        return "no_kongs"
    return "unclear" if rows > 1 or opening else "kongs"
