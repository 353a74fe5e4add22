"""The four players of the demonstration: they look at the snapshot and do what people would do next."""

from __future__ import annotations

import itertools
import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from table import commands
from table.decision import Accepted, Rejected
from table.demo_script import ScriptedHand
from table.model import FROM_OTHERS
from table.snapshot import ClaimView, Question, Snapshot, TileView

NAMES = ("陳東", "林南", "王西", "李北")
PUZZLED_S = 2.0
"""How long the players hesitate after the table refused something."""
POLITE_S = 5.0
"""How long they wait for a visitor who has just said that he is at a page."""
PATIENCE_S = 300.0
"""How long they wait without a break: then they play on until nobody has been at a page for `POLITE_S`."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How long the players take, in seconds: a visitor must be able to follow.

    Where the camera follows, they make a move every `move_s` at the most, wait up to `unseen_s` until the move before
    was told, answer what the camera asks after `answer_s` and say how the winning tile came if it has not told after
    `told_s`; without, they say that after `say_s`.
    """

    seat_s: float = 1.0
    throw_s: float = 2.0
    play_s: float = 5.0
    say_s: float = 1.5
    look_s: float = 4.0
    agree_s: float = 1.5
    rest_s: float = 9.0
    give_up_s: float = 90.0
    read_again_s: float = 12.0
    type_s: float = 25.0
    move_s: float = 2.5
    unseen_s: float = 12.0
    answer_s: float = 15.0
    told_s: float = 15.0


@dataclass(frozen=True, slots=True)
class _Page:
    """The picture of which hand the camera shows, since when, and the ledger's number at that time."""

    hand: object
    number: int
    since_s: float
    seq: int | None


class ShownFolder(Protocol):
    """A camera whose picture the script chooses, as `vision.sources.FolderCamera` or `table.demo_pages.PagedCamera`."""

    def show(self, name: str) -> None:
        """Show the picture of this name."""


class Works(Protocol):
    """What the script does at the table, as `device.simulator.SimTable`."""

    def build_walls(self, gear: int | None = None) -> None:
        """Wash and stack."""

    def lift(self, by: int | None = None) -> None:
        """Raise the walls."""

    def drop(self, by: int | None = None) -> None:
        """Open the centre."""

    def throw_dice(self, seat: int | None = 0, values: tuple[int, ...] | None = None, known: bool = True) -> int:
        """Throw."""

    def press(self, seat: int, key: str, act: str = "down") -> None:
        """Press a seat's key."""


class TableLike(Protocol):
    """What the players need of a runtime."""

    def submit(self, command: commands.Command) -> Accepted | Rejected:
        """Carry out a command."""

    def snapshot(self) -> Snapshot:
        """The newest snapshot."""


class Players:
    """Four scripted players and their table. `step` looks once and does at most one thing."""

    def __init__(
        self,
        table: TableLike,
        works: Works,
        camera: ShownFolder,
        script: tuple[ScriptedHand, ...],
        clock: Callable[[], float],
        timing: Timing | None = None,
    ) -> None:
        self._table = table
        self._works = works
        self._camera = camera
        self._script = script
        self._clock = clock
        self._timing = timing or Timing()
        self._rng = Random(1)
        self._session = secrets.token_hex(4)
        self._count = itertools.count(1)
        self._since = clock()
        self._mark: object = None
        self._prepared: object = None
        self._shown: object = None
        self._page = _Page(None, 0, clock(), None)
        self._thrown: object = None
        self._asked: object = None
        self._quiet_until = 0.0
        self._visited = threading.Event()
        self._visit_since = self._visit_until = clock()
        self._look_s = self._timing.look_s

    def wait(self) -> None:
        """A visitor is at a page; from any thread."""
        self._visited.set()

    def step(self) -> None:
        """Look at the table and do the next thing if it is time for it, and no visitor is at a page."""
        now, view = self._clock(), self._table.snapshot()
        if now < self._quiet_until or self._visitor(now):
            return
        mark = (view.phase, view.seq)
        if mark != self._mark:
            self._mark, self._since = mark, now
        waited = now - self._since
        claim = view.claim
        if claim is None or claim.how == "":
            self._look_s = self._timing.look_s
        if view.game is None or (view.round is not None and view.round.finished and waited > self._timing.rest_s):
            self._open_game()
        elif view.round is not None and view.round.finished:
            return
        elif claim is not None:
            self._claimed(view, claim, waited)
        elif view.phase == "playing":
            self._play(view, waited)
        else:
            self._set_up(view, waited)

    # --- before the hand --------------------------------------------------------------------------------------------

    def _open_game(self) -> None:
        self._send("open_game", ruleset="gb", names=list(NAMES), mode="friendly", first_dealer=0)

    def _current(self, view: Snapshot) -> tuple[object, ScriptedHand]:
        """Which hand is played: one of those with this dealer, in turn."""
        number, dealer = (1, 0) if view.round is None else (view.round.hand_no, view.round.dealer)
        game = "" if view.game is None else view.game.id
        hands = [hand for hand in self._script if hand.dealer == dealer]
        return (game, number), hands[(number - 1) // 4 % len(hands)]

    def _visitor(self, now: float) -> bool:
        """Whether they wait for somebody at a page, as they do for a while: nobody stops the demonstration for ever."""
        if self._visited.is_set():
            self._visited.clear()
            if now >= self._visit_until:
                self._visit_since = now
            self._visit_until = now + POLITE_S
        return now < self._visit_until and now - self._visit_since < PATIENCE_S

    def _set_up(self, view: Snapshot, waited: float) -> None:
        key, hand = self._current(view)
        if self._prepared != key:
            pause = self._timing.rest_s if view.history else self._timing.seat_s
            if waited < pause:
                return
            self._prepared = key
            self._turn_to(key, hand, 0, view)
            self._works.drop(None)
            self._works.build_walls(144)
            self._works.lift(None)
            return
        self._throw(view, waited)

    def _throw(self, view: Snapshot, waited: float) -> None:
        due = view.dice_next
        throw = (self._prepared, len(view.dice))
        if due is None or waited < self._timing.throw_s:
            return
        if self._thrown != throw:
            self._thrown = throw
            self._works.throw_dice(due.by, (self._rng.randint(1, 6), self._rng.randint(1, 6)))
        elif waited > 3 * self._timing.throw_s + 4:
            self._send("dice", values=[self._rng.randint(1, 6), self._rng.randint(1, 6)], by=due.by)

    # --- the win ----------------------------------------------------------------------------------------------------

    def _play(self, view: Snapshot, waited: float) -> None:
        key, hand = self._current(view)
        if self._moves(view, key, hand) or waited < self._timing.play_s:
            return
        if hand.seat in {seat.seat for seat in view.seats if seat.dead}:
            self._send("draw_hand")
        elif self._shown != key:
            self._shown = key
            self._camera.show(hand.win)
            self._works.press(hand.seat, "HU")
        elif waited > self._timing.play_s + self._timing.read_again_s:
            self._send("claim_win", seat=hand.seat)

    def _moves(self, view: Snapshot, key: object, hand: ScriptedHand) -> bool:
        """Make the next move once the camera has told the last one or was given time for it; False after the last."""
        if len(hand.play) == 1:
            return False
        if self._page.hand != key:  # begun before the demonstration was started again: nobody knows how it stood
            self._send("draw_hand")
            return True
        question = view.table.question if view.table is not None else None
        waited = self._clock() - self._page.since_s
        if question is not None:
            if waited > self._timing.answer_s:
                self._answer(question, hand.turns[self._page.number])
            return True
        told = view.seq != self._page.seq or self._page.number == 0
        if waited <= (self._timing.move_s if told else self._timing.unseen_s):
            return True
        if self._page.number + 1 == len(hand.play):
            return False
        self._turn_to(key, hand, self._page.number + 1, view)
        return True

    def _turn_to(self, key: object, hand: ScriptedHand, number: int, view: Snapshot) -> None:
        self._camera.show(hand.play[number])
        self._page = _Page(key, number, self._clock(), view.seq)

    def _answer(self, question: Question, turn: int) -> None:
        """The players tell the camera: it is right as it lies, and who plays next."""
        command = next(choice.command for choice in question.choices if choice.seat == turn)
        fields = {name: value for name, value in command.items() if name != "kind"}
        self._send("answer_seen", **fields)

    def _claimed(self, view: Snapshot, claim: ClaimView, waited: float) -> None:
        _, hand = self._current(view)
        if claim.seat != hand.seat:
            if waited > self._timing.give_up_s:
                self._send("cancel_claim")
        elif claim.waiting_for == "source":
            self._say_source(hand, waited)
        elif claim.waiting_for == "hand":
            self._wait_for_eyes(view, hand, waited)
        elif waited > self._look_s:
            self._look(claim, hand, waited)

    def _say_source(self, hand: ScriptedHand, waited: float) -> None:
        if waited < (self._timing.say_s if len(hand.play) == 1 else self._timing.told_s):
            return
        feeder = {"from_seat": hand.from_seat} if hand.source in FROM_OTHERS else {}
        self._send("set_facts", source=hand.source, **feeder)

    def _wait_for_eyes(self, view: Snapshot, hand: ScriptedHand, waited: float) -> None:
        """Normally the camera reads by itself; a player helps when it does not."""
        if waited > self._timing.type_s:
            self._type(hand)
        elif waited > self._timing.read_again_s and self._asked != view.seq:
            self._asked = view.seq
            self._camera.show(hand.win)
            self._send("hand_photo")

    def _look(self, claim: ClaimView, hand: ScriptedHand, waited: float) -> None:
        """The players compare the screen with the tiles on the table, mend what is wrong, then agree."""
        wrong = _first_wrong(claim, hand)
        if wrong is not None:
            self._send("fix_tile", index=wrong[0].index, tile=wrong[1])
            self._look_s = self._timing.agree_s
        elif claim.verdict is not None and claim.verdict.valid:
            self._agree(claim)
        elif claim.how != "manual":
            self._type(hand)
        elif waited > self._timing.give_up_s:
            self._send("cancel_claim")

    def _agree(self, claim: ClaimView) -> None:
        order = [(claim.seat + step) % 4 for step in (1, 2, 3)]
        missing = [seat for seat in order if seat not in claim.agreed]
        if missing:
            self._send("agree", seat=missing[0])
            self._look_s = self._timing.agree_s

    def _type(self, hand: ScriptedHand) -> None:
        melds = [{"kind": meld["type"], "tiles": meld["tiles"], "from_seat": meld["from"]} for meld in hand.melds]
        self._send("hand_manual", hand=hand.hand, melds=melds, win_tile=hand.win_tile, flowers=hand.flowers)

    def _send(self, kind: str, **fields: Any) -> None:
        document = {
            "kind": kind,
            "idem": f"demo:{self._session}:{next(self._count)}",
            "actor": {"role": "tablet", "name": "demo", "device": "demo"},
            **fields,
        }
        answer = self._table.submit(commands.parse_command(document))
        if isinstance(answer, Rejected):
            log.info("the table refused %s: %s", kind, answer.sentence.text)
            self._quiet_until = self._clock() + PUZZLED_S


def _first_wrong(claim: ClaimView, hand: ScriptedHand) -> tuple[TileView, str] | None:
    """The first tile on the screen that is not the one on the table, and which it is; pinned tiles are left alone."""
    seen = sorted((tile for tile in claim.tiles if tile.tile), key=lambda tile: tile.box[0])
    laid = hand.tiles()
    if claim.how != "camera" or len(seen) != len(laid):
        return None
    return next(
        ((tile, name) for tile, name in zip(seen, laid, strict=True) if tile.tile != name and not tile.pinned), None
    )
