"""What everybody owes in 武漢麻將: each loser's share, the caps, and who answers for all three (承包)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from rules.evaluate import Judged, Settlement
from rules.fans import Tally
from rules.hand import Case, Options
from rules.model import MeldKind, PlayerFacts, Points, Seat, TableFacts, Transfer
from rules.options import number
from rules.payments import pay, seats_after

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

BIG_DISCARDER = Fraction(3, 2)
SMALL_DISCARDER = DEALER = 2


def kinds_laid(player: PlayerFacts) -> tuple[MeldKind, ...]:
    """The kinds of all melds a player has laid, kongs without known tiles included."""
    return (*(meld.kind for meld in player.melds), *player.kongs)


def opened(player: PlayerFacts) -> bool:
    """Whether a player has laid anything but concealed kongs."""
    return player.opened is True or any(kind != "kong_concealed" for kind in kinds_laid(player))


def own_factor(player: PlayerFacts, options: Options) -> int:
    """What opening and kongs multiply a player's share by, winner and losers alike."""
    laid = kinds_laid(player)
    concealed = laid.count("kong_concealed")
    exposed = laid.count("kong_open") + laid.count("kong_added")
    openings = max(len(laid) - concealed, 1) if opened(player) else 0
    if options["mode"] != "koukou":
        openings = min(1, openings)
    twos = openings + exposed + 2 * concealed + player.hz_kongs
    return int(2**twos * number(options, "lz_kong_factor") ** player.lz_kongs)


def product(tally: Tally) -> Points:
    """Base × all factors of the winner."""
    value = tally.total("base")
    for row, times in tally.counted:
        if row.layer == "factor":
            value *= row.value**times
    return value


def shares(case: Case, tally: Tally) -> dict[Seat, Points]:
    """What each loser owes before any cap: the winner's product × his own factors, discarder and dealer included."""
    small, winner, facts = tally.has("小胡"), case.winner, case.facts
    owed: dict[Seat, Points] = {}
    for loser in seats_after(case.seat):
        value = product(tally) * own_factor(facts.player(loser), case.options)
        if winner.source == "discard" and loser == winner.from_seat:
            value *= SMALL_DISCARDER if small else BIG_DISCARDER
        if small and facts.dealer in (case.seat, loser):
            value *= DEALER
        owed[loser] = value
    return owed


def capped(owed: Mapping[Seat, Points], options: Options) -> dict[Seat, Points]:
    """The most a loser pays; when all three reach it, the golden cap 金頂 applies."""
    caps = options["caps"]
    if not isinstance(caps, list):
        return dict(owed)
    usual, golden, golden_koukou = [cap for cap in caps if isinstance(cap, int)]
    most = usual
    if all(value >= usual for value in owed.values()):
        most = golden_koukou if options["mode"] == "koukou" else golden
    return {seat: min(value, most) for seat, value in owed.items()}


# ---------------------------------------------------------------- payment and liability 承包


def liable(one: Judged, facts: TableFacts) -> Seat | None:
    """The player who pays for all three: the robbed one, the feeder of 全求人, the third opening of 清一色."""
    winner, tally = one.case.winner, one.price.tally if one.price else Tally()
    if not one.case.options["liability"]:
        return None
    if winner.source == "rob_kong":
        return winner.from_seat
    if winner.source == "discard" and winner.from_seat is not None and tally.has("全求人"):
        ready = winner.discarder_ready or facts.player(winner.from_seat).ready is True
        if not ready:
            return winner.from_seat
    opens = [meld for meld in winner.melds if meld.is_open]
    return opens[2].source_seat if tally.has("清一色") and len(opens) >= 3 else None


def settle(rules: Ruleset, wins: Sequence[Judged], facts: TableFacts) -> Settlement:
    """All three losers pay their share, discard or not; a liable player pays all three shares alone."""
    one = wins[0]
    if one.price is None:
        return Settlement()
    bearer = liable(one, facts)
    transfers: list[Transfer] = []
    for loser, share in capped(shares(one.case, one.price.tally), rules.chosen).items():
        if bearer is None or bearer == loser:
            transfers += pay(loser, one.seat, share, "share of the win")
        else:
            transfers += pay(bearer, one.seat, share, "another loser's share, borne as liable")
    return Settlement(tuple(transfers), (("liable", bearer),))


FALSE_WIN = 10


def penalty(rules: Ruleset, facts: TableFacts) -> int:  # noqa: ARG001
    """What a false win pays each opponent: one big base."""
    return FALSE_WIN
