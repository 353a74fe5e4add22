"""武漢麻將 around a win: the wildcard, who may take a discard, the last four tiles, a drawn hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.claims import best_claim, claim_result, heard
from rules.errors import Impossible
from rules.model import HandResult, Outcome, Plain, Seat, TableFacts, Transfer
from rules.payments import nearest, pay, seats_after, vector
from rules.policies import progress_extras
from rules.question import Question
from rules.rulesets.wuhan_payment import opened, own_factor
from rules.tiles import EAST, GREEN, NORTH, RED, SOUTH, WEST, WHITE, Tile, next_in_ring, tile_text
from rules.waits import is_ready, shown_hand
from rules.wildcards import wild_from

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

RING = (EAST, SOUTH, WEST, NORTH, GREEN, WHITE)
"""東 南 西 北 發 白 and back to 東; 紅中 is left out."""


def becomes(turned: Tile) -> Tile:
    """The next kind is wild; a turned 紅中 makes 發 wild, as a turned 北 does.

    >>> tile_text(becomes(NORTH)), tile_text(becomes(RED)), tile_text(becomes(WHITE))
    ('6z', '6z', '1z')
    """
    return GREEN if turned == RED else next_in_ring(turned, RING)


def answer_wild(rules: Ruleset, question: Question) -> HandResult:  # noqa: ARG001
    """The wildcard that each turned tile would make."""
    made: list[Plain] = [tile_text(wild_from(turned, becomes)) for turned in question.facts.flips]
    return HandResult.told(("wilds", made))


# ---------------------------------------------------------------- claims and the last four tiles


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """A put-down 紅中 or 癩子 is a kong of its owner; else a win goes first, the nearest counting from the dealer."""
    event, facts = question.event(), question.facts
    discard = event.tile("discard")
    own = {RED: "hongzhong", rules.wild(rules.chosen, facts).wild: "laizi"}.get(discard)
    if own is not None:
        return claim_result(None, None, ("counts_as", {"kong": own, "seat": event.seat("from")}))
    wishes = heard(rules, event)
    if wishes.winners:
        return claim_result(nearest(facts.dealer, wishes.winners, itself=True), "hu")
    return claim_result(*best_claim(rules, wishes))


LAST_TILES = 4
MELDS = ("chi", "peng", "kong_open", "kong_added", "kong_concealed")
KONGS = ("kong_open", "kong_added", "kong_concealed", "hongzhong", "laizi")


def answer_action(rules: Ruleset, question: Question) -> HandResult:
    """Whether a player may do what he wants: `{seat, wants, tile?}`.

    紅中 and 癩子 are never melded. The last four tiles are only drawn: none is discarded, and no kong may take one.
    """
    event, facts = question.event(), question.facts
    event.seat("seat")
    wants = event.text("wants", *MELDS, "hongzhong", "laizi", "discard", "hu")
    left = facts.wall_left
    special = (RED, rules.wild(rules.chosen, facts).wild)
    melds_special = wants in MELDS and "tile" in event and event.tile("tile") in special
    drawn_only = left is not None and ((left < LAST_TILES and wants != "hu") or (left <= LAST_TILES and wants in KONGS))
    return HandResult.told(("allowed", not (melds_special or drawn_only)), ("alternative", None))


# ---------------------------------------------------------------- drawn hands


def answer_draw(rules: Ruleset, question: Question) -> HandResult:
    """An exhausted wall: nobody pays and the dealer stays; with `check_ready_at_draw` 查大叫 is settled."""
    facts = question.facts
    progress = progress_extras(rules.next_dealer(Outcome("draw"), facts))
    if not rules.chosen["check_ready_at_draw"]:
        return HandResult.told(*progress)
    ready = [seat for seat in range(4) if ready_at_draw(rules, seat, facts)]
    not_ready: list[Plain] = [seat for seat in range(4) if seat not in ready]
    owed = {seat: own_factor(facts.player(seat), rules.chosen) for seat in ready}
    transfers = tuple(
        one
        for payee in ready
        for payer in seats_after(payee)
        if payer not in ready
        for one in unready_pays(payer, payee, owed[payee], facts)
    )
    amounts: Plain = {str(seat): amount for seat, amount in owed.items()}
    extras = (("not_ready", not_ready), ("ready", amounts), *progress)
    return HandResult(True, vector(transfers), transfers=transfers, extras=extras)


def unready_pays(payer: Seat, payee: Seat, amount: int, facts: TableFacts) -> tuple[Transfer, ...]:
    """The ready player's own factors, twice that from a player who has not even opened."""
    return pay(payer, payee, amount if opened(facts.player(payer)) else 2 * amount, "not ready at the draw")


def ready_at_draw(rules: Ruleset, seat: Seat, facts: TableFacts) -> bool:
    """Whether a player was ready, as the table says or by his tiles.

    Raises:
        RulesInputError: The table tells neither.
    """
    player = facts.player(seat)
    if player.ready is not None:
        return player.ready
    if not player.hand:
        raise Impossible("ready_unknown", seat=seat)
    return is_ready(rules, replace(shown_hand(rules, seat, facts), source="self_draw", from_seat=None), facts)
