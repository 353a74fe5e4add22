"""The exhausted wall of 四川麻將: pigs pay, the unready pay the ready, and kong money goes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.errors import Impossible
from rules.hand import Options
from rules.model import HandResult, Outcome, Plain, Seat, TableFacts, Transfer, Winner
from rules.options import number
from rules.patterns.kinds import SUIT_KINDS
from rules.payments import pay, vector
from rules.policies import progress_extras
from rules.question import Question
from rules.rulesets.sichuan_battle import unit_of
from rules.tiles import kinds_of
from rules.waits import judged_waits, shown_hand

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def answer_draw(rules: Ruleset, question: Question) -> HandResult:
    """查花豬, 查大叫 and 退稅, in this order, among the players who have not won.

    Whose hand is told not to be ready (a ruling on a dead hand) is not, whatever it waits for.
    """
    facts, options = question.facts, rules.chosen
    inside = [seat for seat in range(4) if seat not in facts.out]
    if len(inside) < 2 or (options["mode"] == "single" and facts.out):
        raise Impossible("over_before_wall", seats=str(list(facts.out)))
    holders = {seat: shown_hand(rules, seat, facts) for seat in inside}
    pigs = [seat for seat in inside if is_pig(holders[seat], options, facts)]
    ready = {
        seat: fan
        for seat in inside
        if seat not in pigs
        and facts.player(seat).ready is not False
        and (fan := dearest_wait(rules, holders[seat], facts)) is not None
    }
    unready = [seat for seat in inside if seat not in pigs and seat not in ready]
    clean = [seat for seat in inside if seat not in pigs]
    each_pig = number(options, "pig_units") * number(options, "base")
    transfers = [one for pig in pigs for seat in clean for one in pay(pig, seat, each_pig, "three suits at the draw")]
    for payee, fan in ready.items():
        for payer in unready:
            transfers += pay(payer, payee, unit_of(options, fan), "not ready at the draw")
    transfers += refunds([*pigs, *unready], facts)
    payments = vector(transfers)
    earlier = vector(kong_income(facts))
    extras: tuple[tuple[str, Plain], ...] = (
        ("hand_total", [now + then for now, then in zip(payments, earlier, strict=True)]),
        ("pigs", list(pigs)),
        ("ready", {str(seat): fan for seat, fan in ready.items()}),
        ("not_ready", list(unready)),
        *progress_extras(rules.next_dealer(Outcome("draw"), facts)),
    )
    return HandResult(True, payments, transfers=tuple(transfers), extras=extras)


def is_pig(shown: Winner, options: Options, facts: TableFacts) -> bool:
    """花豬: hand and melds hold all three suits, or with 定缺 a tile of the void suit."""
    held = kinds_of((*shown.hand, *(tile for meld in shown.melds for tile in meld.tiles)))
    void = facts.player(shown.seat).void if options["dingque"] else 0
    return all(held & suit for suit in SUIT_KINDS) or held & void != 0


def dearest_wait(rules: Ruleset, shown: Winner, facts: TableFacts) -> int | None:
    """大叫: the fans of the dearest win on a discard; None without one. Roots count, luck does not.

    A kind of which the player holds all four himself is no wait, and letting a tile pass no longer matters.
    """
    own = (*shown.hand, *(tile for meld in shown.melds for tile in meld.tiles))
    judged = judged_waits(rules, shown, TableFacts(dealer=facts.dealer, players=facts.players))
    fans = [
        one.price.number("fan")
        for one in judged
        if one.verdict.valid and one.price is not None and own.count(one.case.winner.win_tile or 0) < 4
    ]
    return max(fans, default=None)


def kong_income(facts: TableFacts) -> tuple[Transfer, ...]:
    """The kong money that was paid in this hand."""
    return tuple(
        one
        for kong in facts.kong_ledger
        for payer, amount in kong.paid
        for one in pay(payer, kong.by, amount, "kong money")
    )


def refunds(unready: list[Seat], facts: TableFacts) -> tuple[Transfer, ...]:
    """退稅: who is not ready gives all his kong money back, to those who have won too."""
    return tuple(
        one
        for paid in kong_income(facts)
        if paid.payee in unready
        for one in pay(paid.payee, paid.payer, paid.amount, "kong money given back")
    )
