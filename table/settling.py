"""How a hand ends: wins of one tile together, a battle that goes on, a drawn hand by the ruleset's own question.

An outcome is always computed whole from its parts (the wins, what was paid at once, the circumstances), so that a
correction can compute it again under another dealer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Self

from table.circumstances import stated_facts, table_facts, wild_of
from table.decision import Context
from table.events import HandSettled, TableEvent, WinsPaid
from table.model import (
    FROM_OTHERS,
    NOTHING,
    Facts,
    FanRow,
    Outcome,
    Payments,
    Scalar,
    Seat,
    Setup,
    SidePay,
    TableFacts,
    WinPart,
    added,
)
from table.robbed import facts_standing, robbed_by_claims, robbed_by_wins, set_aside, sides_standing
from table.rulebook import BadHand, Circumstances, Rulebook
from table.sentences import because, say
from table.state import Claim, Game, HistoryItem, add_up, fees_of
from table.tile_text import split_tiles
from table.unsaid import entered_facts

NO_STAKE = 1_000_000
"""What a player holds where nobody said what he began with: enough for every fee."""

NOTES = ("pigs", "not_ready", "ready", "hand_total")
"""What the rules say of a drawn hand and the pages show."""


class NotSettled(ValueError):  # noqa: N818 - an answer, not a fault
    """The hand cannot be settled so; `sentence` says why."""

    def __init__(self, key: str, **params: Scalar) -> None:
        self.sentence = say(key, **params)
        super().__init__(self.sentence.text)

    @classmethod
    def because(cls, key: str, error: BadHand) -> Self:
        """With a sentence that holds what the rules call impossible."""
        why = error.sentence
        return cls(key, **because(key, why).params)


# --- wins -----------------------------------------------------------------------------------------------------------


def end_by_wins(context: Context, claims: Sequence[Claim]) -> tuple[TableEvent, ...]:
    """The approved claims of one tile are paid: the hand is over, or in a battle the others play on.

    Raises:
        NotSettled: the rules do not accept them together.
    """
    state = context.state
    stage = len({win.stage for win in state.won})
    robbed, stated = robbed_by_claims(claims, stage), stated_facts(state, context.game)
    sides = sides_standing(state.sides, robbed)
    parts = [_part(claim, entered_facts(state, context.game, claim, sides), stage) for claim in claims]
    table = table_facts(context.game, context.setup, facts_standing(stated, robbed), sides, state.out)
    parts, carry = _priced(context.rulebook, context.setup, parts, table)
    won = (*state.won, *parts)
    check_copies(won, sides)
    if not hand_over(context.rulebook, won):
        return (WinsPaid(wins=tuple(parts), sides=sides),)
    aside = (*state.aside, *set_aside(state.sides, sides))
    return (settled(context, replace(won_outcome(won, sides, stated, carry), aside=aside)),)


def settled(context: Context, outcome: Outcome) -> HandSettled:
    """The hand is over with this outcome; the next one follows from it."""
    fee = fee_of(context.rulebook, context.game, context.setup, outcome, context.state.history)
    outcome = replace(outcome, fee=fee)
    following = context.rulebook.following(context.setup, outcome, context.seating)
    return HandSettled(hand_no=context.setup.hand_no, outcome=outcome, next=following)


def won_outcome(
    won: Sequence[WinPart], sides: Sequence[SidePay], stated: TableFacts, carry: tuple[str, ...] = ()
) -> Outcome:
    """The outcome of a hand with these wins, the first of them in front."""
    first = won[0]
    return Outcome(
        outcome="win",
        winner=first.seat,
        source=first.source,
        from_seat=first.from_seat,
        laid=first.laid,
        facts=first.facts,
        total=first.total,
        computed=first.computed,
        announced=first.announced,
        fans=first.fans,
        payments=all_paid(won, sides),
        picture=first.picture,
        frame=first.frame,
        wins=tuple(won),
        sides=tuple(sides),
        table=dict(stated),
        carry_out=carry,
        wild=wild_of(stated),
    )


def again(rulebook: Rulebook, game: Game, setup: Setup, old: Outcome, wins: Sequence[WinPart]) -> Outcome:
    """An outcome with these wins, judged anew stage by stage under a setup; circumstances and side payments stay.

    A battle that its wins do not end has ended at the empty wall, which is settled anew too.

    Raises:
        NotSettled: one of the wins is none under these circumstances, or hands must be shown.
    """
    outcome = _stages(rulebook, game, setup, old, wins)
    won, sides, standing = outcome.wins, outcome.sides, facts_standing(old.table, robbed_by_wins(wins))
    check_copies(won, sides, standing)
    if hand_over(rulebook, won):
        return outcome
    answer = ask_drawn(rulebook, table_facts(game, setup, standing, sides, [win.seat for win in won]))
    return replace(outcome, payments=added(outcome.payments, answer.get("payments", NOTHING)), notes=notes_of(answer))


def broken_off(rulebook: Rulebook, game: Game, setup: Setup, old: Outcome) -> Outcome:
    """A hand that counts no further than what it had paid when it was broken off, priced anew.

    Raises:
        NotSettled: as for `again`.
    """
    if old.wins:
        anew = _stages(rulebook, game, setup, old, old.wins)
        return replace(old, wins=anew.wins, sides=anew.sides, aside=anew.aside, payments=anew.payments)
    sides = repriced(rulebook, game, setup, old, ())
    return replace(old, sides=sides, payments=all_paid((), sides))


def _stages(rulebook: Rulebook, game: Game, setup: Setup, old: Outcome, wins: Sequence[WinPart]) -> Outcome:
    """The wins of a hand and what it paid at once, judged anew stage by stage; nothing yet of an empty wall."""
    won, carry = list[WinPart](), tuple[str, ...]()
    robbed, every = robbed_by_wins(wins), old.all_sides
    sides = sides_standing(every, robbed)
    now = replace(old, sides=sides, table=facts_standing(old.table, robbed))
    for stage, together in groupby(wins, key=lambda win: win.stage):
        before = repriced(rulebook, game, setup, now, won, stage)
        table = table_facts(game, setup, now.table, before, [win.seat for win in won])
        parts, carry = _priced(rulebook, setup, list(together), table)
        won += parts
    outcome = won_outcome(won, repriced(rulebook, game, setup, now, won), old.table, carry)
    return replace(outcome, aside=set_aside(every, sides))


def repriced(
    rulebook: Rulebook,
    game: Game,
    setup: Setup,
    old: Outcome,
    won: Sequence[WinPart],
    stage: int | None = None,
) -> tuple[SidePay, ...]:
    """What was paid at once in a hand until this stage of it, priced anew under a setup and with these wins.

    Raises:
        NotSettled: the rules do not know such a payment.
    """
    done: list[SidePay] = []
    for side in old.sides:
        if stage is not None and side.stage > stage:
            continue
        before = [win for win in won if win.stage < side.stage]
        table = table_facts(game, setup, old.table, done, [win.seat for win in before])
        try:
            done.append(_paid_at_once(rulebook, side, table, before))
        except BadHand as error:
            raise NotSettled.because("bad_facts", error) from None
    return tuple(done)


def _paid_at_once(rulebook: Rulebook, side: SidePay, table: TableFacts, won: Sequence[WinPart]) -> SidePay:
    if side.what == "leave":
        return replace(side, payments=given_back(rulebook, won, side.seat))
    if side.what == "start_win":
        # not those of the win that ended the hand, but where an older ledger has one row of birds for both
        then = table if side.birds is None else {**table, "birds": side.birds}
        said = rulebook.ask("start", then, (), [{"seat": side.seat, "hand": side.hand, "source": "start_hand"}])
        return replace(side, payments=said["payments"], fans=start_fans(said))
    if "kong" not in rulebook.answers:
        return replace(side, payments=NOTHING)
    said = rulebook.ask("kong", table, [{"type": side.meld_kind, "by": side.seat, "from": side.from_seat}])
    return replace(side, payments=said["payments"])


def start_fans(said: TableFacts) -> tuple[FanRow, ...]:
    """The starting wins that the rules name in their answer."""
    return tuple(FanRow(name=name, value=value) for name, value in said["winners"][0]["fans"])


def given_back(rulebook: Rulebook, won: Sequence[WinPart], seat: Seat) -> Payments:
    """What a winner who leaves before the hand is over gives back, by the ruleset; nothing if he has not won."""
    if all(win.seat != seat for win in won):
        return NOTHING
    stayed: Payments = rulebook.ask("session", {}, _moves(won))["payments"]
    left: Payments = rulebook.ask("session", {}, [*_moves(won), {"type": "leave", "seat": seat}])["payments"]
    return added(left, (-stayed[0], -stayed[1], -stayed[2], -stayed[3]))


def _moves(won: Sequence[WinPart]) -> list[dict[str, Any]]:
    """The wins of a hand in the words of a session question."""
    return [
        {
            "type": "win",
            "seat": win.seat,
            "fan": max(1, sum(int(fan.value) * fan.count for fan in win.fans)),
            "source": win.source,
            "from": win.from_seat,
            "same_tile": any(win.stage == other.stage for other in won[:place]),
            "kong_feeder": win.facts.more.get("kong_feeder"),
        }
        for place, win in enumerate(won)
    ]


def notes_of(answer: TableFacts) -> dict[str, Any]:
    """What the rules say of a drawn hand and the pages show, by name."""
    return {name: answer[name] for name in NOTES if name in answer}


def fee_of(rulebook: Rulebook, game: Game, setup: Setup, outcome: Outcome, history: Sequence[HistoryItem]) -> Payments:
    """The service fee of a hand that counts, where the table takes one; never more than a player holds by then."""
    if "fee" not in rulebook.answers or not game.options.get("service_fee") or outcome.outcome == "void":
        return NOTHING
    stake = game.house.get("stake")
    each = stake if isinstance(stake, int) else NO_STAKE
    won, paid = add_up(history), fees_of(history)
    held = [each + won[player] - paid[player] for player in setup.seating]
    after = [have + moved for have, moved in zip(held, outcome.payments, strict=True)]
    fee = rulebook.ask("fee", {"balances": after}, [{"result": outcome.outcome}])["fee"]
    return (fee[0], fee[1], fee[2], fee[3])


def _part(claim: Claim, facts: Facts, stage: int) -> WinPart:
    if claim.laid is None or claim.source is None:
        raise NotSettled("not_judged")
    return WinPart(
        seat=claim.seat,
        source=claim.source,
        from_seat=claim.from_seat,
        laid=claim.laid,
        facts=facts,
        total=0,
        computed=0,
        announced=claim.announced,
        picture=claim.picture,
        frame=claim.frame,
        stage=stage,
    )


def _priced(
    rulebook: Rulebook, setup: Setup, parts: Sequence[WinPart], table: TableFacts
) -> tuple[list[WinPart], tuple[str, ...]]:
    """Judge wins of one tile together: each with its value and what it brings; and the fans carried on."""
    hows = [
        Circumstances(
            setup=setup, winner=part.seat, source=part.source, from_seat=part.from_seat, facts=part.facts, table=table
        )
        for part in parts
    ]
    try:
        joint = rulebook.joint([(part.laid, how) for part, how in zip(parts, hows, strict=True)])
    except BadHand as error:
        raise NotSettled.because("bad_tiles", error) from None
    priced: list[WinPart] = []
    for part, how, verdict in zip(parts, hows, joint.verdicts, strict=True):
        if not verdict.valid:
            raise NotSettled("not_a_win", reason=verdict.reason)
        total, paid = rulebook.as_announced(verdict, how, part.announced)
        priced.append(replace(part, total=total, computed=verdict.total, fans=verdict.fans, payments=paid))
    return priced, joint.carry_out


def hand_over(rulebook: Rulebook, won: Sequence[WinPart]) -> bool:
    """Whether the hand ends with these wins; only a ruleset that knows the question may go on."""
    if "session" not in rulebook.answers:
        return True
    return bool(rulebook.ask("session", {}, _moves(won))["hand_over"])


def all_paid(won: Sequence[WinPart], sides: Sequence[SidePay]) -> Payments:
    """What wins and side payments move together."""
    return added(*(win.payments for win in won), *(side.payments for side in sides))


# --- what lies open, and an exhausted wall ---------------------------------------------------------------------------


def check_copies(won: Sequence[WinPart], sides: Sequence[SidePay], shown: TableFacts | None = None) -> None:
    """Look whether all hands that lie open together have a fifth copy of a tile.

    Args:
        won: the winners' hands; a tile that several won on lies there once.
        sides: kongs, of players whose hands do not lie open.
        shown: the circumstances of the hand, with the hands shown at the empty wall.

    Raises:
        NotSettled: one of the tiles is another one.
    """
    counts = Counter[str]()
    shared = set[tuple[int, str]]()
    for win in won:
        counts.update(split_tiles(win.laid.hand + "".join(meld.tiles for meld in win.laid.melds)))
        if win.source not in FROM_OTHERS or (win.stage, win.laid.win_tile) not in shared:
            counts[win.laid.win_tile] += 1
        shared.add((win.stage, win.laid.win_tile))
    open_seats = {win.seat for win in won}
    for seat, player in ((shown or {}).get("players") or {}).items():
        if int(seat) not in open_seats and player.get("hand"):
            open_seats.add(int(seat))
            counts.update(split_tiles(player["hand"] + "".join(meld["tiles"] for meld in player.get("melds", ()))))
    for side in sides:
        if side.what == "kong" and side.tile and side.seat not in open_seats:
            counts[side.tile] += 4
    tile, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    if count > 4:
        raise NotSettled("fifth_on_table", tile=tile, count=count)


def ask_drawn(rulebook: Rulebook, table: TableFacts) -> dict[str, Any]:
    """What the ruleset settles at an exhausted wall.

    Raises:
        NotSettled: hands must be shown first, or they are impossible.
    """
    if "draw" not in rulebook.answers:
        return {}
    try:
        return rulebook.ask("draw", table)
    except BadHand as error:
        raise NotSettled.because("draw_shows", error) from None
