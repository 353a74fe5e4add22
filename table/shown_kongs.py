"""The kongs of a winner's hand against those that were entered for him.

A kong that nobody entered is paid to nobody, and one that the hand does not show was paid for nothing: where the
ruleset pays kongs at once both are asked before the win may be approved, and before a correction of it counts. So is
everywhere one that was entered as concealed and is shown open, or the other way round; whether an open one was claimed
or added the tiles do not show. Kongs are told apart by their tile; one entered without its tile is any of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from table.circumstances import KONGS_UNPAID, KONGS_UNSHOWN
from table.model import NOTHING, LaidHand, LaidMeld, MeldKind, Seat, SidePay, TableFacts
from table.rulebook import BadHand, Rulebook
from table.snapshot import Choice, Question
from table.state import Claim, Game, State
from table.tile_text import BACK, split_tiles
from table.unsaid import feeder_question

KONG_NOT_SHOWN, KONG_UNSAID, KONG_KIND = "kong_not_shown:", "kong_unsaid:", "kong_kind:"
"""How the ids of these questions begin; then ``seat:tile``."""


@dataclass(frozen=True, slots=True)
class OtherKind:
    """A kong that was entered as another kind than the hand shows: the question, and the hand as it was entered."""

    side: SidePay
    laid: LaidHand
    question: Question


def other_kinds(state: State, claim: Claim, laid: LaidHand, sides: Sequence[SidePay]) -> Iterator[OtherKind]:
    """The kongs of a hand that were entered as concealed and are shown open, or the other way round.

    Args:
        state: what is known of the hand being played.
        claim: the win.
        laid: its hand as understood.
        sides: what was paid at once and stands.
    """
    shown = {split_tiles(meld.tiles)[0]: meld for meld in laid.melds if meld.kind.startswith("kong")}
    for side in sides:
        meld = shown.get(side.tile) if side.what == "kong" and side.seat == claim.seat else None
        if meld is None or side.meld_kind is None or _hidden(meld.kind) is _hidden(side.meld_kind):
            continue
        entered = replace(meld, kind=side.meld_kind, from_seat=side.from_seat)
        other = replace(laid, melds=tuple(entered if one is meld else one for one in laid.melds))
        choices = (
            *(Choice(command=one, text_key=side.meld_kind) for one in _as_entered(claim, other, entered)),
            Choice(command=_drop(state, side), text_key=meld.kind if _hidden(meld.kind) else "kong_exposed"),
        )
        question = Question(
            id=f"{KONG_KIND}{_key(side.seat, side.tile)}",
            text_key="ask_kong_kind",
            params={"seat": side.seat, "tile": side.tile},
            choices=choices,
        )
        yield OtherKind(side, other, question)


def _hidden(kind: MeldKind) -> bool:
    return kind == "kong_concealed"


def _as_entered(claim: Claim, laid: LaidHand, kong: LaidMeld) -> Iterator[Mapping[str, Any]]:
    """The command that makes the hand show this kong as it was entered."""
    if claim.how == "manual":
        yield {"kind": "hand_manual", **asdict(laid)}
        return
    tile = split_tiles(kong.tiles)[0]
    for number, group in enumerate(claim.groups):
        names = [name for index in group.tiles if (name := claim.tile_at(index))]
        if len(names) == 4 and set(names) - {BACK} == {tile}:
            yield {"kind": "set_meld", "group": number, "meld_kind": kong.kind, "from_seat": kong.from_seat}


def kong_questions(
    state: State, game: Game, claim: Claim, laid: LaidHand, sides: Sequence[SidePay], table: TableFacts, rules: Rulebook
) -> tuple[Question, ...]:
    """What must be asked of the kongs of a hand; nothing where they match or pay nothing.

    Args:
        state: what is known of the hand being played.
        game: whose places play.
        claim: the win.
        laid: its hand as understood.
        sides: what was paid at once and stands.
        table: the same circumstances in the words of the rules.
        rules: say what a kong pays.
    """
    if "kong" not in rules.answers:
        return ()
    shown = {split_tiles(meld.tiles)[0]: meld.kind for meld in laid.melds if meld.kind.startswith("kong")}
    entered = [side for side in sides if side.what == "kong" and side.seat == claim.seat]
    lacking = [side for side in entered if side.tile not in shown]
    missing = [tile for tile in shown if all(side.tile != tile for side in entered)]
    nameless = [side for side in lacking if not side.tile]
    lacking = [side for side in lacking if side.tile] + nameless[len(missing) :]
    missing = missing[len(nameless) :]
    unpaid = _named(state, KONGS_UNPAID)
    kept = _named(state, KONGS_UNSHOWN)
    paid = [side for side in lacking if any(side.payments) and _key(side.seat, side.tile) not in kept]
    asked = [_ask_dropped(state, side) for side in paid]
    for tile in missing:
        if _key(claim.seat, tile) in unpaid:
            continue
        enters = tuple(_enters(game, claim, tile, shown[tile], table, rules))
        if enters:
            asked.append(_ask_entered(state, claim, tile, enters, unpaid))
    late = claim.source == "kong_replacement" and any(one.id.startswith(KONG_UNSAID) for one in asked)
    if late and entered and "kong_feeder" in game.customs.counts and "kong_feeder" not in claim.facts.more:
        return (feeder_question(state, claim, game),)  # once one is entered late, the last entered is not the last made
    return tuple(asked)


def kept_paid(state: State, side: SidePay) -> Choice:
    """The answer that a kong which the hand does not show was made all the same."""
    kept = " ".join((*_named(state, KONGS_UNSHOWN), _key(side.seat, side.tile)))
    return Choice(command={"kind": "hand_facts", "facts": {KONGS_UNSHOWN: kept}}, text_key="past.kong_kept")


def _named(state: State, fact: str) -> list[str]:
    """The kongs that one of the table's own facts names."""
    return str(state.facts.get(fact) or "").split()


def _key(seat: Seat, tile: str) -> str:
    return f"{seat}:{tile}"


def _ask_dropped(state: State, side: SidePay) -> Question:
    return Question(
        id=f"{KONG_NOT_SHOWN}{_key(side.seat, side.tile)}",
        text_key="ask_kong_not_shown" if side.tile else "ask_kong_not_shown_any",
        params={"seat": side.seat, "tile": side.tile},
        choices=(Choice(command=_drop(state, side), text_key="kong_drop"),),
    )


def _drop(state: State, side: SidePay) -> dict[str, Any]:
    index = next(i for i, one in enumerate(state.sides) if one is side)
    return {"kind": "drop_side", "index": index, "count": len(state.sides)}


def _ask_entered(state: State, claim: Claim, tile: str, enters: Sequence[Choice], unpaid: Sequence[str]) -> Question:
    key = _key(claim.seat, tile)
    nothing = {"kind": "hand_facts", "facts": {KONGS_UNPAID: " ".join((*unpaid, key))}}
    return Question(
        id=f"{KONG_UNSAID}{key}",
        text_key="ask_kong_unsaid_battle" if state.won else "ask_kong_unsaid",
        params={"seat": claim.seat, "tile": tile},
        choices=(*enters, Choice(command=nothing, text_key="kong_unpaid")),
    )


def _enters(
    game: Game, claim: Claim, tile: str, kind: MeldKind, table: TableFacts, rules: Rulebook
) -> Iterator[Choice]:
    """The ways in which this kong can be entered now and would be paid.

    Four open tiles do not show whether they were claimed at once or added to a pung.
    """
    feeders = [seat for seat in game.places if seat != claim.seat]
    ways: list[tuple[MeldKind, Seat | None]] = [("kong_concealed", None)]
    if kind != "kong_concealed":
        ways = [*(("kong_open", seat) for seat in feeders), ("kong_added", None)]
    for how, feeder in ways:
        try:
            pays = rules.ask("kong", table, [{"type": how, "by": claim.seat, "from": feeder}])["payments"]
        except BadHand:  # its feeder has left the hand: it was made before his win, which the question speaks of
            continue
        if tuple(pays) != NOTHING:
            command = {"kind": "kong", "seat": claim.seat, "meld_kind": how, "tile": tile, "from_seat": feeder}
            yield Choice(command=command, text_key=f"enter_{how}", seat=feeder)
