"""A whole evening at the simulated table, hand after hand, the way people use one; chance decides who does what.

The players here follow habits (the dealer throws first, the counted seat throws again), not rules: what a hand is
worth is none of a table's business.
"""

from __future__ import annotations

from dataclasses import dataclass

from device.mechanics import LIFT_S, SHAKE_S, STACK_S, WASH_S, Mechanics, Script

THINK_S = 4.0


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """How an evening goes. ``hands`` None never ends; ``mishaps`` is the chance of a jam in a hand."""

    hands: int | None = None
    two_throws: bool = True
    mishaps: float = 0.1
    sticks: bool = False
    gear: int = 144


def evening(works: Mechanics, plan: EveningPlan) -> Script:
    """Play hands until the plan says stop."""
    dealer = honba = 0
    played = 0
    while plan.hands is None or played < plan.hands:
        works.set_dealer(dealer, honba)
        winner: list[int] = []
        yield from _set_up(works, plan)
        yield from _break_wall(works, plan, dealer)
        yield from _draw_and_claim(works, winner)
        yield from _clear(works, plan)
        if winner and winner[0] == dealer:
            honba += 1
        else:
            dealer, honba = (dealer + 1) % 4, 0
        played += 1


def _set_up(works: Mechanics, plan: EveningPlan) -> Script:
    works.build_walls(plan.gear)
    yield WASH_S / 2
    if works.rng.random() < plan.mishaps:
        side = works.rng.randrange(4)
        works.fault("JAM", side=side, part="feed", stop=True)
        yield 15.0
        works.fault("JAM", on=False, side=side, part="feed", stop=True)
        works.build_walls(plan.gear)
    yield WASH_S + STACK_S + 1.0
    works.press(works.rng.randrange(4), "LIFT")
    yield LIFT_S + 1.0
    if works.board.state.top != "UP":  # the key was locked: it is pressed again when the dispute is over
        works.lift()
        yield LIFT_S + 1.0


def _break_wall(works: Mechanics, plan: EveningPlan, dealer: int) -> Script:
    works.press(dealer, "DICE")
    yield SHAKE_S + 1.0
    first = works.board.state.values or (1, 1)
    total = sum(first)
    side = (dealer + total - 1) % 4
    if plan.two_throws:
        yield THINK_S
        works.press(side, "DICE")
        yield SHAKE_S + 1.0
        total += sum(works.board.state.values or (1, 1))
    works.open_wall(side, total)
    for _ in range(13):
        works.take(4)
        yield 0.7
    works.take(1)
    yield THINK_S


def _draw_and_claim(works: Mechanics, winner: list[int]) -> Script:
    rng = works.rng
    seat = works.board.state.dealer or 0
    for _ in range(rng.randint(12, 70)):
        if works.wall.left == 0:
            return
        yield rng.uniform(0.5, 1.5) * THINK_S
        chance = rng.random()
        if chance < 0.08:
            seat = rng.randrange(4)
            works.press(seat, "PENG" if chance < 0.05 else "CHI")
        elif chance < 0.1:
            works.press(seat, "KONG")
            yield 1.0
            works.take_tail()
        else:
            seat = (seat + 1) % 4
            works.take(1)
    if rng.random() < 0.85:
        winner.append(seat)
        works.press(seat, "HU")


def _clear(works: Mechanics, plan: EveningPlan) -> Script:
    yield 5 * THINK_S
    works.press(works.rng.randrange(4), "OK")
    if plan.sticks:
        for seat in range(4):
            works.set_sticks(seat, 25_000 + 100 * works.rng.randint(-80, 80))
            yield 1.0
    works.press(works.rng.randrange(4), "LIFT")
    yield LIFT_S + 1.0
