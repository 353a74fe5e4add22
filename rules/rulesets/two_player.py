"""兩人麻將 (Two players): 萬, honours and flowers; points add up and are multiplied by 明牌 ×4 and 加倍 ×2.

Both players choose 明牌 before the deal and may double once before the first discard; every choice multiplies the stake
of the hand, whoever wins. The compact table is the default; `fan_table` full plays the whole public list, which is in
two_player_fans.py. Rulings and sources: docs/rules/two_player.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.errors import Impossible
from rules.evaluate import Judged, Price, Settlement, nearest_wins
from rules.fans import Tally
from rules.hand import Hand, Options
from rules.model import HandResult, Outcome, Plain, Progress, TableFacts
from rules.options import choice, number, number_or_none, whole
from rules.patterns import opening
from rules.payments import pay
from rules.policies import USUAL_ANSWERS, dealer_stays, each_gets
from rules.question import Question
from rules.ruleset import Ruleset
from rules.rulesets.two_player_fans import COMPACT, FULL, NO_FLOWERS
from rules.shapes import seven_pairs, standard
from rules.tiles import CHARACTERS, HONOURS
from rules.validation import check_seat

# ---------------------------------------------------------------- options


def with_options(rules: Ruleset) -> Ruleset:
    """The fan table, with flowers or without."""
    flowers = rules.chosen["tiles"] == "with_flowers"
    rows = FULL if rules.chosen["fan_table"] == "full" else COMPACT
    kept = tuple(row for row in rows if flowers or row.name != NO_FLOWERS)
    return replace(rules, fans=kept, flowers=flowers)


# ---------------------------------------------------------------- what can be


def check_choices(facts: TableFacts) -> None:
    """Check that choices are told for both players.

    Raises:
        RulesInputError: They are not.
    """
    for name, chosen in (("open_hand", facts.open_hand), ("doubled", facts.doubled)):
        if len(chosen) not in (0, 2):
            raise Impossible("one_for_each", name=name, found=str(list(chosen)))


# ---------------------------------------------------------------- value and payment


def price(hand: Hand, tally: Tally) -> Price:
    """All points add up; the multiplier is the table's."""
    total, mult = int(tally.total()), multiplier(hand.case.options, hand.case.facts)
    return Price((total * mult,), (("total", total), ("mult", mult)), tally)


def multiplier(options: Options, facts: TableFacts) -> int:
    """×4 for each player who plays 明牌, ×2 for each who doubled, up to the cap if there is one."""
    check_choices(facts)
    factor: int = number(options, "open_factor") ** sum(facts.open_hand)
    factor *= number(options, "double_factor") ** sum(facts.doubled)
    cap = number_or_none(options, "mult_cap")
    return factor if cap is None else min(factor, cap)


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:  # noqa: ARG001
    """The other player pays points × multiplier × unit."""
    one = wins[0]
    points = one.price.number("total") * one.price.number("mult") if one.price else 0
    how = "self-draw" if one.case.self_drawn else "discard"
    return Settlement(pay(1 - one.seat, one.seat, points * number(rules.chosen, "unit"), how))


FALSE_WIN = 24


def penalty(rules: Ruleset, facts: TableFacts) -> int:
    """What a false win pays the opponent: 24 times the stake."""
    return FALSE_WIN * multiplier(rules.chosen, facts) * number(rules.chosen, "unit")


# ---------------------------------------------------------------- dealer, claims, declarations


def deal(rules: Ruleset, outcome: Outcome, facts: TableFacts) -> Progress:
    """The dealer stays after his own win and a drawn hand; else the other player deals. There is no round wind."""
    check_seat(rules, facts.dealer, "dealer")
    return Progress(facts.dealer if dealer_stays(outcome, facts) else 1 - facts.dealer)


OPEN, DOUBLE = "before_deal", "after_deal_before_first_discard"
PHASES = (OPEN, DOUBLE, "after_first_discard")


def answer_phase(rules: Ruleset, question: Question) -> HandResult:
    """Who plays 明牌 and who has doubled, after the wishes `{phase, seat, wants: open|double}` in order.

    明牌 is chosen before the deal and never taken back, doubling between the deal and the first discard; a wish at
    another time is not heard, and `refused` lists the numbers of those events. `open_hand` is another word for open.
    """
    facts = question.facts
    check_choices(facts)
    opened: list[Plain] = [*(facts.open_hand or (False, False))]
    doubled: list[Plain] = [*(facts.doubled or (False, False))]
    refused: list[Plain] = []
    for event in question.events:
        phase, wish, seat = (
            event.text("phase", *PHASES),
            event.text("wants", "open", "open_hand", "double"),
            event.seat("seat"),
        )
        check_seat(rules, seat, f"event {event.number}")
        if phase == OPEN and wish != "double":
            opened[seat] = True
        elif phase == DOUBLE and wish == "double" and not doubled[seat]:
            doubled[seat] = True
        else:
            refused.append(event.number)
    extras = (("open_hand", opened), ("doubled", doubled), ("refused", refused))
    return HandResult.told(*extras)


# ---------------------------------------------------------------- the ruleset

TWO_PLAYER = Ruleset(
    name="two_player",
    title=("二人麻将", "二人麻將", "Two players"),
    sources=("customer text 000, section Ⅷ", "a public two-player table"),
    seats=2,
    tile_kinds=CHARACTERS | HONOURS,
    flowers=True,
    forms=(standard, seven_pairs),
    fans=COMPACT,
    checks=(opening.only_the_dealer_is_dealt_a_win,),
    price=price,
    several=nearest_wins,
    settle=settle,
    deal=deal,
    false_win=each_gets(penalty),
    answers={
        **USUAL_ANSWERS,
        "phase": answer_phase,
    },
    options={
        "unit": whole(1, least=1, note="points for one"),
        "tiles": choice("with_flowers", "no_flowers", mark="public", note="72 tiles, or 64 without flowers"),
        "open_factor": whole(4, least=1, mark="seed", note="the stake for each player who plays 明牌"),
        "double_factor": whole(2, least=1, note="the stake for each player who doubles"),
        "mult_cap": whole(None, least=1, note="the stake grows no further"),
        "fan_table": choice("compact", "full", note="the main patterns, or the whole public list"),
        "false_win": choice("pay_24", "dead_hand", note="24 times the stake to the opponent"),
    },
    adjust=with_options,
)
