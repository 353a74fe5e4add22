"""Which kongs there can be at one table: so many that a hand holds them, of the tiles of the game, in a hand as shown.

Asked when a kong is entered, when the hands are shown at the empty wall, and when a finished hand is corrected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from table.model import Outcome, Seat, SidePay
from table.rulebook import Rulebook
from table.sentences import Sentence, say


def impossible_kong(rulebook: Rulebook, sides: Sequence[SidePay]) -> Sentence | None:
    """Why these kongs cannot all have been made; None if they can."""
    kongs = [side for side in sides if side.what == "kong"]
    strange = next((side.tile for side in kongs if side.tile and side.tile not in rulebook.tiles), None)
    if strange is not None:
        return say("kong_no_tile", tile=strange)
    most = (rulebook.hand_tiles - 2) // 3  # beside them a hand has a pair
    seat, count = max(Counter(side.seat for side in kongs).items(), key=lambda item: item[1], default=(0, 0))
    return say("kongs_too_many", seat=seat, count=count, most=most) if count > most else None


def kong_without_place(rulebook: Rulebook, outcome: Outcome, seats: Collection[Seat]) -> Sentence | None:
    """Whose hand, of these seats, lies open and holds fewer kongs than were paid to him; None for nobody's.

    Hands lie open where they won, and at the empty wall. Which tile a kong is of is not compared.
    """
    if "kong" not in rulebook.answers:
        return None
    shown = outcome.table.get("players", {}) if outcome.outcome != "void" else {}
    melds = {int(seat): [meld["type"] for meld in one.get("melds", ())] for seat, one in shown.items() if "hand" in one}
    melds |= {win.seat: [meld.kind for meld in win.laid.melds] for win in outcome.wins}
    for seat in sorted(melds.keys() & set(seats)):
        found = sum(kind.startswith("kong") for kind in melds[seat])
        count = sum(side.what == "kong" and side.seat == seat for side in outcome.sides)
        if count > found:
            return say("kong_no_place", seat=seat, found=found, count=count)
    return None
