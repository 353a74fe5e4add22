"""Who pays in 四川麻將: wins, kong money (刮風下雨), and the blood battle (血戰到底) as a fold over its events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.errors import Impossible, RulesInputError
from rules.evaluate import Judged, Settlement
from rules.hand import Options
from rules.model import HandResult, KongPaid, MeldKind, Plain, Points, Seat, Source, TableFacts, Transfer
from rules.options import number, number_or_none
from rules.payments import each_pays, pay, seats_after, vector
from rules.question import Event, Question

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def capped(options: Options, fan: int) -> int:
    """As many fans as count (`fan_cap`)."""
    cap = number_or_none(options, "fan_cap")
    return fan if cap is None else min(fan, cap)


def unit_of(options: Options, fan: int) -> int:
    """What one loser pays for so many fans: base × 2^(fan-1)."""
    return number(options, "base") << capped(options, fan) - 1


def others_in(seat: Seat, out: Sequence[Seat]) -> tuple[Seat, ...]:
    """The other players who have not won yet."""
    return tuple(other for other in seats_after(seat) if other not in out)


# ---------------------------------------------------------------- one win


@dataclass(frozen=True, slots=True)
class Paid:
    """A win to be paid: who wins one unit, how the tile came, who gave it or fed the kong before it."""

    seat: Seat
    source: Source
    unit: Points
    from_seat: Seat | None = None
    kong_feeder: Seat | None = None


SELF_DRAWN = ("self_draw", "kong_replacement", "start_hand")


def win_money(options: Options, win: Paid, out: Sequence[Seat]) -> tuple[Transfer, ...]:
    """Self-draw: everybody still in pays a unit. Discard or robbed kong: that player pays it alone."""
    if win.source not in SELF_DRAWN:
        reason = "robbed kong" if win.source == "rob_kong" else "discard"
        return () if win.from_seat is None else pay(win.from_seat, win.seat, win.unit, reason)
    if win.source == "kong_replacement" and win.kong_feeder is not None and options["diangang_hua"] == "discard":
        return pay(win.kong_feeder, win.seat, win.unit, "fed the kong")
    payers = others_in(win.seat, out)
    more = number(options, "base") if options["self_draw"] == "plus_base" else 0
    paid = each_pays(payers, win.seat, win.unit, "self-draw")
    return paid + each_pays(payers, win.seat, more, "one base more for the self-draw")


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:
    """Every winner is paid his own unit; with 呼叫轉移 the last kong's money follows a 槓上炮."""
    transfers: list[Transfer] = []
    for one in wins:
        unit = 0 if one.price is None else one.price.number("unit")
        winner = one.case.winner
        win = Paid(one.seat, winner.source, unit, winner.from_seat, winner.kong_feeder)
        transfers += win_money(rules.chosen, win, facts.out)
    shot = [one.case.winner for one in wins if one.price and one.price.tally.has("槓上炮")]
    if shot and shot[0].from_seat is not None:
        transfers += handed_over(rules.chosen, shot[0].from_seat, [one.seat for one in shot], facts.kong_ledger)
    return Settlement(tuple(transfers))


# ---------------------------------------------------------------- kong money


def kong_money(options: Options, kong: tuple[MeldKind, Seat, Seat | None], out: Sequence[Seat]) -> tuple[Transfer, ...]:
    """直槓: the feeder pays; 面下槓: everybody still in pays one base; 暗槓: everybody still in pays two.

    Args:
        options: The table's options.
        kong: Its kind, its maker, and for a claimed kong who discarded the tile.
        out: Players who have already won.

    Raises:
        RulesInputError: A kong of or from a player who is out, or a claimed kong from nobody.
    """
    kind, by, feeder = kong
    if by in out or feeder in out:
        raise Impossible("kong_of_winner", meld=kind, seat=by)
    base = number(options, "base")
    if kind == "kong_open":
        if feeder is None or feeder == by:
            raise Impossible("kong_needs_feeder", seat=by)
        return pay(feeder, by, base * number(options, "zhigang_units"), "claimed kong")
    if kind == "kong_added":
        return each_pays(others_in(by, out), by, base, "added kong")
    if kind == "kong_concealed":
        return each_pays(others_in(by, out), by, 2 * base, "concealed kong")
    raise RulesInputError(f"{kind} is no kong; it is kong_open, kong_added or kong_concealed")


def handed_over(
    options: Options, maker: Seat, winners: Sequence[Seat], ledger: Sequence[KongPaid]
) -> tuple[Transfer, ...]:
    """呼叫轉移: what the maker took for his last kong goes to who won on his next discard.

    Several winners share it equally, what is left over going to the nearest of them.
    """
    made = [kong for kong in ledger if kong.by == maker]
    if not options["transfer_on_kong_discard"] or not made:
        return ()
    amount = sum(paid for _, paid in made[-1].paid)
    nearest_first = [seat for seat in seats_after(maker) if seat in winners]
    share, left = divmod(amount, len(nearest_first))
    return tuple(
        one
        for place, seat in enumerate(nearest_first)
        for one in pay(maker, seat, share + (left if place == 0 else 0), "kong money handed to the winner")
    )


def answer_kong(rules: Ruleset, question: Question) -> HandResult:
    """What a kong brings at once; nothing when it is robbed (`robbed`, or by whom in `robbed_by`)."""
    event = question.event()
    kong = (event.meld_kind(), event.seat("by"), event.seat_or_none("from"))
    transfers = kong_money(rules.chosen, kong, question.facts.out)
    if event.flag("robbed") or event.seat_or_none("robbed_by") is not None:
        transfers = ()
    return HandResult(True, vector(transfers), transfers=transfers)


# ---------------------------------------------------------------- 血戰到底


@dataclass(frozen=True, slots=True)
class Battle:
    """A hand in the middle of the battle: who has won, what was paid, the kongs, and the wins of the last tile.

    `handed` is the kong money that goes to who wins the last tile: another winner of it changes the shares. `left` are
    winners who have gone home.
    """

    out: tuple[Seat, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    ledger: tuple[KongPaid, ...] = ()
    last_wins: tuple[Paid, ...] = ()
    handed: tuple[Transfer, ...] = ()
    left: tuple[Seat, ...] = ()
    over: bool = False

    @property
    def paid(self) -> tuple[Transfer, ...]:
        """Everything that was paid so far."""
        return self.transfers + self.handed


def answer_session(rules: Ruleset, question: Question) -> HandResult:
    """Several wins and kongs in one hand, in order; who draws next where the battle goes on."""
    battle = Battle(out=question.facts.out, ledger=question.facts.kong_ledger)
    for event in question.events:
        battle = after(rules.chosen, battle, event)
    extras: tuple[tuple[str, Plain], ...] = (("hand_over", battle.over), ("next_turn", next_turn(battle)))
    return HandResult(True, vector(battle.paid), transfers=battle.paid, extras=extras)


def after(options: Options, battle: Battle, event: Event) -> Battle:
    """The battle after one more event: a win, a kong, or a winner who leaves the table.

    Raises:
        RulesInputError: The hand was already over, or a player who is out plays on.
    """
    what = event.text("type", "win", "leave", "kong_open", "kong_added", "kong_concealed")
    if what == "leave":
        return without_winnings(options, battle, event.seat("seat"))
    if what == "win":
        return after_win(options, battle, event)
    if battle.over:
        raise Impossible("battle_over", number=event.number, what=what)
    by = event.seat("by")
    transfers = kong_money(options, (event.meld_kind(), by, event.seat_or_none("from")), battle.out)
    paid = KongPaid(by, event.meld_kind(), tuple((one.payer, one.amount) for one in transfers))
    return replace(battle, transfers=battle.paid + transfers, handed=(), ledger=(*battle.ledger, paid), last_wins=())


def after_win(options: Options, battle: Battle, event: Event) -> Battle:
    """One player wins and leaves; in 普通 that ends the hand, in 血戰 the third winner does."""
    seat, source, feeder = event.seat("seat"), event.source() or "self_draw", event.seat_or_none("from")
    fed = event.seat_or_none("kong_feeder")
    if event.whole("fan") < 1:
        raise RulesInputError(f"event {event.number}: a win has at least one fan, found {event.whole('fan')}")
    if (source in SELF_DRAWN) != (feeder is None) or feeder == seat:
        raise Impossible("win_source_differs", number=event.number, source=source, feeder=str(feeder), seat=seat)
    win = Paid(seat, source, unit_of(options, event.whole("fan")), feeder, fed)
    together = bool(battle.last_wins) and feeder is not None and feeder == battle.last_wins[-1].from_seat
    together = together and (options["mode"] == "single" or event.flag("same_tile"))
    if battle.over and not together:
        raise Impossible("battle_over_win", number=event.number, seat=seat)
    if {seat, feeder, fed} & {*battle.out}:
        raise Impossible("winner_takes_part", number=event.number, seat=seat)
    out, wins = (*battle.out, seat), (*battle.last_wins, win) if together else (win,)
    handed = battle.handed if together else ()
    if event.flag("after_kong") and feeder is not None:
        handed = handed_over(options, feeder, [one.seat for one in wins], battle.ledger)
    return replace(
        battle,
        out=out,
        transfers=(battle.transfers if together else battle.paid) + win_money(options, win, battle.out),
        handed=handed,
        last_wins=wins,
        over=options["mode"] == "single" or len(out) >= 3,
    )


def without_winnings(options: Options, battle: Battle, seat: Seat) -> Battle:
    """A winner who leaves before the end gives back what his win brought, where the table says so."""
    if seat not in battle.out:
        raise Impossible("leaves_unwon", seat=seat)
    if seat in battle.left:
        raise Impossible("leaves_twice", seat=seat)
    battle = replace(battle, left=(*battle.left, seat))
    if not options["leave_forfeits"] or battle.over:
        return battle
    won = {"self-draw", "one base more for the self-draw", "discard", "robbed kong", "fed the kong"}
    back = tuple(
        one
        for paid in battle.transfers
        if paid.payee == seat and paid.reason in won
        for one in pay(seat, paid.payer, paid.amount, "winnings forfeited by leaving")
    )
    return replace(battle, transfers=battle.transfers + back)


def next_turn(battle: Battle) -> Seat | None:
    """After a win the player after the winner draws; of several winners the last counter-clockwise counts."""
    if battle.over or not battle.last_wins:
        return None
    wins = battle.last_wins
    source = wins[0].from_seat
    order = seats_after(wins[0].seat if source is None else source)
    last = wins[0].seat if source is None else [seat for seat in order if any(win.seat == seat for win in wins)][-1]
    return others_in(last, battle.out)[0]


# ---------------------------------------------------------------- false win


def penalty(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """What a false win pays each player still in, as a 花豬 does; the offender plays on without winning."""
    return number(rules.chosen, "pig_units") * number(rules.chosen, "base")
