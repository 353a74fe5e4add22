"""Claims, the forced win of the last four tiles, void suit, exchange and dealer at a 四川 table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rules.claims import Wishes, all_who_can, heard
from rules.errors import RulesInputError
from rules.model import HandResult, Plain, Seat, Source, TableFacts, Winner
from rules.question import Event, Question
from rules.rulesets.sichuan_battle import others_in
from rules.tiles import parse_tiles, suit_of

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

LAST_TILES = 4


def must_win(facts: TableFacts) -> bool:
    """最後四張: the tile that appeared is among the last four drawn, or was discarded after one of them."""
    return facts.last_tile or (facts.wall_left is not None and facts.wall_left < LAST_TILES)


def answer_claim(rules: Ruleset, question: Question) -> HandResult:
    """Everybody who can win a tile wins it, else a pung or kong; among the last four tiles nobody may let it pass.

    The event is `{discard, from, wants, can_win}`, or `{drawn, by, can_win}` for a tile drawn by himself. `wants` may
    say `pass`. With the hands in `winners`, or in `state.players`, the wins are judged and paid.
    """
    event, facts = question.event(), question.facts
    shown = question.winners or hands_of_claimers(event, facts)
    judged = rules.judge(shown, facts) if shown else None
    can = said_to_win(rules, event, facts) if judged is None else [one.seat for one in judged.winners if one.valid]
    forced = must_win(facts)
    wishes = own_wish(event, can, forced) if "drawn" in event else others_wishes(rules, event, can, forced=forced)
    wishes = wishes.without(facts.out)
    told = all_who_can(rules, wishes)
    extras = (*told.extras, ("forced", True)) if forced and wishes.winners else told.extras
    if judged is None or not wishes.winners:
        return replace(told, extras=extras)
    paid = rules.judge([one for one in shown if one.seat in wishes.winners], facts)
    return replace(paid, extras=extras)


def said_to_win(rules: Ruleset, event: Event, facts: TableFacts) -> list[Seat]:
    """Who can win by `can_win` or `wants`, those left out whom 過水 binds."""
    able = {*event.seats("can_win"), *(seat for seat, wish in event.by_seat("wants") if wish == "hu")}
    binds = rules.chosen["pass_rule"] != "none" and "discard" in event
    return sorted(seat for seat in able if not (binds and event.tile("discard") in facts.passed_kinds(seat)))


def own_wish(event: Event, can: Sequence[Seat], forced: bool) -> Wishes:
    """What a player does with a tile he has drawn: he wins with it, or passes where he may."""
    drawer = event.seat("by")
    wins = drawer in can and (forced or dict(event.by_seat("wants")).get(drawer) != "pass")
    return Wishes(drawer, (drawer,) if wins else ())


def others_wishes(rules: Ruleset, event: Event, can: Sequence[Seat], *, forced: bool) -> Wishes:
    """What the others do with a discard.

    Raises:
        RulesInputError: Somebody wants to chow.
    """
    if any(wish == "chi" for _, wish in event.by_seat("wants")):
        raise RulesInputError("四川 has no chow; a player may want peng, kong_open, hu or pass")
    return heard(rules, event, can, may_pass=not forced)


def hands_of_claimers(event: Event, facts: TableFacts) -> tuple[Winner, ...]:
    """The wins of those who can win, when the tiles of all of them are known to the table.

    Where nobody is named, everybody whose tiles are known is tried.
    """
    drawn = "drawn" in event
    tile = event.tile("drawn" if drawn else "discard")
    source = None if drawn else event.seat("from")
    others = (event.seat("by"),) if drawn else others_in(event.seat("from"), facts.out)
    seats = event.seats("can_win") if "can_win" in event else [seat for seat in others if facts.player(seat).hand]
    if not all(facts.player(seat).hand for seat in seats):
        return ()
    how: Source = "self_draw" if drawn else "discard"
    return tuple(
        Winner(seat, facts.player(seat).hand, tile, how, facts.player(seat).melds, from_seat=source) for seat in seats
    )


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
    return HandResult.told(*extras)
