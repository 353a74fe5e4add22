"""Evenings with known truth in every ruleset: the serial table speaks, the seats press its buttons, the camera follows.

The works of the simulated table throw the dice, build the wall and count it, and carry the buttons; all of it crosses a
bad line as the protocol's bytes. The tiles are those of the seeded players of `evening_sim`, one or two of whom are
dealt a hand that waits; the camera's sightings are followed. People do nothing but press 和 and OK, turn the tile that
decides a wildcard, and type the hand that won.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from random import Random
from typing import Any

import pytest

from device.faults import Faults
from device.mechanics import GEAR_WALLS, Mechanics
from rules.registry import names, ruleset
from table import commands
from table.bridge import TilesLeft, meaning
from table.circumstances import facts_now, stated_facts, wild_of
from table.decision import Rejected
from table.fold import fold
from table.follow.faces import is_flower
from table.follow.legal import legal_moves
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move
from table.follow.sighting import SeatSighting
from table.model import Facts, LaidHand, LaidMeld, Payments, Scalar, Seat, TableFacts
from table.noticed import noticed
from table.robbed import facts_standing, robbed_by_claims
from table.rulebook import Circumstances, open_rulebook
from table.session import decide
from table.snapshot import Snapshot
from table.tile_text import split_tiles, tiles_text
from table.wall_state import wall_now
from tests.device_rig import Rig
from tests.evening_player import Player
from tests.evening_sim import Camera, HandPlay, Happened, Noise
from tests.seen_scene import Watched
from tests.table_kit import Desk, view

HANDS, SEED = 8, 3
LINE = Faults(lose=0.02, flip=0.02, repeat=0.02, reorder=0.02, delay_s=0.05)
PACE = 50.0
PATIENT = 8
"""Looks once a hand lies open."""

MANY, PURE, MIXED = "1112345678999p", "23567567999p88p", "23p12345678955s"
"""Hands that wait: for every tile of their suit, and twice for 1p and 4p."""

OPEN, OTHER = "23567567p88p99p1s", "23p567567s88s99s1m"
"""Hands that wait for 1p and 4p once a pung of 9 is laid and the last tile thrown."""


def waiting(name: str, number: int) -> tuple[str, ...]:
    """The hands that are dealt, each to the player who sits next to the one before."""
    hands = ((MANY,), (PURE, MIXED), (PURE, MIXED), (OPEN,))[number % 4]
    if name == "wuhan":  # only an open hand wins
        hands = (OPEN, OTHER)
    if name == "two_player":
        hands = tuple(
            {MIXED: "23m111222333z44z"}.get(hand, hand.replace("1s", "7z").replace("p", "m")) for hand in hands
        )
    if name == "fujian":  # three tiles more
        hands = tuple(("999m" if hand == MIXED else "777m") + hand for hand in hands)
    return hands


class Dealt(HandPlay):
    """Players of whom some were dealt a hand that waits: they throw what they draw until a tile wins, and claim it."""

    def __init__(self, evening: Evening, dealer: int, hands: dict[int, list[str]], rng: Random) -> None:
        super().__init__(evening.legal, dealer, rng, snatch=0.1, dealt=hands)
        self.evening, self.waits, self.moves = evening, dict(hands), list[Move]()
        self.wins: list[tuple[LaidHand, Circumstances]] = []

    def of(self, seats: Sequence[int], tile: str, source: str, feeder: int | None) -> list[int]:
        """Who of these wins so, the first one first; what is true of it is kept in `wins`."""
        able = [seat for seat in seats if seat in self.waits and not any(map(is_flower, self.players[seat].hand))]
        wins = {seat: self._win(seat, tile, source, feeder) for seat in able}
        order = [seat for seat, win in wins.items() if self.evening.rulebook.judge(*win).valid]
        if order:
            self.wins = [wins[seat] for seat in order]
        return order

    def _win(self, seat: int, tile: str, source: str, feeder: int | None) -> tuple[LaidHand, Circumstances]:
        own, evening = self.players[seat], self.evening
        melds = tuple(LaidMeld(**meld) for meld in self.melds_of(seat))
        hand = own.hand[: self.legal.hand_size - 3 * len(melds)]
        flowers = tiles_text(piece.tile for piece in own.flowers)
        lying = [one for player in self.players for group in (player.pond, *player.melds) for one in group]
        open_tiles = [*self.outside, *(one.tile for one in lying)]
        discards = [move for move in self.moves if isinstance(move, Discarded)]
        more: dict[str, Scalar] = {"after_kong": self._last_kong} if source == "discard" else {}
        if len(self.wall) <= evening.customs.last:
            more["wall_left"] = len(self.wall)
        newest = self.moves[-1] if self.moves else None
        if source == "kong_replacement" and isinstance(newest, Claimed):
            more["kong_feeder"] = evening.places[newest.from_seat]
        if not own.pond and all(move.seat != seat for move in discards):
            first = feeder is None or len(discards) == 0
            claims = any(isinstance(move, Claimed | Konged) for move in self.moves)
            more |= {"discards_before": 0, "first_turn": first, "claims_before": first and claims}
        facts = Facts(
            last_tile=not self.wall,
            last_of_kind=open_tiles.count(tile) - (source in ("discard", "rob_kong")) == 3,
            more={name: value for name, value in more.items() if name in evening.customs.counts and value is not False},
        )
        setup = evening.desk.state.setup
        assert setup is not None
        how = Circumstances(
            setup=setup,
            winner=evening.places[seat],
            source=source,
            from_seat=None if feeder is None else evening.places[feeder],
            facts=facts,
            table=evening.facts,
        )
        return LaidHand(hand=tiles_text(hand), melds=melds, win_tile=tile, flowers=flowers), how

    def melds_of(self, seat: int) -> list[dict[str, Any]]:
        """What lies before this player, as people say it."""
        melds = list[dict[str, Any]]()
        for move in self.moves:
            if isinstance(move, Claimed) and move.seat == seat:
                tiles = tiles_text(faces[0] for faces in move.tiles)
                melds.append({"kind": move.kind, "tiles": tiles, "from_seat": self.evening.places[move.from_seat]})
            elif isinstance(move, Konged) and move.seat == seat and move.kind == "kong_concealed":
                melds.append({"kind": move.kind, "tiles": tiles_text(move.faces * 4)})
            elif isinstance(move, Konged) and move.seat == seat and move.meld is not None:
                melds[move.meld] |= {"kind": move.kind, "tiles": tiles_text(move.faces * 4)}
        return melds

    # --- what they do -----------------------------------------------------------------------------------------------

    def _heard(self, feeder: int) -> list[int]:
        first = self.dealer if self.evening.customs.heard_from_dealer else feeder
        order = [(first + step) % self.legal.seats for step in range(self.legal.seats)]
        return [seat for seat in order if seat != feeder and seat not in self.out]

    def _draws_win(self, seat: int) -> bool:
        return bool(
            self.of([seat], self.players[seat].hand[-1], "kong_replacement" if self._last_kong else "self_draw", None)
        )

    def _thrown(self, seat: int, free: list[str]) -> str:
        newest = self.players[seat].hand[-1]
        return newest if seat in self.waits and newest in free else super()._thrown(seat, free)

    def _thieves(self, seat: int, tile: str) -> list[int]:
        return self.of(self._heard(seat), tile, "rob_kong", seat)[:1]

    def _before_discard(self, seat: int) -> Iterator[Happened]:
        if seat not in self.waits:
            yield from super()._before_discard(seat)
        while seat in self.waits and self.wall and any(map(is_flower, self.players[seat].hand)):
            yield self._flower(seat)

    def _wish(self, seat: int, tile: str) -> tuple[str, int, tuple[str, ...]] | None:
        order = self.of(self._heard(seat), tile, "discard", seat) if self.legal.discard_wins else []
        if order:
            return "win", order[0], ()
        for other in self._heard(seat):
            if other in self.waits and tile[0] == "9" and self.players[other].hand.count(tile) == 2:
                return "peng", other, (tile, tile)
        wish = super()._wish(seat, tile)
        return None if wish is None or wish[0] == "win" or wish[1] in self.waits else wish

    def _another(self, first: int, source: str, feeder: int, tile: str) -> Iterator[Happened]:
        del first
        for _, how in self.wins[1:] if self.evening.customs.several else ():
            yield self._lay(self.evening.places.index(how.winner), source, feeder, tile)


class Works(Rig):
    """The line to a whole simulated table; the same dice in every ruleset."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.works = Mechanics(self.board, Random(seed), PACE)

    def tick(self) -> bytes:
        return self.works.tick(self.now)


class Evening(Watched):
    """One game of some hands at a simulated table with its line."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed, self.player = name, seed, Player(Desk(), name, {})
        super().__init__(self.player.desk)
        self.legal, self.rulebook, self.places = legal_moves(ruleset(name)), open_rulebook(name, {}), self.player.places
        game = self.desk.state.game
        assert game is not None
        self.customs = game.customs
        self.line = Works(seed).live()
        self.works = self.line.works
        self.line.to_host.faults = self.line.to_board.faults = LINE
        self.taken, self.left, self.refused = 0, dict[int, int](), list[str]()
        self.won = self.together = self.untold = 0
        self.stands = 0

    # --- the line ---------------------------------------------------------------------------------------------------

    def hear(self, seconds: float = 1.0) -> None:
        """Time passes at the table; what it tells meanwhile is done, as `table.line` does it."""
        self.line.run(seconds)
        told, self.taken = self.line.heard[self.taken :], len(self.line.heard)
        for one in (meant for message in told for meant in meaning(message, "1")):
            if isinstance(one, TilesLeft):
                self.left[one.side] = one.tiles
            elif isinstance(one, commands.Command):
                if isinstance(one, commands.Walls):
                    self.left.clear()
                answer = self.desk.take(decide(self.desk.state, one, self.desk.books), one.actor, one.idem)
                self.refused += [answer.sentence.key] if isinstance(answer, Rejected) else []

    def press(self, seat: Seat, key: str) -> None:
        """A player presses a key at the seat."""
        self.works.press(seat, key)
        self.hear(3.0)

    @property
    def now(self) -> Snapshot:
        """What the pages show."""
        return view(self.desk)

    # --- a hand -----------------------------------------------------------------------------------------------------

    def play(self, number: int) -> None:
        """One hand: wall, dice, deal, moves, wins; each is compared with what is true."""
        rng = Random(f"{self.name}:{self.seed}:{number}")
        assert self.now.phase in ("seated", "settled")
        self._build()
        self._throw()
        state = self.desk.state
        assert state.started
        assert state.setup is not None
        dealer, first = self.places.index(state.setup.dealer), rng.randrange(self.legal.seats)
        hands = {
            (first + place) % self.legal.seats: split_tiles(text)
            for place, text in enumerate(waiting(self.name, number))
        }
        play = Dealt(self, dealer, hands, rng)
        camera = Camera(self.legal, Noise(), rng)
        for tile in play.outside:
            self.desk.must("turn_tile", tile=tile)
            assert self.desk.state.game is not None
            play.wild = wild_of(stated_facts(self.desk.state, self.desk.state.game))
        self.stands = len(play.wall) + self.legal.dead_wall
        if any(self.works.wall.stacks):
            self.works.take(self.customs.tiles - self.stands)
        laid: list[HandLaid] = []
        for happened in play.play():
            move = happened.move
            if move is not None:
                play.moves.append(move)
            self._draw(play, move)
            if isinstance(move, HandLaid):
                laid.append(move)
                if len(laid) == 1:
                    for _, how in reversed(play.wins):
                        self.press(how.winner, "HU")
            looks = 0 if happened.at_once else PATIENT if laid or move is None else rng.choice((2, 3))
            for _ in range(looks):
                self._look(camera, play)
            if laid and len(laid) == (len(play.wins) if self.customs.several else 1):
                self._settle(play)
                laid = []
            if move is None:
                self._drawn(play)
        self._look(camera, play)
        assert not self.desk.state.started
        assert sum(self.desk.state.totals) == 0
        assert fold(self.desk.entries) == self.desk.state

    def _build(self) -> None:
        self.left.clear()
        if self.customs.tiles in GEAR_WALLS:  # no table builds a wall for two players
            self.works.drop()
            self.works.build_walls(self.customs.tiles)
            self.hear(3.0)
            self.works.lift()
            self.hear(2.0)

    def _throw(self) -> None:
        thrown = list[tuple[int, ...]]()
        while (due := self.now.dice_next) is not None:
            self.press(due.by, "DICE")
            assert self.works.board.state.values is not None
            thrown.append(self.works.board.state.values)
            assert [throw.values for throw in self.desk.state.dice] == thrown
        assert len(thrown) == self.customs.throws
        setup, stacks = self.desk.state.setup, self.works.wall.stacks
        assert setup is not None
        if any(stacks):
            chosen = (setup.dealer + sum(thrown[0]) - 1) % 4
            clockwise = [
                (seat, stack) for seat in ((chosen - step) % 4 for step in range(4)) for stack in range(stacks[seat])
            ]
            seat, stack = clockwise[sum(map(sum, thrown))]
            broken = self.now.wall_break
            assert broken is not None
            assert (broken.seat, broken.stack) == (seat, stack)
            self.works.open_wall(seat, stack)

    def _draw(self, play: Dealt, move: Move | None) -> None:
        """The tiles that were drawn since leave the wall; a kong's and a flower's from its tail."""
        drawn = self.stands - len(play.wall) - self.legal.dead_wall
        if drawn < 0:  # a kong was robbed: its replacement, which was taken, is nobody's
            return
        self.stands -= drawn
        if not any(self.works.wall.stacks):
            return
        if drawn and (isinstance(move, Flowered | Konged) or (isinstance(move, Claimed) and move.kind == "kong_open")):
            self.works.take_tail()
            drawn -= 1
        self.works.take(drawn)

    def _count(self) -> None:
        """The table counts as many tiles as truly stand; with all sides counted the game knows how many are left.

        It can tell of one lone tile before each seat: of two, the head's and the tail's, it counts one.
        """
        built = self.desk.state.walls
        assert built is not None
        lone = [sum(place[0] == side for place in self.works.wall.holes()) for side in range(4)]
        counted = self.stands - sum(max(0, tiles - 1) for tiles in lone)
        assert sum(self.left.get(side, 2 * built.stacks[side]) for side in range(4)) == counted
        wall = wall_now(self.desk.state, sum(self.left.values()) if len(self.left) == 4 else None)
        assert wall.differs is None
        assert wall.left in (None, counted - self.legal.dead_wall)

    def _look(self, camera: Camera, play: Dealt) -> None:
        self.now_s += 1
        self.hear(0.1)
        seen = camera.look(play.players)
        assert seen is not None
        seats = [SeatSighting()] * 4
        for place, seat in zip(self.places, seen.seats, strict=True):
            seats[place] = seat
        self.sees(replace(seen, at_s=self.now_s, seats=tuple(seats)))
        assert self.following.question is None, self.following.question
        assert self.desk.state.game is not None
        for offer in noticed(self.desk.state, self.desk.state.game, self.rulebook):
            if offer.command["kind"] != "claim_win":
                self.desk.must(**offer.command)

    # --- its end ----------------------------------------------------------------------------------------------------

    @property
    def facts(self) -> TableFacts:
        """What is known of the hand beside the claims, as the rules are asked."""
        state, game = self.desk.state, self.desk.state.game
        assert game is not None
        assert state.setup is not None
        robbed = robbed_by_claims(state.claims, len({win.stage for win in state.won}))
        return facts_standing(facts_now(state, game, state.setup), robbed)

    def _settle(self, play: Dealt) -> None:
        wins = list(play.wins)
        self.together += len(wins) > 1
        for _ in wins:
            self._ask(wins)
        assert [claim.seat for claim in self.desk.state.claims] == [how.winner for _, how in wins]
        if any(self.works.wall.stacks):
            self._count()
        before, due = self.desk.state.totals, list[tuple[LaidHand, Circumstances]]()
        for hand, how in wins if self.customs.several else wins[:1]:
            self._ask(wins)
            claim = self.desk.state.claim
            assert claim is not None
            assert (claim.seat, claim.source, claim.from_seat) == (how.winner, how.source, how.from_seat)
            self.desk.must("hand_manual", **asdict(hand))
            self.told_again()  # of a tile that was drawn the table tells only now whether it is the last of four
            assert self.desk.state.claim is not None
            assert self.desk.state.claim.facts == how.facts
            self.player.answer()
            due.append((hand, replace(how, table=self.facts)))
            for seat in (place for place in self.places if place != how.winner):
                self.press(seat, "OK")
            assert all(one.seat != how.winner or one.approved for one in self.desk.state.claims)
        price: Payments = self.rulebook.joint(due).payments
        paid = [now - then for now, then in zip(self.desk.state.totals, before, strict=True)]
        assert paid == list(price)
        assert any(price)
        self.won += len(due)

    def _ask(self, wins: Sequence[tuple[LaidHand, Circumstances]]) -> None:
        """Nothing is paid before somebody says how the winning tile came, where the camera cannot tell."""
        claim = self.desk.state.claim
        assert claim is not None
        if claim.source is None:
            self.untold += 1
            assert self.desk.refused("approve") == "not_judged"
            how = next(how for _, how in wins if how.winner == claim.seat)
            self.desk.must("set_facts", source=how.source, from_seat=how.from_seat, **asdict(how.facts))
            self.told_again()

    def _drawn(self, play: Dealt) -> None:
        """Nobody wins any more; where the rules pay for waiting hands, everybody still playing shows his."""
        asked = self.now.hand is not None and self.now.hand.shows_at_draw == "hands"
        shown = {
            str(self.places[seat]): {"hand": tiles_text(player.hand), "melds": play.melds_of(seat)}
            for seat, player in enumerate(play.players)
            if seat not in play.out
        }
        self.desk.must("draw_hand", **({"players": shown} if asked else {}))


def evening(name: str, seed: int) -> Evening:
    """An evening, played to its end."""
    played = Evening(name, seed)
    for number in range(HANDS):
        played.play(number)
    assert played.refused == []
    assert played.won >= HANDS // 2
    return played


@pytest.mark.parametrize("name", names())
def test_an_evening_at_the_simulated_table(name: str) -> None:
    played = evening(name, SEED)
    assert played.untold == 0
    assert played.together or name in ("jiaxing", "two_player"), "two seats must press on the same tile"


@pytest.mark.parametrize(
    ("name", "seed", "untold"),
    [
        ("wuhan", 106, 1),  # two claim a discard: who plays next is asked, and the dealer's side goes first
        ("wuhan", 104, 0),  # the last wildcard is drawn: known at once, though it is asked who has opened his hand
        ("popular", 112, 2),  # two claim the dealer's first discard, which nobody saw
        ("sichuan", 103, 0),  # the head and the tail of the wall end before one seat, each with a lone tile
    ],
)
def test_evenings_in_which_something_is_asked_or_stands_rarely(name: str, seed: int, untold: int) -> None:
    assert evening(name, seed).untold == untold
