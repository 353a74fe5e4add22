"""The rules as the table uses them: judge a laid hand, say who deals next, price a false win.

This is the only module of the table that knows the types of `rules`; everything else speaks tile text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Literal, Protocol

from rules import registry
from rules.errors import RulesInputError
from rules.model import FanLine, HandResult, Progress, TableFacts, Winner
from rules.model import Outcome as RulesOutcome
from rules.model import Verdict as RulesVerdict
from rules.payments import vector
from rules.reading_json import facts_of, winners_of
from rules.ruleset import Ruleset
from rules.tiles import parse_tile, parse_tiles, tile_text
from table.model import (
    FROM_OTHERS,
    NOTHING,
    Facts,
    FanRow,
    LaidHand,
    NotCounted,
    Outcome,
    Payments,
    Scalar,
    Seat,
    Setup,
    Source,
    Verdict,
)

WINDS: tuple[Literal["E", "S", "W", "N"], ...] = ("E", "S", "W", "N")

_HANDS = {"gb": 16}
"""Rulesets whose game has a fixed number of hands: four rounds, the deal always moves on."""

_FALSE_WIN_EACH = {"gb": 10}
"""What a false win pays to every other player (gb: 错和, docs/rules/gb.md, R98 p.35); the referee may say otherwise."""

_BY_TOTAL = frozenset({"gb"})
"""Rulesets whose payments follow the total point by point, so that a lower announced value can be paid."""

_OF_WINNER = frozenset(field.name for field in fields(Winner))
"""Circumstances that belong to the winner; all others belong to the table."""


class BadHand(ValueError):  # noqa: N818 - what a player would say
    """The tiles or circumstances are impossible; the sentence names them."""


class UnknownRules(ValueError):  # noqa: N818
    """No such ruleset or option; the sentence names the nearest one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """How the winning tile came, and the hand it belongs to."""

    setup: Setup
    winner: Seat
    source: Source
    from_seat: Seat | None
    facts: Facts


class Rulebook(Protocol):
    """What the session asks of the rules; tests bring a small one of their own."""

    @property
    def name(self) -> str:
        """The ruleset's name."""

    @property
    def version(self) -> str:
        """The ruleset's version, locked into a game."""

    @property
    def hands(self) -> int | None:
        """Hands of a whole game; None without a fixed end."""

    @property
    def minimum(self) -> int:
        """The least value a win needs; 0 for none."""

    @property
    def hand_tiles(self) -> int:
        """Tiles of a complete hand, kongs counted as three: 14, in some rulesets 17."""

    def judge(self, laid: LaidHand, how: Circumstances) -> Verdict:
        """Judge a laid hand; raises `BadHand` for impossible input."""

    def at_total(self, verdict: Verdict, how: Circumstances, total: int) -> Payments:
        """What is paid when the winner gets only `total` of the computed value."""

    def following(self, setup: Setup, outcome: Outcome, game: Seating) -> Setup | None:
        """The hand after this one; None when the game is over."""

    def false_win(self, seat: Seat, each: int | None) -> Payments:
        """What a false win pays; `each` None = as the rules say."""


@dataclass(frozen=True, slots=True)
class Seating:
    """What the order of hands depends on: where the first dealer sat, and whether players change seats each round."""

    first_dealer: Seat
    rotate: bool


@dataclass(frozen=True, slots=True)
class RulesetBook:
    """The rulebook of one ruleset with the options of one game."""

    rules: Ruleset

    @property
    def name(self) -> str:
        """The ruleset's name."""
        return self.rules.name

    @property
    def version(self) -> str:
        """The ruleset's version."""
        return self.rules.version

    @property
    def hands(self) -> int | None:
        """Hands of a whole game; None without a fixed end."""
        return _HANDS.get(self.rules.name)

    @property
    def minimum(self) -> int:
        """The least value a win needs; 0 for none."""
        value = self.rules.chosen.get("minimum", 0)
        return value if isinstance(value, int) else 0

    @property
    def hand_tiles(self) -> int:
        """Tiles of a complete hand, kongs counted as three."""
        return self.rules.hand_size + 1

    def judge(self, laid: LaidHand, how: Circumstances) -> Verdict:
        """Judge a laid hand.

        Raises:
            BadHand: the tiles or circumstances are impossible.
        """
        try:
            result = self.rules.judge(winners_of([_winner(laid, how)]), facts_of(_state(how)))
        except RulesInputError as error:
            raise BadHand(str(error)) from None
        return _verdict(result)

    def at_total(self, verdict: Verdict, how: Circumstances, total: int) -> Payments:
        """What is paid when the winner gets only `total`; rulesets that do not pay by total pay the computed value."""
        if self.rules.name not in _BY_TOTAL or total == verdict.total:
            return verdict.payments
        less = verdict.total - total
        payers = (how.from_seat,) if how.source in FROM_OTHERS else tuple(s for s in range(4) if s != how.winner)
        paid = list(verdict.payments)
        for payer in payers:
            if payer is not None:
                paid[payer] += less
                paid[how.winner] -= less
        return (paid[0], paid[1], paid[2], paid[3])

    def following(self, setup: Setup, outcome: Outcome, game: Seating) -> Setup | None:
        """The hand after this one: dealer and round by the ruleset, seats by the competition's exchange."""
        if outcome.outcome == "void":
            return replace(setup, hand_no=setup.hand_no + 1)
        ended = _ended(outcome, game.first_dealer)
        wind = WINDS.index(setup.round_wind)
        dealer = _turned(setup.dealer, game.first_dealer)
        facts = TableFacts(round_wind=wind, dealer=dealer, streak=setup.streak)
        progress = self.rules.next_dealer(ended, facts)
        next_wind = wind if progress.round_wind is None else progress.round_wind
        if self.hands is not None and next_wind < wind:
            return None  # the North round is over
        return _next_hand(setup, progress, next_wind, game)

    def false_win(self, seat: Seat, each: int | None) -> Payments:
        """What a false win pays: `each` to every other player, or as the ruleset says."""
        if each is None:
            paid_by_rules = vector(self.rules.false_win(self.rules, seat, TableFacts(), None))
            if any(paid_by_rules):
                return paid_by_rules
        amount = _FALSE_WIN_EACH.get(self.rules.name, 0) if each is None else each
        paid = [amount] * 4
        paid[seat] = -3 * amount
        return (paid[0], paid[1], paid[2], paid[3])


def open_rulebook(name: str, options: Mapping[str, Scalar]) -> RulesetBook:
    """The rulebook of a ruleset with these options.

    Raises:
        UnknownRules: no such ruleset, or no such option or value.
    """
    return _open(name, tuple(sorted(options.items())))


@lru_cache(maxsize=16)
def _open(name: str, options: tuple[tuple[str, Scalar], ...]) -> RulesetBook:
    try:
        rules = registry.ruleset(name, dict(options))
    except RulesInputError as error:
        raise UnknownRules(str(error)) from None
    if rules.seats != 4:
        raise UnknownRules(f"{name} is played by {rules.seats}; a table here seats four. Choose another ruleset.")
    return RulesetBook(rules)


def check_tiles(laid: LaidHand) -> None:
    """Read every tile of a typed hand once, so that a slip is named at the moment of typing.

    Raises:
        BadHand: a text is no tiles, or there are more than four of a kind.
    """
    try:
        parse_tiles(laid.flowers)
        if laid.win_tile:
            parse_tile(laid.win_tile)
        counts = Counter(parse_tiles(laid.hand + laid.win_tile))
        for meld in laid.melds:
            counts.update(parse_tiles(meld.tiles))
    except RulesInputError as error:
        raise BadHand(str(error)) from None
    tile, count = max(counts.items(), key=lambda item: item[1], default=(0, 0))
    if count > 4:
        raise BadHand(f"The hand has {count} copies of {tile_text(tile)}, but there are only four. Check the tiles.")


def exchange_seats(seating: tuple[int, int, int, int], first_dealer: Seat, finished: str) -> tuple[int, int, int, int]:
    """Who sits where after the round of this wind. Source: docs/rules/gb.md (seat rotation).

    After East and after West E and S change places, and W and N; after South E goes to W, W to S, S to N, N to E.
    """
    moves = {"E": (1, 0, 3, 2), "W": (1, 0, 3, 2), "S": (2, 3, 1, 0)}.get(finished, (0, 1, 2, 3))
    moved = list(seating)
    for place, target in enumerate(moves):
        moved[(first_dealer + target) % 4] = seating[(first_dealer + place) % 4]
    return (moved[0], moved[1], moved[2], moved[3])


def _next_hand(setup: Setup, progress: Progress, wind: int, game: Seating) -> Setup:
    new_round = WINDS[wind] != setup.round_wind
    seating = setup.seating
    if new_round and game.rotate:
        seating = exchange_seats(seating, game.first_dealer, setup.round_wind)
    return Setup(
        hand_no=setup.hand_no + 1,
        round_wind=WINDS[wind],
        dealer=(progress.dealer + game.first_dealer) % 4,
        seating=seating,
        streak=progress.streak or 0,
    )


def _turned(seat: Seat, first_dealer: Seat) -> Seat:
    """The seat as the rules count it: the first dealer of the game is seat 0."""
    return (seat - first_dealer) % 4


def _ended(outcome: Outcome, first_dealer: Seat) -> RulesOutcome:
    if outcome.outcome != "win" or outcome.winner is None:
        return RulesOutcome(result="draw")
    feeder = None if outcome.from_seat is None else _turned(outcome.from_seat, first_dealer)
    return RulesOutcome(
        result="win", winners=(_turned(outcome.winner, first_dealer),), from_seat=feeder, source=outcome.source
    )


def _winner(laid: LaidHand, how: Circumstances) -> dict[str, object]:
    """The winner as the rules' question format writes it (docs/rules)."""
    return {
        "seat": how.winner,
        "hand": laid.hand,
        "melds": [{"type": meld.kind, "tiles": meld.tiles, "from": meld.from_seat} for meld in laid.melds],
        "win_tile": laid.win_tile,
        "source": how.source,
        "from_seat": how.from_seat,
        "flowers": laid.flowers,
        "last_of_kind": how.facts.last_of_kind,
        **{name: value for name, value in how.facts.more.items() if name in _OF_WINNER},
    }


def _state(how: Circumstances) -> dict[str, object]:
    """The table as the rules' question format writes it; an unknown circumstance is named there."""
    return {
        "round_wind": how.setup.round_wind,
        "dealer": how.setup.dealer,
        "streak": how.setup.streak,
        "last_tile": how.facts.last_tile,
        **{name: value for name, value in how.facts.more.items() if name not in _OF_WINNER},
    }


def _verdict(result: HandResult) -> Verdict:
    judged: RulesVerdict = result.winners[0]
    fans = tuple(_row(line) for line in judged.fans)
    reason = "" if judged.valid else judged.reason
    return Verdict(
        valid=judged.valid,
        reason=reason,
        total=_total(judged, result),
        fans=fans,
        not_counted=tuple(NotCounted(name=one.name, why=one.by) for one in judged.not_counted),
        payments=result.payments if judged.valid else NOTHING,
        notes=(*judged.notes, *result.notes),
    )


def _row(line: FanLine) -> FanRow:
    value = int(line.value) if line.value.denominator == 1 else float(line.value)
    return FanRow(name=line.name, value=value, count=line.count, why="、".join(line.covers))


def _total(judged: RulesVerdict, result: HandResult) -> int:
    """The one number people call the value of the hand: the ruleset's total, or else what the winner receives."""
    numbers = dict(judged.numbers)
    for name in ("total", "value", "unit", "core"):
        if name in numbers:
            return numbers[name]
    return result.payments[judged.seat]
