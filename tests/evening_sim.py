"""Seeded players at a simulated table, and a camera as bad as you like: hands with known truth for the follower.

The table here is a heap of lists that knows nothing of `table.follow.state`, so that a mistake there does not hide
behind the same mistake here. Players claim and discard at random, but legally; a hand ends with a win that is announced
at random (following does not judge hands) or with the wall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from table.follow.faces import is_flower, run_of
from table.follow.legal import Legal
from table.follow.moves import Claimed, Discarded, Flowered, HandLaid, Konged, Move, TableCleared
from table.follow.sighting import Glimpse, SeatSighting, Sighting, Zone

SOURCES = ("pond", "melds", "flowers", "hand")


@dataclass(eq=False)
class Piece:
    """A tile lying somewhere; how the camera reads it stays the same until it is moved."""

    tile: str
    down: bool = False
    look: Glimpse | None = None


@dataclass
class Player:
    """One player: concealed tiles, and what lies before him."""

    hand: list[str] = field(default_factory=list)
    pond: list[Piece] = field(default_factory=list)
    melds: list[list[Piece]] = field(default_factory=list)
    flowers: list[Piece] = field(default_factory=list)
    shown: list[Piece] = field(default_factory=list)


@dataclass
class Happened:
    """One move (None: everybody pauses), and whether the next follows before any camera can look (taken at once)."""

    move: Move | None
    at_once: bool = False


class HandPlay:
    """One hand at a simulated table; iterate to play it, look at `players` in between."""

    def __init__(
        self,
        legal: Legal,
        dealer: int,
        rng: Random,
        snatch: float = 0.0,
        dealt: Mapping[int, Sequence[str]] | None = None,
    ) -> None:
        self.legal, self.dealer, self.rng, self.snatch = legal, dealer, rng, snatch
        tiles = [kind for kind in legal.kinds for _ in range(4)] + list(legal.flowers)
        rng.shuffle(tiles)
        chosen = dealt or {}
        for tile in (tile for hand in chosen.values() for tile in hand):
            tiles.remove(tile)
        self.players = [Player() for _ in range(legal.seats)]
        self.wild: str | None = None
        self.outside: tuple[str, ...] = ()
        if legal.wild:
            turned = next(tile for tile in tiles if not is_flower(tile))
            tiles.remove(turned)
            self.outside, self.wild = (turned,), turned
            if legal.wild == "next":
                self.wild = rng.choice([kind for kind in legal.kinds if kind not in legal.own_kongs])
        for seat, player in enumerate(self.players):
            player.hand = list(chosen.get(seat, ())) or [tiles.pop() for _ in range(legal.hand_size)]
        self.players[dealer].hand.append(tiles.pop())
        self.wall = tiles[: len(tiles) - legal.dead_wall]
        self.out: list[int] = []

    def play(self) -> Iterator[Happened]:
        """The moves of the hand in order; the table stands as after each of them."""
        yield from self._opening()
        seat, draws, claimed = self.dealer, False, False
        while True:
            player = self.players[seat]
            if draws:
                if not self.wall or len(self.wall) <= self.legal.silent_end:
                    break
                player.hand.append(self.wall.pop())
            if not claimed:
                self._last_kong = self._last_kong and not draws
                robbed = False
                for happened in self._before_discard(seat):
                    yield happened
                    robbed = isinstance(happened.move, HandLaid)
                won = robbed
                if not won and self._draws_win(seat):
                    yield self._lay(seat, "kong_replacement" if self._last_kong else "self_draw", None)
                    won = True
                if won:
                    if self._over():
                        yield self._clear()
                        return
                    seat, draws, claimed = self._next(self.out[-1]), True, False
                    continue
            free = [one for one in player.hand if not is_flower(one)]
            if len(self.wall) <= self.legal.silent_end:
                free = [one for one in free if not self.legal.keeps_turn(one, self.wild)] or free
            tile = self._thrown(seat, free)
            player.hand.remove(tile)
            piece = Piece(tile)
            player.pond.append(piece)
            if self.legal.kong_pair and self._last_kong and len(self.wall) > 1 and self.rng.random() < 0.6:
                yield Happened(Discarded(seat=seat, faces=(tile,)), at_once=True)
                first, thrown = piece, tile
                tile = self.wall.pop()
                piece = Piece(tile)
                player.pond.append(piece)
                yield Happened(Discarded(seat=seat, faces=(tile,)))
                tile, piece = self.rng.choice(((thrown, first), (tile, piece)))
                self._last_kong, thrown_both = False, True
            else:
                thrown_both = False
            again = self.legal.keeps_turn(tile, self.wild) and len(self.wall) > self.legal.silent_end
            wish = None if again else self._wish(seat, tile)
            snatched = not thrown_both and wish is not None and self.rng.random() < self.snatch
            if not thrown_both:
                yield Happened(Discarded(seat=seat, faces=(tile,), seen=not snatched, again=again), at_once=snatched)
            if again:
                player.hand.append(self.wall.pop())
                draws, claimed = False, False
                self._last_kong = True
                continue
            if wish is None:
                seat, draws, claimed = self._next(seat), True, False
                continue
            kind, by, tiles = wish
            if kind == "win":
                leave = not snatched and self.rng.random() < 0.3
                if not leave:
                    player.pond.remove(piece)
                yield self._lay(by, "discard", seat, tile, taken=not leave)
                yield from self._another(by, "discard", seat, tile)
                if self._over():
                    yield self._clear()
                    return
                seat, draws, claimed = self._next(self.out[-1]), True, False
                continue
            player.pond.remove(piece)
            taker = self.players[by]
            for one in tiles:
                taker.hand.remove(one)
            taker.melds.append([Piece(one) for one in sorted((*tiles, tile))])
            meld = tuple((piece.tile,) for piece in taker.melds[-1])
            yield Happened(Claimed(seat=by, kind=kind, from_seat=seat, taken=(tile,), tiles=meld))
            draws, claimed = False, kind != "kong_open"
            self._last_kong = kind == "kong_open"
            if kind == "kong_open":
                taker.hand.append(self.wall.pop())
            seat = by
        yield Happened(None)
        yield self._clear()

    _last_kong = False

    def _next(self, seat: int) -> int:
        """Who draws after this seat: the next one still in the hand."""
        order = [(seat + step) % self.legal.seats for step in range(1, self.legal.seats + 1)]
        return next(other for other in order if other not in self.out)

    def _over(self) -> bool:
        return len(self.out) >= self.legal.wins

    def _opening(self) -> Iterator[Happened]:
        for step in range(self.legal.seats):
            seat = (self.dealer + step) % self.legal.seats
            while any(is_flower(tile) for tile in self.players[seat].hand):
                yield self._flower(seat)

    def _flower(self, seat: int) -> Happened:
        player = self.players[seat]
        tile = next(one for one in player.hand if is_flower(one))
        player.hand.remove(tile)
        player.flowers.append(Piece(tile))
        player.hand.append(self.wall.pop())
        self._last_kong = False
        return Happened(Flowered(seat=seat, faces=(tile,)))

    def _before_discard(self, seat: int) -> Iterator[Happened]:
        """Flowers and kongs from the player's own tiles, while the wall has replacements."""
        player, legal, rng = self.players[seat], self.legal, self.rng
        while len(self.wall) >= 1:
            if any(is_flower(tile) for tile in player.hand):
                yield self._flower(seat)
                continue
            if len(self.wall) <= legal.silent_end:
                return
            counts = Counter(tile for tile in player.hand if tile != self.wild and tile not in legal.own_kongs)
            four = [tile for tile, count in counts.items() if count == 4]
            grown = [
                (number, meld[0].tile)
                for number, meld in enumerate(player.melds)
                if len(meld) == 3 and meld[0].tile == meld[1].tile == meld[2].tile and meld[0].tile in player.hand
            ]
            if four and rng.random() < 0.7:
                tile = four[0]
                player.hand = [one for one in player.hand if one != tile]
                backs = rng.choice((2, 4))
                player.melds.append([Piece(tile, down=place >= 4 - backs) for place in range(4)])
                player.hand.append(self.wall.pop())
                self._last_kong = True
                yield Happened(Konged(seat=seat, kind="kong_concealed", faces=(tile,)))
            elif grown and rng.random() < 0.7:
                number, tile = grown[0]
                player.hand.remove(tile)
                piece = Piece(tile)
                player.melds[number].append(piece)
                player.hand.append(self.wall.pop())
                self._last_kong = True
                yield Happened(Konged(seat=seat, kind="kong_added", faces=(tile,), meld=number))
                thieves = self._thieves(seat, tile)
                if thieves:
                    self.wall.append(player.hand.pop())
                    taken = rng.random() < 0.5
                    if taken:
                        player.melds[number].pop()
                    thief = rng.choice(thieves)
                    yield self._lay(thief, "rob_kong", seat, tile, taken=taken)
                    yield from self._another(thief, "rob_kong", seat, tile)
                    return
            else:
                return

    def _draws_win(self, seat: int) -> bool:
        """Whether the hand of this player, who has drawn, is announced as a win."""
        del seat  # hands are not judged here
        return self.rng.random() < 0.012 * (3 if self.legal.wins > 1 else 1)

    def _thrown(self, seat: int, free: list[str]) -> str:
        """Which of the tiles that may be thrown this player throws."""
        tile = self.rng.choice(self.players[seat].hand)
        return tile if tile in free else self.rng.choice(free)

    def _thieves(self, seat: int, tile: str) -> list[int]:
        """Who may rob this player's added kong, one of whom does."""
        del tile
        robbed = self.rng.random() < 0.1
        return [one for one in range(self.legal.seats) if one != seat and one not in self.out] if robbed else []

    def _wish(self, seat: int, tile: str) -> tuple[str, int, tuple[str, ...]] | None:
        """Who takes the discard and for what, or nobody."""
        legal, rng = self.legal, self.rng
        if legal.claimable((tile,), self.wild) is None:
            return None
        others = [(seat + step) % legal.seats for step in range(1, legal.seats)]
        others = [other for other in others if other not in self.out]
        for other in others:
            if rng.random() < 0.004 and legal.discard_wins:
                return "win", other, ()
        if not self.wall or (legal.last_only_won and not self.wall):
            return None
        for other in others:
            count = self.players[other].hand.count(tile)
            if count >= 3 and rng.random() < 0.6 and len(self.wall) > legal.silent_end:
                return "kong_open", other, (tile,) * 3
            if count >= 2 and rng.random() < 0.6:
                return "peng", other, (tile,) * 2
        if legal.no_chow:
            return None
        able = others if legal.chow_from_any else others[:1]
        for other in able:
            hand = sorted(set(self.players[other].hand) - {self.wild})
            runs = [
                (one, two)
                for place, one in enumerate(hand)
                for two in hand[place + 1 :]
                if len({one, two, tile}) == 3 and run_of((one, two, tile))
            ]
            if runs and rng.random() < 0.25:
                return "chi", other, rng.choice(runs)
        return None

    def _lay(self, seat: int, source: str, feeder: int | None, tile: str = "", *, taken: bool = False) -> Happened:
        player = self.players[seat]
        self.out.append(seat)
        tiles = [*player.hand, tile] if taken else list(player.hand)
        player.shown = [Piece(one) for one in tiles]
        player.hand = []
        laid = HandLaid(
            seat=seat, source=source, from_seat=feeder, taken=(tile,) if tile else (), tiles=tuple((t,) for t in tiles)
        )
        return Happened(laid)

    def _another(self, first: int, source: str, feeder: int, tile: str) -> Iterator[Happened]:
        """Where the battle goes on, somebody who sits farther from the feeder may win on the same tile."""
        farther = [
            (feeder + step) % self.legal.seats
            for step in range((first - feeder) % self.legal.seats + 1, self.legal.seats)
            if (feeder + step) % self.legal.seats not in self.out
        ]
        if farther and not self._over() and self.rng.random() < 0.3:
            yield self._lay(farther[0], source, feeder, tile)

    def _clear(self) -> Happened:
        self.players = [Player() for _ in self.players]
        return Happened(TableCleared())


@dataclass(frozen=True)
class Noise:
    """How bad the camera is.

    Attributes:
        misread: share of faces whose likeliest reading is wrong. Such a tile, and as many that are read right, carry
            two or three candidates; the scores are calibrated: a score of 0.6 is right in 60 % of all cases.
        arm: share of looks in which an arm lies over one zone; half of the time nobody notices that it does.
        rests: for so many looks it stays there.
        snatch: share of claimed discards that are taken before the camera saw them.
        rushed: share of moves that the next one follows before any look.
        missed: share of looks that do not happen.
        jitter: share of looks in which two neighbours of a pond are read the wrong way round.
        lost: share of looks in which one tile is not found at all.
        lies: share of faces that are read wrong although the score is high. No calibrated camera has any.
    """

    misread: float = 0.0
    arm: float = 0.0
    rests: int = 1
    snatch: float = 0.0
    rushed: float = 0.0
    missed: float = 0.0
    jitter: float = 0.0
    lost: float = 0.0
    lies: float = 0.0


class Camera:
    """Looks at a simulated table through noise; twice a second."""

    def __init__(self, legal: Legal, noise: Noise, rng: Random) -> None:
        self.legal, self.noise, self.rng, self.now_s = legal, noise, rng, 0.0
        self.resting: list[tuple[int, Zone, bool]] = []

    def look(self, players: list[Player]) -> Sighting | None:
        """The next sighting; None when the look is missed."""
        self.now_s += 0.5
        noise, rng = self.noise, self.rng
        if rng.random() < noise.missed:
            return None
        seats = [self._seat(player) for player in players]
        covered: frozenset[tuple[int, Zone]] = frozenset()
        if not self.resting and rng.random() < noise.arm / noise.rests:
            zone: Zone = rng.choice(("pond", "melds", "flowers"))
            self.resting = [(rng.randrange(len(players)), zone, rng.random() < 0.5)] * noise.rests
        if self.resting:
            seat, zone, noticed = self.resting.pop()
            seats[seat] = _without(seats[seat], zone)
            covered = frozenset({(seat, zone)}) if noticed else covered
        return Sighting(self.now_s, tuple(seats), covered)

    def _seat(self, player: Player) -> SeatSighting:
        pond = [self._glimpse(piece) for piece in player.pond]
        if len(pond) > 1 and self.rng.random() < self.noise.jitter / 4:
            place = self.rng.randrange(len(pond) - 1)
            pond[place], pond[place + 1] = pond[place + 1], pond[place]
        if pond and self.rng.random() < self.noise.lost / 4:
            pond.pop(self.rng.randrange(len(pond)))
        return SeatSighting(
            pond=tuple(pond),
            melds=tuple(tuple(self._glimpse(piece) for piece in meld) for meld in player.melds),
            flowers=tuple(self._glimpse(piece) for piece in player.flowers),
            hand=tuple(self._glimpse(piece) for piece in player.shown),
            standing=len(player.hand),
        )

    def _glimpse(self, piece: Piece) -> Glimpse:
        if piece.look is None:
            piece.look = self._first_look(piece)
        return piece.look

    def _first_look(self, piece: Piece) -> Glimpse:
        rng = self.rng
        if piece.down:
            return Glimpse((("x", 1.0),))
        if rng.random() < self.noise.lies:
            return Glimpse(((self._like(piece.tile, 1)[0], 0.99),))
        top = 0.5 + 0.4 * rng.random()
        if rng.random() >= self.noise.misread / 0.3:  # the mean of 1 - top over doubtful tiles
            return Glimpse(((piece.tile, 0.995),))
        others = self._like(piece.tile, rng.choice((1, 1, 2)))
        shares = [top] + ([1 - top] if len(others) == 1 else [(1 - top) * 0.7, (1 - top) * 0.3])
        faces = [piece.tile, *others]
        drawn = rng.choices(range(len(faces)), shares)[0]
        faces[0], faces[drawn] = faces[drawn], faces[0]
        return Glimpse(tuple(zip(faces, shares, strict=True)), sure=False)

    def _like(self, tile: str, count: int) -> list[str]:
        """Faces that look alike: a neighbour of the suit, another honour, another flower."""
        if is_flower(tile):
            pool = [kind for kind in self.legal.flowers if kind != tile]
        elif tile[1] == "z":
            pool = [kind for kind in self.legal.kinds if kind[1] == "z" and kind != tile]
        else:
            pool = [k for k in self.legal.kinds if k[1] == tile[1] and 0 < abs(int(k[0]) - int(tile[0])) <= 2]
        return self.rng.sample(pool, min(count, len(pool)))


def _without(seat: SeatSighting, zone: str) -> SeatSighting:
    kept = {name: getattr(seat, name) for name in SOURCES if name != zone}
    return SeatSighting(**kept)
