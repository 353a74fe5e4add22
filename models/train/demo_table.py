"""The demo's table: which tiles lie where in each of its hands, during play and at the end."""

from __future__ import annotations

from collections import Counter

import numpy as np

from models.train.boxes import Placed
from models.train.camera import View
from models.train.demo_hands import DemoHand, DemoMeld, tiles_of
from models.train.layouts import Builder, Hand, full_set, meld, pond, row, stacks, width_of
from models.train.recipes import Plan
from models.train.surface import Table
from models.train.tile_body import Body

SEED = 20
WALL_STACKS = 18
FIRST_ROW_Y, WALL_Y, HAND_Y = -114.0, -246.0, -326.0
NEAT, CAREFUL = Hand(0.3, 0.35), Hand(0.15, 0.12)

BODY = Body(
    width=26, length=35, depth=20, radius=2.6, bevel=0.9, front_share=0.6, front_bgr=(240, 246, 249),
    back_bgr=(45, 140, 235), gloss=0.3, engraving=0.6, face_margin=0.01,
)  # fmt: skip
TABLE = Table(
    half=385, frame=70, felt_bgr=(62, 112, 34), frame_bgr=(52, 78, 118), floor_bgr=(70, 78, 86), weave="felt",
    frame_wood=True, machine=72, machine_bgr=(52, 54, 58), machine_square=True, rounding=30,
)  # fmt: skip
VIEW = View(target_mm=(3.0, -2.0), span_mm=1066, tilt_deg=1.5, azimuth_deg=0, roll_deg=0.8, fov_deg=58)
"""The camera hangs over the table's centre; seat 0 is at the bottom of the picture."""


def remaining_bag(hand: DemoHand, rng: np.random.Generator) -> list[str]:
    """All tiles of the set that the winner does not hold, in random order."""
    held = Counter([*tiles_of(hand.hand), hand.win_tile, *tiles_of(hand.flowers)])
    for one in hand.melds:
        held.update(tiles_of(one.tiles))
    bag = []
    for tile in full_set(rng):
        if held[tile]:
            held[tile] -= 1
        else:
            bag.append(tile)
    if +held:
        raise ValueError(f"The demo hand {hand.hand!r} holds tiles that a set does not have: {dict(+held)}.")
    return bag


def lay_winner(on: Builder, hand: DemoHand) -> None:
    """The winner's side: flowers, concealed tiles, the winning tile apart, melds, from left to right."""
    flowers, concealed = tiles_of(hand.flowers), tiles_of(hand.hand)
    step = BODY.width + 0.4
    melds = [laid_meld(m, 0) for m in hand.melds]
    widths = [width_of(tiles, BODY) for tiles in melds]
    total = len(flowers) * step + 45 * bool(flowers) + len(concealed) * step + 32 + step + 45 * bool(melds)
    x = -(total + sum(widths) + 22 * max(len(melds) - 1, 0)) / 2
    if flowers:
        on.lay("flowers", row(flowers, (x, HAND_Y), BODY), seat=hand.winner, hand=NEAT)
        x += len(flowers) * step + 45
    on.lay("hand", row(concealed, (x, HAND_Y), BODY), seat=hand.winner, note="revealed", hand=CAREFUL)
    x += len(concealed) * step + 32
    on.lay("winning_tile", row([hand.win_tile], (x, HAND_Y), BODY), seat=hand.winner, hand=CAREFUL)
    x += step + 45
    for one, width in zip(hand.melds, widths, strict=True):
        on.lay("meld", laid_meld(one, x), seat=hand.winner, note=one.kind, hand=CAREFUL)
        x += width + 22


def laid_meld(one: DemoMeld, x: float) -> list[Placed]:
    """A meld on the winner's side; an added kong lies as four in a row, which no camera can tell from an open one."""
    kind = "kong_open" if one.kind == "kong_added" else one.kind
    return meld(kind, tiles_of(one.tiles), (x, HAND_Y), BODY, "two_backs" if kind == "kong_concealed" else "upright")


def lay_player(on: Builder, seat: int, pose: str) -> None:
    """Tiles of a player that nobody else may see: standing during play, face down at the end."""
    tiles = row(["1m"] * 13, (-13 * BODY.width / 2, HAND_Y), BODY, pose)
    on.lay("hand", tiles, seat=seat, note=pose, hand=CAREFUL)


def lay_walls(on: Builder, tiles_left: int, first_side: int, hand: Hand = CAREFUL) -> None:
    """What is left of the wall, clockwise from ``first_side``, taken from the front."""
    gone = 4 * WALL_STACKS - (tiles_left + 1) // 2
    for k in range(4):
        side = (first_side - k) % 4
        missing = min(max(gone - k * WALL_STACKS, 0), WALL_STACKS)
        left = WALL_STACKS - missing
        if not left:
            continue
        start = (-9.4 * (BODY.width + 0.4), WALL_Y)
        tiles = stacks(2 * left, start, BODY, ["1m"] * (2 * left))
        on.lay("wall", tiles, seat=side, hand=hand)


def table_plan(hand: DemoHand, number: int, *, finished: bool) -> Plan:
    """The table of one hand, during play or when the winner has laid down.

    Args:
        hand: the hand.
        number: its place in the game, decides the discards.
        finished: whether the winner's tiles lie open.
    """
    rng = np.random.default_rng((SEED, number))
    on, bag = Builder(BODY, rng), remaining_bag(hand, rng)
    discards = [[t for t in (bag.pop() for _ in range(26)) if t[1] != "f"][:18] for _ in range(4)]
    full = [int(rng.integers(8, 17)) for _ in range(4)]
    shown = [n if finished else max(n - int(rng.integers(4, 7)), 1) for n in full]
    for seat in range(4):
        on.lay("pond", pond(discards[seat][: shown[seat]], FIRST_ROW_Y, BODY), seat=seat, hand=NEAT)
    held = 14 + sum(len(m.tiles) == 5 for m in hand.melds) + len(tiles_of(hand.flowers))
    lay_walls(on, 144 - sum(shown) - 39 - held, hand.dealer)
    for seat in range(4):
        if seat != hand.winner:
            lay_player(on, seat, "down" if finished else "stand")
    if finished:
        lay_winner(on, hand)
    else:
        lay_player(on, hand.winner, "stand")
    return Plan("demo", on.layout, TABLE, VIEW)
