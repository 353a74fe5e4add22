"""The hand being played, followed by the camera: sightings in, observations and circumstances of a win out.

What is followed goes to the ledger as `MoveSeen`, which moves no point and settles nothing. Of a claimed win it fills
in the circumstances for people to confirm or change; what makes no sense is asked, and nothing waits for the answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rules.registry import ruleset
from table import events as ev
from table.circumstances import stated_facts, wild_of
from table.decision import Rejected, reject
from table.evidence import EvidenceError
from table.follow.apart import lone_kongs_apart
from table.follow.change import believed, in_order
from table.follow.follower import Asked, Follower, Moved, as_said, follow, keep_words, look, say, unexplained
from table.follow.legal import Legal, legal_moves
from table.follow.moves import Discarded, HandLaid, Konged, Move
from table.follow.resume import lying
from table.follow.sighting import Sighting, Spot
from table.follow.state import HandState, begin
from table.hand_commands import AnswerSeen, SeeMove, SeeOpened, SeeWin
from table.lookout import Look
from table.model import FROM_OTHERS, Seat
from table.seen_moves import CAMERA, lying_tiles, observed, remembered
from table.seen_view import lying_now, newest_spots, question_view, subject, table_view
from table.snapshot import Pace, Question, SeenTable
from table.state import Game, State
from table.view import clock_text
from table.win_seen import Followed, agreed_win, claim_seen
from vision.types import Image

OPEN_TILES = 7
"""So many tiles of one hand lying face up are a hand laid open, not a tile that fell over."""

LOOKS = 2
"""A hand that lies open too early counts when so many looks in a row show it, and how a claimed win came about is told
when so many since the claim leave nothing to explain: the first one may still believe what lay there before it."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Hand:
    """Which hand is followed, so that a new one starts afresh; `began` is the ledger's number where it was taken up."""

    game: str
    number: int
    wild: str
    began: int


class Following:
    """Follows one hand after the other; owned by the thread that owns the state."""

    def __init__(self, keep: Callable[[Image], str] | None = None, wall_ms: Callable[[], int] = lambda: 0) -> None:
        """Get ready.

        Args:
            keep: stores a picture as evidence and returns its id; None keeps no pictures.
            wall_ms: the wall clock in milliseconds, for how long a turn lasts.
        """
        self._keep = keep
        self._wall_ms = wall_ms
        self._since_ms = 0
        self._hand: _Hand | None = None
        self._follower: Follower | None = None
        self._before_laid: Follower | None = None
        self._places: tuple[Seat, ...] = ()
        self._whole = True
        self._ignored = False
        self._reported = 0
        self._question: Asked | None = None
        self._asked: Question | None = None
        self._look: Look | None = None
        self._here: Sighting | None = None
        self._tile: str | None = None
        self._claimed_s: float | None = None
        self._clear = 0
        self._waiting: set[Seat] = set()
        self._open: dict[Seat, int] = {}

    @property
    def question(self) -> Asked | None:
        """What only a person can tell now; None while all is well."""
        return self._question

    @property
    def wants_look(self) -> bool:
        """Whether the table is to be told again although nothing is new on it.

        So it is while something waits for a second look or its time of grace, after a person's word about a tile that
        no move explains yet, and until a claimed win was looked at.
        """
        follower = self._follower
        if follower is None or self._ignored:
            return False
        waits = bool(follower.expected or follower.rival or follower.pins)
        waits = waits or (follower.trouble is not None and not follower.asked)
        return waits or (self._claimed_s is not None and not self._told)

    @property
    def _told(self) -> bool:
        """Whether the table was looked at since the win was claimed."""
        return self._clear >= LOOKS

    def table(self, state: State) -> SeenTable | None:
        """The table as it was followed, for the pages; None while nothing is followed."""
        if self._follower is None or self._ignored or not state.started or not self._is_of(state):
            return None
        return table_view(self._follower.state, self._places, self._asked)

    def pace(self, state: State) -> Pace | None:
        """Whose turn it is, since when, and how long it should take; None while that is not known."""
        table = self.table(state)
        if table is None or table.turn is None or table.question is not None or state.claims or state.game is None:
            return None
        customs, opening = state.game.customs, not any((*table.ponds, *table.melds))
        limit_s = customs.arrange_s if opening else customs.turn_s
        return Pace(turn=table.turn, since=clock_text(self._since_ms), limit_s=limit_s)

    # --- sightings --------------------------------------------------------------------------------------------------

    def claimed(self, state: State, now_s: float) -> None:
        """Note when a win was claimed (by the camera's clock): only later looks tell how it came about."""
        self._waiting = {*self._waiting, *(claim.seat for claim in state.claims)} if state.claims else set()
        if not state.claims:
            self._claimed_s, self._clear, self._open = None, 0, {}
        elif self._claimed_s is None:
            self._claimed_s = now_s

    def sighted(self, sighting: Sighting, state: State, picture: Look | None = None) -> tuple[SeeMove | SeeOpened, ...]:
        """Take in a sighting of the hand being played; the moves that are certain now, as commands.

        Args:
            sighting: the table, by the seats of the table.
            state: where the table stands; between hands nothing is followed.
            picture: the look it comes from, for the pictures of questions.
        """
        if state.game is None or state.setup is None or not state.started:
            return ()
        follower = self._of(state, state.game)
        if self._ignored:
            return ()
        opened = self._opened(sighting, state, picture)
        here = lone_kongs_apart(follower.state, self._by_players(sighting, state), follower.legal)
        follower = self._taken_up(follower, here, state)
        here = as_said(follower, in_order(follower.state, here))
        self._here, self._look = here, picture and replace(picture, sighting=here)
        agreed = () if state.claims else self._agreed(follower, here, state)
        if agreed:
            follower, self._before_laid = follow(follower, agreed), None
        told = self._reports(agreed) if agreed else ()
        after, step = look(follower, here)
        self._follower = after
        if isinstance(step, Asked) and state.claims:  # the table is turned over now: ask when play goes on
            self._follower = replace(after, asked=False)
        elif isinstance(step, Asked):
            self._ask(step, here)
        if not isinstance(step, Moved):
            self._clear = 0
            return (*opened, *told)
        self._question = self._asked = None
        self._note(follower, step)
        if self._claimed_s is not None and sighting.at_s > self._claimed_s:
            self._clear = 0 if unexplained(after) else self._clear + 1
        return (*opened, *told, *self._reports(step.moves))

    def _by_players(self, sighting: Sighting, state: State) -> Sighting:
        """The sighting by the seats that play. While a win is looked at only hands that were claimed count as laid."""
        seats = sighting.seats
        if state.claims:
            claimed = {claim.seat for claim in state.claims}
            seats = tuple(own if seat in claimed else replace(own, hand=()) for seat, own in enumerate(seats))
        return replace(sighting, seats=tuple(seats[place] for place in self._places))

    def _taken_up(self, follower: Follower, here: Sighting, state: State) -> Follower:
        """Play goes on after a hand was laid open that won nothing: from where it stood before that.

        Where other tiles lay on the table and are gone too, it was cleared.
        """
        laid, before = None if state.claims else self._won_nothing(follower, state), self._before_laid
        if laid is None or before is None or here.hidden or here.seats[laid.seat].hand:
            return follower
        cleared = here.empty and any(True for _ in before.state.tiles())
        return follower if cleared else before

    def _won_nothing(self, follower: Follower, state: State) -> HandLaid | None:
        """The hand laid open by the newest move, if its player waits for no points and has got none."""
        newest = follower.state.moves[-1] if follower.state.moves else None
        waits = {*state.out, *(claim.seat for claim in state.claims)}
        return newest if isinstance(newest, HandLaid) and self._places[newest.seat] not in waits else None

    def _agreed(self, follower: Follower, here: Sighting, state: State) -> tuple[HandLaid, ...]:
        """Wins that were agreed on, in a hand that goes on, although the camera has not seen these hands lie open."""
        out = {self._places[seat] for seat in follower.state.won}
        new = [win for win in state.won if win.seat not in out]
        if any((place, "pond") in here.hidden for place in range(len(self._places))):  # was the discard taken to it?
            return ()
        followed = Followed(hand=follower.state, legal=follower.legal, places=self._places, dealer=None)
        return tuple(agreed_win(win, followed, here) for win in new)

    def _note(self, before: Follower, step: Moved) -> None:
        """Remember what a later win or a claim that falls away will need."""
        if step.moves and isinstance(step.moves[-1], HandLaid):
            self._before_laid = follow(before, step.moves[:-1])
        if any(isinstance(move, Discarded | Konged) for move in step.moves):
            self._tile = self._newest_tile()

    def _newest_tile(self) -> str | None:
        """The picture of the discard or of the added kong that may be won on now; None where none lies there."""
        spots = newest_spots(self._state())
        return self._kept(self._look.cutting(spots)) if spots and self._look is not None else None

    def _reports(self, moves: tuple[Move, ...]) -> tuple[SeeMove, ...]:
        hand = self._hand
        if hand is None:
            raise RuntimeError("only a hand that is followed is reported")
        key, first = f"move:{hand.game}:{hand.number}:{hand.began}", self._reported
        self._reported += len(moves)
        self._since_ms = self._wall_ms() if moves else self._since_ms
        return tuple(observed(move, f"{key}:{first + n}", self._places) for n, move in enumerate(moves))

    def _opened(self, sighting: Sighting, state: State, picture: Look | None) -> tuple[SeeOpened, ...]:
        """Hands laid open at seats that have not claimed, while a claimed win is looked at."""
        if not state.claims or self._hand is None:
            return ()
        known = {*(claim.seat for claim in state.claims), *state.out, *(one.seat for one in state.opened)}
        found: list[SeeOpened] = []
        for seat in (place for place in self._places if place not in known):
            looks = self._open.get(seat, 0) + 1 if len(sighting.seats[seat].hand) >= OPEN_TILES else 0
            self._open[seat] = looks
            if looks == LOOKS:
                idem = f"opened:{self._hand.game}:{self._hand.number}:{state.seq}:{seat}"
                kept = self._kept(picture.hand_of(seat)) if picture is not None else None
                found.append(SeeOpened(idem=idem, actor=CAMERA, seat=seat, picture=kept))
        return tuple(found)

    # --- wins -------------------------------------------------------------------------------------------------------

    def at_win(self, seat: Seat) -> HandState | None:
        """The hand as it was followed when this seat won; None while it does not tell how.

        Since the first of the wins that are looked at was claimed play stands still: all of them are on the same tile.
        """
        follower = self._follower
        if follower is None or self._question is not None or self._ignored or unexplained(follower):
            return None
        moves = follower.state.moves
        if not moves and self._whole:
            return None
        newest = moves[-1] if moves else None
        together = isinstance(newest, HandLaid) and self._places[newest.seat] in self._waiting - {seat}
        return self._before_laid.state if together and self._before_laid is not None else follower.state

    def wins(self, state: State, *, again: bool = False) -> tuple[SeeWin, ...]:
        """What can be filled in of the wins that are claimed, once the table was looked at after the claim.

        Args:
            state: with what people have said of them meanwhile.
            again: only of those of which something was filled in already, for no look has come since.
        """
        hand, game, setup = self._hand, state.game, state.setup
        if not self._told or hand is None or game is None or setup is None or not self._is_of(state):
            return ()
        found: list[SeeWin] = []
        dealer = self._places.index(setup.dealer) if self._whole else None
        for claim in state.claims:
            at = self.at_win(claim.seat) if not claim.approved else None
            if at is None or (again and claim.seen is None):
                continue
            followed = Followed(hand=at, legal=self._legal(), places=self._places, dealer=dealer)
            seen = claim_seen(claim, followed, state, game.customs)
            if seen.source in FROM_OTHERS:
                seen = replace(seen, picture=self._tile)
            if seen != claim.seen:
                idem = f"win:{hand.game}:{hand.number}:{claim.seat}:{state.seq}"
                found.append(SeeWin(idem=idem, actor=CAMERA, seat=claim.seat, seen=seen))
        return tuple(found)

    # --- what people say --------------------------------------------------------------------------------------------

    def completed(self, command: AnswerSeen, state: State) -> AnswerSeen | Rejected:
        """An answer with what it refers to, so that it is understood without the camera; or why it comes too late."""
        if not self._is_of(state) or self._follower is None or self._ignored:
            return reject("seen_gone")
        if command.question and (self._asked is None or self._asked.id != command.question):
            return reject("seen_gone")
        if command.seat is not None and command.seat not in self._places:
            return reject("seat_empty", seat=command.seat)
        if command.way is not None and (self._question is None or command.way >= len(self._question.ways)):
            return reject("seen_gone")
        shown = self._asked.picture if self._asked is not None and command.question else None
        command = command.model_copy(update={"picture": shown})
        if command.turn is None:
            return command
        if self._here is None or command.turn not in self._places:
            return reject("seen_gone")
        if self._places.index(command.turn) in self._state().won:
            return reject("seat_out", seat=command.turn)
        return command.model_copy(update={"lies": lying_now(believed(self._state(), self._here))})

    def answered(self, command: AnswerSeen, state: State) -> tuple[SeeMove, ...]:
        """Take a person's word, which is in the ledger already; the moves that it settles, as commands."""
        answer = state.seen[-1] if state.seen else None
        if not isinstance(answer, ev.SeenAnswered) or self._follower is None:
            return ()
        moves = self._question.ways[command.way] if self._question is not None and command.way is not None else ()
        self._hear(answer)
        if moves:
            before, self._follower = self._follower, follow(self._follower, moves)
            self._note(before, Moved(moves))
        return self._reports(moves)

    def _hear(self, answer: ev.SeenAnswered) -> None:
        follower = self._follower
        if follower is None:
            return
        if answer.why or answer.answer != "tile":  # a tile in doubt may be named while something else is asked
            self._question = self._asked = None
        if answer.answer == "ignore":
            self._ignored = True
        elif answer.answer == "lies" and answer.turn is not None:
            state = lying(follower.state, lying_tiles(answer.lies), self._places.index(answer.turn), follower.legal)
            self._follower, self._whole, self._before_laid = Follower(state, follower.legal), False, None
            self._tile, self._since_ms = self._newest_tile(), self._wall_ms()
        elif answer.answer == "tile" and answer.seat is not None and answer.zone and answer.index is not None:
            spot = Spot(self._places.index(answer.seat), answer.zone, answer.index)
            self._follower = say(follower, spot, answer.tile)

    def _ask(self, step: Asked, here: Sighting) -> None:
        picture = None
        if self._look is not None:
            picture = self._kept(self._look.cutting(subject(step, here)))
            picture = self._kept(self._look.image) if picture is None else picture
        name = f"{step.why}:{self._hand.number if self._hand else 0}:{self._reported}:{int(here.at_s * 1000)}"
        self._question = step
        self._asked = question_view(step, name, self._state(), here, self._places, picture)

    def _kept(self, image: Image | None) -> str | None:
        if image is None or self._keep is None:
            return None
        try:
            return self._keep(image)
        except EvidenceError as error:
            log.warning("a picture of the table could not be kept: %s", error)
            return None

    # --- the hand ---------------------------------------------------------------------------------------------------

    def _legal(self) -> Legal:
        if self._follower is None:
            raise RuntimeError("nothing is followed yet")
        return self._follower.legal

    def _state(self) -> HandState:
        if self._follower is None:
            raise RuntimeError("nothing is followed yet")
        return self._follower.state

    def _is_of(self, state: State) -> bool:
        hand, game, setup = self._hand, state.game, state.setup
        return hand is not None and game is not None and setup is not None and (hand.game, hand.number) == (
            game.id, setup.hand_no
        )  # fmt: skip

    def _of(self, state: State, game: Game) -> Follower:
        """The follower of the hand being played; a wildcard that is named later holds for the whole hand."""
        setup = state.setup
        if setup is None:
            raise RuntimeError("only a hand that was set up is followed")
        stated = stated_facts(state, game)
        wild = wild_of(stated)
        follower, hand = self._follower, self._hand
        if follower is None or hand is None or not self._is_of(state):
            return self._begun(state, game, stated, wild)
        if hand.wild != wild:
            self._hand = replace(hand, wild=wild)
            follower = replace(follower, state=replace(follower.state, wild=wild or None), expected=())
            self._follower = follower
        return follower

    def _begun(self, state: State, game: Game, stated: Mapping[str, object], wild: str) -> Follower:
        """A new hand, or one that was left in the middle: taken up from what the ledger holds of it."""
        setup = state.setup
        if setup is None:
            raise RuntimeError("only a hand that was set up is followed")
        flip = stated.get("flip")
        outside = (flip,) if isinstance(flip, str) and flip else ()
        legal = legal_moves(ruleset(game.ruleset, game.options))
        self._places = game.places
        self._hand = _Hand(game.id, setup.hand_no, wild, state.seq)
        self._follower = Follower(
            begin(legal, game.places.index(setup.dealer), wild=wild or None, outside=outside), legal
        )
        self._question, self._asked, self._before_laid, self._tile = None, None, None, None
        self._whole, self._ignored, self._reported, self._open = True, False, 0, {}
        self._since_ms = self._wall_ms()
        for one in state.seen:
            if isinstance(one, ev.SeenAnswered):
                self._hear(one)
            else:
                self._remember(one, state)
        self._follower = replace(self._follower, pins={})  # whether these tiles still lie there nobody knows
        return self._follower

    def _remember(self, seen: ev.MoveSeen, state: State) -> None:
        """A move that was written down happened, also after a hand laid open that won nothing."""
        follower = self._follower
        if follower is None:
            return
        laid = follower.state.moves[-1] if follower.state.moves else None
        again = isinstance(laid, HandLaid) and (seen.what, seen.seat) == ("hand", self._places[laid.seat])
        if self._before_laid is not None and (again or self._won_nothing(follower, state) is not None):
            follower = self._before_laid
        move = remembered(seen, follower.state, follower.legal, self._places)
        self._before_laid = follower if isinstance(move, HandLaid) else self._before_laid
        self._follower = keep_words(follow(follower, (move,)))
