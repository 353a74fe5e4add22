"""What people state of a hand, read by the rules once, so that a slip is named at the moment of typing.

Beside `table.rulebook` the only module of the running table that knows how `rules` reads its questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from rules.errors import Impossible, RulesInputError
from rules.model import Winner
from rules.reading_json import facts_of, winners_of
from rules.tiles import parse_tile, parse_tiles, tile_text
from table.model import LaidHand, Scalar, TableFacts
from table.places import Places
from table.rules_port import BadHand
from table.sentences import Sentence, say

_LAID = frozenset({"seat", "hand", "win_tile", "melds", "flowers", "source", "from_seat"})
"""Who won with which tiles and how: said with the claim, never among further circumstances."""
OF_WINNER = frozenset(field.name for field in fields(Winner)) - _LAID
"""Circumstances that belong to the winner; all others belong to the table."""
_FOLLOWS = frozenset(
    {"round_wind", "dealer", "first_dealer", "streak", "carry_in", "prev_wild", "out", "kong_ledger", "balances"}
)
"""Circumstances that follow from the game as it was played."""
_SEATS = frozenset({"seat", "by", "from_seat", "dealer"})
"""Values of what the rules refuse that are seats."""
_ALL_SEATS = Places()
_TILE_LISTS = frozenset({"hand", "tiles", "birds", "passed"})
"""Tiles that the rules read as one text or as a list; the table keeps the text."""


def check_tiles(laid: LaidHand) -> None:
    """Read every tile of a typed hand once, so that a slip is named at the moment of typing.

    Raises:
        BadHand: a text is no tiles, or there are more than four of a kind.
    """
    try:
        parse_tiles(laid.flowers)
        if laid.win_tile:
            parse_tile(laid.win_tile)
        counts = Counter(parse_tiles(laid.hand + laid.win_tile))
        for meld in laid.melds:
            counts.update(parse_tiles(meld.tiles))
    except RulesInputError as error:
        raise BadHand(why(error)) from None
    tile, count = max(counts.items(), key=lambda item: item[1], default=(0, 0))
    if count > 4:
        raise BadHand(say("why.fifth_typed", count=count, tile=tile_text(tile)))


def check_facts(table: TableFacts) -> None:
    """Read stated circumstances once, so that a slip is named at once.

    Raises:
        BadHand: a name is unknown, a value impossible, or it follows from the game and is not for people to state.
    """
    known = sorted(_FOLLOWS & table.keys())
    if known:
        raise BadHand(say("why.follows", name=known[0]))
    try:
        facts_of(table)
    except RulesInputError as error:
        raise BadHand(why(error)) from None


def check_more(more: Mapping[str, Scalar]) -> None:
    """Read the further circumstances of a win once.

    Raises:
        BadHand: as for `check_facts`.
    """
    check_facts({name: value for name, value in more.items() if name not in OF_WINNER})
    extras = {name: value for name, value in more.items() if name in OF_WINNER}
    try:
        winners_of([{"seat": 0, "hand": "", "source": "self_draw", **extras}])
    except RulesInputError as error:
        raise BadHand(why(error)) from None


def plain_facts(stated: TableFacts) -> dict[str, Any]:
    """Stated circumstances as the table keeps them: tiles as one text, nothing null inside.

    Raises:
        BadHand: as for `check_facts`.
    """
    check_facts({name: value for name, value in stated.items() if value is not None})
    return {name: _plain(name, value) for name, value in stated.items()}


def why(error: RulesInputError, seats: Places = _ALL_SEATS) -> Sentence:
    """What the rules refuse, with the seats of the table."""
    if not isinstance(error, Impossible):
        return say("why.unreadable", detail=str(error))
    told = {name: seats.outside(value) for name, value in error.values.items()
            if name in _SEATS and isinstance(value, int)}  # fmt: skip
    return say(f"why.{error.key}", **{**error.values, **told})


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, Mapping):
        inner = value.items()
        return {key: _plain("passed" if name == "passed" else key, one) for key, one in inner if one is not None}
    if not isinstance(value, list | tuple):
        return value
    return "".join(value) if name in _TILE_LISTS else [_plain("", one) for one in value]
