"""Claims, the forced win of the last four tiles, void suit, exchange and dealer at a 四川 table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.claims import best_claim, claim_result
from rules.errors import RulesInputError
from rules.model import HandResult, Outcome, Plain, Seat, Source, TableFacts, Winner
from rules.payments import seats_after
from rules.policies import progress_extras
from rules.question import Event, Question
from rules.tiles import parse_tiles, suit_of

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

LAST_TILES = 4
NOTHING_MOVES = (0, 0, 0, 0)


def must_win(facts: TableFacts) -> bool:
    """最後四張: the tile that appeared is among the last four drawn, or was discarded after one of them."""
    return facts.last_tile or (facts.wall_left is not None and facts.wall_left < LAST_TILES)


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """Everybody who can win a tile wins it, else a pung or kong; among the last four tiles nobody may let it pass.

    The event is `{discard, from, wants, can_win}`, or `{drawn, by, can_win}` for a tile drawn by himself. `wants` may
    say `pass`. With the hands in `winners`, or in `state.players`, the wins are judged and paid.
    """
    event, facts = question.event(), question.facts
    drawer = event.seat("by") if "drawn" in event else None
    start = event.seat("from") if drawer is None else drawer
    wishes = dict(event.by_seat("wants"))
    shown = question.winners or hands_of_claimers(event, facts)
    able = rules.judge(shown, facts) if shown else None
    can = event.seats("can_win") if able is None else tuple(one.seat for one in able.winners if one.valid)
    if drawer is None and rules.chosen["pass_rule"] != "none":
        can = tuple(seat for seat in can if event.tile("discard") not in facts.passed_kinds(seat))
    forced = must_win(facts)
    takers = [seat for seat in can if forced or wishes.get(seat, "hu") == "hu"]
    if not takers:
        return claim_result(None, None) if drawer is not None else meld_claim(rules, event, wishes)
    order = [seat for seat in (start, *seats_after(start)) if seat in takers]
    winners: list[Plain] = [*order]
    extras: list[tuple[str, Plain]] = [("claim_goes_to", order[0]), ("claim", "hu"), ("all_winners", winners)]
    extras += [("forced", True)] if forced else []
    if able is None:
        return HandResult(True, NOTHING_MOVES, extras=tuple(extras))
    paid = rules.judge([one for one in shown if one.seat in takers], facts)
    return HandResult(True, paid.payments, paid.winners, paid.transfers, extras=tuple(extras))


def hands_of_claimers(event: Event, facts: TableFacts) -> tuple[Winner, ...]:
    """The wins of those who can win, when the tiles of all of them are known to the table."""
    drawn = "drawn" in event
    tile = event.tile("drawn" if drawn else "discard")
    source = None if drawn else event.seat("from")
    seats = event.seats("can_win")
    if not all(facts.player(seat).hand for seat in seats):
        return ()
    how: Source = "self_draw" if drawn else "discard"
    return tuple(
        Winner(seat, facts.player(seat).hand, tile, how, facts.player(seat).melds, from_seat=source) for seat in seats
    )


def meld_claim(rules: Ruleset, event: Event, wishes: dict[Seat, str]) -> HandResult:
    """Who gets a discard that nobody wins.

    Raises:
        RulesInputError: Somebody wants to chow.
    """
    if "chi" in wishes.values():
        raise RulesInputError("四川 has no chow; a player may want peng, kong_open, hu or pass")
    wanted: dict[str, Plain] = {str(seat): wish for seat, wish in wishes.items() if wish not in ("hu", "pass")}
    return claim_result(*best_claim(rules, Event({"from": event.seat("from"), "wants": wanted}, event.number)))


# ---------------------------------------------------------------- actions


def answer_action(rules: Ruleset, question: Question) -> HandResult:
    """Whether a player may do what he wants: `{seat, wants, tiles?}`.

    No chow; no kong when no tile is left to replace; no passing of a forced win; 定缺 and 換三張 only where they are
    played, the exchange with three tiles of one suit. For an exchange `goes_to` says who gets the tiles, by one die:
    1-2 the next player, 3-4 the opposite, 5-6 the previous.
    """
    event, facts = question.event(), question.facts
    seat = event.seat("seat")
    wants = event.text(
        "wants", "chi", "peng", "kong_open", "kong_added", "kong_concealed", "pass", "void", "exchange", "discard"
    )
    tiles = parse_tiles(event.text("tiles")) if "tiles" in event else ()
    void = facts.player(seat).void if rules.chosen["dingque"] else 0
    of_void_suit = any(void >> tile & 1 for tile in tiles)
    allowed = {
        "chi": False,
        "pass": not must_win(facts) or not event.flag("can_win"),
        "void": rules.chosen["dingque"] is True and not void,
        "exchange": rules.chosen["huan_san_zhang"] is True and len(tiles) == 3 and len({*map(suit_of, tiles)}) == 1,
        "discard": True,
    }.get(wants, not of_void_suit and (wants == "peng" or facts.wall_left != 0))
    extras: list[tuple[str, Plain]] = [("allowed", allowed), ("alternative", None)]
    if wants == "exchange" and allowed and len(facts.dice) == 1:
        extras.append(("goes_to", (seat + (facts.dice[0] + 1) // 2) % 4))
    return HandResult(True, NOTHING_MOVES, extras=tuple(extras))


# ---------------------------------------------------------------- dealer


def answer_dealer(rules: Ruleset, question: Question) -> HandResult:
    """Who deals next; in a blood battle nobody is known before the dice are thrown."""
    return HandResult(True, NOTHING_MOVES, extras=progress_answer(rules, question.outcome(), question.facts))


def progress_answer(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> tuple[tuple[str, Plain], ...]:
    """The next dealer as an answer: null where only the dice can say."""
    if rules.chosen["mode"] == "blood" and not facts.dice:
        return (("next_dealer", None),)
    return progress_extras(rules.next_dealer(outcome, facts))
