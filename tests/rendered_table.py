"""A simulated hand as it lies on a rendered table: from lists of tiles to millimetres, pictures and their truth."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from models.train.boxes import Light, Placed
from models.train.camera import View
from models.train.face_sheets import load_studio
from models.train.layouts import Hand, meld, row, to_table, width_of
from models.train.live_table import LiveTable
from models.train.photo_effects import Effects
from models.train.studio import Look
from models.train.surface import Table
from models.train.tile_body import Body
from tests.evening_sim import HandPlay, Piece, Player
from vision.calibration import Calibration, calibrate

SETS = Path(__file__).parent / "pictures" / "sets"
POND_ROWS = (6, 6, 10, 6)
"""Discards in each row: the third goes on to the right before a fourth is begun where the wall stood."""


@dataclass(frozen=True)
class Place:
    """A table, its camera and its tiles.

    Attributes:
        tiles: the set, a file of `tests/pictures/sets`.
        unseen: whether training never used this style.
        size: of the pictures.
        half_mm: half the side of the felt.
        felt_bgr: its colour.
        tilt_deg: how far from straight above the camera hangs.
        defocus_px, noise, quality: of lens, sensor and stream.
    """

    tiles: str
    unseen: bool
    size: tuple[int, int]
    half_mm: float = 400.0
    felt_bgr: tuple[float, float, float] = (62, 112, 34)
    tilt_deg: float = 2.0
    defocus_px: float = 0.4
    noise: float = 1.8
    quality: int = 85

    def view(self) -> View:
        """The whole felt with a little of the frame, its height filling the picture."""
        span = 2.16 * self.half_mm * self.size[0] / self.size[1]
        return View((2.0, -3.0), span, self.tilt_deg, azimuth_deg=3.0, roll_deg=0.7, fov_deg=52)

    def open(self, seed: int) -> LiveTable:
        """The empty table before its camera."""
        direction = np.array([-0.3, 0.35, 1.0])
        light = Light(direction / np.linalg.norm(direction), 0.55, (0.97, 1.0, 1.02))
        effects = Effects(
            defocus_px=self.defocus_px, noise=self.noise, vignette=0.12, quality=self.quality, sharpen=0.3
        )
        table = Table(
            half=self.half_mm, frame=70, felt_bgr=self.felt_bgr, frame_bgr=(52, 78, 118), floor_bgr=(70, 78, 86),
            frame_wood=True, machine=72, machine_bgr=(52, 54, 58), machine_square=True, rounding=30,
        )  # fmt: skip
        return LiveTable(
            load_studio(SETS / f"{self.tiles}.webp"), table, self.view(), self.size, Look(light, effects), seed
        )


PLACES: dict[str, Place] = {
    "known set, 1600 x 1200": Place("demo", False, (1600, 1200)),
    "unseen set, 1600 x 1200": Place("kaisei", True, (1600, 1200), felt_bgr=(110, 70, 24), tilt_deg=5),
    "unseen set, 1920 x 1080": Place("xiaowei", True, (1920, 1080), felt_bgr=(60, 125, 40), tilt_deg=8),
    "unseen set, 2560 x 1440": Place("fangsong", True, (2560, 1440), felt_bgr=(50, 45, 110), tilt_deg=10),
}


def calibration_of(place: Place, table: LiveTable) -> Calibration:
    """The camera as a careful person calibrates it, from the true corners of the felt."""
    half = place.half_mm
    corners = np.array([(-half, half, 0), (half, half, 0), (half, -half, 0), (-half, -half, 0)])
    return calibrate(table.camera.project(corners), (2 * half, 2 * half), picture_px=place.size)


@dataclass(frozen=True)
class Seats:
    """Where each player of the game sits at the table, and where things lie before him, in his own millimetres."""

    body: Body
    half_mm: float
    places: tuple[int, ...]

    @property
    def hand_y(self) -> float:
        return -self.half_mm + 1.65 * self.body.length

    @property
    def wall_y(self) -> float:
        return self.hand_y + 2.1 * self.body.length

    @property
    def pond_y(self) -> float:
        """Middle of the first row of discards."""
        return -80 - 0.9 * self.body.length


class Laying:
    """Puts a simulated hand on the table, a little untidily; what does not move stays exactly where it is."""

    def __init__(self, seats: Seats, seed: int) -> None:
        self.seats, self.seed = seats, seed
        self._kept: dict[Piece, int] = {}

    def tiles(self, play: HandPlay) -> list[Placed]:
        """Everything that lies on the table now; `order` of a tile is its number in `pieces`."""
        laid: list[Placed] = []
        for seat, player in zip(self.seats.places, play.players, strict=True):
            laid += self._pond(player, seat) + self._strip(player, seat)
        return laid + self._wall(len(play.wall) + play.legal.dead_wall)

    def _put(self, tile: Placed, seat: int, key: tuple[object, ...], hand: Hand) -> Placed:
        chance = np.random.default_rng((self.seed, zlib.crc32(repr(key).encode())))
        return to_table(hand.nudge(tile, chance), seat)

    def _number(self, piece: Piece) -> int:
        return self._kept.setdefault(piece, len(self._kept))

    def _pieces(self, pieces: Sequence[Piece], placed: Sequence[Placed], seat: int) -> list[Placed]:
        untidy = Hand(0.6, 0.9)
        return [
            self._put(tile, seat, ("piece", self._number(piece)), untidy)
            for piece, tile in zip(pieces, placed, strict=True)
        ]

    def _pond(self, player: Player, seat: int) -> list[Placed]:
        body = self.seats.body
        places = [(line, column) for line, count in enumerate(POND_ROWS) for column in range(count)]
        placed = []
        for (line, column), piece in zip(places, player.pond, strict=False):
            x = (column - 3) * (body.width + 0.6)
            placed += row([piece.tile], (x, self.seats.pond_y - line * (body.length + 1.2)), body)
        return self._pieces(player.pond, placed, seat)

    def _strip(self, player: Player, seat: int) -> list[Placed]:
        """Flowers at the left, melds from the right edge inwards, the hand between them."""
        body, y = self.seats.body, self.seats.hand_y
        laid: list[Placed] = []
        right = self.seats.half_mm - 14
        for pieces in player.melds:
            tiles = _meld_tiles(pieces, (0, y), body)
            wide = width_of(tiles, body)
            shift = right - wide
            moved = [replace(tile, at=(tile.at[0] + shift, *tile.at[1:])) for tile in tiles]
            laid += self._pieces(pieces, moved, seat)
            right -= wide + 14
        start = self.seats.hand_y + 0.5 * body.length + 15  # the corner belongs to the neighbour's melds
        laid += self._pieces(player.flowers, row([f.tile for f in player.flowers], (start, y), body), seat)
        start += len(player.flowers) * (body.width + 0.4) + 20
        shown = [piece.tile for piece in player.shown]
        count = len(shown) or len(player.hand)
        x = max(start, min(-count * body.width / 2, right - 20 - count * (body.width + 0.4)))
        laid += self._pieces(player.shown, row(shown, (x, y), body), seat)
        if not shown:
            standing = row(["1m"] * count, (x, y), body, "stand")
            laid += [self._put(tile, seat, (seat, n), Hand(0.2, 0.3)) for n, tile in enumerate(standing)]
        return laid

    def _wall(self, left: int) -> list[Placed]:
        """What is left of the wall, drawn from the front of seat 0's side onwards, two tiles a stack."""
        body, per_side = self.seats.body, 18
        laid = []
        for number in range(4 * 2 * per_side - left, 8 * per_side):
            side, place = divmod(number, 2 * per_side)
            column, below = divmod(place, 2)
            x = 9 * (body.width + 0.4) - (column + 0.5) * (body.width + 0.4)
            z = body.depth * (0.5 if below else 1.5)
            tile = Placed("1m", (x, self.seats.wall_y, z), pose="down")
            laid.append(self._put(tile, (3 - side + 1) % 4, ("wall", side, column), Hand(0.2, 0.2)))
        return laid


def _meld_tiles(pieces: Sequence[Piece], start: tuple[float, float], body: Body) -> list[Placed]:
    tiles = meld("kong_open" if len(pieces) == 4 else "peng", [piece.tile for piece in pieces], start, body)
    return [replace(tile, pose="down") if piece.down else tile for piece, tile in zip(pieces, tiles, strict=True)]
