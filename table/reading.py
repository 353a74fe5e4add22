"""From tiles in a picture to a hand that can be judged: rows become the concealed hand, groups apart become melds.

The eyes know where tiles lie and what is on them; this module gives the places their mahjong names (`table.layout`). It
never guesses: a tile nobody can read, a fifth copy, a wrong number of tiles become questions (`table.hand_questions`),
and where the tiles can be understood in more than one way every way is kept (`Proposal.hands`), for the rules to say
whether it makes a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Literal

from table.hand_questions import hand_questions
from table.layout import Layout, Part, kind_of, layouts_of, parts_of, seen_tile
from table.model import LaidHand, LaidMeld, MeldKind, SeenGroup, SeenTile
from table.snapshot import Question
from table.state import Claim, MeldPin
from table.tile_text import BACK, split_tiles, tiles_text
from vision.types import PictureReading

TileRole = Literal["concealed", "meld", "win", "flower", "out"]

HAND_TILES = 14
"""Tiles of a complete hand in most rulesets, kongs counted as three."""

MOST_TILES = HAND_TILES + 4 + 8
"""Tiles of the largest hand: four kongs and all flowers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandOption:
    """One way to understand the tiles: which hand it is, and where its winning tile lies (None if not in a picture)."""

    laid: LaidHand
    win_index: int | None
    layout: Literal["laid", "closed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What the tiles may be: every possible hand, or the questions that must be answered first."""

    hands: tuple[HandOption, ...] = ()
    questions: tuple[Question, ...] = ()
    roles: Mapping[int, TileRole] = field(default_factory=dict)
    natural: Mapping[int, MeldKind] = field(default_factory=dict)


def seen(reading: PictureReading) -> tuple[tuple[SeenTile, ...], tuple[SeenGroup, ...]]:
    """Turn what vision read into the plain values that events keep."""
    tiles = tuple(
        SeenTile(
            index=index,
            tile=one.tile,
            score=round(float(one.score), 4),
            sure=one.sure,
            also=tuple((name, round(float(score), 4)) for name, score in one.also[:4]),
            box=(
                round(float(one.box_px[0]), 1),
                round(float(one.box_px[1]), 1),
                round(float(one.box_px[2]), 1),
                round(float(one.box_px[3]), 1),
            ),
        )
        for index, one in enumerate(reading.tiles)
    )
    groups = tuple(SeenGroup(kind=one.kind, tiles=tuple(int(i) for i in one.tiles)) for one in reading.groups)
    return tiles, groups


def propose(claim: Claim, hand_tiles: int = HAND_TILES) -> Proposal:
    """Understand the hand of a claim, from its picture with a person's corrections, or as it was typed.

    Args:
        claim: what is known about the hand.
        hand_tiles: tiles of a complete hand under these rules, kongs counted as three.
    """
    if claim.how == "manual":
        return _typed(claim.entered) if claim.entered is not None else Proposal()
    if claim.how == "":
        return Proposal()
    return _pictured(claim, hand_tiles)


def worth_showing(tiles: tuple[SeenTile, ...], groups: tuple[SeenGroup, ...]) -> bool:
    """Whether a picture nobody asked for shows a whole laid hand, perhaps with a tile or two that need a look."""
    parts, flowers, _ = parts_of(Claim(seat=0, how="camera", tiles=tiles, groups=groups))
    count = len(flowers) + sum(len(part.tiles) for part in parts)
    return HAND_TILES - 1 <= count <= MOST_TILES


def _typed(entered: LaidHand) -> Proposal:
    if entered.win_tile:
        return Proposal(hands=(HandOption(laid=entered, win_index=None, layout="laid"),))
    tiles = split_tiles(entered.hand)
    options = []
    for tile in dict.fromkeys(tiles):
        rest = list(tiles)
        rest.remove(tile)
        laid = replace(entered, hand=tiles_text(rest), win_tile=tile)
        options.append(HandOption(laid=laid, win_index=None, layout="laid"))
    return Proposal(hands=tuple(options))


def _pictured(claim: Claim, hand_tiles: int) -> Proposal:
    parts, flowers, out = parts_of(claim)
    natural = {part.group: kind for part in parts if (kind := kind_of(claim, part)) is not None}
    layouts = layouts_of(claim, parts, natural, hand_tiles)
    roles = _roles(layouts, flowers, out)
    questions = hand_questions(claim, parts, layouts)
    if questions:
        return Proposal(questions=questions, roles=roles, natural=natural)
    options = tuple(option for layout in layouts for option in _options(claim, layout, flowers))
    if len({option.win_index for option in options}) == 1 and options[0].win_index is not None:
        roles = {**roles, options[0].win_index: "win"}
    return Proposal(hands=options, roles=roles, natural=natural)


def _roles(layouts: Sequence[Layout], flowers: Iterable[int], out: Iterable[int]) -> dict[int, TileRole]:
    roles: dict[int, TileRole] = dict.fromkeys(out, "out")
    roles.update(dict.fromkeys(flowers, "flower"))
    roles.update(dict.fromkeys(layouts[0].concealed, "concealed"))
    roles.update(dict.fromkeys((index for part in layouts[0].melds for index in part.tiles), "meld"))
    return roles


def _options(claim: Claim, layout: Layout, flowers: Sequence[int]) -> Iterable[HandOption]:
    """Every hand this layout can be: each possible winning tile with each kind that a kong may have."""
    concealed = layout.concealed
    winners = _winning(claim, layout)
    kinds = [_meld_kinds(claim, part) for part in layout.melds]
    for win_index, chosen in product(winners, product(*kinds)):
        rest = [claim.tile_at(index) for index in concealed if index != win_index]
        melds = tuple(_meld(claim, part, pin) for part, pin in zip(layout.melds, chosen, strict=True))
        yield HandOption(
            laid=LaidHand(
                hand=tiles_text(rest),
                melds=melds,
                win_tile=claim.win_named if win_index is None else claim.tile_at(win_index),
                flowers=tiles_text(claim.tile_at(index) for index in flowers),
            ),
            win_index=win_index,
            layout=layout.name,
        )


def _winning(claim: Claim, layout: Layout) -> tuple[int | None, ...]:
    """Indices of the tiles that may have won: the one a person named, the one laid apart, or one of each kind."""
    if claim.win_named:
        return (None,)
    if claim.win_index is not None and claim.win_index in layout.concealed:
        return (claim.win_index,)
    apart = [part.tiles[0] for part in layout.rest if len(part.tiles) == 1]
    if len(apart) == 1:
        return (apart[0],)
    firsts: dict[str, int] = {}
    for index in apart or layout.concealed:
        firsts.setdefault(claim.tile_at(index), index)
    seen = seen_tile(claim)
    return (firsts[seen],) if seen in firsts else tuple(firsts.values())


def _meld_kinds(claim: Claim, part: Part) -> tuple[MeldPin, ...]:
    """What this group may be; a kong lying open may have been claimed at once or added to a pung."""
    pin = claim.meld_pins.get(part.group)
    if pin is not None and pin.kind is not None:
        return (pin,)
    kind = kind_of(claim, part)
    tiles = tiles_text(name for index in part.tiles if (name := claim.tile_at(index)) != BACK)
    followed = next((meld for meld in claim.seen.melds if meld.tiles == tiles), None) if claim.seen else None
    if followed is not None and kind != "kong_concealed":
        return (MeldPin(kind=followed.kind, from_seat=followed.from_seat),)
    if kind == "kong_open":
        return (MeldPin(kind="kong_open"), MeldPin(kind="kong_added"))
    return (MeldPin(kind=kind),)


def _meld(claim: Claim, part: Part, pin: MeldPin) -> LaidMeld:
    names = Counter(claim.tile_at(index) for index in part.tiles if claim.tile_at(index) != BACK)
    tiles = list(names.elements())
    if len(part.tiles) == 4 and len(names) == 1:
        tiles = list(names) * 4
    return LaidMeld(kind=pin.kind or "peng", tiles=tiles_text(tiles), from_seat=pin.from_seat)
