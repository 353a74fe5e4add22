"""The rules as the table uses them: judge laid hands, ask the ruleset's own questions, say who deals next.

Of the running table only this module, `table.rules_input` (what people state) and `table.follow.legal` (which moves a
game has) know the types of `rules`; everything else speaks tile text, and circumstances as the plain JSON values of the
rules questions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from rules import registry
from rules.errors import RulesInputError
from rules.model import FanLine, HandResult, Progress, Transfer
from rules.model import Outcome as RulesOutcome
from rules.model import Verdict as RulesVerdict
from rules.payments import vector
from rules.question import Question
from rules.questions import report, solve
from rules.reading_json import events_of, facts_of, winners_of
from rules.ruleset import Ruleset
from rules.tiles import in_kinds, tile_text
from table.customs import customs_of
from table.model import (
    FROM_OTHERS,
    NOTHING,
    FanRow,
    LaidHand,
    NotCounted,
    Outcome,
    Payments,
    Seat,
    Setup,
    TableFacts,
    Verdict,
)
from table.places import Places, exchange_seats
from table.rules_input import OF_WINNER, check_more, why
from table.rules_port import BadHand as BadHand
from table.rules_port import Circumstances as Circumstances
from table.rules_port import Joint as Joint
from table.rules_port import Rulebook as Rulebook
from table.rules_port import Seating as Seating
from table.rules_port import UnknownRules as UnknownRules

WINDS: tuple[Literal["E", "S", "W", "N"], ...] = ("E", "S", "W", "N")


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
    def chosen(self) -> Mapping[str, Any]:
        """Every option of the rules with its value in this game, also those that nobody changed."""
        return self.rules.chosen

    @property
    def hands(self) -> int | None:
        """Hands of a whole game; None without a fixed end."""
        return customs_of(self.rules.name, self.rules.chosen).hands

    @property
    def minimum(self) -> int:
        """The least value a win needs; 0 for none."""
        value = self.rules.chosen.get("minimum", 0)
        return value if isinstance(value, int) else 0

    @property
    def hand_tiles(self) -> int:
        """Tiles of a complete hand, kongs counted as three."""
        return self.rules.hand_size + 1

    @property
    def tiles(self) -> frozenset[str]:
        """The kinds of tile that a hand is made of in this game: no flowers."""
        return frozenset(tile_text(tile) for tile in in_kinds(self.rules.tile_kinds))

    @property
    def chows(self) -> bool:
        """Whether discards are taken for chows in this game."""
        return self.rules.chows

    @property
    def places(self) -> tuple[Seat, ...]:
        """The seats that are taken: two players sit opposite each other."""
        return (0, 2) if self.rules.seats == 2 else (0, 1, 2, 3)

    @property
    def answers(self) -> frozenset[str]:
        """The kinds of question that exist in this game, beside the hand itself."""
        return frozenset(self.rules.answers)

    @property
    def _seats(self) -> Places:
        return Places(self.places)

    def judge(self, laid: LaidHand, how: Circumstances) -> Verdict:
        """Judge a laid hand.

        Raises:
            BadHand: the tiles or circumstances are impossible.
        """
        return self.joint([(laid, how)]).verdicts[0]

    def joint(self, wins: Sequence[tuple[LaidHand, Circumstances]]) -> Joint:
        """Judge wins of the same tile together.

        Raises:
            BadHand: the tiles or circumstances are impossible.
        """
        first = wins[0][1]
        table = {**_state(first), **_flowers_laid(wins, first.table)}
        for _, how in wins:
            check_more(how.facts.more)
            table |= {name: value for name, value in how.facts.more.items() if name not in OF_WINNER}
            table["last_tile"] = table["last_tile"] or how.facts.last_tile
        winners = [self._winner(laid, how) for laid, how in wins]
        try:
            result = self.rules.judge(winners_of(winners), facts_of(self._seats.facts(table)))
        except RulesInputError as error:
            raise BadHand(why(error, self._seats)) from None
        carried = dict(result.extras).get("carry_out")
        return Joint(
            verdicts=tuple(self._verdict(result, place) for place in range(len(wins))),
            payments=self._seats.payments(result.payments),
            carry_out=tuple(str(one) for one in carried) if isinstance(carried, list) else (),
        )

    def ask(
        self, kind: str, table: TableFacts, events: Sequence[Mapping[str, Any]] = (), winners: Sequence[Any] = ()
    ) -> dict[str, Any]:
        """Ask one of the ruleset's own questions (docs/rules); payments come back by the seats of the table.

        Raises:
            BadHand: the question does not exist here, or its facts are impossible.
        """
        try:
            question = Question(kind, facts_of(self._seats.facts(table)), winners_of(winners), events_of(list(events)))
            answer: dict[str, Any] = report(solve(self.rules, question))
        except RulesInputError as error:
            raise BadHand(why(error, self._seats)) from None
        return {**answer, "payments": self._seats.payments(answer["payments"])}

    def as_announced(self, verdict: Verdict, how: Circumstances, announced: int | None) -> tuple[int, Payments]:
        """What is settled, and what it pays: what was announced where that is less and payments follow a total."""
        less = 0 if announced is None else max(0, verdict.total - announced)
        if less == 0 or not customs_of(self.rules.name, self.rules.chosen).by_total:
            return verdict.total, verdict.payments
        payers = (how.from_seat,) if how.source in FROM_OTHERS else tuple(s for s in range(4) if s != how.winner)
        paid = list(verdict.payments)
        for payer in payers:
            if payer is not None:
                paid[payer] += less
                paid[how.winner] -= less
        return verdict.total - less, (paid[0], paid[1], paid[2], paid[3])

    def following(self, setup: Setup, outcome: Outcome, game: Seating) -> Setup | None:
        """The hand after this one: dealer and round by the ruleset, seats by the competition's exchange."""
        if outcome.outcome == "void":
            return replace(setup, hand_no=setup.hand_no + 1, dice_dealer=None)
        ended, facts = self._ended(outcome, game), self._turned_facts(setup, game)
        try:
            progress = self.rules.next_dealer(ended, facts_of(facts))
        except RulesInputError as error:
            raise BadHand(why(error, self._seats)) from None
        if progress.finished:
            return None
        wind = WINDS.index(setup.round_wind)
        next_wind = wind if progress.round_wind is None else progress.round_wind
        following = self._next_hand(setup, progress, next_wind, game)
        return replace(
            following,
            carry=outcome.carry_out,
            prev_wild=outcome.wild,
            dealer_open=progress.by_dice,
        )

    def dealt_by(self, setup: Setup, dice: Sequence[int], game: Seating) -> Setup:
        """The same hand with the dealer whom the opening dice choose."""
        facts = facts_of({**self._turned_facts(setup, game), "dice": list(dice)})
        progress = self.rules.next_dealer(RulesOutcome(result="draw"), facts)
        dealer = self._unturned(progress.dealer, game)
        return replace(setup, dealer=dealer, dealer_open=False, dice_dealer=dealer)

    def false_win(self, seat: Seat, each: int | None, table: TableFacts) -> Payments:
        """What a false win pays: `each` to every other player, or as the ruleset says."""
        try:
            transfers = self.rules.false_win(
                self.rules, self._seats.inside(seat), facts_of(self._seats.facts(table)), each
            )
        except RulesInputError as error:
            raise BadHand(why(error, self._seats)) from None
        return self._seats.payments(vector(transfers))

    # --- between the table's seats and the rules' -------------------------------------------------------------------

    def _winner(self, laid: LaidHand, how: Circumstances) -> dict[str, object]:
        """The winner as the rules' question format writes it (docs/rules)."""
        seats = self._seats
        special = how.table.get("players", {}).get(str(how.winner), {})
        kongs = {name: special[name] for name in ("hz_kongs", "lz_kongs") if name in special}
        more = {name: value for name, value in how.facts.more.items() if name in OF_WINNER}
        feeder = more.get("kong_feeder")
        if isinstance(feeder, int):
            more["kong_feeder"] = seats.maybe(feeder)
        return {
            "seat": seats.inside(how.winner),
            "hand": laid.hand,
            "melds": [
                {"type": meld.kind, "tiles": meld.tiles, "from": seats.maybe(meld.from_seat)} for meld in laid.melds
            ],
            "win_tile": laid.win_tile,
            "source": how.source,
            "from_seat": seats.maybe(how.from_seat),
            "flowers": laid.flowers,
            "last_of_kind": how.facts.last_of_kind,
            **kongs,
            **more,
        }

    def _turned(self, seat: Seat, game: Seating) -> int:
        """The seat as the order of dealers counts it: the first dealer of the game is seat 0."""
        seats = self._seats
        return (seats.inside(seat) - seats.inside(game.first_dealer)) % self.rules.seats

    def _unturned(self, seat: int, game: Seating) -> Seat:
        return self._seats.outside(seat + self._seats.inside(game.first_dealer))

    def _turned_facts(self, setup: Setup, game: Seating) -> dict[str, Any]:
        return {
            "round_wind": setup.round_wind,
            "dealer": self._turned(setup.dealer, game),
            "streak": setup.streak,
        }

    def _ended(self, outcome: Outcome, game: Seating) -> RulesOutcome:
        if outcome.outcome != "win" or outcome.winner is None:
            seat = None if outcome.sea_seat is None else self._turned(outcome.sea_seat, game)
            return RulesOutcome(result="draw", sea_bottom=outcome.sea or None, sea_seat=seat)
        together = tuple(win.seat for win in outcome.wins if win.stage == outcome.wins[0].stage)
        winners = together or (outcome.winner,)
        return RulesOutcome(
            result="win",
            winners=tuple(self._turned(seat, game) for seat in winners),
            from_seat=None if outcome.from_seat is None else self._turned(outcome.from_seat, game),
            source=outcome.source,
        )

    def _next_hand(self, setup: Setup, progress: Progress, wind: int, game: Seating) -> Setup:
        seating = setup.seating
        if WINDS[wind] != setup.round_wind and game.rotate:
            seating = exchange_seats(seating, game.first_dealer, setup.round_wind)
        return Setup(
            hand_no=setup.hand_no + 1,
            round_wind=WINDS[wind],
            dealer=self._unturned(progress.dealer, game),
            seating=seating,
            streak=progress.streak or 0,
        )

    def _verdict(self, result: HandResult, place: int) -> Verdict:
        judged: RulesVerdict = result.winners[place]
        own = self._seats.payments(vector(_paid_to(result, judged.seat)))
        return Verdict(
            valid=judged.valid,
            reason="" if judged.valid else judged.reason,
            total=_total(judged, own[self._seats.outside(judged.seat)]),
            fans=tuple(_row(line) for line in judged.fans),
            not_counted=tuple(NotCounted(name=one.name, why=one.by) for one in judged.not_counted),
            payments=own if judged.valid else NOTHING,
            notes=(*judged.notes, *result.notes),
        )


def open_rulebook(name: str, options: Mapping[str, Any]) -> RulesetBook:
    """The rulebook of a ruleset with these options.

    Raises:
        UnknownRules: no such ruleset, or no such option or value.
    """
    return _open(name, json.dumps(dict(options), sort_keys=True))


@lru_cache(maxsize=16)
def _open(name: str, options: str) -> RulesetBook:
    try:
        return RulesetBook(registry.ruleset(name, json.loads(options)))
    except RulesInputError as error:
        raise UnknownRules(str(error)) from None


def _state(how: Circumstances) -> dict[str, Any]:
    """The table as the rules' question format writes it; an unknown circumstance is named there."""
    return {
        "round_wind": how.setup.round_wind,
        "dealer": how.setup.dealer,
        "streak": how.setup.streak,
        "last_tile": how.facts.last_tile,
        **how.table,
    }


def _flowers_laid(wins: Sequence[tuple[LaidHand, Circumstances]], table: TableFacts) -> dict[str, list[int]]:
    """Flowers by seat, where nobody counted them and a winner shows some."""
    laid = [0, 0, 0, 0]
    for hand, how in wins:
        laid[how.winner] = len(hand.flowers.replace("f", ""))
    return {"flowers": laid} if any(laid) and "flowers" not in table else {}


def _paid_to(result: HandResult, seat: int) -> tuple[Transfer, ...]:
    """What one of several winners receives; everything for a single one."""
    if sum(one.valid for one in result.winners) < 2:
        return result.transfers
    return tuple(one for one in result.transfers if one.payee == seat)


def _row(line: FanLine) -> FanRow:
    value = int(line.value) if line.value.denominator == 1 else float(line.value)
    return FanRow(name=line.name, value=value, count=line.count, why="、".join(line.covers))


def _total(judged: RulesVerdict, received: int) -> int:
    """The one number people call the value of the hand: the ruleset's total, or else what the winner receives."""
    numbers = dict(judged.numbers)
    for name in ("total", "value", "unit", "core"):
        if name in numbers:
            return numbers[name]
    return received
