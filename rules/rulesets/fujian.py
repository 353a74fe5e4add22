"""福建麻將 (Fujian): sixteen tiles, five sets and a pair, a turned-up gold, all three losers pay.

活動百搭 (`mode` flip): the turned kind is gold and 白 stands in for it. 帶弟百搭 (`successor`): the next kind is gold.
A win counts the base 底, flowers, golds, kongs and the dealer's repeats once on a discard and twice otherwise, and its
dearest special on top. Rulings and sources: docs/rules/fujian.md.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product

from rules.claims import best_claim, claim_result, heard
from rules.errors import Impossible, RulesInputError
from rules.evaluate import Judged, Price, Settlement, nearest_wins
from rules.fans import Fan, Tally
from rules.hand import Case, Hand, Options, WildRule
from rules.model import HandResult, Outcome, Plain, Progress, Reading, Seat, TableFacts, Winner
from rules.options import Option, choice, number, whole
from rules.patterns import opening
from rules.payments import each_pays, seats_after
from rules.policies import USUAL_ANSWERS, dealer_stays, each_gets
from rules.question import Event, Question
from rules.ruleset import Ruleset
from rules.shapes import NO_PAIR, Counts, Part, Standard, suit_parts
from rules.tiles import EAST, WHITE, Tile, is_suit, parse_tile, parse_tiles, tile_text, tiles_text
from rules.wildcards import (
    itself,
    the_next,
    wild_from,
    wild_kind,
    wildcard_is_not_claimed,
    wildcard_remarks,
)

# ---------------------------------------------------------------- tiles, gold and its stand-in


def becomes(options: Options, turned: Tile) -> Tile:
    """The gold that the turned tile makes: its own kind, or in 帶弟百搭 the next."""
    return itself(turned) if options["mode"] == "flip" else the_next(turned)


def wildcard(options: Options, facts: TableFacts) -> WildRule:
    """The gold; in 活動百搭 every 白 carries the turned face, unless 白 itself was turned.

    With `white_role` either a 白 may be itself too. That wins nothing more, because a pair, pung or kong of 白 is one
    of the turned face as well; only a claimed meld of 白 alone is then told without the stand-in.
    """
    gold = wild_kind(facts, lambda turned: becomes(options, turned))
    if options["mode"] != "flip" or gold is None or gold == WHITE:
        return WildRule(gold)
    return WildRule(gold, stand_in=WHITE, stands_for=gold)


# ---------------------------------------------------------------- shapes


def look(part: Part, honours: bool) -> Hashable:  # noqa: ARG001
    """Nothing in the sets is worth anything; only that there is a pair."""
    return part.pair != NO_PAIR


def golden_pair(counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:  # noqa: ARG001
    """Sets beside a pair of two golds (金雀): the other tiles and golds must come out as sets alone."""
    spare = wilds - 2
    if spare < 0:
        return
    suits = [suit_parts(tuple(counts[first : first + 9]), spare, first < EAST) for first in (0, 9, 18, EAST)]
    for used in product(range(spare + 1), repeat=4):
        parts = [
            next((part for part in ways[share] if part.pair == NO_PAIR), None)
            for ways, share in zip(suits, used, strict=True)
        ]
        if sum(used) == spare and None not in parts:
            read = [(9 * suit, part) for suit, part in enumerate(parts) if part is not None]
            yield Reading(
                "standard",
                chows=tuple(first + rank for first, part in read for rank in part.chows),
                pungs=tuple(first + rank for first, part in read for rank in part.pungs),
                wilds_as=tuple(first + rank for first, part in read for rank in part.faces),
            )
            return


def three_golds(counts: Counts, wilds: int, sets: int) -> Iterator[Reading]:  # noqa: ARG001
    """Any tiles with three golds or more (三金倒)."""
    if wilds >= 3:
        yield Reading("free")


# ---------------------------------------------------------------- what counts


def base(hand: Hand) -> int:
    """Every win counts the base."""
    return number(hand.case.options, "di")


def golds(hand: Hand) -> int:
    """One for each gold held, however it is used."""
    return hand.case.wilds


def kongs(hand: Hand) -> int:
    """One for an exposed kong, two for a concealed one."""
    return hand.case.open_kongs + 2 * hand.case.concealed_kongs


def repeats(hand: Hand) -> int:
    """One for each time the dealer who wins has already stayed."""
    return hand.case.facts.streak if hand.case.is_dealer else 0


def holds_three_golds(hand: Hand) -> bool:
    """Three golds are held; complete or not, they win when the third is drawn."""
    return hand.case.wilds >= 3


def dealt(case: Case) -> bool:
    """Whether the hand is won as it was dealt, before a kong and before the first discard."""
    return case.winner.source == "start_hand" or (case.winner.source == "self_draw" and case.winner.first_turn)


def grabs_the_gold(hand: Hand) -> bool:
    """A player other than the dealer completes his dealt hand with the turned-up gold."""
    case = hand.case
    grabbed = dealt(case) and not case.is_dealer and case.win_is_wild
    return grabbed and case.options["mode"] == "flip" and hand.form == "standard"


def gold_is_the_pair(hand: Hand) -> bool:
    """The pair is two golds."""
    return hand.form == "standard" and hand.pair is None


def heavenly_win(hand: Hand) -> bool:
    """The dealer's dealt tiles are complete."""
    return dealt(hand.case) and hand.case.is_dealer and hand.form == "standard"


FANS: tuple[Fan, ...] = (
    Fan("底", 1, base, layer="core"),
    Fan("花", 1, opening.flowers_laid, layer="core"),
    Fan("金", 1, golds, layer="core"),
    Fan("槓", 1, kongs, layer="core"),
    Fan("連莊", 1, repeats, layer="core"),
    Fan("三金倒", 10, holds_three_golds, layer="special"),
    Fan("搶金", 20, grabs_the_gold, layer="special"),
    Fan("金雀", 30, gold_is_the_pair, layer="special"),
    Fan("天胡", 40, heavenly_win, layer="special"),
)


def with_options(rules: Ruleset) -> Ruleset:
    """Sixteen tiles, or thirteen with four sets."""
    return replace(rules, hand_size=number(rules.chosen, "hand_size"))


# ---------------------------------------------------------------- what may win


def one_tile_more_is_grabbed(rules: Ruleset, winner: Winner, facts: TableFacts) -> None:
    """Seventeen tiles are dealt to the dealer alone; who is dealt sixteen wins at once only by the turned-up gold.

    Raises:
        RulesInputError: Another player is said to be dealt a whole hand without it.
    """
    tiles = len(winner.hand) + (winner.win_tile is not None)
    if winner.source != "start_hand" or winner.seat == facts.dealer or tiles <= rules.hand_size:
        return
    gold = wildcard(rules.chosen, facts).wild if rules.chosen["mode"] == "flip" else None
    if gold is None or winner.win_tile != gold:
        raise Impossible("dealt_gold", seat=winner.seat, dealer=facts.dealer)


def gold_limits(case: Case) -> str | None:
    """House limits: from so many golds on only a self-draw wins (option `gold_limits`)."""
    limits = case.options["gold_limits"]
    if case.self_drawn or not isinstance(limits, dict):
        return None
    reached = any(case.wilds >= int(held) for held in limits)
    return "discard_win_not_allowed" if reached else None


def three_golds_at_once(hand: Hand, tally: Tally) -> str | None:  # noqa: ARG001
    """Incomplete, three golds win only as they come: with the third one drawn, or dealt, before the first discard."""
    case = hand.case
    if hand.form != "free":
        return None
    third_drawn = case.win_is_wild and case.wilds == 3
    return None if case.self_drawn and (third_drawn or case.winner.first_turn) else "shape"


def remarks(case: Case) -> tuple[str, ...]:
    """What a referee should look at."""
    turned = case.wild.wild if case.options["mode"] == "flip" else case.facts.flip
    return wildcard_remarks(case, turned)


# ---------------------------------------------------------------- value and payment


def price(hand: Hand, tally: Tally) -> Price:
    """Core once on a discard, twice otherwise, and the dearest special; the core is listed item by item."""
    kept = tally.keep_dearest("special")
    core, special = int(kept.total("core")), int(kept.total("special"))
    rows = [(replace(row, value=row.value * n), 1) if row.layer == "core" else (row, n) for row, n in kept.counted]
    each = core * (1 if hand.case.winner.source == "discard" else 2) + special
    return Price((each,), (("core", core),), Tally(rows, kept.covered))


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:  # noqa: ARG001
    """All three losers pay the same, whoever discarded."""
    one = wins[0]
    each = one.price.value if one.price else 0
    how = "discard" if one.case.winner.source == "discard" else "self-draw"
    return Settlement(each_pays(seats_after(one.seat), one.seat, each, how), (("per_loser", int(each)),))


FALSE_WIN = 10


def penalty(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """What a false win pays each opponent."""
    return FALSE_WIN


def deal(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:  # noqa: ARG001
    """After his own win or a drawn hand the dealer stays and his streak grows; else the next player deals."""
    if dealer_stays(outcome, facts):
        return Progress(facts.dealer, streak=facts.streak + 1)
    return Progress((facts.dealer + 1) % 4, streak=0)


# ---------------------------------------------------------------- other questions


def answer_wild(rules: Ruleset, question: Question) -> HandResult:
    """The gold that each turned tile would make, and in 活動百搭 what stands in for it."""
    flips = question.facts.flips
    made: list[Plain] = [tile_text(wild_from(turned, lambda tile: becomes(rules.chosen, tile))) for turned in flips]
    white = {tile_text(turned): None if turned == WHITE else tile_text(WHITE) for turned in flips}
    stand_in: dict[str, Plain] = dict(white) if rules.chosen["mode"] == "flip" else {}
    return HandResult.told(("wilds", made), ("stand_in", stand_in))


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """The usual order of claims; nobody gets a gold, and a meld with a stand-in is told as it is laid."""
    event = question.event()
    wild = rules.wild(rules.chosen, question.facts)
    if event.tile("discard") == wild.wild:
        return claim_result(None, None)
    seat, claim = best_claim(rules, heard(rules, event))
    held = () if seat is None else held_tiles(event, seat)
    laid = laid_with_stand_in(wild, claim, event.tile("discard"), held)
    if laid is not None and set(parse_tiles(laid)) == {WHITE} and rules.chosen["white_role"] == "either":
        laid = None
    return claim_result(seat, claim, *(() if laid is None else (("meld", laid),)))


def held_tiles(event: Event, seat: Seat) -> tuple[Tile, ...]:
    """The tiles that a player shows for a claim.

    Raises:
        RulesInputError: They are not a list of tiles.
    """
    held = event.fields.get(f"seat{seat}_hand_has", [])
    if not isinstance(held, list):
        raise RulesInputError(f"event {event.number}: seat{seat}_hand_has must be a list of tiles, found {held!r}")
    return tuple(parse_tile(str(one)) for one in held)


def laid_with_stand_in(wild: WildRule, claim: str | None, discard: Tile, held: Sequence[Tile]) -> str | None:
    """The claimed meld as laid, such as 12m5z, when a stand-in carries another face in it."""
    size = {"chi": 2, "peng": 2, "kong_open": 3}.get(claim or "", 0)
    for own in combinations(held, size) if size else ():
        tiles = (*own, discard)
        faces = sorted(wild.face(tile) for tile in tiles)
        in_a_row = is_suit(faces[0]) and faces[2] - faces[0] == 2 and len({*faces}) == 3 and faces[0] % 9 <= 6
        if in_a_row if claim == "chi" else len({*faces}) == 1:
            return tiles_text(tiles) if faces != sorted(tiles) else None
    return None


# ---------------------------------------------------------------- the ruleset


def limits_table(value: object) -> bool:
    """Whether this is a table of house limits, such as {"2": "self_draw"}, or none."""
    return value is None or (
        isinstance(value, Mapping) and all(key in ("1", "2", "3", "4") and value[key] == "self_draw" for key in value)
    )


FUJIAN = Ruleset(
    name="fujian",
    title=("福建麻将", "福建麻將", "Fujian"),
    sources=("customer text, section Ⅶ extension 1", "public Fuzhou rules"),
    hand_size=16,
    flowers=True,
    wild=wildcard,
    forms=(Standard(look), golden_pair, three_golds),
    fans=FANS,
    by_place=False,
    checks=(one_tile_more_is_grabbed,),
    before=(wildcard_is_not_claimed, gold_limits),
    gates=(three_golds_at_once,),
    price=price,
    notes=remarks,
    several=nearest_wins,
    settle=settle,
    deal=deal,
    false_win=each_gets(penalty),
    answers={
        **USUAL_ANSWERS,
        "claim": answer_claim,
        "wild": answer_wild,
    },
    options={
        "mode": choice("flip", "successor", mark="seed", note="活動百搭 or 帶弟百搭"),
        "white_role": choice("stand_in", "either", note="白 always carries the turned face, or may be itself too"),
        "hand_size": choice(16, 13, mark="public", note="five sets and a pair, or four"),
        "di": whole(5, least=0, note="the base 底"),
        "gold_limits": Option(
            None,
            takes='a table such as {"2": "self_draw"}: from two golds on only a self-draw wins; or null',
            check=limits_table,
            mark="public",
            note="house limits of winning with golds",
        ),
        "false_win": choice("pay_10", "dead_hand", note="ten to each opponent, or a dead hand"),
    },
    adjust=with_options,
)
