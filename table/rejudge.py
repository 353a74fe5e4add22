"""Which ruling changed: finished hands as they were paid, beside what other rules (or another replay) make of them.

People's scores never change by an upgrade, for the events carry what was agreed. This module only tells where today's
rules would have said something else, fan by fan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from table.aftermath import judged_anew
from table.decision import Books, Context
from table.model import FanRow, Outcome, Payments
from table.rulebook import BadHand, Seating
from table.set_aside import wins_of
from table.settling import NotSettled
from table.state import PlayedHand, State


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingChange:
    """One hand that would be paid otherwise.

    Attributes:
        hand_no: which hand.
        before, now: payments by seat; `now` is None where it would be no win any more.
        rulings: what differs, one sentence each: a fan that counts otherwise, or why it is no win.
    """

    hand_no: int
    before: Payments
    now: Payments | None
    rulings: tuple[str, ...]


def ruling_changes(state: State, books: Books) -> tuple[RulingChange, ...]:
    """The hands of a game that today's rules would pay otherwise.

    Raises:
        UnknownRules: the ruleset, or one of the game's options, does not exist any more.
    """
    game = state.game
    if game is None:
        return ()
    found: list[RulingChange] = []
    rulebook = books(game.ruleset, game.options)
    for hand in state.hands:
        context = Context(
            state=state,
            game=game,
            setup=hand.setup,
            rulebook=rulebook,
            seating=Seating(game.first.dealer, game.rotate_seats),
            books=books,
        )
        try:
            now = judged_anew(context, hand.outcome, hand.setup)
        except (NotSettled, BadHand) as error:
            found.append(_no_more(hand, str(error)))
            continue
        found += _compared(hand, now)
    return tuple(found)


def changes_between_games(before: State, now: State) -> tuple[RulingChange, ...]:
    """The hands that two ledgers of the same evening pay otherwise, in the order of the first."""
    others = {hand.setup.hand_no: hand for hand in now.hands}
    found: list[RulingChange] = []
    for hand in before.hands:
        other = others.get(hand.setup.hand_no)
        found += [_no_more(hand, "the hand is missing")] if other is None else _compared(hand, other.outcome)
    return tuple(found)


def _no_more(hand: PlayedHand, why: str) -> RulingChange:
    return RulingChange(hand_no=hand.setup.hand_no, before=hand.outcome.payments, now=None, rulings=(why,))


def _compared(hand: PlayedHand, now: Outcome) -> list[RulingChange]:
    before = hand.outcome
    rulings = tuple(_rulings(before, now))
    if before.payments == now.payments and not rulings:
        return []
    if not rulings:
        rulings = ("the same fans are paid otherwise",)
    return [RulingChange(hand_no=hand.setup.hand_no, before=before.payments, now=now.payments, rulings=rulings)]


def _rulings(before: Outcome, now: Outcome) -> Iterator[str]:
    for then, today in zip(wins_of(before), wins_of(now), strict=False):
        yield from _fans(_worth(then.fans), _worth(today.fans))
        if then.computed != today.computed:
            yield f"the hand of seat {then.seat} counted {then.computed}, now {today.computed}"


def _worth(fans: Sequence[FanRow]) -> dict[str, int | float]:
    return {fan.name: fan.value * fan.count for fan in fans}


def _fans(then: dict[str, int | float], today: dict[str, int | float]) -> Iterator[str]:
    for name, value in then.items():
        if name not in today:
            yield f"{name} {value} no longer counts"
        elif today[name] != value:
            yield f"{name} counted {value}, now {today[name]}"
    for name, value in today.items():
        if name not in then:
            yield f"{name} {value} counts now"
